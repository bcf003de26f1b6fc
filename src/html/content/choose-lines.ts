import { getOrMake } from "../../lib/lazy";
import type { PageKind } from "../../model/page-kinds";
import { announcesList } from "../main-content/line-kinds";
import { isLinkLine, type Region, type RegionTree, type TextLine } from "../main-content/regions";
import { isHeading } from "../parse/dom";
import { isCellName } from "../parse/element-categories";
import type { ContentFacts } from "./content-facts";
import type { Posts } from "./posts";
import { dropRepeatedText } from "./repeated-text";

/** A line is content if its likelihood is at least this. */
const MIN_LIKELIHOOD = 0.45;
/**
 * The limit for prose in the posts of a thread and in documentation. Short replies, notes and warnings look unlike the
 * text around them, and a reader would miss them.
 */
const MIN_LIKELIHOOD_OF_PROSE = 0.25;
/** A forum page with fewer posts, or with a smaller share of its text in posts, isn't read as a thread. */
const MIN_POSTS = 3;
const MIN_SHARE_OF_POSTS = 0.3;
/** The limit for data tables, because their cells look like the links of a menu. */
const MIN_LIKELIHOOD_OF_TABLE = 0.25;
/** The limit for code blocks where texts contain code. Almost all of them are content there. */
const MIN_LIKELIHOOD_OF_CODE = 0.05;
const KINDS_WITH_CODE: ReadonlySet<PageKind> = new Set(["article", "documentation", "forum"]);

type LineFacts = Pick<ContentFacts, "page" | "headline" | "kept" | "dataTables" | "siblings" | "posts">;

/** A short text is a part of the site's template if it's at the same place of this number of tiles. */
const MIN_TILES = 6;
const MAX_WORDS = 20;

/**
 * Chooses the lines of the content by their likelihood. Keeps or drops equal parts of a list, or a data table, as a
 * whole. Drops a heading without content below it, and keeps a heading whose section starts with content. Keeps almost
 * all code in a text, and most prose in documentation and in the posts of a thread. Keeps the terms of kept definitions,
 * and a list that a kept paragraph announces. Drops text that repeats earlier content, such as quoted posts, and buttons
 * of tiles. Keeps the prices of what is kept. Returns one flag per line.
 */
export function chooseLines(facts: LineFacts, likelihoods: Float64Array, kind: PageKind): boolean[] {
  const { page, dataTables, posts } = facts;
  const tileParts = partsOfTiles(facts, kind);
  const hasEntries = kind === "collection" || kind === "listing";
  const isThread = kind === "forum" && posts.count >= MIN_POSTS && posts.share >= MIN_SHARE_OF_POSTS;
  const limitOf = (at: number) => {
    const line = page.lines[at];
    if (KINDS_WITH_CODE.has(kind) && line?.region.element.name === "pre") return MIN_LIKELIHOOD_OF_CODE;
    const isExpected = kind === "documentation" || (isThread && posts.byLine[at] !== null);
    return isExpected && line?.isProse ? MIN_LIKELIHOOD_OF_PROSE : MIN_LIKELIHOOD;
  };
  const chosen = Array.from(evenOut(page, likelihoods, tileParts), (value, at) => value >= limitOf(at));
  for (const table of dataTables) {
    if (isThread && containsPost(table, posts)) continue;
    const isContent = meanLikelihood(page.lines, table, likelihoods) >= MIN_LIKELIHOOD_OF_TABLE;
    chosen.fill(isContent, table.start, table.end);
  }
  dropTemplateText(page.lines, tileParts, chosen);
  keepWholeHeadings(page, chosen);
  keepAnnouncedLists(page, chosen);
  keepTerms(page, chosen);
  dropRepeatedText({ page, dataTables }, chosen, kind);
  if (KINDS_WITH_CODE.has(kind) || kind === "service") for (const at of facts.kept) chosen[at] = true;
  chooseHeadings(page.lines, chosen, hasEntries);
  keepPrices(facts, chosen, kind);
  return chosen;
}

const LISTS: ReadonlySet<string> = new Set(["dl", "ol", "ul"]);
/** In a text, each paragraph is judged separately. */
const TEXTS: ReadonlySet<PageKind> = new Set(["article", "documentation"]);
/** Boxes are tiles if this number of boxes next to each other have the same element and first class. */
const MIN_SIMILAR = 3;
/** The number of regions around a line that can be its tile. */
const TILE_LEVELS = 6;

/**
 * Returns the likelihoods of the lines, with equal likelihoods for equal parts of a list. If a list of products had some
 * of its prices, its readers would be misled. `tileParts`: see `partsOfTiles`.
 */
function evenOut(page: RegionTree, likelihoods: Float64Array, tileParts: readonly (readonly number[])[]): Float64Array {
  const evened = likelihoods.slice();
  for (const lines of tileParts) replaceByMean(evened, lines);
  for (const lines of itemsOfLists(page)) replaceByMean(evened, lines);
  return evened;
}

function replaceByMean(likelihoods: Float64Array, lines: readonly number[]): void {
  const mean = lines.reduce((sum, at) => sum + (likelihoods[at] ?? 0), 0) / lines.length;
  for (const at of lines) likelihoods[at] = mean;
}

/**
 * Returns the lines at the same place of the tiles next to each other, such as the prices in a list of products. The
 * place of a line consists of the elements and first classes from the line up to its tile. Paragraphs inside tiles are
 * left out, because sections about different subjects look like tiles. Paragraphs next to each other are tiles. Texts
 * have no tiles.
 */
function partsOfTiles({ page: { lines }, siblings }: LineFacts, kind: PageKind): number[][] {
  if (TEXTS.has(kind)) return [];
  const places = new Map<Region | null, Map<string, { tiles: Set<Region>; lines: number[] }>>();
  for (const { index, region, isProse } of lines) {
    const around = region.withAncestors(TILE_LEVELS);
    const level = around.findIndex((at) => (siblings.get(at) ?? 1) >= MIN_SIMILAR);
    const tile = around[level];
    if (!tile || (isProse && tile !== region)) continue;
    const place = around.slice(0, level + 1).reduce((inner, { kind }) => `${inner}${kind}<`, "");
    const own = getOrMake(places, tile.parent, () => new Map());
    const part = getOrMake(own, place, () => ({ tiles: new Set<Region>(), lines: [] }));
    part.tiles.add(tile);
    part.lines.push(index);
  }
  const parts = [...places.values()].flatMap((own) => [...own.values()]);
  return parts.filter((part) => part.tiles.size >= MIN_SIMILAR).map((part) => part.lines);
}

/** Returns the items of lists with one line each. Paragraphs and short items are separate. */
function itemsOfLists({ lines, regions }: RegionTree): number[][] {
  const found: number[][] = [];
  for (const { element, children } of regions) {
    if (!LISTS.has(element.name)) continue;
    const single = children.filter(({ start, end }) => end - start === 1);
    // The terms of kept definitions are kept, so they don't count. See `keepTerms`.
    const definitions = single.filter((child) => child.element.name === "dd");
    const items = (definitions.length > 0 ? definitions : single).map(({ start }) => start);
    const isParagraph = (at: number) => element.name !== "dl" && lines[at]?.isProse === true;
    // The only item of a nested list shares the mean of the list around it.
    for (const wanted of [true, false]) {
      const own = items.filter((at) => isParagraph(at) === wanted);
      if (own.length > 1) found.push(own);
    }
  }
  return found;
}

/** Keeps all parts of a heading if one of them is kept. Some headings have a <div> around each part. */
function keepWholeHeadings({ regions }: RegionTree, chosen: boolean[]): void {
  for (const { element, children, start, end } of regions) {
    if (end - start < 2 || !isHeading(element) || children.some((child) => child.element.name !== "div")) continue;
    if (chosen.slice(start, end).includes(true)) chosen.fill(true, start, end);
  }
}

/** Keeps a list if a kept paragraph directly above it announces it. */
function keepAnnouncedLists({ lines, regions }: RegionTree, chosen: boolean[]): void {
  for (const { element, parent, start, end } of regions) {
    const above = lines[start - 1];
    if (!LISTS.has(element.name) || !above || !chosen[start - 1] || above.region.parent !== parent) continue;
    if (announcesList(above)) chosen.fill(true, start, end);
  }
}

/** Keeps the terms of each definition that is kept. */
function keepTerms({ regions }: RegionTree, chosen: boolean[]): void {
  for (const { children } of regions) {
    let isDefined = false;
    for (const { element, start, end } of children.toReversed()) {
      if (element.name === "dt" && isDefined) chosen.fill(true, start, end);
      else if (element.name !== "dt") isDefined = element.name === "dd" && chosen.slice(start, end).includes(true);
    }
  }
}

/** Returns true if the table is the layout of posts, as in older forums. */
function containsPost({ start, end }: Region, { byLine }: Posts): boolean {
  return byLine.slice(start, end).some((post) => post !== null && post.time >= start && post.time < end);
}

function meanLikelihood(lines: readonly TextLine[], { start, end }: Region, likelihoods: Float64Array): number {
  let [likely, words] = [0, 0];
  for (let at = start; at < end; at++) {
    const own = lines[at]?.words ?? 0;
    likely += own * (likelihoods[at] ?? 0);
    words += own;
  }
  return words > 0 ? likely / words : 0;
}

/** Returns true if two lines below a heading are in the same section. A promotion in a box has its own heading. */
function isSection({ region: { parent } }: TextLine, next: TextLine | undefined, after: TextLine | undefined): boolean {
  return next?.headingLevel === 0 && after !== undefined && parent !== null && after.index < parent.end;
}

/**
 * Drops headings without content below them. Some pages mark paragraphs as headings. In a list of entries, a linked
 * heading is an entry.
 */
function chooseHeadings(lines: readonly TextLine[], chosen: boolean[], hasEntries: boolean): void {
  let next: { level: number } | null = null;
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at];
    const level = line?.headingLevel ?? 0;
    if (line === undefined || level === 0 || line.isProse || (hasEntries && isLinkLine(line))) {
      if (level > 0 && next !== null && chosen[at + 1]) chosen[at] = true;
      if (chosen[at]) next = { level: 0 };
      continue;
    }
    const isOverContent = next !== null && (next.level === 0 || next.level > level);
    if (!isOverContent) chosen[at] = false;
    else if (chosen[at + 1] || (chosen[at + 2] && isSection(line, lines[at + 1], lines[at + 2]))) chosen[at] = true;
    if (chosen[at]) next = { level };
  }
}

/**
 * Drops the short texts that all tiles next to each other share, such as the button "Compare" of each product. Keeps
 * labels, which end with a colon, and the texts of table cells, which can be a column of equal values. `tileParts`: see
 * `partsOfTiles`.
 */
function dropTemplateText(
  lines: readonly TextLine[],
  tileParts: readonly (readonly number[])[],
  chosen: boolean[],
): void {
  for (const part of tileParts) {
    const first = lines[part[0] ?? -1];
    if (part.length < MIN_TILES || !first || first.words > MAX_WORDS || first.text.endsWith(":")) continue;
    if (isCell(first) || part.some((at) => lines[at]?.text !== first.text)) continue;
    for (const at of part) chosen[at] = false;
  }
}

/** Returns true for the only line of a table cell. */
function isCell({ region }: TextLine): boolean {
  const around = region.withAncestors();
  return around.some(({ element, start, end }) => end - start === 1 && isCellName(element.name));
}

/** A longer line with a price is a sentence about it. */
const MAX_PRICE_WORDS = 12;
/** The maximum number of lines in a box that shows an offer, such as a product of a list or a plan. */
const MAX_OFFER_LINES = 12;
/** The number of regions around a price that can be its box. */
const OFFER_LEVELS = 8;
/** The price of a product is in this number of lines below the headline. */
const MAX_LINES_TO_PRICE = 60;

/**
 * Keeps the price of each offer that is kept, and the price of the product that the page is about. The labels of the
 * training pages have few prices, so their likelihood is low, but a reader would miss them.
 */
function keepPrices({ page, headline }: LineFacts, chosen: boolean[], kind: PageKind): void {
  const { lines } = page;
  const prices = lines.filter((line) => line.words <= MAX_PRICE_WORDS && line.hasPrice);
  const isName = lines.map(({ words }) => words > 1);
  for (const { index } of prices) isName[index] = false;
  const isKeptName = isName.map((one, at) => one && chosen[at] === true);
  for (const { index, region } of prices) {
    const around = region.withAncestors(OFFER_LEVELS).filter(({ start, end }) => end - start <= MAX_OFFER_LINES);
    const offer = around.find((at) => at !== page.root && isName.slice(at.start, at.end).includes(true));
    if (offer && isKeptName.slice(offer.start, offer.end).includes(true)) chosen[index] = true;
  }
  if (kind !== "product" || !headline) return;
  const { end } = headline.region;
  const near = prices.filter(({ index }) => index >= end && index < end + MAX_LINES_TO_PRICE);
  if (near[0] && !near.some(({ index }) => chosen[index])) chosen[near[0].index] = true;
}
