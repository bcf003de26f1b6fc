/**
 * The calls that wait for a job to change. They exist in memory only: after a reset, the Worker calls again. Each call has a
 * timer of its own, which keeps the object in memory for as long as it waits.
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

  /** Ends the waits for this id. */
  notify(id: string): void {
    for (const done of [...(this.#waiting.get(id) ?? [])]) done();
  }
}
