import { type Element, isText, type ParentNode } from "domhandler";
import { CURRENCY, NUMBER } from "../../html/page/prices";
import { attribute, elementsUnder, hasAttribute, isElement } from "../../html/parse/dom";
import { MAX_SERP_PAGE_RESULTS, MAX_SERP_SNIPPET_CHARS, MAX_SERP_TITLE_CHARS } from "../../model/search-limits";
import type { Sitelink } from "./blocks";
import { closest, findAll, isButton, isLink, type Matcher, textOf } from "./dom";
import type { LinkTarget } from "./links";
import type { PageIndex } from "./page-index";
import { blocksOf, linesOf, longestOf } from "./structure";
import { isDate, tidy } from "./texts";

/** Returns the target of a link, or null if the link leads back to the engine's search or to an ad. */
export type LinkReader = (link: Element) => LinkTarget | null;

export const isListItem: Matcher = (element) => attribute(element, "role") === "listitem";
const HEADING = /^h[1-4]$/;
export const isAnyHeading: Matcher = (element) =>
  HEADING.test(element.name) || attribute(element, "role") === "heading";

export function hasHeading(element: Element): boolean {
  return findAll(element, isAnyHeading, 1).length > 0;
}

/** Returns true for an element that the page hides by an attribute. */
export function isHiddenByAttribute(element: Element): boolean {
  return hasAttribute(element, "hidden") || /display:\s*none/.test(attribute(element, "style"));
}

/** Returns a list block. Omits elements without an item. `root` is the block's place if it has no items. */
export function listBlock<Item>(
  root: Element,
  elements: readonly Element[],
  toItem: (element: Element) => Item | null,
): { content: Item[]; at: Element } {
  const items = elements.flatMap((at) => {
    const item = toItem(at);
    return item === null ? [] : [{ item, at }];
  });
  return { content: items.map(({ item }) => item), at: items[0]?.at ?? root };
}

const FORMATTING: ReadonlySet<string> = new Set("b strong em i u mark font sub sup br".split(" "));
const SEPARATORS = /^[·•|∙-]\s*|\s*[·•|∙-]$/gu;

/** Returns the pieces of text that are in separate elements, such as "YouTube" and "3 days ago". */
export function piecesOf(block: Element, skip: Matcher = isHiddenByAttribute): string[] {
  const isApart: Matcher = ({ name }) => !FORMATTING.has(name);
  const pieces = linesOf(block, { maxChars: MAX_SERP_SNIPPET_CHARS, skip, isApart });
  return pieces.map((piece) => piece.replace(SEPARATORS, "")).filter((piece) => piece !== "");
}

/** Returns the elements that are not inside another one of them. They are in document order. */
export function outermost(elements: readonly Element[]): Element[] {
  const taken = new Set<Element>();
  for (const element of elements)
    if (!isElement(element.parent) || !closest(element.parent, (at) => taken.has(at))) taken.add(element);
  return [...taken];
}

/** Returns the first URL of `links` that `read` accepts. */
export function firstTarget(block: Element, read: LinkReader): LinkTarget | null {
  for (const link of linksIn(block)) {
    const target = read(link);
    if (target !== null) return target;
  }
  return null;
}

export function linksIn(block: ParentNode): Element[] {
  return findAll(block, isLink, MAX_SERP_PAGE_RESULTS);
}

const MAX_DURATION_CHARS = 40;
const DURATION = /^(?:\d{1,2}:)?\d{1,2}:\d{2}$/;

function isDuration({ children: [text] }: Element): boolean {
  return text !== undefined && isText(text) && text.data.length < MAX_DURATION_CHARS && DURATION.test(text.data.trim());
}

/** Returns the block of each video. On every engine, the length of a video is in a separate element. */
export function videoBlocks(index: PageIndex, isSkipped: Matcher): Element[] {
  const lengths = index.leaves
    .filter((at) => isDuration(at) && !closest(at, isSkipped))
    .slice(0, MAX_SERP_PAGE_RESULTS);
  const blocks = blocksOf(lengths);
  const items = lengths.map((at) => closest(at, (block) => isListItem(block) || block === blocks.get(at)) ?? at);
  return [...new Set(items)];
}

interface Video {
  title: string;
  url?: string;
  source?: string;
  channel?: string;
  date?: string;
  duration?: string;
}

const MAX_SOURCE_CHARS = 60;

/** Reads a video from the pieces of its block: the length, the title, the site and the channel, in this order. */
export function toVideo(block: Element): Video | null {
  const pieces = piecesOf(block);
  const duration = pieces.find((piece) => DURATION.test(piece));
  const after = pieces.slice(pieces.findLastIndex((piece) => DURATION.test(piece)) + 1);
  const [shown = longestOf(pieces), ...meta] = after;
  const title = (attributesIn(block, "title")[0] ?? shown).slice(0, MAX_SERP_TITLE_CHARS);
  if (title === "") return null;
  const isName = (piece: string) => piece.length <= MAX_SOURCE_CHARS && !/^\d/.test(piece) && !isDate(piece);
  const [source, channel] = meta.filter(isName);
  const date = meta.find(isDate);
  return {
    title,
    ...(source && { source }),
    ...(channel && { channel }),
    ...(date && { date }),
    ...(duration && { duration }),
  };
}

/** Returns the values of an attribute in a block, as far as they aren't empty. */
export function attributesIn(block: Element, name: string): string[] {
  const elements = findAll(block, (at) => attribute(at, name).trim() !== "", MAX_SERP_PAGE_RESULTS);
  return elements.map((at) => tidy(attribute(at, name), MAX_SERP_TITLE_CHARS));
}

const PRICE = new RegExp(`(?:${CURRENCY})\\s?${NUMBER}|${NUMBER}\\s?(?:${CURRENCY})`, "u");
const HOST = /^[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}$/u;

interface Product {
  title: string;
  price: string;
  source?: string;
  url?: string;
  rating?: number;
  is_ad?: boolean;
}

/** Returns the list items that have a price. */
export function productItems(index: PageIndex, isSkipped: Matcher): Element[] {
  const items = index.withRole("listitem").filter((at) => !closest(at, isSkipped));
  return outermost(items.slice(0, MAX_SERP_PAGE_RESULTS)).filter((item) =>
    PRICE.test(textOf(item, MAX_SERP_TITLE_CHARS * 2)),
  );
}

/** Reads the products of list items. Yandex marks words in labels by `\\u0007[` and `\\u0007]`. Ignores lines that most items have, because they are labels. */
export function toProducts(items: readonly Element[]): Map<Element, Product> {
  const lines = items.map((item) => linesOf(item, { maxChars: MAX_SERP_TITLE_CHARS, skip: isHiddenByAttribute }));
  const counts = new Map<string, number>();
  for (const line of lines.flatMap((of) => [...new Set(of)])) counts.set(line, (counts.get(line) ?? 0) + 1);
  const limit = Math.max(3, items.length / 2);
  const products = items.flatMap((item, index): [Element, Product][] => {
    const own = lines[index] ?? [];
    const price = PRICE.exec(own.find((line) => PRICE.test(line)) ?? "")?.[0];
    const isText = (line: string) => (counts.get(line) ?? 0) < limit && !PRICE.test(line) && !HOST.test(line);
    const linked = linksIn(item).flatMap(
      (link) => linesOf(link, { maxChars: MAX_SERP_TITLE_CHARS, skip: isHiddenByAttribute })[0] ?? [],
    );
    const shown = longestOf(linked.filter(isText)) || longestOf(own.filter(isText));
    const name = tidy(attribute(item, "aria-label") || (attributesIn(item, "alt")[0] ?? ""), MAX_SERP_TITLE_CHARS);
    const title = name.replaceAll("\u0007[", "").replaceAll("\u0007]", "") || shown;
    if (price === undefined || title === "") return [];
    const cite = findAll(item, ({ name: tag }) => tag === "cite", 1)[0];
    const source = cite ? textOf(cite, MAX_SERP_TITLE_CHARS) : own.find((line) => HOST.test(line));
    const rating = ratingOf(item);
    return [[item, { title, price, ...(source && { source }), ...(rating !== null && { rating }) }]];
  });
  return new Map(products);
}

const OUT_OF = /(\d(?:[.,]\d+)?)\D{1,12}(?:5|10)(?!\d)/u;

/** Returns the rating in the label of an element with stars, such as "4.5 out of 5". Returns null if there is none. */
export function ratingOf(block: Element): number | null {
  for (const label of attributesIn(block, "aria-label")) {
    const rating = OUT_OF.exec(label)?.[1];
    if (rating !== undefined) return Number(rating.replace(",", "."));
  }
  return null;
}

/** Returns the number of reviews in brackets, as the page shows it. */
export function reviewsOf(pieces: readonly string[]): string | undefined {
  return pieces.map((piece) => /\((\d[\d.,\s]*\p{L}?)\)$/u.exec(piece)?.[1]).find((number) => number !== undefined);
}

interface Card {
  title: string;
  type?: string;
  description?: string;
  rating?: number;
  reviews?: string;
  facts: { name: string; value: string }[];
}

/** Matches an id that the page hides by its style sheet. */
const ID = /^[\da-f-]{20,}$/i;
const MAX_FACT_NAME_CHARS = 40;
const MAX_FACT_CHARS = 400;
const MIN_DESCRIPTION_CHARS = 60;
const MAX_TYPE_CHARS = 60;

/** Reads a card about a person, a company or a thing: title, kind, description and rows of facts. */
export function toCard(card: Element, isHidden: Matcher): Card | null {
  const skip: Matcher = (at) => isHiddenByAttribute(at) || isHidden(at) || isButton(at);
  const { facts, rows } = factsOf(card, skip);
  const isRow = new Set(rows);
  const lines = linesOf(card, { maxChars: MAX_SERP_SNIPPET_CHARS, skip: (at) => skip(at) || isRow.has(at) });
  const [title, ...others] = lines.filter((line) => !ID.test(line));
  if (title === undefined) return null;
  const next = others.find((line) => !/^\d[.,]\d$/.test(line)) ?? "";
  const description = longestOf(others);
  const rating = ratingOf(card);
  const reviews = reviewsOf(others);
  return {
    title: title.slice(0, MAX_SERP_TITLE_CHARS),
    ...(/^\p{L}/u.test(next) && next.length <= MAX_TYPE_CHARS && { type: next }),
    ...(description.length >= MIN_DESCRIPTION_CHARS && { description }),
    ...(rating !== null && { rating }),
    ...(reviews && { reviews }),
    facts,
  };
}

const isList: Matcher = ({ name }) => name === "ul" || name === "ol";

/** Finds the facts: the first group of siblings that consist of a short name and a value. */
function factsOf(card: Element, skip: Matcher): { facts: Card["facts"]; rows: Element[] } {
  for (const parent of elementsUnder(card, (at) => !skip(at))) {
    const rows = parent.children.filter((child) => isElement(child)).filter((row) => !skip(row));
    const isGroup = rows.every(
      (row) => row.name === rows[0]?.name && !isLink(row) && findAll(row, isList, 1).length === 0,
    );
    if (rows.length < 2 || !isGroup) continue;
    const facts = rows.slice(0, MAX_SERP_PAGE_RESULTS).flatMap((row) => toFact(row, skip) ?? []);
    if (facts.length >= 2) return { facts, rows };
  }
  return { facts: [], rows: [] };
}

function toFact(row: Element, skip: Matcher): Card["facts"][number] | null {
  const text = textOf(row, MAX_FACT_CHARS + 1, skip);
  if (text.length > MAX_FACT_CHARS || hasHeading(row)) return null;
  const label = piecesOf(row, skip)[0] ?? "";
  const value = text.slice(label.length).trim();
  const isName = label.length <= MAX_FACT_NAME_CHARS && /^\p{L}/u.test(label) && text.startsWith(label);
  return isName && value !== "" ? { name: label.replace(/\s*[:：]$/u, ""), value } : null;
}

const MAX_SITELINKS = 20;
/** Matches a number with a unit, such as "428 reviews" or the length of a video. It is no title of a page. */
const COUNT = /^\d[\d\s.,:]*\p{L}*$/u;

/**
 * Returns the sitelinks of a result: links to other pages of its site. Skips links in the text of the snippet and links
 * that `skip` matches.
 */
export function sitelinksOf(item: Element, resultUrl: string, read: LinkReader, skip: Matcher): Sitelink[] {
  const site = siteOf(resultUrl);
  const known = new Set([toPage(resultUrl)]);
  const links: Sitelink[] = [];
  for (const link of linksIn(item)) {
    if (links.length >= MAX_SITELINKS || closest(link, (at) => at.name === "p" || skip(at))) continue;
    const url = read(link)?.url;
    const title = textOf(link, MAX_SERP_TITLE_CHARS);
    if (
      url === undefined ||
      !/\p{L}.*\p{L}/u.test(title) ||
      COUNT.test(title) ||
      known.has(toPage(url)) ||
      siteOf(url) !== site
    )
      continue;
    known.add(toPage(url));
    links.push({ title, url });
  }
  return links;
}

function toPage(url: string): string {
  return url.replace(/#.*$/s, "").replace(/\/$/, "");
}

function siteOf(url: string): string {
  return (URL.parse(url)?.hostname ?? "").replace(/^(?:www|m)\./, "");
}
