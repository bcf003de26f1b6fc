import { now, sleep } from "./clock";

/**
 * One at a time, across the invocations of an isolate. The platform may end an invocation without a word, so that a turn is
 * over after `maxMs` whether it was given back or not.
 */
export class Turns {
  readonly #maxMs: number;
  #current: { until: number; ended: PromiseWithResolvers<void> } | null = null;

  constructor(maxMs: number) {
    this.#maxMs = maxMs;
  }

  /** Resolves with the call that ends the turn. Rejects with the signal's reason when that comes first. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    for (let other = this.#current; other !== null && other.until > now(); other = this.#current) {
      await endOf(other, signal);
    }
    const mine = { until: now() + this.#maxMs, ended: Promise.withResolvers<void>() };
    this.#current = mine;
    return () => {
      if (this.#current === mine) this.#current = null;
      mine.ended.resolve();
    };
  }
}

/** Each waits with a timer of its own invocation: one that waits for others alone would be taken for dead. */
async function endOf(turn: { until: number; ended: PromiseWithResolvers<void> }, signal: AbortSignal): Promise<void> {
  const ended = new AbortController();
  try {
    await Promise.race([turn.ended.promise, sleep(turn.until - now(), AbortSignal.any([signal, ended.signal]))]);
  } finally {
    ended.abort();
  }
}
