import { now } from "./clock";

/** A time-out for somebody else's part of the work: it stands still while that one waits for us. */
export class Deadline {
  readonly #controller = new AbortController();
  #left: number;
  #since = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number) {
    this.#left = ms;
    this.#run();
  }

  /** Aborted when the time is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The time that this takes doesn't count. */
  async without<T>(work: Promise<T>): Promise<T> {
    this.stop();
    try {
      return await work;
    } finally {
      this.#run();
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#left -= now() - this.#since;
  }

  #run(): void {
    this.#since = now();
    this.#timer = setTimeout(() => this.#controller.abort(), Math.max(0, this.#left));
  }
}
