import { now, sleep } from "./clock";

const POLL_MS = 25;
const RENEWAL_MS = 500;
/** The number of polls without a renewal after which the place's invocation has ended. */
const EXPIRY_POLLS = 200;

interface Place {
  weight: number;
  owner: string | undefined;
  isAdmitted: boolean;
  /** The counted polls of all callers since the place was renewed. */
  polls: number;
}

/**
 * Limits the sum of the weights of all holders in an isolate. Callers are admitted in the order of arrival, but several
 * places of one owner get at most half of the limit. A single holder can have any weight. Objects and invocations of an
 * isolate can't resolve each other's promises, so callers poll. The platform may end an invocation without running its
 * `finally` blocks, so each caller renews its place. Missed renewals are counted in polls, because no place can be
 * renewed while the isolate runs other code.
 */
export class SharedLimit {
  readonly #size: number;
  readonly #places = new Map<symbol, Place>();
  /** The time (Unix ms) of the last poll that was counted. */
  #countedAt = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** Resolves with the function that releases the place. Rejects with the signal's reason if it is aborted first. */
  async acquire(signal: AbortSignal, weight = 1, owner?: string): Promise<() => void> {
    signal.throwIfAborted();
    const id = Symbol("place");
    const place: Place = { weight, owner, isAdmitted: false, polls: 0 };
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
      for (this.#letIn(); !place.isAdmitted; this.#letIn()) {
        await sleep(POLL_MS, signal);
        this.#countPoll();
      }
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  /** Admits the next callers. */
  #letIn(): void {
    const places = [...this.#places.values()];
    const held = places.filter(({ isAdmitted }) => isAdmitted);
    for (const place of places) {
      if (place.isAdmitted) continue;
      const owned = held.filter(({ owner }) => owner !== undefined && owner === place.owner);
      if (!fits(place, owned, this.#size / 2)) continue;
      if (!fits(place, held, this.#size)) return;
      place.isAdmitted = true;
      held.push(place);
    }
  }

  /** Counts a poll for all places. Many callers together count no faster than one. */
  #countPoll(): void {
    if (now() - this.#countedAt < POLL_MS) return;
    this.#countedAt = now();
    for (const [id, place] of this.#places) if (++place.polls > EXPIRY_POLLS) this.#places.delete(id);
  }
}

function fits({ weight }: Place, others: readonly Place[], size: number): boolean {
  return others.length === 0 || others.reduce((sum, other) => sum + other.weight, weight) <= size;
}

/** A place in a limit that is taken when it is needed, and whose weight can grow. */
export class Reservation {
  readonly #acquire: (weight: number) => Promise<() => void>;
  #weight = 0;
  #acquiring: Promise<() => void> | undefined;

  constructor(limit: SharedLimit, signal: AbortSignal, owner?: string) {
    this.#acquire = (weight) => limit.acquire(signal, weight, owner);
  }

  /** Waits for a place with at least this weight. Rejects with the signal's reason. */
  async acquire(weight = 1): Promise<void> {
    if (weight > this.#weight) {
      // Holders that kept their places would wait for each other.
      this.release();
      this.#weight = weight;
      this.#acquiring = this.#acquire(weight);
    }
    await this.#acquiring;
  }

  release(): void {
    // `acquire` rejects if the run ends while it waits. In that case, there is nothing to release.
    this.#acquiring?.then((release) => release()).catch(() => {});
    this.#acquiring = undefined;
    this.#weight = 0;
  }
}
