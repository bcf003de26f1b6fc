/**
 * The calls that wait for a job to change. They exist only in memory, so the Worker repeats its call if the Durable
 * Object restarts. Each call has its own timer, which prevents the Durable Object from being evicted.
 */
export class WaitingCallers {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Resolves when `notify` is called for this id, or after `ms`. */
  async wait(id: string, ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const waiting = this.#waiting.get(id) ?? new Set();
      this.#waiting.set(id, waiting);
      const done = () => {
        clearTimeout(timer);
        waiting.delete(done);
        if (waiting.size === 0) this.#waiting.delete(id);
        resolve();
      };
      const timer = setTimeout(done, ms);
      waiting.add(done);
    });
  }

  /** Returns true if a call waits for this id. */
  has(id: string): boolean {
    return this.#waiting.has(id);
  }

  /** Resolves all calls that wait for this id. */
  notify(id: string): void {
    for (const done of [...(this.#waiting.get(id) ?? [])]) done();
  }
}
