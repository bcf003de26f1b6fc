import type { Element } from "domhandler";

/**
 * The bits of an element's visibility. The first four are inherited: the element's own text is invisible, too small, off
 * the screen because of its indent, or without contrast. The others apply to the element with all its contents: it isn't
 * shown, it is transparent, and its style moves or animates it.
 */
export const COMPUTED = {
  hidden: 1,
  tiny: 2,
  indented: 4,
  noContrast: 8,
  gone: 16,
  transparent: 32,
  motion: 64,
} as const;

/** The elements whose contents a browser with scripts serializes as text, not as elements. */
const RAW = new Set(["noscript", "iframe", "noembed", "noframes", "xmp", "plaintext"]);
const FNV_PRIME = 0x01000193;
const FNV_START = 0x811c9dc5;

/**
 * The visibility of a rendered page's elements, as the page script `readVisibility` reports it. The script numbers the
 * elements in document order. This class counts the tags of the serialized page in the same way, and compares the
 * number and a hash of all names, because the page may have changed between the two.
 */
export class ComputedVisibility {
  /** The bits of each element that differs from the element around it. */
  readonly elements = new Map<Element, number>();
  readonly #bits: ReadonlyMap<number, number>;
  readonly #expected: { count: number; hash: number };
  #count = 0;
  #hash = FNV_START;
  /** The hash before the last start tag. */
  #before = FNV_START;
  /** The name of the open element whose contents aren't elements, or null. */
  #skipped: string | null = null;
  /** The number of open elements with the name `#skipped`. */
  #depth = 0;

  constructor(expected: { count: number; hash: number }, bits: ReadonlyMap<number, number>) {
    this.#expected = expected;
    this.#bits = bits;
  }

  /** True in an element whose contents the browser didn't measure. The snapshot marks what is hidden there. */
  get isInAdded(): boolean {
    return this.#skipped !== null;
  }

  /** Counts a start tag. Returns the bits of its element, or undefined if none are known. */
  open(name: string): number | undefined {
    if (this.#skipped !== null) {
      if (!RAW.has(name) && this.#skipped === name) this.#depth++;
      return undefined;
    }
    if (name === "template" || RAW.has(name)) {
      this.#skipped = name;
      this.#depth = 1;
    }
    this.#before = this.#hash;
    for (let i = 0; i < name.length; i++) this.#hash = Math.imul(this.#hash ^ name.charCodeAt(i), FNV_PRIME);
    return this.#bits.get(this.#count++);
  }

  /**
   * Takes back the count of a start tag: the snapshot of the page added its element, so that the browser measured neither
   * the element nor its contents.
   */
  skipAdded(name: string): void {
    if (this.#skipped !== null && (this.#skipped !== name || this.#depth > 1)) return;
    this.#hash = this.#before;
    this.#count--;
    this.#skipped = name;
    this.#depth = 1;
  }

  /** Counts an end tag. */
  close(name: string): void {
    if (name === this.#skipped && --this.#depth === 0) this.#skipped = null;
  }

  /** Returns true if the tags were those of the page whose visibility was read. */
  isAligned(): boolean {
    return this.#count === this.#expected.count && this.#hash >>> 0 === this.#expected.hash;
  }
}

/**
 * Parses the report of the page script: the number of elements, the hash of their names, and then pairs of numbers. Each
 * pair is the distance from the previous reported element, and the bits. Returns null if the report is invalid.
 */
export function parseComputed(report: string): ComputedVisibility | null {
  if (!/^[\d ]+$/.test(report)) return null;
  const [count = 0, hash = 0, ...pairs] = report.split(" ").map(Number);
  const bits = new Map<number, number>();
  let index = 0;
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    index += pairs[i] ?? 0;
    bits.set(index, pairs[i + 1] ?? 0);
  }
  return new ComputedVisibility({ count, hash }, bits);
}
