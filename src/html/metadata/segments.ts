import { type ChildNode, Element, isText } from "domhandler";
import { isBlock, isHeading, NEVER_TEXT, rawText } from "../parse/dom";
import { collapseAndTrim } from "../parse/white-space";

/** A piece of text near the headline: the text of one node, or the time in an element's attributes. */
export interface Segment {
  text: string;
  /** The time in the attributes of the element. It is empty if the segment is a text. */
  time: string;
  element: Element;
  /** The number of the line. Segments of the same line have the same number. */
  line: number;
}

interface SegmentLimits {
  /** The maximum number of segments. */
  count: number;
  /** The reader stops after this number of long texts, because the text of the article follows. */
  longTexts: number;
  /** The reader stops before this number of headings. */
  headings: number;
  /** The parts of the page that the reader skips. */
  skipped: ReadonlySet<ChildNode>;
}

const LONG_TEXT_CHARS = 160;
const MAX_TEXT_CHARS = 400;
const MAX_NAME_WORDS = 3;
const MAX_NODES = 1_500;
const HIDDEN_STYLE = /display\s*:\s*none/i;
const TIME_ATTRIBUTES = ["datetime", "data-datetime", "data-timestamp", "data-utime", "ts"];

/** Returns the segments in an element and after it, in document order. */
export function segmentsFrom(start: Element, limits: SegmentLimits): Segment[] {
  const reader = new SegmentReader(limits);
  reader.read(start);
  return reader.readAround(start, "next");
}

/** Returns the segments before an element, in document order. The last one is the nearest. */
export function segmentsBefore(start: Element, limits: SegmentLimits): Segment[] {
  return new SegmentReader({ ...limits, isReversed: true }).readAround(start, "prev");
}

/** Returns the segments in an element, in document order. */
export function segmentsIn(element: Element, limits: SegmentLimits): Segment[] {
  const reader = new SegmentReader(limits);
  reader.read(element);
  return reader.finish();
}

class SegmentReader {
  readonly #segments: Segment[] = [];
  readonly #limits: SegmentLimits & { isReversed?: boolean };
  #line = 0;
  #headings = 0;
  #longTexts = 0;
  #nodes = 0;

  constructor(limits: SegmentLimits & { isReversed?: boolean }) {
    this.#limits = limits;
  }

  /** Reads a node and its descendants. Returns false if a limit is reached. */
  read(node: ChildNode): boolean {
    if (++this.#nodes > MAX_NODES) return false;
    if (node instanceof Element) return this.#readElement(node);
    if (isText(node) && node.parent instanceof Element) return this.#readText(node.data, node.parent);
    return true;
  }

  /** Reads the nodes before or after an element. Returns all segments. */
  readAround(start: Element, direction: "next" | "prev"): Segment[] {
    for (let node: ChildNode | null = start; node; node = node.parent instanceof Element ? node.parent : null) {
      for (let next = node[direction]; next; next = next[direction]) if (!this.read(next)) return this.finish();
      this.#line++;
    }
    return this.finish();
  }

  finish(): Segment[] {
    return this.#limits.isReversed ? this.#segments.toReversed() : this.#segments;
  }

  #readElement(element: Element): boolean {
    if (NEVER_TEXT.has(element.name) || this.#limits.skipped.has(element) || isSkipped(element)) return true;
    if (isLongHeading(element) && ++this.#headings >= this.#limits.headings) return false;
    const breaksLine = element.name === "br" || isBlock(element);
    if (breaksLine) this.#line++;
    const time = timeOf(element);
    if (time !== "") this.#put({ text: "", time, element });
    const { children } = element;
    for (let at = 0; at < children.length; at++) {
      const child = children[this.#limits.isReversed ? children.length - 1 - at : at];
      if (child && !this.read(child)) return false;
    }
    if (breaksLine) this.#line++;
    return true;
  }

  #readText(data: string, element: Element): boolean {
    const text = collapseAndTrim(data.slice(0, MAX_TEXT_CHARS));
    if (text === "") return true;
    if (text.length > LONG_TEXT_CHARS && ++this.#longTexts >= this.#limits.longTexts) return false;
    return this.#put({ text, time: "", element });
  }

  #put(segment: Pick<Segment, "text" | "time" | "element">): boolean {
    this.#segments.push({ ...segment, line: this.#line });
    return this.#segments.length < this.#limits.count;
  }
}

/** Returns true for a heading that is longer than most names. Headings of author boxes contain a name. */
function isLongHeading(element: Element): boolean {
  return isHeading(element) && collapseAndTrim(rawText(element)).split(" ").length > MAX_NAME_WORDS;
}

function timeOf({ attribs }: Element): string {
  for (const name of TIME_ATTRIBUTES) if (attribs[name]) return attribs[name];
  return "";
}

function isSkipped({ name, attribs }: Element): boolean {
  return (
    name === "nav" || attribs.hidden !== undefined || (attribs.style !== undefined && HIDDEN_STYLE.test(attribs.style))
  );
}
