import { SHARED_PLACES_MS } from "../model/limits";

/** Thrown to a waiter whose wait is over, or who came when too many of its account waited already. */
export class NoPlaceError extends Error {
  override readonly name = "NoPlaceError";
}

export interface PlaceRequest {
  /** The account of the render. */
  account: string;
  /** The most places that the account may hold here. */
  limit: number;
  /** Called when the place is needed for another account. The holder must leave at once, and may come back. */
  onEvicted: () => void;
}

interface Holder extends PlaceRequest {
  isEvicted: boolean;
}

interface Waiter extends PlaceRequest {
  enter: () => void;
}

/**
 * A fixed number of places that accounts share fairly, with a bounded wait in front.
 *
 * - Free places go to the waiting accounts in turn, whatever the number of their waiters.
 * - An account holds at most half of the places while another waits, or held one within SHARED_PLACES_MS. If it holds more when
 *   another comes, its youngest holders are evicted.
 */
export class Places {
  readonly #size: number;
  readonly #maxWaiting: number;
  readonly #now: () => number;
  readonly #holders = new Set<Holder>();
  readonly #lastSeen = new Map<string, number>();
  #waiting: Waiter[] = [];
  /** The accounts in the order in which they are served. */
  #turns: string[] = [];

  /** `maxWaiting`: of one account. */
  constructor(size: number, maxWaiting: number, now: () => number) {
    this.#size = size;
    this.#maxWaiting = maxWaiting;
    this.#now = now;
  }

  get taken(): number {
    return this.#holders.size;
  }

  /** True if the account would have to wait. */
  isFull(request: Pick<PlaceRequest, "account" | "limit">): boolean {
    return this.#waiting.some(({ account }) => account === request.account) || !this.#canEnter(request);
  }

  /**
   * Resolves with the function that leaves the place again. Throws NoPlaceError after `waitMs`, or at once when too many of the
   * account wait.
   */
  async take(request: PlaceRequest, waitMs: number): Promise<() => void> {
    const holder = this.isFull(request) ? await this.#wait(request, waitMs) : this.#enter(request);
    return () => {
      if (!this.#holders.delete(holder)) return;
      this.#lastSeen.set(holder.account, this.#now());
      this.#admit();
    };
  }

  #wait(request: PlaceRequest, waitMs: number): Promise<Holder> {
    const { account } = request;
    return new Promise((resolve, reject) => {
      if (this.#waiting.filter((other) => other.account === account).length >= this.#maxWaiting) {
        reject(new NoPlaceError("Too many renders of this account wait for a browser."));
        return;
      }
      const waiter: Waiter = {
        ...request,
        enter: () => {
          clearTimeout(timer);
          resolve(this.#enter(request));
        },
      };
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter);
        reject(new NoPlaceError("No browser had a place free in time."));
        this.#admit();
      }, waitMs);
      this.#waiting.push(waiter);
      if (!this.#turns.includes(account)) this.#turns.push(account);
      this.#evictFor(request);
    });
  }

  /**
   * Makes room for an account that waits: the accounts that hold more than half of the places give the rest back. Changes nothing if
   * the account waits because of its own limit.
   */
  #evictFor({ account, limit }: PlaceRequest): void {
    if (this.#heldBy(account).length >= Math.min(limit, this.#half)) return;
    for (const other of new Set([...this.#holders].map((holder) => holder.account))) {
      if (other === account) continue;
      // The youngest have done the least work.
      for (const holder of this.#heldBy(other).slice(this.#half)) {
        if (holder.isEvicted) continue;
        holder.isEvicted = true;
        holder.onEvicted();
      }
    }
  }

  #canEnter({ account, limit }: Pick<PlaceRequest, "account" | "limit">): boolean {
    const share = this.#isShared(account) ? this.#half : this.#size;
    return this.taken < this.#size && this.#heldBy(account).length < Math.min(limit, share);
  }

  /** True if another account waits, holds a place, or held one within SHARED_PLACES_MS. */
  #isShared(account: string): boolean {
    const since = this.#now() - SHARED_PLACES_MS;
    for (const [other, at] of this.#lastSeen) if (at < since) this.#lastSeen.delete(other);
    const others = [...this.#waiting, ...this.#holders].some((other) => other.account !== account);
    return others || [...this.#lastSeen.keys()].some((other) => other !== account);
  }

  get #half(): number {
    return Math.max(1, Math.floor(this.#size / 2));
  }

  /** The oldest first. */
  #heldBy(account: string): Holder[] {
    return [...this.#holders].filter((holder) => holder.account === account);
  }

  #enter(request: PlaceRequest): Holder {
    const holder = { ...request, isEvicted: false };
    this.#holders.add(holder);
    return holder;
  }

  #admit(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const { account } = next;
      this.#waiting = this.#waiting.filter((other) => other !== next);
      this.#turns = this.#turns.filter((other) => other !== account);
      if (this.#waiting.some((other) => other.account === account)) this.#turns.push(account);
      next.enter();
    }
  }

  /** The waiter whose turn it is, if there is a place for it. */
  #next(): Waiter | undefined {
    for (const account of this.#turns) {
      const first = this.#waiting.find((waiter) => waiter.account === account);
      if (first !== undefined && this.#canEnter(first)) return first;
    }
    return undefined;
  }
}
