import { AsyncLocalStorage } from "node:async_hooks";
import { Budget } from "../lib/budget";
import { sleep } from "../lib/clock";
import { AppError } from "../model/errors";

/**
 * The limits for reading one PDF. A page with 260 pieces of text takes about 770,000 steps and 100 KB of buffers (mean of
 * the ICDAR 2013 tables), so a document can have about 390 of these pages. pdf.js makes about 100 million steps per
 * second of CPU time. The number of steps is counted, because a Worker's clock stands still while code runs.
 */
export interface PdfLimits {
  /** The maximum number of loop iterations and calls in pdf.js, and the steps for the layout of the text. */
  steps: number;
  /** The steps without a pause. They take about half a second, in which the isolate handles nothing else. */
  stepsBetweenPauses: number;
  /** The maximum size of a buffer, such as a decoded stream. pdf.js copies a full one into one of double the size. */
  bufferBytes: number;
  /** The maximum total size of a PDF's buffers. Includes the buffers that were replaced with larger ones. */
  totalBytes: number;
  /** The maximum number of characters of text. It equals the byte limit of the largest page. */
  chars: number;
}

const LIMITS: PdfLimits = {
  steps: 300_000_000,
  stepsBetweenPauses: 50_000_000,
  bufferBytes: 32 * 1024 * 1024,
  totalBytes: 128 * 1024 * 1024,
  chars: 5_000_000,
};
/** A pause is due after this number of steps, which take about 20 ms. */
const PAUSE_AFTER_STEPS = 2_000_000;

/**
 * The cost of the layout of a piece of text, in steps. All steps of the layout take time in proportion to the pieces or
 * have their own limits. Therefore, the pieces are counted when they are read. A piece takes about 300 bytes.
 */
const STEPS_PER_PIECE = 800;
const STEPS_PER_PATH = 100;

/** An image with fewer pixels is an icon or a line. */
const MIN_IMAGE_PIXELS = 10_000;
/** The maximum number of images that are kept for a page. */
const MAX_PAGE_IMAGES = 50;

/** A dictionary in pdf.js. Names of PDF are objects with `name`. */
export interface PdfDict {
  get: (key: string) => unknown;
  getArray: (key: string) => unknown;
}

/** An image in pdf.js. Its bytes are decoded when they are read. */
export interface PdfImage extends PdfData {
  dict: PdfDict;
  /** The bytes before the last filter. */
  stream?: PdfData;
}

interface PdfData {
  reset: () => void;
  getBytes: (length?: number) => Uint8Array;
}

const MB = 1024 * 1024;
const MILLION = 1_000_000;

/**
 * Limits the work of pdf.js on one document. The first exceeded limit ends the budget permanently. pdf.js continues
 * after most errors and leaves out the failed part, so `run` then throws even if pdf.js returns a result.
 */
export class PdfBudget {
  readonly #limits: PdfLimits;
  readonly #exceeded = Promise.withResolvers<never>();
  readonly #steps: Budget;
  readonly #chars: Budget;
  #images: PdfImage[] = [];
  #error: AppError | null = null;
  #stepsSincePause = 0;
  #bytes = 0;

  /** `limits` replaces some of the default limits. Tests pass lower ones. */
  constructor(limits: Partial<PdfLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
    this.#steps = new Budget(this.#limits.steps);
    this.#chars = new Budget(this.#limits.chars);
    // This handler avoids an unhandled rejection if `run` has already ended.
    this.#exceeded.promise.catch(() => {});
  }

  /** The total size of all buffers so far, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** True once a limit was exceeded. */
  get isUsedUp(): boolean {
    return this.#error !== null;
  }

  /** Runs `work` on this budget. Throws AppError `target_too_large` immediately when a limit is exceeded. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const result = await Promise.race([current.run(this, work), this.#exceeded.promise]);
    if (this.#error !== null) throw this.#error;
    return result;
  }

  spend(steps: number): void {
    this.#stepsSincePause += steps;
    const limits = this.#limits;
    if (!this.#steps.spend(steps))
      this.#exceed(`The PDF is too complex: reading it takes more than ${limits.steps / MILLION} million steps.`);
    if (this.#stepsSincePause > limits.stepsBetweenPauses) {
      this.#exceed(
        `The PDF is too complex: reading one part of it takes more than ${limits.stepsBetweenPauses / MILLION} million steps.`,
      );
    }
    if (this.#error !== null) throw this.#error;
  }

  /** Counts a buffer before it's allocated. */
  allocate(bytes: number): void {
    const { bufferBytes, totalBytes } = this.#limits;
    if (bytes > bufferBytes) this.#exceed(`A stream of the PDF needs more than ${bufferBytes / MB} MB of memory.`);
    if (this.#bytes + bytes > totalBytes) this.#exceed(`The PDF needs more than ${totalBytes / MB} MB of memory.`);
    if (this.#error !== null) throw this.#error;
    this.#bytes += bytes;
  }

  /** Counts a piece of text that was read. */
  addText(text: string): void {
    const { chars } = this.#limits;
    if (!this.#chars.spend(text.length)) this.#exceed(`The PDF has more than ${chars} characters of text.`);
    this.spend(STEPS_PER_PIECE);
  }

  /** Counts a painted path that was read. */
  addPath(): void {
    this.spend(STEPS_PER_PATH);
  }

  /** Keeps a painted image that can be a scan of a page. */
  addImage(image: PdfImage): void {
    const { dict } = image;
    const pixels = Number(dict.get("Width")) * Number(dict.get("Height"));
    if (pixels >= MIN_IMAGE_PIXELS && this.#images.length < MAX_PAGE_IMAGES) this.#images.push(image);
  }

  /** Returns the images since the last call. */
  takeImages(): PdfImage[] {
    return this.#images.splice(0);
  }

  /** Ends the budget permanently. Later errors don't replace the first one. */
  #exceed(message: string): never {
    this.#error ??= new AppError("target_too_large", message);
    this.#exceeded.reject(this.#error);
    throw this.#error;
  }

  get isPauseDue(): boolean {
    return this.#stepsSincePause >= PAUSE_AFTER_STEPS;
  }

  /** Lets the isolate handle other requests if a pause is due. */
  async pause(): Promise<void> {
    if (!this.isPauseDue) return;
    await sleep(0);
    this.#stepsSincePause = 0;
  }
}

/** The budget of the current document. It's stored here, because pdf.js can't pass it to its inner functions. */
const current = new AsyncLocalStorage<PdfBudget>();

function currentBudget(): PdfBudget {
  const budget = current.getStore();
  if (budget === undefined) throw new Error("pdf.js ran outside of PdfBudget.run.");
  return budget;
}

// The generated copy of pdf.js calls the functions below.

/** Counts steps of the current document. Throws AppError if a limit is exceeded. */
export function spend(steps: number): void {
  currentBudget().spend(steps);
}

/** Counts the memory of a new typed array or Array. Returns the constructor's `argument` unchanged. */
export function allocate<T>(argument: T, bytesPerElement: number): T {
  const length = typeof argument === "number" ? argument : lengthOf(argument);
  if (length > 0) currentBudget().allocate(length * bytesPerElement);
  return argument;
}

function lengthOf(argument: unknown): number {
  // A typed array that is created from an ArrayBuffer allocates no memory. It counts as 0, because an ArrayBuffer has
  // no `length`.
  const length = typeof argument === "object" && argument !== null && "length" in argument ? argument.length : 0;
  return typeof length === "number" ? length : 0;
}

/** Keeps an object that a page paints, if it is an image that can be a scan. Returns the object. */
export function keepImage(object: PdfImage): PdfImage {
  if ((object.dict.get("Subtype") as { name?: string } | null)?.name === "Image") currentBudget().addImage(object);
  return object;
}

export function isPauseDue(): boolean {
  return currentBudget().isPauseDue;
}

/** Lets the isolate handle other requests if a pause in processing the current document is due. */
export async function pause(): Promise<void> {
  await currentBudget().pause();
}
