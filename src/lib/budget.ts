/** A limit on the characters or steps of one page, so that a small page can't exhaust the memory or CPU. */
export class Budget {
  readonly #limit: number;
  readonly #toError: (() => Error) | null;
  #spent = 0;

  /** `toError`: creates the error that `spend` throws once the total exceeds the limit. */
  constructor(limit: number, toError: (() => Error) | null = null) {
    this.#limit = limit;
    this.#toError = toError;
  }

  get spent(): number {
    return this.#spent;
  }

  /** True once the total exceeds the limit. */
  get isUsedUp(): boolean {
    return this.#spent > this.#limit;
  }

  /** Spends an amount. Returns false once the total exceeds the limit, or throws the budget's error. */
  spend(amount: number): boolean {
    this.#spent += amount;
    if (this.#spent <= this.#limit) return true;
    if (this.#toError) throw this.#toError();
    return false;
  }
}
