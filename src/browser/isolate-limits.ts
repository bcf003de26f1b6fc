import { now, sleep } from "../lib/clock";
import { SECOND_MS } from "../model/limits";
import { PROXY_CONNECTIONS } from "../model/page-limits";

// Several objects can run in one isolate and share its memory. Therefore all browsers of an isolate share these limits.

const POLL_MS = 25;
const RENEWAL_MS = 500;
/** The object of a caller that hasn't renewed its place for this time was reset, so it never releases the place. */
const EXPIRY_MS = 5 * SECOND_MS;

/** Admits at most `size` holders of all objects. An object can't resolve the promise of another one, so callers poll. */
export class SharedSemaphore {
  readonly #size: number;
  /** The time (Unix ms) of the last renewal of each caller, in the order of arrival. The first `size` are the holders. */
  readonly #places = new Map<symbol, number>();

  constructor(size: number) {
    this.#size = size;
  }

  /** Resolves with the function that releases the slot. Rejects with the signal's reason if it is aborted first. */
  async acquire(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const place = Symbol("place");
    const renew = () => this.#places.set(place, now());
    renew();
    const timer = setInterval(renew, RENEWAL_MS);
    const release = () => {
      clearInterval(timer);
      this.#places.delete(place);
    };
    try {
      while (!this.#isAdmitted(place)) await sleep(POLL_MS, signal);
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  #isAdmitted(place: symbol): boolean {
    for (const [other, renewedAt] of this.#places) if (now() - renewedAt > EXPIRY_MS) this.#places.delete(other);
    return [...this.#places.keys()].slice(0, this.#size).includes(place);
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
