import { now } from "../lib/clock";
import { remainingMs, type TimeLimit } from "../lib/time-limit";
import { RENDER_TIMEOUT_MS } from "../model/page-limits";

/**
 * The time limit of a render. By default, the limit is RENDER_TIMEOUT_MS and includes the start of the browser. A limit
 * that the caller sets begins when the render has a tab, because the caller can't know if a browser is already running.
 */
export class RenderDeadline {
  readonly #limit: TimeLimit | null;
  /** The signal that is aborted at the end of the time limit. `start` may replace this signal. */
  signal = AbortSignal.timeout(RENDER_TIMEOUT_MS);
  #endsAt = now() + RENDER_TIMEOUT_MS;

  constructor(limit: TimeLimit | null) {
    this.#limit = limit;
  }

  /** The complete limit in milliseconds, for messages. */
  get ms(): number {
    return this.#limit?.ms ?? RENDER_TIMEOUT_MS;
  }

  /** The remaining time in milliseconds. */
  get remainingMs(): number {
    return Math.max(0, this.#endsAt - now());
  }

  /** Starts the limit that the caller has set, if there is one. Returns the signal of the limit. */
  start(): AbortSignal {
    if (this.#limit === null) return this.signal;
    const ms = remainingMs(this.#limit);
    this.signal = AbortSignal.timeout(ms);
    this.#endsAt = now() + ms;
    return this.signal;
  }
}
