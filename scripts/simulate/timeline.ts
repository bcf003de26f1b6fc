interface Entry {
  at: number;
  /** Of two at the same time, the one that was added first comes first. */
  order: number;
  run: () => void;
}

/** What will happen, by time: a binary heap. */
export class Timeline {
  now = 0;
  #entries: Entry[] = [];
  #order = 0;

  add(at: number, run: () => void): void {
    const entries = this.#entries;
    entries.push({ at, order: this.#order++, run });
    for (let child = entries.length - 1; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (!this.#swapIfBefore(child, parent)) break;
      child = parent;
    }
  }

  /** Lets the next thing happen; false when nothing is left until then. */
  step(until: number): boolean {
    const first = this.#entries[0];
    if (first === undefined || first.at > until) {
      this.now = until;
      return false;
    }
    this.now = first.at;
    const last = this.#entries.pop();
    if (last !== undefined && this.#entries.length > 0) {
      this.#entries[0] = last;
      this.#sink();
    }
    first.run();
    return true;
  }

  #sink(): void {
    for (let parent = 0; ; ) {
      const left = 2 * parent + 1;
      const right = left + 1;
      if (left >= this.#entries.length) return;
      const child = right < this.#entries.length && this.#isBefore(right, left) ? right : left;
      if (!this.#swapIfBefore(child, parent)) return;
      parent = child;
    }
  }

  // What runs a million times a second unpacks no arrays.
  #swapIfBefore(child: number, parent: number): boolean {
    if (!this.#isBefore(child, parent)) return false;
    const lower = this.#entries[child];
    const upper = this.#entries[parent];
    if (lower === undefined || upper === undefined) return false;
    this.#entries[child] = upper;
    this.#entries[parent] = lower;
    return true;
  }

  #isBefore(a: number, b: number): boolean {
    const first = this.#entries[a];
    const second = this.#entries[b];
    if (first === undefined || second === undefined) return false;
    return first.at < second.at || (first.at === second.at && first.order < second.order);
  }
}
