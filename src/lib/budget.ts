/**
 * A limit on the characters or steps that one page may use, so that a small page can't exhaust the memory or the CPU.
 */
export class Budget {
  #remaining: number;

  constructor(limit: number) {
    this.#remaining = limit;
  }

  /** True once the total exceeds the limit. */
  get isUsedUp(): boolean {
    return this.#remaining < 0;
  }

  /** Spends an amount. Returns false once the total exceeds the limit. */
  spend(amount: number): boolean {
    this.#remaining -= amount;
    return this.#remaining >= 0;
  }
}
