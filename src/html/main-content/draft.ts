import { type ChildNode, Element, Text } from "domhandler";
import { isPictureTitle } from "./captions";
import type { Block, Outline, Unit } from "./outline";

const DROPPED = 0;
const KEPT = 1;
const WORDLESS = 2;

/** Units from `start` to before `end`. */
export interface Range {
  start: number;
  end: number;
}

/** The units of a page that are still taken for content, with sums over ranges of them. Nothing in the tree changes. */
export class Draft {
  readonly page: Outline;
  /** The nodes that were dropped: whole blocks, or the inline nodes of single units. */
  readonly dropped: Set<ChildNode>;
  readonly #kept: Uint8Array;
  #length: Float64Array = new Float64Array(0);
  #links: Float64Array = new Float64Array(0);
  #words: Float64Array = new Float64Array(0);
  #prose: Float64Array = new Float64Array(0);
  #isStale = true;

  constructor(page: Outline, dropped = new Set<ChildNode>(), kept = new Uint8Array(page.units.length).fill(KEPT)) {
    this.page = page;
    this.dropped = dropped;
    this.#kept = kept;
  }

  copy(): Draft {
    return new Draft(this.page, new Set(this.dropped), this.#kept.slice());
  }

  has(unit: Unit): boolean {
    return this.#kept[unit.index] === KEPT;
  }

  dropBlock(block: Block): void {
    this.dropped.add(block.element);
    this.#kept.fill(DROPPED, block.start, block.end);
    this.#isStale = true;
  }

  dropUnit(unit: Unit): void {
    for (const node of unit.nodes) this.dropped.add(node);
    this.#kept[unit.index] = DROPPED;
    this.#isStale = true;
  }

  /** Drops the words alone: pictures among them stay, and captions that a picture takes along. */
  dropWords(unit: Unit): void {
    if (!isPictureTitle(unit.block)) for (const node of unit.nodes) this.#dropTexts(node);
    this.#kept[unit.index] = WORDLESS;
    this.#isStale = true;
  }

  /** Whether all of it was dropped, with its pictures. */
  isEmptied({ start, end }: Range): boolean {
    for (let at = start; at < end; at++) if (this.#kept[at] !== DROPPED) return false;
    return start < end;
  }

  unitsIn({ start, end }: Range): Unit[] {
    return this.page.units.slice(start, end).filter((unit) => this.has(unit));
  }

  /** Characters of text. */
  length(range: Range): number {
    return between(this.#sums().#length, range);
  }

  words(range: Range): number {
    return between(this.#sums().#words, range);
  }

  /** Characters in paragraphs that read like sentences. */
  prose(range: Range): number {
    return between(this.#sums().#prose, range);
  }

  /** The share of the text that stands in links. */
  linkDensity(range: Range): number {
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
    this.#length = this.#sum((unit) => unit.length);
    this.#links = this.#sum((unit) => unit.linkLength);
    this.#words = this.#sum((unit) => unit.words);
    this.#prose = this.#sum((unit) => (unit.isProse ? unit.length : 0));
    return this;
  }

  #sum(of: (unit: Unit) => number): Float64Array {
    const { units } = this.page;
    const sums = new Float64Array(units.length + 1);
    for (const unit of units) sums[unit.index + 1] = (sums[unit.index] ?? 0) + (this.has(unit) ? of(unit) : 0);
    return sums;
  }
}

/** What `of` gives for several blocks together; none of them inside of another. */
export function total(blocks: readonly Block[], of: (block: Block) => number): number {
  return blocks.reduce((sum, block) => sum + of(block), 0);
}

function between(sums: Float64Array, { start, end }: Range): number {
  return (sums[end] ?? 0) - (sums[start] ?? 0);
}
