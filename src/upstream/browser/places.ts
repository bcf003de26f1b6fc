/** Thrown to a waiter whose wait is over, or who came when too many waited already. */
export class NoPlaceError extends Error {
  override readonly name = "NoPlaceError";
}

interface Waiter {
  alone: boolean;
  enter: () => void;
}

/**
 * A fixed number of places with a bounded wait in front. Whoever must be alone enters when everybody has left, before
 * all others, and nobody enters meanwhile.
 */
export class Places {
  readonly #size: number;
  readonly #maxWaiting: number;
  #taken = 0;
  #alone = false;
  #waiting: Waiter[] = [];

  constructor(size: number, maxWaiting: number) {
    this.#size = size;
    this.#maxWaiting = maxWaiting;
  }

  get taken(): number {
    return this.#taken;
  }

  get isFull(): boolean {
    return this.#waiting.length > 0 || !this.#canEnter(false);
  }

  /** Resolves with the call that leaves the place again. Throws NoPlaceError; those who must be alone always wait. */
  async take({ alone = false, waitMs }: { alone?: boolean; waitMs: number }): Promise<() => void> {
    const someoneAlone = this.#waiting.some((waiter) => waiter.alone);
    if (!this.#canEnter(alone) || someoneAlone) await this.#wait(alone, waitMs);
    else this.#enter(alone);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#taken--;
      if (alone) this.#alone = false;
      this.#admit();
    };
  }

  #wait(alone: boolean, waitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!alone && this.#waiting.length >= this.#maxWaiting) {
        reject(new NoPlaceError("Too many renders wait for a browser."));
        return;
      }
      const waiter: Waiter = {
        alone,
        enter: () => {
          clearTimeout(timer);
          this.#enter(alone);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter);
        reject(new NoPlaceError("No browser had a place free in time."));
        this.#admit();
      }, waitMs);
      if (alone) this.#waiting.unshift(waiter);
      else this.#waiting.push(waiter);
    });
  }

  #canEnter(alone: boolean): boolean {
    return !this.#alone && (alone ? this.#taken === 0 : this.#taken < this.#size);
  }

  #enter(alone: boolean): void {
    this.#taken++;
    this.#alone = alone;
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#canEnter(next.alone); next = this.#waiting[0]) {
      this.#waiting.shift();
      next.enter();
    }
  }
}
