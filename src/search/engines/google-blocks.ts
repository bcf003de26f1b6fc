import type { Element } from "domhandler";
import type { BlockName } from "../../contract/serp-blocks";
import { attribute, hasAttribute, isElement, isWithin } from "../../html/parse/dom";
import { MAX_QUERY_CHARS } from "../../model/limits";
import { MAX_SERP_PAGE_RESULTS, MAX_SERP_TITLE_CHARS } from "../../model/search-limits";
import { compact, type FoundBlocks, type Item, mapBlock, type Sitelink } from "../results/blocks";
import { closest, findFirst, headingIn, linkIn, linksIn } from "../results/dom";
import { attributeIn, piecesOf, proseAfter, shownLines, textOf, titleOf } from "../results/element-text";
import { readTarget } from "../results/links";
import { hasRole, isButton, isLink, isTitle, type Matcher } from "../results/matchers";
import { type Question, readAds, readMeta, readPlace, readQuestions, sitelinksOf } from "../results/page-parts";
import type { OrganicResult } from "../results/result-page";
import { blocksOf } from "../results/structure";
import { isDuration, tidy } from "../results/texts";
import { readCards } from "./google-cards";
import {
  type GooglePage,
  isNavigation,
  isPicture,
  isSectionTitle,
  isVideo,
  MAX_TITLES,
  type PageParts,
  toKey,
} from "./google-parts";
import sectionNames from "./google-sections.json";

/** Extracts the parts of a page besides its organic results. Adds their sitelinks to the organic results. */
export function readGoogleBlocks(page: GooglePage): FoundBlocks {
  const questions = findQuestions(page);
  const anchors = [...page.organic, ...page.ads.keys(), ...questions.keys()];
  const headings = page.marked.filter((element) => isSectionTitle(element) || isTitle(element)).slice(0, MAX_TITLES);
  const sections = headings.filter((element) => isSectionTitle(element) || isCardTitle(element, page));
  const blocks = blocksOf([...new Set([...anchors, ...sections])]);
  const items = new Set(page.organic.flatMap((link) => blocks.get(link) ?? []));
  const parts: PageParts = {
    ...page,
    isResult: (at) => items.has(at),
    query: toKey(URL.parse(page.url)?.searchParams.get("q") ?? ""),
    questions,
    asides: new Set([...page.ads.values(), ...questions.keys()]),
    blocks,
  };
  for (const [link, result] of page.results) {
    const sitelinks = readSitelinks(parts, link, result);
    if (sitelinks.length > 0) result.sitelinks = sitelinks;
  }
  return {
    ads: readAds(page, page.ads.values(), (item) => toAd(page, item)),
    ...readSearchLinks(parts),
    ...readSections(parts),
    ...readCards(parts),
  };
}

/** Returns true for a title that isn't the title of an organic result, of an ad or of a sitelink. */
function isCardTitle(element: Element, { results, ads }: GooglePage): boolean {
  const link = closest(element, isLink);
  return link ? !(results.has(link) || ads.has(link)) : !findFirst(element, isLink);
}

const isFolding: Matcher = (element) =>
  attribute(element, "role") === "button" &&
  attribute(element, "aria-expanded") === "false" &&
  hasAttribute(element, "aria-controls");
const QUESTION_MARK = /[?？؟՞;]["'”’»)\s]*$/;

/**
 * Finds the questions of "People also ask": elements with `data-q`, or buttons whose texts are questions. Google
 * answers them on a click. Questions below an organic result belong to this result.
 */
function findQuestions({ marked: elements, organic }: GooglePage): Map<Element, Question> {
  const linkOf = (item: Element) => findFirst(item, (at) => isLink(at) && headingIn(at) !== undefined);
  const marked = new Map<Element, Question>();
  const buttons = new Map<Element, string>();
  for (const element of elements) {
    const question = attribute(element, "data-q");
    const isMarked = question !== "" && closest(element, (at) => hasAttribute(at, "data-initq")) !== null;
    if (isMarked) marked.set(element, { question: tidy(question, MAX_SERP_TITLE_CHARS), link: linkOf(element) });
    else if (isFolding(element)) {
      const text = titleOf(element);
      // The buttons of "Things to know" have a subject and a question.
      if (QUESTION_MARK.test(text) && piecesOf(element).length === 1) buttons.set(element, text);
    }
  }
  if (marked.size > 0 || buttons.size === 0) return marked;
  const items = blocksOf([...buttons.keys(), ...organic]);
  const results = new Set(organic.flatMap((link) => items.get(link) ?? []));
  for (const [button, question] of buttons) {
    const item = items.get(button) ?? button;
    if (!isWithin(button, results)) marked.set(item, { question, link: linkOf(item) });
  }
  return marked;
}

/** Parameters of links to other pages of the same search, and to other types of results. */
const OTHER_SEARCH = ["start", "tbm", "udm"];
/** A page without organic results has related searches if it has at least this many links to other searches. */
const MIN_RELATED = 2;

/**
 * Reads the links that search for another query. Their places and texts tell the blocks apart: filters are in the
 * navigation, and corrections have the parameter `spell`. The text of a related search is its query. Organic results
 * separate groups of related searches, and the last group is the block. On pages without scripts, the link below a
 * question searches for it.
 */
function readSearchLinks(parts: PageParts): FoundBlocks {
  const { body, ownUrl, questions, query: searched } = parts;
  const filters = new Map<Element, Item<"filters">>();
  const asked = new Map<Element, string>();
  let related = new Map<Element, Item<"related_searches">>();
  let spelling: { query: string; at: Element } | null = null;
  let original: string | null = null;
  let organic = 0;
  let isEnded = false;
  for (const at of parts.marked) {
    if (parts.results.has(at)) {
      organic++;
      isEnded = true;
    }
    const target = isLink(at) ? ownUrl(at) : null;
    const query = tidy(target?.searchParams.get("q") ?? "", MAX_QUERY_CHARS);
    if (target?.pathname !== "/search" || query === "" || OTHER_SEARCH.some((name) => target.searchParams.has(name)))
      continue;
    const { href: url, searchParams } = target;
    if (searchParams.has("spell")) spelling ??= { query, at };
    else if (searchParams.get("nfpr") === "1" && organic === 0) original ??= query;
    if (searchParams.has("spell") || toKey(query) === searched) continue;
    const name = textOf(at, MAX_QUERY_CHARS);
    if (closest(at, isNavigation)) {
      if (name !== "") filters.set(at, { name, url });
    } else if (toKey(name) !== toKey(query)) asked.set(at, query);
    else if ((organic > 0 || parts.organic.length === 0) && !isWithin(at, parts.asides)) {
      if (isEnded) related = new Map();
      isEnded = false;
      related.set(at, { query, url });
    }
  }
  if (related.size < (parts.organic.length > 0 ? 1 : MIN_RELATED)) related.clear();
  return {
    filters: mapBlock(body, filters),
    related_searches: mapBlock(body, related),
    people_also_ask: readQuestions(parts, questions.size > 0 ? questions : plainQuestions(parts, asked)),
    ...(spelling && (toKey(spelling.query) !== searched || original) && { spelling: toSpelling(spelling, original) }),
  };
}

function toSpelling({ query: corrected, at }: { query: string; at: Element }, original: string | null) {
  const applied = original !== null && toKey(original) !== toKey(corrected);
  return { content: { corrected, ...(applied && { original }), applied }, at };
}

/** Finds "People also ask" on pages without scripts. Each item has the question that its last link searches for. */
function plainQuestions({ organic, readLink }: PageParts, links: ReadonlyMap<Element, string>): Map<Element, Question> {
  const blocks = blocksOf([...links.keys(), ...organic]);
  const found = [...links].flatMap(([link, query]): [Element, Question][] => {
    const item = blocks.get(link) ?? link;
    const question = piecesOf(item).find((piece) => toKey(piece) === toKey(query));
    const source = linksIn(item).findLast((at) => readLink(at) !== null);
    return question === undefined ? [] : [[item, { question, link: source }]];
  });
  return new Map(found);
}

const isAddress: Matcher = (element) => hasRole("text")(element) || element.name === "cite";

function toAd({ ads }: GooglePage, item: Element) {
  const link = linksIn(item).find((at) => ads.get(at) === item);
  const title = link && titleOf(findFirst(link, isTitle) ?? closest(link, isTitle) ?? link);
  if (!link || !title) return null;
  return {
    title,
    link,
    address: findFirst(item, isAddress),
    description: proseAfter(link, item),
  };
}

/** Reads links of a result to other pages of its host. A video's links lead to moments of the video. */
function readSitelinks(parts: PageParts, link: Element, { url }: OrganicResult): Sitelink[] {
  const block = parts.blocks.get(link);
  if (!block || block === link || findFirst(block, isVideo)) return [];
  const skip: Matcher = (at) => parts.asides.has(at) || isButton(at);
  return sitelinksOf(parts, block, { url, skip, parts: true });
}

type SectionKind = keyof typeof sectionNames;
/** Kinds by the heading of a section, and by the parameter of its link to all results. `tbm` is the older parameter. */
const KINDS = new Map(
  Object.entries(sectionNames).flatMap(([kind, names]) => names.split("|").map((name) => [name, kind as SectionKind])),
);
/** A part of the page between a heading of level 2, or an organic result, and the next one. */
interface Section {
  kind: SectionKind | null;
  titles: Element[];
  links: Element[];
  images: Element[];
}

/** Reads the sections of cards: their heading or their link to all results tells the kind of the cards. */
function readSections(parts: PageParts): FoundBlocks {
  const found = new Map<BlockName, Map<Element, object>>();
  const add = (name: BlockName, elements: readonly Element[], read: (at: Element) => object | null) => {
    const items = found.get(name) ?? new Map<Element, object>();
    found.set(name, items);
    for (const at of elements.slice(0, MAX_SERP_PAGE_RESULTS)) {
      const item = read(at);
      if (item) items.set(at, item);
    }
  };
  for (const { kind, titles, links, images } of sectionsOf(parts)) {
    const places = titles.filter((title) => isPlace(parts, title, kind));
    add("local", places, (title) => {
      const card = parts.blocks.get(title) ?? title;
      return readPlace(parts, card, { title, lines: shownLines(closest(title, isButton) ?? card) });
    });
    const name = kind && kind !== "local" && kind !== "images" ? kind : "videos";
    const cards = places.length > 0 ? [] : titles.filter((title) => linkIn(title) !== null);
    const isCard = (title: Element) => name === kind || isTimed(parts.blocks.get(title) ?? title);
    add(name, cards.filter(isCard), (title) => readCard(parts, title, name));
    add("images", images.length > 0 ? images : pictureLinks(parts, links, kind), (item) => readImage(parts, item));
  }
  return Object.fromEntries([...found].map(([name, items]) => [name, mapBlock(parts.body, items)])) as FoundBlocks;
}

function sectionsOf(parts: PageParts): Section[] {
  const sections: Section[] = [];
  let section: Section = { kind: null, titles: [], links: [], images: [] };
  const start = (kind: SectionKind | null) => {
    section = { kind, titles: [], links: [], images: [] };
    sections.push(section);
  };
  start(null);
  for (const element of parts.marked) {
    if (parts.results.has(element)) start(null);
    if (closest(element, (at) => parts.isResult(at) || parts.asides.has(at) || isNavigation(at))) continue;
    if (isSectionTitle(element)) start(KINDS.get(titleOf(element).toLowerCase()) ?? null);
    else if (isTitle(element)) section.titles.push(element);
    else if (hasAttribute(element, "data-lpage")) section.images.push(element);
    if (!isLink(element)) continue;
    const search = parts.ownUrl(element);
    const type = ["udm", "tbm"].map((name) => `${name}=${search?.searchParams.get(name)}`);
    const kind = type.map((key) => KINDS.get(key)).find(Boolean);
    if (kind) section.kind ??= kind;
    else section.links.push(element);
  }
  return sections;
}

/** Returns true if the card has the length of a video, or the attribute of one. */
function isTimed(card: Element): boolean {
  if (closest(card, isVideo) || findFirst(card, isVideo) !== undefined) return true;
  return piecesOf(card).some(isDuration);
}

/** Reads a card: a link with a heading, next to the site, the channel or author, the date and the length of a video. */
function readCard(parts: PageParts, heading: Element, kind: SectionKind): Item<"videos"> | null {
  const link = linkIn(heading);
  const url = link ? parts.readLink(link) : null;
  const [title] = shownLines(heading);
  if (!url || !title) return null;
  const item = parts.blocks.get(heading) ?? heading;
  const meta = readMeta(piecesOf(item).filter((piece) => !title.includes(piece)));
  const { source = attributeIn(item, "alt"), date, duration, channel } = meta;
  const card = { title: title.slice(0, MAX_SERP_TITLE_CHARS), url, source, date };
  const isFilm = kind === "videos" || kind === "short_videos";
  const more = isFilm ? { channel, duration } : kind === "perspectives" ? { author: channel } : {};
  return compact<Item<"videos">>({ ...card, ...more });
}

/** Returns the links to the pages of pictures: all links in a section of images, and links of the image search. */
function pictureLinks(parts: PageParts, links: readonly Element[], kind: SectionKind | null): Element[] {
  return links.filter((link) => {
    const href = attribute(link, "href");
    return href.includes("imgurl=") || (kind === "images" && parts.readLink(link) !== null);
  });
}

/** Reads a picture. The parameter `imgrefurl` of a link to the image search is the page with the picture. */
function readImage(parts: PageParts, element: Element): Item<"images"> | null {
  const item = isLink(element) && !findFirst(element, isPicture) ? parentOf(element) : element;
  const image = findFirst(item, isPicture);
  const href = attribute(element, "data-lpage") || attribute(element, "href");
  const page = URL.parse(href, parts.url)?.searchParams.get("imgrefurl") ?? href;
  const target = readTarget(parts.rules.links, page, parts.url);
  if (!image || !target) return null;
  const [first, ...others] = piecesOf(item);
  const thumbnail = URL.parse(attribute(image, "src"), parts.url);
  return compact<Item<"images">>({
    title: first ?? attributeIn(item, "alt"),
    url: target.url,
    source: others.at(-1),
    thumbnail: thumbnail?.protocol === "https:" ? thumbnail.href : undefined,
  });
}

function parentOf(element: Element): Element {
  return isElement(element.parent) ? element.parent : element;
}

const isRouteLink: Matcher = (element) => isLink(element) && /\/maps\/(?:dir|place)\//.test(attribute(element, "href"));

/** Returns true for the title of a business: a heading in a button, or in a link of a section of places. */
function isPlace(parts: PageParts, title: Element, kind: SectionKind | null): boolean {
  if (kind === "local" && closest(title, isLink)) return true;
  const item = parts.blocks.get(title) ?? title;
  const isRouted = kind === "local" || findFirst(item, isRouteLink) !== undefined;
  return linkIn(title) === null && closest(title, isButton) !== null && isRouted;
}
