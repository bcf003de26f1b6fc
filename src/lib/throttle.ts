import { now } from "./clock";

/** Does `work` at once; what is asked for within the next `pauseMs` is done together, once, when they are over. */
export class Throttle {
  #doneAt = Number.NEGATIVE_INFINITY;
  #isDue = false;

  constructor(
    private readonly work: () => void,
    private readonly pauseMs: number,
  ) {}

  run(): void {
    if (this.#isDue) return;
    const restMs = this.#doneAt + this.pauseMs - now();
    // A clock that was set back must not make it rest for longer.
    if (restMs <= 0 || restMs > this.pauseMs) this.#do();
    else {
      this.#isDue = true;
      setTimeout(() => this.#do(), restMs);
    }
  }

  #do(): void {
    this.#isDue = false;
    this.#doneAt = now();
    this.work();
  }
}
