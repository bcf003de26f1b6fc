import { type ChildNode, Element, Text } from "domhandler";
import { isDataTable, isPictureTitle } from "./region-kinds";
import { between, type LineRange, type Region, type RegionTree, type TextLine } from "./regions";

const DROPPED = 0;
const KEPT = 1;
/** The state of a line whose text is dropped and whose images are kept. */
const TEXTLESS = 2;

const NO_TOTALS: Float64Array = new Float64Array(0);

/**
 * The lines of a page that are still considered content. Calculates totals for ranges of lines. Doesn't change the
 * page's tree.
 */
export class Selection {
  readonly page: RegionTree;
  /** The dropped nodes: the elements of regions, and the inline nodes of single lines. */
  readonly dropped: Set<ChildNode>;
  readonly #kept: Uint8Array;
  /** The totals of the kept lines before each line, and of all lines. Empty until the first access. */
  #length = NO_TOTALS;
  #links = NO_TOTALS;
  #words = NO_TOTALS;
  #prose = NO_TOTALS;
  #isStale = true;

  constructor(page: RegionTree, dropped = new Set<ChildNode>(), kept = new Uint8Array(page.lines.length).fill(KEPT)) {
    this.page = page;
    this.dropped = dropped;
    this.#kept = kept;
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
    this.#isStale = true;
  }

  /** Drops a line with its images. */
  dropLine(line: TextLine): void {
    for (const node of line.nodes) this.dropped.add(node);
    this.#kept[line.index] = DROPPED;
    this.#isStale = true;
  }

  /** Drops the text of a line. Keeps its images, and keeps a caption that becomes the title of its image. */
  dropText(line: TextLine): void {
    if (!isPictureTitle(line.region)) for (const node of line.nodes) this.#dropTexts(node);
    this.#kept[line.index] = TEXTLESS;
    this.#isStale = true;
  }

  /** Returns true if all lines in the range were dropped together with their images. */
  isEmptied({ start, end }: LineRange): boolean {
    for (let at = start; at < end; at++) if (this.#kept[at] !== DROPPED) return false;
    return start < end;
  }

  /** Returns the lines in a range that are kept. */
  linesIn({ start, end }: LineRange): TextLine[] {
    return this.page.lines.slice(start, end).filter((line) => this.has(line));
  }

  /** Returns the number of characters in the kept lines. */
  length(range: LineRange): number {
    return between(this.#sums().#length, range);
  }

  /** Returns the number of words in the kept lines. */
  words(range: LineRange): number {
    return between(this.#sums().#words, range);
  }

  /** Returns the number of characters in the kept lines of prose. */
  prose(range: LineRange): number {
    return between(this.#sums().#prose, range);
  }

  /** Returns the share of the kept text that is inside links, from 0 to 1. */
  linkDensity(range: LineRange): number {
    const length = this.length(range);
    return length === 0 ? 0 : between(this.#links, range) / length;
  }

  #dropTexts(node: ChildNode): void {
    if (node instanceof Text) this.dropped.add(node);
    else if (node instanceof Element) for (const child of node.children) this.#dropTexts(child);
  }

  #sums(): this {
    if (!this.#isStale) return this;
    this.#isStale = false;
    if (this.#length === NO_TOTALS) {
      const size = this.page.lines.length + 1;
      this.#length = new Float64Array(size);
      this.#links = new Float64Array(size);
      this.#words = new Float64Array(size);
      this.#prose = new Float64Array(size);
    }
    let [length, links, words, prose] = [0, 0, 0, 0];
    for (const line of this.page.lines) {
      if (this.#kept[line.index] === KEPT) {
        length += line.length;
        links += line.linkLength;
        words += line.words;
        if (line.isProse) prose += line.length;
      }
      const end = line.index + 1;
      this.#length[end] = length;
      this.#links[end] = links;
      this.#words[end] = words;
      this.#prose[end] = prose;
    }
    return this;
  }
}

/** Returns the sum of `of(region)` over all regions. The regions must not contain each other. */
export function total(regions: readonly Region[], of: (region: Region) => number): number {
  return regions.reduce((sum, region) => sum + of(region), 0);
}

/** Returns the outermost regions that pass the test. Skips the insides of data tables. */
export function outermost(selection: Selection, test: (region: Region, isInContent: boolean) => boolean): Region[] {
  const found: Region[] = [];
  function visit(region: Region, isInContent: boolean): void {
    if (isDataTable(region, selection)) return;
    for (const child of region.children) {
      if (test(child, isInContent)) found.push(child);
      else visit(child, isInContent || isContent(child.element));
    }
  }
  visit(selection.page.root, false);
  return found;
}

function isContent({ name, attribs }: Element): boolean {
  return name === "article" || name === "main" || attribs.role?.toLowerCase() === "main";
}
