import { type ChildNode, Element, Text } from "domhandler";
import { isDataTable, isPictureTitle } from "./region-kinds";
import { between, type LineRange, type Region, type RegionTree, type TextLine } from "./regions";

const DROPPED = 0;
const KEPT = 1;
/** The state of a line whose text is dropped and whose images are kept. */
const TEXTLESS = 2;

/** The sums over the kept lines before each line, and over all kept lines. `prose`: the length of the lines of prose. */
type Totals = Record<"length" | "links" | "words" | "prose", Float64Array>;

/**
 * The lines of a page that are still considered content. Calculates totals for ranges of lines. Doesn't change the
 * page's tree.
 */
export class Selection {
  readonly page: RegionTree;
  /** The dropped nodes: the elements of regions, and the inline nodes of single lines. */
  readonly dropped: Set<ChildNode>;
  readonly #kept: Uint8Array;
  readonly #sums: Totals;
  /** False if lines were dropped after the last access. */
  #areKnown = false;

  constructor(page: RegionTree, dropped = new Set<ChildNode>(), kept = new Uint8Array(page.lines.length).fill(KEPT)) {
    this.page = page;
    this.dropped = dropped;
    this.#kept = kept;
    const sums = () => new Float64Array(page.lines.length + 1);
    this.#sums = { length: sums(), links: sums(), words: sums(), prose: sums() };
  }

  /** Returns a copy. Changes to the copy don't affect the original. */
  copy(): Selection {
    return new Selection(this.page, new Set(this.dropped), this.#kept.slice());
  }

  /** Returns true if the line and its text are kept. */
  has(line: TextLine): boolean {
    return this.#kept[line.index] === KEPT;
  }

  /** Drops a region with its images. */
  dropRegion(region: Region): void {
    this.dropped.add(region.element);
    this.#kept.fill(DROPPED, region.start, region.end);
    this.#areKnown = false;
  }

  /** Drops the outermost regions that pass the test. Skips the insides of data tables. */
  dropOutermost(test: (region: Region, isInContent: boolean) => boolean): void {
    const found: Region[] = [];
    const visit = (region: Region, isInContent: boolean): void => {
      if (isDataTable(region, this)) return;
      for (const child of region.children) {
        if (test(child, isInContent)) found.push(child);
        else visit(child, isInContent || isContent(child.element));
      }
    };
    visit(this.page.root, false);
    for (const region of found) this.dropRegion(region);
  }

  /** Drops a line with its images. */
  dropLine(line: TextLine): void {
    for (const node of line.nodes) this.dropped.add(node);
    this.#kept[line.index] = DROPPED;
    this.#areKnown = false;
  }

  /** Drops the text of a line. Keeps its images, and keeps a caption that becomes the title of its image. */
  dropText(line: TextLine): void {
    if (!isPictureTitle(line.region)) for (const node of line.nodes) this.#dropTexts(node);
    this.#kept[line.index] = TEXTLESS;
    this.#areKnown = false;
  }

  /** Returns true if all lines in the range were dropped together with their images. */
  isEmptied({ start, end }: LineRange): boolean {
    for (let at = start; at < end; at++) if (this.#kept[at] !== DROPPED) return false;
    return start < end;
  }

  /** Returns the lines in the ranges that are kept. */
  linesIn(ranges: Ranges): TextLine[] {
    if (!("start" in ranges)) return ranges.flatMap((range) => this.linesIn(range));
    return this.page.lines.slice(ranges.start, ranges.end).filter((line) => this.has(line));
  }

  /** Returns the number of characters in the kept lines. */
  length(ranges: Ranges): number {
    return sumOver(ranges, this.#totals.length);
  }

  /** Returns the number of words in the kept lines. */
  words(ranges: Ranges): number {
    return sumOver(ranges, this.#totals.words);
  }

  /** Returns the number of characters in the kept lines of prose. */
  prose(ranges: Ranges): number {
    return sumOver(ranges, this.#totals.prose);
  }

  /** Returns the share of the kept text that is inside links, from 0 to 1. */
  linkDensity(range: LineRange): number {
    return between(this.#totals.links, range) / (this.length(range) || 1);
  }

  #dropTexts(node: ChildNode): void {
    if (node instanceof Text) this.dropped.add(node);
    else if (node instanceof Element) for (const child of node.children) this.#dropTexts(child);
  }

  get #totals(): Totals {
    if (this.#areKnown) return this.#sums;
    const { length, links, words, prose } = this.#sums;
    for (const line of this.page.lines) {
      const isKept = this.has(line);
      addSum(length, line, isKept ? line.length : 0);
      addSum(links, line, isKept ? line.linkLength : 0);
      addSum(words, line, isKept ? line.words : 0);
      addSum(prose, line, isKept && line.isProse ? line.length : 0);
    }
    this.#areKnown = true;
    return this.#sums;
  }
}

/** Continues the sums over the lines before each line. */
function addSum(sums: Float64Array, { index }: TextLine, value: number): void {
  sums[index + 1] = (sums[index] ?? 0) + value;
}

/** A range of lines, or several ranges that don't overlap. */
type Ranges = LineRange | readonly LineRange[];

function sumOver(ranges: Ranges, sums: Float64Array): number {
  if ("start" in ranges) return between(sums, ranges);
  return ranges.reduce((sum, range) => sum + between(sums, range), 0);
}

function isContent({ name, attribs }: Element): boolean {
  return name === "article" || name === "main" || attribs.role?.toLowerCase() === "main";
}
