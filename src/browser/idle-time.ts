import { SECOND_MS } from "../model/limits";
import { BROWSER_IDLE_MS } from "../model/page-limits";

/** An idle browser closes after this time if the next render is probably far away. */
const LEAST_IDLE_MS = 2 * SECOND_MS;
/** The weight of the last interval in the average. */
const WEIGHT = 0.3;
/**
 * The longest average interval between renders for which an idle browser stays open.
 *
 * If renders arrive at random with an average interval of m, a browser that stays open for the time t after a render is
 * idle for m(1 − e^(−t/m)) on average, and is used again with the probability 1 − e^(−t/m). Each start that is saved
 * therefore costs m of browser time, regardless of t. At $0.09 per browser hour, 20 seconds cost $0.0005. A start
 * delays a render by about a second.
 */
const WORTH_WAITING_MS = 20 * SECOND_MS;
/** The longest interval in the average. Otherwise, twenty renders after a quiet night would each start a browser. */
const MAX_INTERVAL_MS = 2 * BROWSER_IDLE_MS;

/** Decides how long an idle browser stays open, from the intervals between the renders. */
export class IdleTime {
  /** The longest time that an idle browser stays open, in milliseconds. */
  maxMs = BROWSER_IDLE_MS;
  readonly #isBilled: boolean;
  #lastAt: number | null = null;
  /** The average interval between renders in milliseconds. Null before the second render. */
  #intervalMs: number | null = null;

  /** `isBilled`: false if the browser costs nothing while it is idle, so it always stays open. */
  constructor({ isBilled }: { isBilled: boolean }) {
    this.#isBilled = isBilled;
  }

  onRender(at: number): void {
    if (this.#lastAt !== null) {
      const interval = Math.min(at - this.#lastAt, MAX_INTERVAL_MS);
      this.#intervalMs =
        this.#intervalMs === null ? interval : this.#intervalMs + WEIGHT * (interval - this.#intervalMs);
    }
    this.#lastAt = at;
  }

  /** Returns the time that an idle browser stays open, in milliseconds. */
  get(): number {
    const isBusy = this.#intervalMs !== null && this.#intervalMs <= WORTH_WAITING_MS;
    return this.#isBilled && !isBusy ? Math.min(LEAST_IDLE_MS, this.maxMs) : this.maxMs;
  }
}
