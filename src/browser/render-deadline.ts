import { now } from "../lib/clock";
import { remainingMs, type TimeLimit } from "../lib/time-limit";
import { RENDER_TIMEOUT_MS } from "../model/page-limits";

/**
 * The time limit of a render. Without a limit of the caller, RENDER_TIMEOUT_MS includes the start of the browser. A limit
 * of the caller begins when the render has a tab, because the caller can't know whether a browser is running.
 */
export class RenderDeadline {
  readonly #limit: TimeLimit | null;
  #signal = AbortSignal.timeout(RENDER_TIMEOUT_MS);
  #endsAt = now() + RENDER_TIMEOUT_MS;

  constructor(limit: TimeLimit | null) {
    this.#limit = limit;
  }

  /** The signal that is aborted when the time is over. `start` may replace it. */
  get signal(): AbortSignal {
    return this.#signal;
  }

  /** The whole limit in milliseconds, for messages. */
  get ms(): number {
    return this.#limit?.ms ?? RENDER_TIMEOUT_MS;
  }

  /** The time that is left, in milliseconds. */
  get remainingMs(): number {
    return Math.max(0, this.#endsAt - now());
  }

  /** Starts the limit of the caller, if there is one. Returns the signal of the limit. */
  start(): AbortSignal {
    if (this.#limit === null) return this.#signal;
    const ms = remainingMs(this.#limit);
    this.#signal = AbortSignal.timeout(ms);
    this.#endsAt = now() + ms;
    return this.#signal;
  }
}
