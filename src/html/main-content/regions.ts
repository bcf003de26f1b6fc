import { type ChildNode, Element, Text } from "domhandler";
import { lazy } from "../../lib/lazy";
import { hasDate } from "../page/dates";
import { hasPrice } from "../page/prices";
import { isHeading, MEDIA } from "../parse/dom";
import { type Hints, isOverlay, type Purpose, readNames, withoutWordsOf } from "./name-words";

const REGION_TAGS = new Set(
  (
    "address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset figcaption figure " +
    "footer form h1 h2 h3 h4 h5 h6 header hgroup legend li main menu nav ol p pre search section summary table " +
    "tbody td tfoot th thead tr ul"
  ).split(" "),
);
/** The regions that may be inside a line of code. Code editors, for example, use a <div> per line. */
const PARTS_OF_CODE: ReadonlySet<string> = new Set(["div", "li", "ol", "table", "tbody", "td", "tr", "ul"]);
/** The regions that are often inside a heading. */
const PARTS_OF_HEADING: ReadonlySet<string> = new Set(["button", "p"]);
const WHITE_SPACE = /[\s\u200b\ufeff]+/g;
/** Matches in a text whose white space isn't collapsed. */
const UNCOLLAPSED = /[^\S ]|[\u200b\ufeff]| {2}/;
/** A character of a script without spaces counts as this many characters of a line's length. */
const DENSE_CHARS = 3;
const SENTENCE = /[.!?…:;,।。！？、][\s"'”’»)\]]|[.!?…।。！？]["'”’»)\]]*$/;
const MIN_PROSE_CHARS = 80;
/** If more than this share of a line's text is inside links, it's a line of links. */
const LINKED_SHARE = 0.75;
/** A line is prose only if less than this share of its text is inside links. */
const MAX_PROSE_LINKED_SHARE = 0.3;

/** The number of characters in which the first class is searched. The keys of all lines would need gigabytes otherwise. */
const MAX_CLASS_CHARS = 200;

/** A run of inline content in a region, which readers see as one paragraph. */
export interface TextLine {
  readonly index: number;
  readonly region: Region;
  readonly nodes: ChildNode[];
  /** The text, with white space collapsed and trimmed. */
  readonly text: string;
  /** The length of the text, in characters. A character of a script without spaces counts as several characters. */
  readonly length: number;
  /** The part of `length` that is inside links. */
  readonly linkLength: number;
  readonly commas: number;
  readonly words: number;
  /** True if the text consists of sentences. False for labels, links and lists of names. */
  readonly isProse: boolean;
  /** True if the text contains a date in numbers, a year or a time. */
  readonly hasDate: boolean;
  /** True if the text contains a price with its currency. */
  readonly hasPrice: boolean;
  /** The level of the heading that contains the line, from 1 to 6. 0 outside of headings. */
  readonly headingLevel: number;
}

const COMMA = /[,\u060c\ufe50\ufe10\ufe11\u2e41\u2e34\u2e32\uff0c\u3001\u104a]/g;
const WORD = /[\p{L}\p{N}]+/gu;
/** Characters of scripts without spaces between words. A word consists of one or two of these characters. */
const DENSE = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g;
const COMMA_CODE = 44;
/** Contains 1 for the code of each letter and digit of European languages, and 0 for the other codes. */
const LETTERS = Uint8Array.from({ length: 0x250 }, (_, code) =>
  Number(/[\p{L}\p{N}]/u.test(String.fromCharCode(code))),
);
/** The range of the Unicode block "General Punctuation", which has no letters and no digits. */
const [FIRST_PUNCTUATION, LAST_PUNCTUATION] = [0x2000, 0x206f];

/**
 * An element that starts a new line, with the range of its lines. `start` is the index of the first line, `end` the
 * index after the last line.
 */
export class Region {
  readonly element: Element;
  readonly parent: Region | null;
  readonly children: Region[] = [];
  readonly start: number;
  end: number;
  /** The number of forms and buttons in the region. */
  controls = 0;
  readonly #page: RegionTree;
  #hints: Hints | null = null;
  #names: ReturnType<typeof readNames> | null = null;
  #kind: string | null = null;
  #place: string | null = null;
  #isOverlay: boolean | null = null;
  #linkedChildren: number | null = null;

  constructor(element: Element, parent: Region | null, page: RegionTree) {
    this.#page = page;
    this.element = element;
    this.parent = parent;
    this.start = page.lines.length;
    this.end = this.start;
  }

  /**
   * The id and the classes that are hints on the region's purpose. An id with the words of the region's own heading is
   * an anchor, so it is no hint. A section has no hints: its heading and its text tell more than its names.
   */
  get hints(): Hints {
    this.#hints ??= hintsOf(this, this.#page);
    return this.#hints;
  }

  /** The words in the region's hints and in the name of a custom element. */
  get names(): readonly string[] {
    this.#names ??= readNames(this.element, this.hints);
    return this.#names.relevant;
  }

  /** The purposes that the same names and a test id state. */
  get purposes(): readonly Purpose[] {
    this.#names ??= readNames(this.element, this.hints);
    return this.#names.purposes;
  }

  /** True for a dialog or a consent box. */
  get isOverlay(): boolean {
    this.#isOverlay ??= isOverlay(this.element, this.hints);
    return this.#isOverlay;
  }

  /** A key that similar boxes share. Uses only the first class, because later classes often number the boxes. */
  get kind(): string {
    this.#kind ??= kindOf(this.element);
    return this.#kind;
  }

  /** A key that regions share if they and the next regions around them are similar boxes. */
  get place(): string {
    this.#place ??= this.withAncestors(PLACE_LEVELS).reduce((place, { kind }) => `${place}${kind}<`, "");
    return this.#place;
  }

  /** The number of children whose lines are all links. */
  get linkedChildren(): number {
    this.#linkedChildren ??= this.children.filter((child) => child.isLinked).length;
    return this.#linkedChildren;
  }

  /** True if the region has lines and all of them are links. */
  get isLinked(): boolean {
    return !this.isEmpty && between(this.#page.sums().linkLines, this) === this.end - this.start;
  }

  /** True for a region without lines. */
  get isEmpty(): boolean {
    return this.end === this.start;
  }

  /** Returns true if one of the region's names matches. */
  isNamed(pattern: RegExp): boolean {
    return this.names.some((name) => pattern.test(name));
  }

  /** Returns the region and the regions around it, from the inside to the outside: all of them, or the first `count`. */
  withAncestors(count = Number.POSITIVE_INFINITY): Region[] {
    const found: Region[] = [];
    for (let at: Region | null = this; at && found.length < count; at = at.parent) found.push(at);
    return found;
  }

  /** Returns true if `other` has lines and all of them are in this region, too. */
  holds(other: Region): boolean {
    return this.start <= other.start && other.end <= this.end && !other.isEmpty;
  }
}

function kindOf({ name, attribs }: Element): string {
  const first = /\S+/.exec((attribs.class ?? "").slice(0, MAX_CLASS_CHARS));
  return first ? `${name}.${first[0]}` : `${name}.`;
}

/** The text of a page as lines in nested regions. */
export interface RegionTree {
  readonly root: Region;
  readonly lines: TextLine[];
  /** All regions in document order. */
  readonly regions: Region[];
  readonly sums: () => Sums;
}

type Sums = ReturnType<typeof sumsOf>;

/** Returns the numbers of some lines. See `runningSum`. */
function sumsOf(lines: readonly TextLine[]) {
  return {
    prose: runningSum(lines, (line) => Number(line.isProse)),
    /** The lines of prose, and shorter sentences. */
    sentences: runningSum(lines, (line) => Number(line.isProse || isShortSentence(line))),
    linkLines: runningSum(lines, (line) => Number(isLinkLine(line))),
    /** The lines of links to other pages. A heading counts as several. */
    links: runningSum(lines, countLinks),
  };
}

/** A linked heading is the title of another page. It counts as this number of links. */
const LINKS_OF_HEADING = 3;
/** A region is a section only if less than this share of its lines are links. */
const MAX_LINK_LINES_SHARE = 0.3;

/** The number of regions that make up the place of a region: the region itself and those around it. */
const PLACE_LEVELS = 4;
/** The number of regions with the same lines around a section. The limit keeps the time linear. */
const MAX_LEVELS = 20;
const NO_HINTS: Hints = { id: "", classes: "" };

/** Returns the hints of a region. See `Region.hints`. */
function hintsOf(region: Region, page: RegionTree): Hints {
  const { id = "", class: classes = "" } = region.element.attribs;
  const { start, end, controls } = region;
  const named = { id, classes };
  const { lines } = page;
  const heading = lines[start];
  if ((id === "" && classes === "") || !heading || heading.isProse || region.isEmpty) return named;
  const isTitle = /^(?:dt|h[1-6])$/.test(region.element.name) && !isLinkLine(heading);
  if (heading.headingLevel === 0) return isTitle ? withoutWordsOf(heading.text, named) : named;
  const sums = page.sums();
  const isDense = between(sums.links, region) >= MAX_LINK_LINES_SHARE * (end - start);
  if (controls > 0 || isDense) return named;
  let around = region.parent;
  for (let level = 0; level < MAX_LEVELS && around?.start === start && around.end === end; level++)
    around = around.parent;
  const isOnlyHeading = end - start === 1;
  if (isOnlyHeading && around && end < around.end && isText(lines[end])) return NO_HINTS;
  const others = withoutWordsOf(heading.text, named);
  const isSection =
    around !== null &&
    between(sums.sentences, region) > 0 &&
    between(sums.prose, { start: around.start, end: start }) > 0 &&
    between(sums.prose, { start: end, end: around.end }) > 0;
  return isSection ? NO_HINTS : others;
}

/** A range of lines. `start` is the index of the first line, `end` the index after the last line. */
export type LineRange = Pick<Region, "start" | "end">;

/** Returns the sums of `of(line)` over the lines before each line, and over all lines. */
export function runningSum(lines: readonly TextLine[], of: (line: TextLine) => number): Float64Array {
  const sums = new Float64Array(lines.length + 1);
  let sum = 0;
  for (const line of lines) {
    sum += of(line);
    sums[line.index + 1] = sum;
  }
  return sums;
}

/** Returns the number of words in the lines. */
export function wordsIn(lines: readonly TextLine[]): number {
  return lines.reduce((sum, line) => sum + line.words, 0);
}

/** Returns the number of characters in the lines. */
export function charsIn(lines: readonly TextLine[]): number {
  return lines.reduce((sum, { length }) => sum + length, 0);
}

/** Returns the number of characters outside of links in the lines. Lines of links don't count. */
export function unlinkedCharsIn(lines: readonly TextLine[]): number {
  return lines.reduce((sum, line) => sum + (isLinkLine(line) ? 0 : line.length - line.linkLength), 0);
}

/** Returns the sum over a range of lines, given the result of `runningSum`. */
export function between(sums: Float64Array, { start, end }: LineRange): number {
  return (sums[end] ?? 0) - (sums[start] ?? 0);
}

/** Returns true for a line that can be the text below a heading. */
function isText(line: TextLine | undefined): boolean {
  return line !== undefined && (line.isProse || line.headingLevel > 0 || line.region.element.name === "li");
}

const MIN_SENTENCE_WORDS = 4;

function isShortSentence({ text, words, linkLength, headingLevel }: TextLine): boolean {
  return words >= MIN_SENTENCE_WORDS && linkLength === 0 && headingLevel === 0 && /[.!?。]$/.test(text);
}

/**
 * Reads a page as lines of text in nested regions. All lines are in one array. Each region is a range of this array, so
 * a region's totals are sums over its range. The text of <noscript> elements is read only with `noscript`. Otherwise, the
 * output uses only their images.
 */
export function readRegions(
  root: Element,
  excluded: ReadonlySet<ChildNode>,
  { noscript = false }: { noscript?: boolean } = {},
): RegionTree {
  const wrappers = inlineWrappers(root);
  const regions: Region[] = [];
  const lines: TextLine[] = [];
  const sums = lazy(() => sumsOf(lines));
  const page = { lines, regions, sums } as { -readonly [K in keyof RegionTree]: RegionTree[K] };
  let controls = 0;
  let nodes: ChildNode[] = [];
  let breaks = 0;

  function endLine(region: Region, isLinked: boolean): void {
    breaks = 0;
    if (nodes.length === 0) return;
    const line = toLine(nodes, region, { index: lines.length, isLinked, excluded });
    if (line) lines.push(line);
    nodes = [];
  }

  function visit(element: Element, parent: Region | null, isInLink: boolean): Region {
    const region = new Region(element, parent, page);
    const before = controls;
    const isLinked = isInLink || isLink(element);
    const isCode = element.name === "pre" && hasOnlyCode(element);
    regions.push(region);
    parent?.children.push(region);
    for (const child of element.children) {
      if (excluded.has(child) || (!noscript && child instanceof Element && child.name === "noscript")) continue;
      if (child instanceof Element && (REGION_TAGS.has(child.name) || wrappers.has(child)) && !isCode) {
        endLine(region, isLinked);
        visit(child, region, isLinked);
        continue;
      }
      // Most lines have one node. See `append` in ../parse/tree.
      if (nodes.length === 0) nodes = [child];
      else nodes.push(child);
      if (child instanceof Element && child.name === "br") breaks++;
      else if (!(child instanceof Text) || child.data.trim() !== "") breaks = 0;
      if (isCode) continue;
      if (breaks === 2 || (child instanceof Element && child.name === "hr")) endLine(region, isLinked);
    }
    endLine(region, isLinked);
    region.end = lines.length;
    if (element.name === "form" || (element.name === "button" && !region.isEmpty)) controls++;
    region.controls = controls - before;
    return region;
  }

  page.root = visit(root, null, false);
  return page;
}

/** Returns the number of links that a line counts as. Links to a place on the same page don't count. */
function countLinks(line: TextLine): number {
  if (!isLinkLine(line) || linksIn(line).some(isOnPage)) return 0;
  return line.headingLevel > 0 ? LINKS_OF_HEADING : 1;
}

/** Returns true for a link to a place on the same page, such as the permalink of a heading. */
export function isOnPage({ attribs }: Element): boolean {
  return attribs.href?.startsWith("#") ?? false;
}

export function linksIn(line: TextLine): Element[] {
  return elementsIn(line).filter(({ name, attribs }) => name === "a" && attribs.href !== undefined);
}

/** Returns the elements inside a line. */
export function elementsIn({ nodes }: TextLine): Element[] {
  const found: Element[] = [];
  function visit(node: ChildNode): void {
    if (!(node instanceof Element)) return;
    found.push(node);
    for (const child of node.children) visit(child);
  }
  for (const node of nodes) visit(node);
  return found;
}

/** Returns the share of the line's text that is inside links, from 0 to 1. */
export function linkShareOf(line: TextLine): number {
  return line.linkLength / Math.max(1, line.length);
}

/** Returns true if most of the line is inside links. */
export function isLinkLine(line: TextLine): boolean {
  return line.linkLength > LINKED_SHARE * line.length;
}

/** Collapses and trims white space, including zero-width spaces. */
export function collapseSpaces(text: string): string {
  // Most texts have white space only around them.
  const trimmed = text.trim();
  return UNCOLLAPSED.test(trimmed) ? trimmed.replace(WHITE_SPACE, " ").trim() : trimmed;
}

/** Returns true if a <pre> contains only code. It is one line then. A <pre> may also contain a whole page. */
function hasOnlyCode({ children }: Element): boolean {
  return children.every((child) => {
    if (!(child instanceof Element)) return true;
    return (PARTS_OF_CODE.has(child.name) || !REGION_TAGS.has(child.name)) && hasOnlyCode(child);
  });
}

/** Returns true for a link, except for a link that replaces a video or a frame. */
function isLink({ name, attribs, parent }: Element): boolean {
  return name === "a" && attribs.href !== undefined && !(parent instanceof Element && MEDIA.has(parent.name));
}

/** Finds inline elements that contain regions, such as a link around a card. */
function inlineWrappers(root: Element): Set<Element> {
  const wrappers = new Set<Element>();
  function visit({ name, parent, children }: Element): void {
    if (REGION_TAGS.has(name))
      for (let at = parent; at instanceof Element && !REGION_TAGS.has(at.name) && !wrappers.has(at); at = at.parent)
        wrappers.add(at);
    for (const child of children) if (child instanceof Element) visit(child);
  }
  for (const child of root.children) if (child instanceof Element) visit(child);
  return wrappers;
}

function toLine(
  nodes: ChildNode[],
  region: Region,
  { index, isLinked, excluded }: { index: number; isLinked: boolean; excluded: ReadonlySet<ChildNode> },
): TextLine | null {
  const written: WrittenText = { text: "", linked: "" };
  for (const node of nodes) readText(node, isLinked, excluded, written);
  const text = collapseSpaces(written.text);
  if (text === "") return null;
  const { name } = region.element;
  const { words, commas, dense } = countIn(text);
  const length = text.length + (DENSE_CHARS - 1) * dense;
  const linkLength = written.linked === "" ? 0 : (collapseSpaces(written.linked).length / text.length) * length;
  const isSentence = length >= MIN_PROSE_CHARS && SENTENCE.test(text);
  return {
    index,
    region,
    nodes,
    text,
    length,
    linkLength,
    commas,
    words: words + Math.round(dense / 2),
    isProse: (isSentence || name === "pre") && linkLength < MAX_PROSE_LINKED_SHARE * length,
    hasDate: hasDate(text),
    hasPrice: hasPrice(text),
    headingLevel: headingLevelOf(region),
  };
}

/** The text of a line and of its links. White space isn't collapsed. */
interface WrittenText {
  text: string;
  linked: string;
}

function readText(node: ChildNode, isInLink: boolean, excluded: ReadonlySet<ChildNode>, written: WrittenText): void {
  if (excluded.has(node)) return;
  if (node instanceof Text) {
    written.text += node.data;
    if (isInLink) written.linked += node.data;
  } else if (node instanceof Element) {
    const isRegion = REGION_TAGS.has(node.name);
    if (isRegion || node.name === "br") written.text += " ";
    const links = isInLink || isLink(node);
    for (const child of node.children) readText(child, links, excluded, written);
    if (isRegion) written.text += " ";
  }
}

function headingLevelOf(region: Region): number {
  for (let at: Region | null = region; at; at = at.parent) {
    const { name } = at.element;
    if (isHeading(at.element)) return Number(name[1]);
    if (!PARTS_OF_HEADING.has(name)) return 0;
  }
  return 0;
}

/** Only the start of a longer text is counted, because `match` fails if it finds millions of matches. */
const MAX_MATCHED_CHARS = 500_000;

/**
 * Counts the words, commas and characters of scripts without spaces in a text. Regular expressions read only texts with
 * characters outside of European languages, because the loop is faster.
 */
export function countIn(text: string): { words: number; commas: number; dense: number } {
  let [words, commas] = [0, 0];
  let isInWord = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= LETTERS.length && (code < FIRST_PUNCTUATION || code > LAST_PUNCTUATION)) {
      const start = text.slice(0, MAX_MATCHED_CHARS);
      return {
        words: start.match(WORD)?.length ?? 0,
        commas: start.match(COMMA)?.length ?? 0,
        dense: start.match(DENSE)?.length ?? 0,
      };
    }
    const isLetter = LETTERS[code] === 1;
    if (isLetter && !isInWord) words++;
    else if (code === COMMA_CODE) commas++;
    isInWord = isLetter;
  }
  return { words, commas, dense: 0 };
}
