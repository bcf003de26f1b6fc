import { type Element, isText, type ParentNode } from "domhandler";
import type { BlockName } from "../../contract/serp-blocks";
import { CURRENCY, NUMBER } from "../../html/page/prices";
import { attribute, elementsUnder, hasAttribute, isElement } from "../../html/parse/dom";
import { MAX_QUERY_CHARS } from "../../model/limits";
import { MAX_SERP_PAGE_RESULTS, MAX_SERP_SNIPPET_CHARS, MAX_SERP_TITLE_CHARS } from "../../model/search-limits";
import type { BlockContent, Sitelink } from "./blocks";
import { closest, findAll, isBefore, isButton, isLink, type Matcher, textOf } from "./dom";
import type { LinkTarget } from "./links";
import type { PageIndex } from "./page-index";
import { blocksOf, linesOf, longestOf } from "./structure";
import { isDate, tidy } from "./texts";

/** A page of a search engine with its organic results. */
export interface EnginePage extends LinkReaders {
  body: Element;
  url: string;
  index: PageIndex;
  /** The items of the organic results. */
  organic: readonly Element[];
  /** Matches organic results and ads. */
  isResult: Matcher;
  /** Matches elements that the engine hides by its style sheet. */
  isHidden: Matcher;
  isAdLink: Matcher;
  /** Returns the URL of the advertiser, or the click address of an ad. */
  adUrl(link: Element): string;
}

interface LinkReaders {
  /** Returns the URL of a link to the engine itself, or null. */
  ownUrl(link: Element): URL | null;
  /** Returns the URL of a link to another site, or null. */
  readLink(link: Element): string | null;
}

/** Matches links within the page, and links that run a script. */
const NO_PAGE = /^(?:#|javascript:|$)/i;

/** Returns functions that read each link once. `unwrap` returns the target of a redirect. */
export function toLinkReaders(
  unwrap: (href: string) => URL | null,
  { isOwn, toTarget }: { isOwn: (url: URL) => boolean; toTarget: (href: string) => LinkTarget | null },
): LinkReaders {
  const targets = new Map<Element, URL | null>();
  const targetOf = (link: Element) => {
    const href = attribute(link, "href");
    if (!targets.has(link)) targets.set(link, NO_PAGE.test(href) ? null : unwrap(href));
    return targets.get(link) ?? null;
  };
  const ownUrl = (link: Element) => {
    const target = targetOf(link);
    return target && isOwn(target) ? target : null;
  };
  const readLink = (link: Element) => {
    const target = ownUrl(link) ? null : targetOf(link);
    return (target && toTarget(target.href)?.url) ?? null;
  };
  return { ownUrl, readLink };
}

export type Item<Name extends BlockName> = BlockContent<Name> extends readonly (infer One)[] ? One : never;
/** The members of an item or a block. Empty ones are to be left out. */
type Members<Of> = { [Key in keyof Of]: Of[Key] | null | undefined | "" };

/** Returns the members that aren't empty. */
export function compact<Of extends object>(members: Members<Of>): Of {
  const isGiven = ([, value]: [string, unknown]) => value !== null && value !== undefined && value !== "";
  return Object.fromEntries(Object.entries(members).filter(isGiven)) as Of;
}

/** Returns a list block. Omits elements without an item. `root` is the block's place if it has no items. */
export function listBlock<One>(root: Element, elements: Iterable<Element>, toItem: (element: Element) => One | null) {
  const items = [...elements].slice(0, MAX_SERP_PAGE_RESULTS).flatMap((at) => {
    const item = toItem(at);
    return item === null ? [] : [{ item, at }];
  });
  return { content: items.map(({ item }) => item), at: items[0]?.at ?? root };
}

export function hasRole(role: string): Matcher {
  return (element) => attribute(element, "role") === role;
}

export function isNamed(name: string): Matcher {
  return (element) => element.name === name;
}

const isListItem = hasRole("listitem");
const HEADING = /^h[1-4]$/;
const isAnyHeading: Matcher = (element) => HEADING.test(element.name) || attribute(element, "role") === "heading";

export function headingIn(element: Element): Element | undefined {
  return findAll(element, isAnyHeading, 1)[0];
}

/** Returns true for an element that the page hides by an attribute. */
export function isHiddenByAttribute(element: Element): boolean {
  return hasAttribute(element, "hidden") || /display:\s*none/.test(attribute(element, "style"));
}

/**
 * Returns the elements that no attribute hides, in document order. Omits the descendants of the elements that `skip`
 * matches.
 */
export function shownElements(root: ParentNode, skip: Matcher = () => false): Element[] {
  const shown: Element[] = [];
  const visit = (parent: ParentNode) => {
    for (const child of parent.children)
      if (isElement(child) && !isHiddenByAttribute(child)) {
        shown.push(child);
        if (!skip(child)) visit(child);
      }
  };
  visit(root);
  return shown;
}

export function linksIn(block: Element): Element[] {
  return findAll(block, isLink, MAX_SERP_PAGE_RESULTS);
}

export function titleOf(element: Element): string {
  return textOf(element, MAX_SERP_TITLE_CHARS);
}

/** Returns the first value of an attribute in a block that isn't empty. */
export function attributeIn(block: Element, name: string): string {
  const element = [block, ...findAll(block, (at) => attribute(at, name).trim() !== "", 1)].find((at) =>
    attribute(at, name),
  );
  return element ? tidy(attribute(element, name), MAX_SERP_TITLE_CHARS) : "";
}

const FORMATTING: ReadonlySet<string> = new Set("b strong em i u mark font sub sup br".split(" "));
const SEPARATORS = /^[·•|∙-]\s*|(?<!\s)\s*[·•|∙-]$/gu;

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

/** Returns the item around each mark: the list item, or the largest element without another mark. */
function itemsAround(marks: readonly Element[]): Set<Element> {
  const items = new Set(marks.map((mark) => closest(mark, isListItem)));
  const isList = items.size > 1 && !items.has(null);
  return isList ? new Set([...items].flatMap((item) => item ?? [])) : new Set(blocksOf(marks).values());
}

/** Reads the related searches: links that are the only text of a list item, or that are in a region for them. */
export function readRelated({ body, ownUrl }: EnginePage, links: Iterable<Element>, isRegion: Matcher) {
  const known = new Set<string>();
  const isItem: Matcher = (at) => at.name === "li" || isListItem(at);
  return listBlock<Item<"related_searches">>(body, links, (link) => {
    const query = textOf(link, MAX_QUERY_CHARS);
    const item = closest(link, isItem);
    const isAlone = item ? textOf(item, MAX_QUERY_CHARS) === query : closest(link, isRegion) !== null;
    if (!isAlone || query === "" || known.has(query)) return null;
    known.add(query);
    return compact({ query, url: ownUrl(link)?.href });
  });
}

/** The parts of an ad that the engines mark in different ways. */
type AdParts = { title: string; link: Element; address: Element | undefined; description: string };

/** Reads the ads. They are at the top if they are above the first organic result. */
export function readAds(page: EnginePage, items: Iterable<Element>, toParts: (item: Element) => AdParts | null) {
  const [first] = page.organic;
  return listBlock<Item<"ads">>(page.body, items, (item) => {
    const parts = toParts(item);
    if (!parts) return null;
    const { title, link, address, description } = parts;
    const sitelinks = linksIn(item).flatMap((at) => {
      const isOther = at !== link && page.isAdLink(at) && !(address && closest(at, (element) => element === address));
      return isOther && titleOf(at) !== "" ? [{ title: titleOf(at), url: page.adUrl(at) }] : [];
    });
    return compact<Item<"ads">>({
      block_position: closest(item, isNamed("aside")) ? "right" : first && isBefore(first, item) ? "bottom" : "top",
      title,
      url: page.adUrl(link),
      displayed_url: address && titleOf(address),
      description,
      sitelinks: sitelinks.length > 0 ? sitelinks : undefined,
    });
  });
}

const HOST = /^[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}$/u;

/** Reads the pictures. `links`: the links from pictures to the engine's search for pictures. */
export function readImages({ body, readLink }: EnginePage, links: readonly Element[]) {
  return listBlock<Item<"images">>(body, itemsAround(links.slice(0, MAX_SERP_PAGE_RESULTS)), (item) => {
    const pieces = piecesOf(item);
    const title =
      attributeIn(item, "title") || longestOf(pieces.filter((piece) => !HOST.test(piece) && !PRICE.test(piece)));
    const link = linksIn(item).find((at) => readLink(at) !== null);
    return compact({ title, url: link && readLink(link), source: pieces.find((piece) => HOST.test(piece)) });
  });
}

const MAX_LEAF_CHARS = 80;
const DURATION = /^(?:\d{1,2}:)?\d{1,2}:\d{2}$/;
const VIDEO_ADDRESS = /video|watch|youtu/i;
const MAX_SOURCE_CHARS = 60;

/** Returns the text of an element that contains nothing else, if it is short. */
export function leafText({ children: [text, other] }: Element): string {
  return text && !other && isText(text) && text.data.length <= MAX_LEAF_CHARS ? text.data.trim() : "";
}

/**
 * Reads the videos. The length of a video is in a separate element. The title, the site and the channel follow it.
 * `urlOf` returns the URL in the data of a video, "" if the data has none, and undefined without such data.
 */
export function readVideos(page: EnginePage, urlOf: (block: Element) => string | undefined) {
  const { index, body, isResult, readLink } = page;
  const lengths = index.elements.filter((at) => DURATION.test(leafText(at)) && !closest(at, isResult));
  return listBlock<Item<"videos">>(body, itemsAround(lengths.slice(0, MAX_SERP_PAGE_RESULTS)), (block) => {
    const pieces = piecesOf(block);
    const after = pieces.slice(pieces.findLastIndex((piece) => DURATION.test(piece)) + 1);
    const [shown = longestOf(pieces), ...meta] = after;
    const title = attributeIn(block, "title") || shown;
    const url = urlOf(block);
    // Times of day have the same form as lengths.
    const isVideo = url !== undefined || linksIn(block).some((at) => VIDEO_ADDRESS.test(attribute(at, "href")));
    if (title === "" || !isVideo) return null;
    const link = linksIn(block).find((at) => readLink(at) !== null);
    const isSource = (piece: string) => piece.length <= MAX_SOURCE_CHARS && !/^\d/.test(piece) && !isDate(piece);
    const [site, channel] = meta.filter(isSource);
    // On Yandex, the link to the site has only the site's name.
    const linked = link && isSource(titleOf(link)) ? titleOf(link) : "";
    return compact<Item<"videos">>({
      title: title.slice(0, MAX_SERP_TITLE_CHARS),
      url: url || (link && readLink(link)),
      source: linked || site,
      channel: linked ? undefined : channel,
      date: meta.find(isDate),
      duration: pieces.find((piece) => DURATION.test(piece)),
    });
  });
}

/** The maximum length of the other text in a line with a price. Headlines that mention an amount have more. */
const MAX_PRICE_WORDS_CHARS = 20;
const PRICE = new RegExp(`(?:${CURRENCY})\\s?${NUMBER}|(?<!\\d|\\d[.,'’\\s])${NUMBER}\\s?(?:${CURRENCY})`, "u");

const isPrice = (line: string) => PRICE.test(line) && line.replace(PRICE, "").length <= MAX_PRICE_WORDS_CHARS;

/**
 * Reads the products: list items with a price. Ignores lines that most items have, because they are labels. Yandex marks
 * words in the label of an item by U+0007 and a bracket.
 */
export function readProducts({ index, body, isResult, isAdLink, adUrl }: EnginePage) {
  const found = index.elements.filter((at) => isListItem(at) && !closest(at, isResult));
  const options = { maxChars: MAX_SERP_TITLE_CHARS, skip: isHiddenByAttribute };
  const lines = new Map<Element, string[]>();
  for (const item of outermost(found.slice(0, MAX_SERP_PAGE_RESULTS))) {
    const own = linesOf(item, options);
    if (own.some(isPrice)) lines.set(item, own);
  }
  const counts = new Map<string, number>();
  for (const of of lines.values()) for (const line of new Set(of)) counts.set(line, (counts.get(line) ?? 0) + 1);
  const limit = Math.max(3, lines.size / 2);
  const isText = (line: string) => (counts.get(line) ?? 0) < limit && !PRICE.test(line) && !HOST.test(line);
  return listBlock<Item<"shopping">>(body, lines.keys(), (item) => {
    const own = lines.get(item) ?? [];
    const linked = linksIn(item).flatMap((link) => linesOf(link, options)[0] ?? []);
    const label = (attribute(item, "aria-label") || attributeIn(item, "alt"))
      .replaceAll("\u0007[", "")
      .replaceAll("\u0007]", "");
    const title = label || longestOf(linked.filter(isText)) || longestOf(own.filter(isText));
    const price = PRICE.exec(own.find(isPrice) ?? "")?.[0];
    const link = linksIn(item)[0];
    const cite = findAll(item, isNamed("cite"), 1)[0];
    if (!price || !link || title === "") return null;
    return compact<Item<"shopping">>({
      title: title.slice(0, MAX_SERP_TITLE_CHARS),
      price,
      source: cite ? titleOf(cite) : own.find((line) => HOST.test(line)),
      url: adUrl(link),
      rating: ratingOf(item),
      is_ad: isAdLink(link) || undefined,
    });
  });
}

const OUT_OF = /(\d(?:[.,]\d+)?)\D{1,12}(?:5|10)(?!\d)/u;

/** Returns the rating in the label of an element with stars, such as "4.5 out of 5". Returns null if there is none. */
export function ratingOf(block: Element): number | null {
  const label = findAll(block, (at) => OUT_OF.test(attribute(at, "aria-label")), 1)[0];
  const rating = label && OUT_OF.exec(attribute(label, "aria-label"))?.[1];
  return rating ? Number(rating.replace(",", ".")) : null;
}

/** Returns the number of reviews in brackets, as the page shows it. */
export function reviewsOf(lines: readonly string[]): string | undefined {
  return lines.map((line) => /\((\d[\d.,\s]*\p{L}?)\)$/u.exec(line)?.[1]).find((number) => number !== undefined);
}

type Card = NonNullable<BlockContent<"knowledge_graph">>;

const MAX_FACT_NAME_CHARS = 40;
const MAX_FACT_CHARS = 400;
const MIN_PROSE_CHARS = 60;
const OFFICIAL = /official|offizi|ofici|officiel|ufficial|официальн|resmi|官方|官网/iu;

/** Reads a card about a person, a company or a thing. Returns null if it has no title. */
export function readCard({ isHidden, ownUrl, readLink }: EnginePage, card: Element): Card | null {
  const skip: Matcher = (at) => isHiddenByAttribute(at) || isHidden(at) || isButton(at);
  const { facts, rows } = factsOf(card, skip);
  const isRow = new Set(rows);
  const [title, ...lines] = linesOf(card, {
    maxChars: MAX_SERP_SNIPPET_CHARS,
    skip: (at) => skip(at) || isRow.has(at),
  });
  if (title === undefined) return null;
  const next = lines.find((line) => !/^\d[.,]\d$/.test(line)) ?? "";
  const isType = /^\p{L}/u.test(next) && next.length < MIN_PROSE_CHARS;
  const isKinds: Matcher = (at) => at.name === "ul" && attribute(at, "aria-label") !== "" && linksIn(at).length === 0;
  const kinds = findAll(card, isKinds, 1)[0];
  const description = longestOf(lines);
  const tab = findAll(card, hasRole("tab")).map((at) => /\d[\d\s]*/.exec(titleOf(at))?.[0].trim());
  const links = linksIn(card).flatMap((link) => {
    const url = readLink(link) ?? ownUrl(link)?.href;
    return url ? [{ url, name: titleOf(link) || attribute(link, "title") }] : [];
  });
  return compact<Card>({
    title: title.slice(0, MAX_SERP_TITLE_CHARS),
    type: kinds ? piecesOf(kinds).join(" · ") : isType ? next : "",
    description: description.length >= MIN_PROSE_CHARS ? description : "",
    source: links.find(({ url }) => /^https?:\/\/[\w.]+\.wikipedia\.org\//.test(url)),
    website: links.find(({ name }) => OFFICIAL.test(name))?.url,
    rating: ratingOf(card),
    reviews: reviewsOf(lines) ?? tab.find((number) => number !== undefined),
    facts,
  });
}

const isList: Matcher = ({ name }) => name === "ul" || name === "ol";

/** Finds the facts: the first group of siblings that consist of a short name and a value. */
function factsOf(card: Element, skip: Matcher): { facts: Card["facts"]; rows: Element[] } {
  for (const parent of elementsUnder(card, (at) => !skip(at))) {
    const rows = parent.children.filter((child) => isElement(child)).filter((row) => !skip(row));
    const isRow: Matcher = (row) =>
      row.name === rows[0]?.name && !isLink(row) && !isList(row) && findAll(row, isList, 1).length === 0;
    if (rows.length < 2 || !rows.every(isRow)) continue;
    const facts = rows.slice(0, MAX_SERP_PAGE_RESULTS).flatMap((row) => toFact(row, skip) ?? []);
    if (facts.length >= 2) return { facts, rows };
  }
  return { facts: [], rows: [] };
}

function toFact(row: Element, skip: Matcher): Card["facts"][number] | null {
  const text = textOf(row, MAX_FACT_CHARS + 1, skip);
  if (text.length > MAX_FACT_CHARS || headingIn(row)) return null;
  const label = piecesOf(row, skip)[0] ?? "";
  const value = text.slice(label.length).trim();
  const isName = label.length <= MAX_FACT_NAME_CHARS && /^\p{L}/u.test(label) && text.startsWith(label);
  return isName && value !== "" ? { name: label.replace(/(?<!\s)\s*[:：]$/u, ""), value } : null;
}

/** Reads a generated answer. `at`: the element with the text and the sources. `text`: the element with the text. */
export function readOverview({ isHidden, readLink }: EnginePage, at: Element, text = at) {
  const skip: Matcher = (element) => isHiddenByAttribute(element) || isHidden(element) || isButton(element);
  const skipLinks: Matcher = (element) =>
    skip(element) || (text === at && isLink(element) && linesOf(element, { maxChars: 10, skip }).length > 1);
  const lines = linesOf(text, { maxChars: MAX_SERP_SNIPPET_CHARS, skip: skipLinks });
  const prose = lines.slice(text === at ? lines.findIndex((line) => line.length >= MIN_PROSE_CHARS) : 0).join("\n");
  const sources = new Map<string, { title: string; url: string }>();
  for (const link of linksIn(at)) {
    const url = closest(link, skip) ? null : readLink(link);
    const [title, ...others] = linesOf(link, { maxChars: MAX_SERP_TITLE_CHARS, skip });
    if (url && title && (others.length > 0 || !sources.has(url)) && !prose.includes(title))
      sources.set(url, { title, url });
  }
  if (prose.length < MIN_PROSE_CHARS) return null;
  return {
    content: { text: prose.slice(0, MAX_SERP_SNIPPET_CHARS), sources: [...sources.values()], complete: true },
    at,
  };
}

const MAX_SITELINKS = 20;
/** Matches a number with a unit, such as "428 reviews" or the length of a video. It is no title of a page. */
const COUNT = /^\d[\d\s.,:]*\p{L}*$/u;

/** Returns the sitelinks of a result: links to other pages of its site. Skips links in the text and hidden links. */
export function sitelinksOf(
  item: Element,
  resultUrl: string,
  read: LinkReaders["readLink"],
  skip: Matcher,
): Sitelink[] {
  const site = siteOf(resultUrl);
  const known = new Set([toPage(resultUrl)]);
  const links: Sitelink[] = [];
  for (const link of linksIn(item)) {
    if (links.length >= MAX_SITELINKS || closest(link, (at) => at.name === "p" || skip(at))) continue;
    const url = read(link);
    const title = titleOf(link);
    if (!url || !/\p{L}.*\p{L}/u.test(title) || COUNT.test(title) || known.has(toPage(url)) || siteOf(url) !== site)
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
