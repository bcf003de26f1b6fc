import { SHARED_SLOTS_MS } from "../model/page-limits";

/** Thrown if the wait for a slot takes too long, or if too many renders of the account are already waiting. */
export class NoSlotError extends Error {
  override readonly name = "NoSlotError";
}

export interface SlotRequest {
  /** The id of the account that renders. */
  account: string;
  /** The maximum number of slots that the account may hold in this browser. */
  limit: number;
  /** Called when another account needs the slot. The holder must release it, and may then acquire another one. */
  onEvicted: () => void;
}

interface Holder extends SlotRequest {
  isEvicted: boolean;
}

interface Waiter extends SlotRequest {
  enter: () => void;
}

/**
 * A semaphore that accounts share fairly. The number of waiters per account is limited.
 *
 * - Free slots go to the waiting accounts in rotation, regardless of how many renders of an account are waiting.
 * - An account may hold at most half of the slots while another account waits, holds a slot, or held one within
 *   SHARED_SLOTS_MS. If an account holds more than half when another account has to wait, its newest holders are
 *   evicted.
 * - If the slots are exclusive, only one account holds slots at a time. It gets no more slots while another account
 *   waits.
 */
export class RenderSlots {
  readonly size: number;
  readonly #maxWaiting: number;
  readonly #now: () => number;
  readonly #isExclusive: boolean;
  readonly #holders = new Set<Holder>();
  readonly #lastSeen = new Map<string, number>();
  #waiting: Waiter[] = [];
  /** The waiting accounts, in their order for the next free slots. */
  #rotation: string[] = [];

  /** `maxWaiting`: the waiters per account. `isExclusive`: accounts never hold slots at the same time. */
  constructor(size: number, maxWaiting: number, now: () => number, { isExclusive = false } = {}) {
    this.size = size;
    this.#maxWaiting = maxWaiting;
    this.#now = now;
    this.#isExclusive = isExclusive;
  }

  get inUse(): number {
    return this.#holders.size;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  isFull(request: Pick<SlotRequest, "account" | "limit">): boolean {
    return this.#waiting.some(({ account }) => account === request.account) || !this.#canEnter(request);
  }

  /** Resolves with the function that releases the slot. Throws NoSlotError after `waitMs`, or if too many wait. */
  async acquire(request: SlotRequest, waitMs: number): Promise<() => void> {
    const holder = this.isFull(request) ? await this.#wait(request, waitMs) : this.#enter(request);
    return () => {
      if (!this.#holders.delete(holder)) return;
      this.#lastSeen.set(holder.account, this.#now());
      this.#serveWaiters();
    };
  }

  #wait(request: SlotRequest, waitMs: number): Promise<Holder> {
    const { account } = request;
    return new Promise((resolve, reject) => {
      if (this.#waiting.filter((other) => other.account === account).length >= this.#maxWaiting) {
        reject(new NoSlotError("Too many renders of this account are waiting for a browser."));
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
        reject(new NoSlotError("No browser had a free slot in time."));
        this.#serveWaiters();
      }, waitMs);
      this.#waiting.push(waiter);
      if (!this.#rotation.includes(account)) this.#rotation.push(account);
      this.#evictFor(request);
    });
  }

  /** Evicts the newest holders of accounts above half of the slots, unless the waiting one has half or its limit. */
  #evictFor({ account, limit }: SlotRequest): void {
    if (this.#isExclusive) return;
    if (this.#heldBy(account).length >= Math.min(limit, this.#half)) return;
    for (const other of new Set([...this.#holders].map((holder) => holder.account))) {
      if (other === account) continue;
      // Evicts the newest holders, because they have done the least work.
      for (const holder of this.#heldBy(other).slice(this.#half)) {
        if (holder.isEvicted) continue;
        holder.isEvicted = true;
        holder.onEvicted();
      }
    }
  }

  #canEnter({ account, limit }: Pick<SlotRequest, "account" | "limit">): boolean {
    if (this.#isExclusive && this.#isTaken(account)) return false;
    const share = this.#isShared(account) && !this.#isExclusive ? this.#half : this.size;
    return this.inUse < this.size && this.#heldBy(account).length < Math.min(limit, share);
  }

  /** Returns true if another account has or gets the slots exclusively, so that none keeps the others waiting. */
  #isTaken(account: string): boolean {
    if ([...this.#holders].some((holder) => holder.account !== account)) return true;
    return this.#holders.size > 0 && this.#waiting.some((other) => other.account !== account);
  }

  /** Returns true if another account waits, holds a slot, or held one within SHARED_SLOTS_MS. */
  #isShared(account: string): boolean {
    const since = this.#now() - SHARED_SLOTS_MS;
    for (const [other, at] of this.#lastSeen) if (at < since) this.#lastSeen.delete(other);
    const others = [...this.#waiting, ...this.#holders].some((other) => other.account !== account);
    return others || [...this.#lastSeen.keys()].some((other) => other !== account);
  }

  get #half(): number {
    return Math.max(1, Math.floor(this.size / 2));
  }

  /** Returns the holders of an account in the order in which they got their slots. */
  #heldBy(account: string): Holder[] {
    return [...this.#holders].filter((holder) => holder.account === account);
  }

  #enter(request: SlotRequest): Holder {
    const holder = { ...request, isEvicted: false };
    this.#holders.add(holder);
    return holder;
  }

  #serveWaiters(): void {
    if (this.#isExclusive) {
      this.#serveOneAccount();
      return;
    }
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const { account } = next;
      this.#waiting = this.#waiting.filter((other) => other !== next);
      this.#rotation = this.#rotation.filter((other) => other !== account);
      if (this.#waiting.some((other) => other.account === account)) this.#rotation.push(account);
      next.enter();
    }
  }

  /** Gives all free slots to the account that holds slots, or to the next account in the rotation. */
  #serveOneAccount(): void {
    const [holder] = this.#holders;
    const account = holder?.account ?? this.#rotation.find((other) => this.#isWaiting(other));
    if (account === undefined || this.#isTaken(account)) return;
    this.#rotation = this.#rotation.filter((other) => other !== account);
    for (const waiter of this.#waiting.filter((other) => other.account === account)) {
      if (this.inUse === this.size || this.#heldBy(account).length >= waiter.limit) break;
      this.#waiting = this.#waiting.filter((other) => other !== waiter);
      waiter.enter();
    }
    if (this.#isWaiting(account)) this.#rotation.push(account);
  }

  #isWaiting(account: string): boolean {
    return this.#waiting.some((waiter) => waiter.account === account);
  }

  /** Returns the first waiter in the rotation that may get a slot, or undefined. */
  #next(): Waiter | undefined {
    for (const account of this.#rotation) {
      const first = this.#waiting.find((waiter) => waiter.account === account);
      if (first !== undefined && this.#canEnter(first)) return first;
    }
    return undefined;
  }
}
