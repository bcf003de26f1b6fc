/** A limit on the characters or steps that one page may use. A short page must not fill the memory or the CPU. */
export class Budget {
  #left: number;

  constructor(limit: number) {
    this.#left = limit;
  }

  /** Spends an amount. Returns false if it exceeds the limit, and for every later amount. */
  spend(amount: number): boolean {
    this.#left -= amount;
    return this.#left >= 0;
  }
}
