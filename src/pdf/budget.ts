import { AsyncLocalStorage } from "node:async_hooks";
import { AppError } from "../errors";
import { now, sleep } from "../lib/clock";

// The limits of reading one PDF. An ordinary page takes about 200,000 steps and 100 KB of buffers. A second of CPU makes
// about 100 million steps. MAX_PDF_PAGES ordinary pages take a fifth of the steps.
/** Turns of loops and calls of functions in pdf.js. Unlike the clock of a Worker, they advance while code runs. */
const MAX_STEPS = 500_000_000;
/** Without a pause: the isolate answers no other request for about half a second. */
const MAX_STEPS_BETWEEN_PAUSES = 50_000_000;
/** About 20 ms. */
const PAUSE_AFTER_STEPS = 2_000_000;
/** The time of the CPU, for what steps don't show, such as copies of large buffers. */
const MAX_PROCESSING_MS = 10_000;
/** One buffer, such as a decoded stream. pdf.js doubles a buffer that is full, and copies it. */
const MAX_BUFFER_BYTES = 32 * 1024 * 1024;
/** All buffers of a document, together with the smaller ones that they replaced. */
const MAX_TOTAL_BYTES = 128 * 1024 * 1024;

const MB = 1024 * 1024;
const MILLION = 1_000_000;

/**
 * What pdf.js may spend on one document. pdf.js continues after most errors and leaves out what failed. Therefore the
 * first limit that is exceeded ends the budget for good, and `run` rejects whatever pdf.js makes of it.
 */
export class PdfBudget {
  readonly #exceeded = Promise.withResolvers<never>();
  #error: AppError | null = null;
  #steps = 0;
  #stepsSincePause = 0;
  #bytes = 0;
  #processingMs = 0;
  #spentAt = now();

  constructor() {
    // `run` may have ended before.
    this.#exceeded.promise.catch(() => {});
  }

  /** The bytes of all buffers so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Does the work on this budget. Throws AppError `target_too_large` as soon as a limit is exceeded. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.#spentAt = now();
    const result = await Promise.race([current.run(this, work), this.#exceeded.promise]);
    if (this.#error !== null) throw this.#error;
    return result;
  }

  spend(steps: number): void {
    const at = now();
    this.#processingMs += at - this.#spentAt;
    this.#spentAt = at;
    this.#steps += steps;
    this.#stepsSincePause += steps;
    if (this.#steps > MAX_STEPS) this.exceed(`Reading the PDF takes more than ${MAX_STEPS / MILLION} million steps.`);
    if (this.#stepsSincePause > MAX_STEPS_BETWEEN_PAUSES) {
      this.exceed(`A part of the PDF takes more than ${MAX_STEPS_BETWEEN_PAUSES / MILLION} million steps to read.`);
    }
    if (this.#processingMs > MAX_PROCESSING_MS) {
      this.exceed(`Reading the PDF takes more than ${MAX_PROCESSING_MS / 1_000} seconds.`);
    }
    if (this.#error !== null) throw this.#error;
  }

  /** Counts a buffer before it is allocated. */
  allocate(bytes: number): void {
    if (bytes > MAX_BUFFER_BYTES) {
      this.exceed(`A stream of the PDF takes more than ${MAX_BUFFER_BYTES / MB} MB to decode.`);
    }
    if (this.#bytes + bytes > MAX_TOTAL_BYTES) {
      this.exceed(`The PDF takes more than ${MAX_TOTAL_BYTES / MB} MB to decode.`);
    }
    if (this.#error !== null) throw this.#error;
    this.#bytes += bytes;
  }

  /** Ends the budget. Only the first error counts. */
  exceed(message: string): never {
    this.#error ??= new AppError("target_too_large", message);
    this.#exceeded.reject(this.#error);
    throw this.#error;
  }

  get isPauseDue(): boolean {
    return this.#stepsSincePause >= PAUSE_AFTER_STEPS;
  }

  /** Lets the isolate's other requests run, if it is time for that. */
  async pause(): Promise<void> {
    if (!this.isPauseDue) return;
    await sleep(0);
    this.#stepsSincePause = 0;
    this.#spentAt = now();
  }
}

// The budget of the document that the running code belongs to. pdf.js itself doesn't pass it on.
const current = new AsyncLocalStorage<PdfBudget>();

function currentBudget(): PdfBudget {
  const budget = current.getStore();
  if (budget === undefined) throw new Error("pdf.js ran outside of a budget");
  return budget;
}

// The generated copy of pdf.js calls these four.

export function spend(steps: number): void {
  currentBudget().spend(steps);
}

/** Counts the bytes of a typed array or an Array that is made from this argument: a length, or something that is copied. */
export function allocate<T>(argument: T, bytesPerElement: number): T {
  const length = typeof argument === "number" ? argument : lengthOf(argument);
  if (length > 0) currentBudget().allocate(length * bytesPerElement);
  return argument;
}

function lengthOf(argument: unknown): number {
  // An ArrayBuffer isn't copied, and has no length.
  const length = typeof argument === "object" && argument !== null && "length" in argument ? argument.length : 0;
  return typeof length === "number" ? length : 0;
}

export function isPauseDue(): boolean {
  return currentBudget().isPauseDue;
}

export async function pause(): Promise<void> {
  await currentBudget().pause();
}
