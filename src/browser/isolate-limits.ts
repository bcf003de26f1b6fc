import { now, sleep } from "../lib/clock";
import { PROXY_CONNECTIONS } from "../model/page-limits";

// Several objects can run in one isolate and share its memory. Therefore all browsers of an isolate share these limits.

const POLL_MS = 25;
/** A longer holder has ended without a release, because its object was reset. A render ends sooner. */
const MAX_HELD_MS = 60_000;

/** Admits at most `size` holders of all objects. An object can't resolve the promise of another one, so callers poll. */
class SharedSemaphore {
  readonly #size: number;
  readonly #holders = new Map<symbol, number>();

  constructor(size: number) {
    this.#size = size;
  }

  /** Resolves with the function that releases the slot. Rejects with the signal's reason if it is aborted first. */
  async acquire(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    while (this.#isFull()) await sleep(POLL_MS, signal);
    const holder = Symbol("holder");
    this.#holders.set(holder, now());
    return () => this.#holders.delete(holder);
  }

  #isFull(): boolean {
    for (const [holder, since] of this.#holders) if (now() - since > MAX_HELD_MS) this.#holders.delete(holder);
    return this.#holders.size >= this.#size;
  }
}

/** Admits one large part of a screenshot, or one PDF, at a time. */
export const LARGE_OUTPUTS = new SharedSemaphore(1);

/** The connections to proxies. */
export const PROXY_SLOTS = {
  all: new SharedSemaphore(PROXY_CONNECTIONS),
  /** One less than in `all`, so that a document always gets a connection. */
  subresources: new SharedSemaphore(PROXY_CONNECTIONS - 1),
};
