import { setImmediate } from "node:timers/promises";
import { now, sleep } from "./clock";

/** Streams the chunks, and encodes strings as UTF-8. Reads a chunk only when the reader wants it. */
export function toByteStream(chunks: AsyncIterable<string | Uint8Array>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const parts = chunks[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { value, done } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
      },
      cancel: () => {
        // Not awaited, because `return` waits for a pending chunk, which may never arrive.
        void parts.return?.().catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
}

/** Runs work to its end. Between its phases, the isolate can do other work. */
export async function inTurns<T>(phases: Generator<void, T>): Promise<T> {
  for (;;) {
    const { value, done } = phases.next();
    if (done) return value;
    await setImmediate();
  }
}

/** Admits at most `size` holders at a time. Other callers wait in first-in, first-out order. */
export class Semaphore {
  #free: number;
  #waiting: (() => void)[] = [];

  constructor(size: number) {
    this.#free = size;
  }

  /** Resolves with the function that releases the slot. Rejects with the signal's reason if it is aborted first. */
  async acquire(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== enter);
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.push(enter);
    });
  }
}

/** Thrown if work takes longer than its timeout. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";
}

/** Settles with the result of `work`, or rejects with TimeoutError after `ms`. The work isn't stopped. */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  const done = new AbortController();
  const late = sleep(ms, done.signal).then(() =>
    Promise.reject(new TimeoutError(`The operation took longer than ${ms} ms.`)),
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
  }
}

/** A timeout that can be paused, for example while the remote side waits for us. Pauses must not overlap. */
export class PausableTimeout {
  readonly #controller = new AbortController();
  #remainingMs: number;
  #startedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number) {
    this.#remainingMs = ms;
    this.#start();
  }

  /** The signal that is aborted when the time is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Pauses the timeout until `work` settles. Settles with the result of `work`. */
  async pauseDuring<T>(work: Promise<T>): Promise<T> {
    this.stop();
    this.#remainingMs -= now() - this.#startedAt;
    try {
      return await work;
    } finally {
      this.#start();
    }
  }

  /** Stops the timer. Call it when no pause is left. The signal will never be aborted. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #start(): void {
    this.#startedAt = now();
    this.#timer = setTimeout(() => this.#controller.abort(), Math.max(0, this.#remainingMs));
  }
}

/** Settles with `work`, or rejects with the signal's reason when it is aborted. The work may ignore the signal. */
export function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      // Handles a rejection of `work`, which no code awaits from here on. An unhandled rejection would be reported.
      work.catch(() => undefined);
      return reject(signal.reason);
    }
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
