/** Does `work` at once; what is asked for within the next `pauseMs` is done together, once, when they are over. */
export class Throttle {
  #resting = false;
  #wanted = false;

  constructor(
    private readonly work: () => void,
    private readonly pauseMs: number,
  ) {}

  run(): void {
    this.#wanted = true;
    if (!this.#resting) this.#next();
  }

  #next(): void {
    this.#resting = this.#wanted;
    if (!this.#wanted) return;
    this.#wanted = false;
    setTimeout(() => this.#next(), this.pauseMs);
    this.work();
  }
}
