import type { Element } from "domhandler";
import { findPrice } from "../../html/page/prices";
import { attribute, elementsUnder, isElement } from "../../html/parse/dom";
import { MAX_QUERY_CHARS } from "../../model/limits";
import { MAX_SERP_PAGE_RESULTS, MAX_SERP_SNIPPET_CHARS, MAX_SERP_TITLE_CHARS } from "../../model/search-limits";
import { type BlockContent, compact, type Item, listBlock, type Sitelink } from "./blocks";
import { closest, findAll, findFirst, headingIn, isBefore, linksIn, outermost } from "./dom";
import {
  attributeIn,
  isQuote,
  leafText,
  linesOf,
  longestOf,
  piecesOf,
  shownLines,
  textOf,
  titleOf,
} from "./element-text";
import type { EnginePage, OpenPage, PageRules } from "./engine-page";
import { siteOf, toPageKey } from "./links";
import { hasRole, isButton, isHiddenByAttribute, isLink, isNamed, type Matcher } from "./matchers";
import { blocksOf } from "./structure";
import { isDate, isDuration, isSiteName } from "./texts";

const isListItem = hasRole("listitem");

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

const COLUMN_ID = /^(?:rhs|b_context)$/;
/** Matches the column next to the results. */
export const isAside: Matcher = (at) =>
  at.name === "aside" || hasRole("complementary")(at) || COLUMN_ID.test(attribute(at, "id"));

/** The parts of an ad that the engines mark in different ways. */
type AdParts = { title: string; link: Element; address: Element | undefined; description: string };

/** Reads the ads. They are at the top if they are above the first organic result. */
export function readAds(page: EnginePage, items: Iterable<Element>, toParts: (item: Element) => AdParts | null) {
  const [first] = page.organic;
  return listBlock<Item<"ads">>(page.body, items, (item) => {
    const parts = toParts(item);
    if (!parts) return null;
    const { title, link, address, description } = parts;
    const others = linksIn(item).filter(
      (at) => at !== link && !isButton(at) && titleOf(at) !== "" && !closest(at, (element) => element === address),
    );
    const sitelinks = others
      .filter((at) => page.isAdLink(at) || (page.readLink(at) && isPageName(titleOf(at))))
      .map((at) => ({ title: titleOf(at), url: page.adUrl(at) }));
    return compact<Item<"ads">>({
      block_position: closest(item, isAside) ? "right" : first && isBefore(first, item) ? "bottom" : "top",
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
      attributeIn(item, "title") || longestOf(pieces.filter((piece) => !HOST.test(piece) && findPrice(piece) === null));
    const link = linksIn(item).find((at) => readLink(at) !== null);
    return compact({ title, url: link && readLink(link), source: pieces.find((piece) => HOST.test(piece)) });
  });
}

/** A question of "People also ask", and the link to the page with the answer. */
export interface Question {
  question: string;
  link: Element | undefined;
}

/** Reads "People also ask". Engines often load the answers on a click. */
export function readQuestions({ body, readLink }: EnginePage, questions: ReadonlyMap<Element, Question>) {
  return listBlock<Item<"people_also_ask">>(body, questions.keys(), (item) => {
    const { question = "", link } = questions.get(item) ?? {};
    const heading = link && headingIn(link);
    const quote = findFirst(item, isQuote);
    const lines = shownLines(item, (at) => isLink(at) || isButton(at)).filter((line) => line !== question);
    return compact<Item<"people_also_ask">>({
      question,
      snippet: quote ? textOf(quote, MAX_SERP_SNIPPET_CHARS) : longestOf(lines),
      title: heading ? titleOf(heading) : link && piecesOf(link)[0],
      url: link && readLink(link),
    });
  });
}

const VIDEO_ADDRESS = /video|watch|youtu/i;

/** Reads the texts of a card next to its title: the names of the site and the channel, the date and the length. */
export function readMeta(texts: readonly string[]) {
  const [source, channel] = texts.filter(isSiteName);
  return { source, channel, date: texts.find(isDate), duration: texts.find(isDuration) };
}

/**
 * Reads the videos. The length of a video is in a separate element. The title, the site and the channel follow it.
 * `urlOf` returns the URL in the data of a video, "" if the data has none, and undefined without such data.
 */
export function readVideos(page: EnginePage, urlOf: (block: Element) => string | undefined) {
  const { index, body, isResult, readLink } = page;
  const lengths = index.elements.filter((at) => isDuration(leafText(at)) && !closest(at, isResult));
  return listBlock<Item<"videos">>(body, itemsAround(lengths.slice(0, MAX_SERP_PAGE_RESULTS)), (block) => {
    const pieces = piecesOf(block);
    const [shown = longestOf(pieces), ...after] = pieces.slice(pieces.findLastIndex(isDuration) + 1);
    const title = attributeIn(block, "title") || shown;
    const url = urlOf(block);
    // Times of day have the same form as lengths.
    const isVideo = url !== undefined || linksIn(block).some((at) => VIDEO_ADDRESS.test(attribute(at, "href")));
    if (title === "" || !isVideo) return null;
    const link = linksIn(block).find((at) => readLink(at) !== null);
    // On Yandex, the link to the site has only the site's name.
    const linked = link && isSiteName(titleOf(link)) ? { source: titleOf(link), channel: undefined } : {};
    return compact<Item<"videos">>({
      title: title.slice(0, MAX_SERP_TITLE_CHARS),
      url: url || (link && readLink(link)),
      ...readMeta(after),
      duration: pieces.find(isDuration),
      ...linked,
    });
  });
}

/** The maximum length of the other text in a line with a price. Headlines that mention an amount have more. */
const MAX_PRICE_WORDS_CHARS = 20;

const isPriceLine = (line: string) =>
  line.replace(findPrice(line) ?? line, "").length <= MAX_PRICE_WORDS_CHARS && findPrice(line) !== null;
/** Returns true for a text that begins with a price, or that shows the level of prices, such as "$$". */
const isPriceLevel = (text: string) => /^\p{Sc}{1,4}$/u.test(text) || text.startsWith(findPrice(text) ?? "\0");

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
    if (own.some(isPriceLine)) lines.set(item, own);
  }
  const counts = new Map<string, number>();
  for (const of of lines.values()) for (const line of new Set(of)) counts.set(line, (counts.get(line) ?? 0) + 1);
  const limit = Math.max(3, lines.size / 2);
  const isText = (line: string) => (counts.get(line) ?? 0) < limit && findPrice(line) === null && !HOST.test(line);
  return listBlock<Item<"shopping">>(body, lines.keys(), (item) => {
    const own = lines.get(item) ?? [];
    const linked = linksIn(item).flatMap((link) => linesOf(link, options)[0] ?? []);
    const label = (attribute(item, "aria-label") || attributeIn(item, "alt"))
      .replaceAll("\u0007[", "")
      .replaceAll("\u0007]", "");
    const title = label || longestOf(linked.filter(isText)) || longestOf(own.filter(isText));
    const price = findPrice(own.find(isPriceLine) ?? "");
    const link = linksIn(item)[0];
    const cite = findFirst(item, isNamed("cite"));
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
  const label = findFirst(block, (at) => OUT_OF.test(attribute(at, "aria-label")));
  const rating = label && OUT_OF.exec(attribute(label, "aria-label"))?.[1];
  return rating ? Number(rating.replace(",", ".")) : null;
}

const PHONE = /^\+?[\d\s()./–-]{6,20}$/;
/** Matches a rating at the start of a line, and the number of reviews behind it. */
const RATING = /^\D{0,2}(\d[.,]\d)\s*(?:\(([\d.,\s]+\p{L}*)\))?/u;

/** Reads a business: its lines are the rating and type, the address and phone number, and the opening hours. */
export function readPlace(
  { readLink }: EnginePage,
  card: Element,
  { title: heading, lines }: { title: Element; lines: readonly string[] },
): Item<"local"> | null {
  const title = titleOf(heading);
  const place: Item<"local"> = { title };
  for (const line of lines.slice(lines.indexOf(title) + 1)) {
    if (/^["“„«]/.test(line)) continue;
    const [, rating, reviews] = place.rating === undefined ? (RATING.exec(line) ?? []) : [];
    if (rating) place.rating = Number(rating.replace(",", "."));
    if (reviews) place.reviews = reviews.trim();
    const texts = line.split(/(?<!\s)\s*[·⋅]\s*/).filter((text) => text !== "");
    for (const text of rating ? texts.slice(1) : texts) {
      const reviewed = reviewsIn(text);
      if (isPriceLevel(text)) place.price ??= text;
      else if (reviewed) place.reviews ??= reviewed;
      else if (PHONE.test(text)) place.phone ??= text;
      else if (place.type === undefined && (rating || place.rating === undefined)) place.type = text;
      else if (place.address === undefined) place.address = text;
      else if (place.hours === undefined) place.hours = texts.join(" · ");
    }
  }
  const links = linksIn(card).filter((link) => readLink(link) !== null);
  // On Bing, other links lead to reviews.
  const website = links.find(hasRole("link")) ?? links[0];
  return title === "" ? null : compact<Item<"local">>({ ...place, website: website && readLink(website) });
}

/** Returns the number of reviews in brackets at the end of a text, as the page shows it. */
function reviewsIn(text: string): string | undefined {
  return /\((\d[\d.,\s]*\p{L}?)\)$/u.exec(text)?.[1];
}

type Card = NonNullable<BlockContent<"knowledge_graph">>;

const MAX_FACT_NAME_CHARS = 40;
const MAX_FACT_CHARS = 400;
const MIN_PROSE_CHARS = 60;
const OFFICIAL = /official|offizi|ofici|officiel|ufficial|официальн|resmi|官方|官网/iu;

/** Matches elements whose text isn't part of a card. */
function isUnread({ isHidden }: PageRules): Matcher {
  return (at) => isHiddenByAttribute(at) || isHidden(at) || isButton(at);
}

/** Reads a card about a person, a company or a thing. Returns null if it has no title. */
export function readCard({ rules, ownUrl, readLink }: EnginePage, card: Element): Card | null {
  const skip = isUnread(rules);
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
  const kinds = findFirst(card, isKinds);
  const description = longestOf(lines);
  const tabs = findAll(card, hasRole("tab")).map((at) => /\d[\d\s]*/.exec(titleOf(at))?.[0].trim());
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
    reviews: [...lines.map(reviewsIn), ...tabs].find((number) => number !== undefined),
    facts,
  });
}

const isList: Matcher = ({ name }) => name === "ul" || name === "ol";

/** Finds the facts: the first group of siblings that consist of a short name and a value. */
function factsOf(card: Element, skip: Matcher): { facts: Card["facts"]; rows: Element[] } {
  for (const parent of elementsUnder(card, (at) => !skip(at))) {
    const rows = parent.children.filter((child) => isElement(child)).filter((row) => !skip(row));
    const isRow: Matcher = (row) =>
      row.name === rows[0]?.name && !isLink(row) && !isList(row) && !findFirst(row, isList);
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
  const isLabel = label.length <= MAX_FACT_NAME_CHARS && /^\p{L}/u.test(label) && text.startsWith(label);
  return isLabel && value !== "" ? { name: label.replace(/(?<!\s)\s*[:：]$/u, ""), value } : null;
}

/** Reads a generated answer. `at`: the element with the text and the sources. `text`: the element with the text. */
export function readOverview({ rules, readLink }: EnginePage, at: Element, text = at) {
  const skip = isUnread(rules);
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
/** Matches a number with a unit, such as "428 reviews" or the length of a video, but not "9. Classes". */
const COUNT = /^\d[\d\s.,:]*(?<!\.\s)\p{L}*$/u;

/** Returns true for a text that can be the title of a page. */
function isPageName(text: string): boolean {
  return /\p{L}.*\p{L}/u.test(text) && !COUNT.test(text);
}

/**
 * Returns the sitelinks of a result: links to other pages of its site. Skips links in the text and those in elements that
 * `skip` matches. `parts`: links to parts of the same page count, too.
 */
export function sitelinksOf(
  { targetOf }: OpenPage,
  item: Element,
  { url: resultUrl, skip, parts = false }: { url: string; skip: Matcher; parts?: boolean },
): Sitelink[] {
  const [site, page] = [siteOf(resultUrl), toPageKey(resultUrl)];
  const links = new Map<string, Sitelink>();
  for (const link of linksIn(item)) {
    if (links.size >= MAX_SITELINKS || closest(link, (at) => at.name === "p" || skip(at))) continue;
    const { url = resultUrl, unresolved } = targetOf(link) ?? {};
    const key = parts ? url : toPageKey(url);
    const title = titleOf(link);
    const isOther = url !== resultUrl && key !== page && !unresolved && siteOf(url) === site;
    if (isOther && !links.has(key) && isPageName(title)) links.set(key, { title, url });
  }
  return [...links.values()];
}
