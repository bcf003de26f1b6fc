import { AsyncLocalStorage } from "node:async_hooks";
import { now, sleep } from "../lib/clock";
import { AppError } from "../model/errors";

/**
 * The limits of reading one PDF. An ordinary page takes about 200,000 steps and 100 KB of buffers. A second of CPU
 * makes about 100 million steps. MAX_PDF_PAGES ordinary pages take a fifth of the steps.
 */
export interface PdfLimits {
  /** Turns of loops and calls of functions in pdf.js. Unlike the clock of a Worker, they advance while code runs. */
  steps: number;
  /** Without a pause: the isolate answers no other request for about half a second. */
  stepsBetweenPauses: number;
  /** The time of the CPU, for what steps don't show, such as copies of large buffers. */
  processingMs: number;
  /** One buffer, such as a decoded stream. pdf.js doubles a buffer that is full, and copies it. */
  bufferBytes: number;
  /** All buffers of a document, together with the smaller ones that they replaced. */
  totalBytes: number;
  /** Pieces of text. A piece takes about 300 bytes. An ordinary page has about 100. */
  pieces: number;
  /** Characters of text: as many as the largest page has bytes. */
  chars: number;
}

const LIMITS: PdfLimits = {
  steps: 500_000_000,
  stepsBetweenPauses: 50_000_000,
  processingMs: 10_000,
  bufferBytes: 32 * 1024 * 1024,
  totalBytes: 128 * 1024 * 1024,
  pieces: 250_000,
  chars: 5_000_000,
};
/** About 20 ms. */
const PAUSE_AFTER_STEPS = 2_000_000;

const MB = 1024 * 1024;
const MILLION = 1_000_000;

/**
 * Limits the work of pdf.js on one document. pdf.js continues after most errors and leaves out the failed part. Therefore
 * the first limit that is exceeded ends the budget permanently, and `run` rejects the result of pdf.js.
 */
export class PdfBudget {
  readonly #limits: PdfLimits;
  readonly #exceeded = Promise.withResolvers<never>();
  #error: AppError | null = null;
  #steps = 0;
  #stepsSincePause = 0;
  #bytes = 0;
  #pieces = 0;
  #chars = 0;
  #processingMs = 0;
  #spentAt = now();

  /** Tests pass lower limits. */
  constructor(limits: Partial<PdfLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
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
    const limits = this.#limits;
    if (this.#steps > limits.steps)
      this.#exceed(`Reading the PDF takes more than ${limits.steps / MILLION} million steps.`);
    if (this.#stepsSincePause > limits.stepsBetweenPauses) {
      this.#exceed(`A part of the PDF takes more than ${limits.stepsBetweenPauses / MILLION} million steps to read.`);
    }
    if (this.#processingMs > limits.processingMs) {
      this.#exceed(`Reading the PDF takes more than ${limits.processingMs / 1_000} seconds.`);
    }
    if (this.#error !== null) throw this.#error;
  }

  /** Counts a buffer before it is allocated. */
  allocate(bytes: number): void {
    const { bufferBytes, totalBytes } = this.#limits;
    if (bytes > bufferBytes) this.#exceed(`A stream of the PDF takes more than ${bufferBytes / MB} MB to decode.`);
    if (this.#bytes + bytes > totalBytes) this.#exceed(`The PDF takes more than ${totalBytes / MB} MB to decode.`);
    if (this.#error !== null) throw this.#error;
    this.#bytes += bytes;
  }

  /** Counts a piece of text that was read. */
  addText(text: string): void {
    const { pieces, chars } = this.#limits;
    this.#pieces++;
    this.#chars += text.length;
    if (this.#pieces > pieces) this.#exceed(`The PDF has more than ${pieces} pieces of text.`);
    if (this.#chars > chars) this.#exceed(`The PDF has more than ${chars} characters of text.`);
  }

  /** Ends the budget. Only the first error counts. */
  #exceed(message: string): never {
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

/** Counts steps of the current document. Throws AppError if a limit is exceeded. */
export function spend(steps: number): void {
  currentBudget().spend(steps);
}

/**
 * Counts the bytes of a typed array or an Array that is made from this argument: a length, or something that is copied.
 */
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

/** Returns true if the current document must pause. */
export function isPauseDue(): boolean {
  return currentBudget().isPauseDue;
}

/** Pauses the current document, if it is time for that. */
export async function pause(): Promise<void> {
  await currentBudget().pause();
}
