import { type ChildNode, Element } from "domhandler";
import type { Headline } from "../main-content/headline";
import { isLinkLine, type Region, type TextLine } from "../main-content/regions";
import { type ContentFacts, toNumber } from "./content-facts";
import { tileOf } from "./even-out";
import { hasPrice } from "./line-evidence";

/** The maximum number of lines between the name of a product and a price that the page doesn't declare. */
const MAX_LINES_TO_PRICE = 10;
/** A price is a very short line. Longer lines with a price are about the delivery. */
const MAX_PRICE_WORDS = 5;
/** A declared price, far below the name, has hardly any other words. "Free shipping over $50" isn't a price. */
const MAX_DECLARED_WORDS = 3;
/** The price, the former price and the discount. */
const MAX_PRICES = 3;
/** A box with more words isn't the tile of a product. */
const MAX_TILE_WORDS = 150;
const AMOUNT = /\d(?:[\d.,\s]{0,20}\d)?/g;
/** The number of elements around a line that can be marked as a price with microdata. */
const MARKED_LEVELS = 3;

/**
 * Keeps the price of a product: the first prices close below its name, or else the first price below its name that the
 * page declares in its data or marks with microdata.
 */
export function keepPrice(
  { page: { lines }, prices }: Pick<ContentFacts, "page" | "prices">,
  { region }: Headline,
  chosen: boolean[],
): void {
  const close = closePrice(lines.slice(region.end, region.end + MAX_LINES_TO_PRICE));
  const first = close === -1 ? declaredPrice(lines, region.end, prices()) : region.end + close;
  if (first === -1) return;
  // The former price of a product can be in front of its price.
  for (let at = first; at < first + MAX_PRICES && isPrice(lines[at]); at++) chosen[at] = true;
}

/** A heading below a description starts another section, for example with related products. */
function closePrice(below: readonly TextLine[]): number {
  const text = below.findIndex(({ isProse }) => isProse);
  const end = text === -1 ? -1 : below.findIndex(({ headingLevel }, at) => headingLevel > 0 && at > text);
  return (end === -1 ? below : below.slice(0, end)).findIndex(isPrice);
}

/** Returns the index of the first line from `start` with a declared price, or -1. */
function declaredPrice(lines: readonly TextLine[], start: number, prices: ReadonlySet<number>): number {
  return lines.findIndex((line) => line.index >= start && isDeclared(line, prices));
}

function isPrice(line: TextLine | undefined): line is TextLine {
  return line !== undefined && line.words <= MAX_PRICE_WORDS && hasPrice(line);
}

function isDeclared(line: TextLine, prices: ReadonlySet<number>): boolean {
  if (!isPrice(line) || line.words > MAX_DECLARED_WORDS) return false;
  if (line.nodes.some(isMarked) || isInMarked(line.region)) return true;
  return (line.text.match(AMOUNT) ?? []).some((amount) => prices.has(toNumber(amount)));
}

function isMarked(node: ChildNode): boolean {
  return node instanceof Element && (node.attribs.itemprop === "price" || node.children.some(isMarked));
}

function isInMarked(region: Region): boolean {
  let at: Region | null = region;
  for (let level = 0; at && level < MARKED_LEVELS; level++, at = at.parent)
    if (at.element.attribs.itemprop === "price") return true;
  return false;
}

/** Keeps the prices in the tiles of products whose names are kept. A name is a link or a heading. */
export function keepPricesOfTiles(
  { page: { lines }, siblings, all }: Pick<ContentFacts, "page" | "siblings" | "all">,
  chosen: boolean[],
): void {
  /** The number of kept names before each line. */
  const names = new Uint32Array(lines.length + 1);
  for (const line of lines) {
    const isName = chosen[line.index] === true && (isLinkLine(line) || line.headingLevel > 0);
    names[line.index + 1] = (names[line.index] ?? 0) + Number(isName);
  }
  for (const line of lines) {
    if (chosen[line.index] || !isPrice(line)) continue;
    const tile = tileOf(line.region, siblings);
    if (!tile || all.words(tile) > MAX_TILE_WORDS || all.prose(tile) > 0) continue;
    if ((names[tile.end] ?? 0) > (names[tile.start] ?? 0)) chosen[line.index] = true;
  }
}
