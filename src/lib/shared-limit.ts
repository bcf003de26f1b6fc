import { sleep } from "./clock";

const POLL_MS = 25;
const RENEWAL_MS = 500;
/** The number of polls by every other caller, without a renewal, after which the place's invocation has ended. */
const EXPIRY_POLLS = 200;

interface Place {
  weight: number;
  /** The polls of all callers since the place was renewed, divided by the number of places. */
  polls: number;
}

/**
 * Limits the sum of the weights of all holders in an isolate. Callers are admitted in the order of arrival. A single
 * holder can have any weight. Objects and invocations of an isolate can't resolve each other's promises, so callers
 * poll. The platform may end an invocation without running its `finally` blocks, so each caller renews its place.
 * Missed renewals are counted in polls, because no place can be renewed while the isolate runs other code.
 */
export class SharedLimit {
  readonly #size: number;
  readonly #places = new Map<symbol, Place>();

  constructor(size: number) {
    this.#size = size;
  }

  /** Resolves with the function that releases the place. Rejects with the signal's reason if it is aborted first. */
  async acquire(signal: AbortSignal, weight = 1): Promise<() => void> {
    signal.throwIfAborted();
    const id = Symbol("place");
    const place = { weight, polls: 0 };
    this.#places.set(id, place);
    const timer = setInterval(() => {
      place.polls = 0;
      // The place is at the end of the queue if it had expired.
      this.#places.set(id, place);
    }, RENEWAL_MS);
    const release = () => {
      clearInterval(timer);
      this.#places.delete(id);
    };
    try {
      while (!this.#isAdmitted(id)) {
        await sleep(POLL_MS, signal);
        this.#countPoll();
      }
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  #isAdmitted(id: symbol): boolean {
    let sum = 0;
    for (const [other, { weight }] of this.#places) {
      if (other === id) return sum === 0 || sum + weight <= this.#size;
      sum += weight;
    }
    return false;
  }

  #countPoll(): void {
    const share = 1 / this.#places.size;
    for (const [id, place] of this.#places) {
      place.polls += share;
      if (place.polls > EXPIRY_POLLS) this.#places.delete(id);
    }
  }
}
