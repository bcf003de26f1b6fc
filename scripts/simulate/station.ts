import type { Timeline } from "./timeline.ts";

/** Where something is done, by so many at a time; everybody else stands in line. */
export interface StationSpec {
  /** Infinity: nobody waits here. */
  servers: number;
  /** So many are taken at a time by one server, which is free again when the last of them has left: a queue's consumer. */
  batch?: number;
}

/** What one does here, once one is in; it is given what must be called on leaving. */
type Enter = (leave: () => void) => void;

const nothing = () => {};

/** First come, first served. */
export class Station {
  readonly servers: number;
  readonly #batch: number;
  readonly #timeline: Timeline;
  #busy = 0;
  #busySince = 0;
  #busyMs = 0;
  // A shift of a long array costs its length: what has left the line is cut off now and then.
  #line: Enter[] = [];
  #head = 0;
  #visits = 0;
  #waitingBefore = 0;

  constructor(spec: StationSpec, timeline: Timeline) {
    this.servers = spec.servers;
    this.#batch = spec.batch ?? 1;
    this.#timeline = timeline;
  }

  /** `enter` is called at once, or when it is its turn. */
  visit(enter: Enter): void {
    if (this.servers === Number.POSITIVE_INFINITY) {
      enter(nothing);
      return;
    }
    this.#visits++;
    this.#line.push(enter);
    this.#serve();
  }

  /** The time of all its servers in work since `reset`, ms. */
  get busyMs(): number {
    return this.#busyMs + this.#busy * (this.#timeline.now - this.#busySince);
  }

  /**
   * Of those who came since `reset`, the share by which the line has grown, but for as many as are served at a time: those
   * are chance. 0 or thereabouts while it keeps up.
   */
  get growth(): number {
    const grown = this.#waiting - this.#waitingBefore - this.servers * this.#batch;
    return this.#visits === 0 ? 0 : Math.max(0, grown) / this.#visits;
  }

  reset(): void {
    this.#visits = 0;
    this.#waitingBefore = this.#waiting;
    this.#busyMs = 0;
    this.#busySince = this.#timeline.now;
  }

  get #waiting(): number {
    return this.#line.length - this.#head;
  }

  #serve(): void {
    while (this.#busy < this.servers && this.#waiting > 0) {
      const taken = this.#line.slice(this.#head, this.#head + this.#batch);
      this.#head += taken.length;
      if (this.#head > 1_000 && this.#head * 2 > this.#line.length) {
        this.#line = this.#line.slice(this.#head);
        this.#head = 0;
      }
      this.#setBusy(1);
      let left = taken.length;
      for (const enter of taken) {
        enter(() => {
          left--;
          if (left > 0) return;
          this.#setBusy(-1);
          this.#serve();
        });
      }
    }
  }

  #setBusy(change: number): void {
    this.#busyMs = this.busyMs;
    this.#busySince = this.#timeline.now;
    this.#busy += change;
  }
}
