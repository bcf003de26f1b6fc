/** So many characters may be written: what one page says in a few of its own must not fill the memory. */
export class Budget {
  #left: number;

  constructor(chars: number) {
    this.#left = chars;
  }

  /** False when there is no room for them, nor for anything after them. */
  spend(chars: number): boolean {
    this.#left -= chars;
    return this.#left >= 0;
  }
}
