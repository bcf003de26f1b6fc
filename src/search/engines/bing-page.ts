import type { Element } from "domhandler";
import { parseFeed } from "htmlparser2";
import { parseDocument } from "../../html/parse/document";
import { attribute, elementsUnder, isElement } from "../../html/parse/dom";
import { fromBase64 } from "../../lib/crypto";
import { MAX_QUERY_CHARS } from "../../model/limits";
import {
  MAX_SERP_FEED_CHARS,
  MAX_SERP_PAGE_RESULTS,
  MAX_SERP_SNIPPET_CHARS,
  MAX_SERP_TITLE_CHARS,
} from "../../model/search-limits";
import { compact, type FoundBlocks, type Item, listBlock } from "../results/blocks";
import { DeclaredResult, toDeclared } from "../results/declared";
import { closest, findAll, findFirst, headingIn, isBefore, linkIn, linksIn, outermost } from "../results/dom";
import {
  firstText,
  leafText,
  longestOf,
  piecesOf,
  proseAfter,
  shownLines,
  textOf,
  titleOf,
} from "../results/element-text";
import {
  type EnginePage,
  isRefusal,
  type OpenPage,
  openPage,
  type PageRules,
  readResults,
  toOrganic,
  toResultPage,
} from "../results/engine-page";
import { distinct } from "../results/listing";
import { hasRole, isButton, isLink, isNamed, type Matcher, toMatcher } from "../results/matchers";
import type { PageIndex } from "../results/page-index";
import {
  isAside,
  type Question,
  ratingOf,
  readAds,
  readCard,
  readImages,
  readOverview,
  readPlace,
  readProducts,
  readQuestions,
  readRelated,
  readVideos,
  sitelinksOf,
} from "../results/page-parts";
import { type EmptyPageKind, emptyPage, type OrganicResult, type ResultPage } from "../results/result-page";
import { compareWays, type Disagreement, listedBlocks } from "../results/structure";
import { isDate, tidy, toTotal } from "../results/texts";
import type { PageResponse } from "./search-engine";

export const BING_RESULTS_PER_PAGE = 10;

export const BING_HOST = /(?:^|\.)bing\.com$/;
/** Matches the paths of the click addresses of ads. */
const AD_PATH = /^\/(?:aclk|aclick|alink)(?:\/|$)/;
/** Matches the paths of Bing's searches for pages, pictures, videos, news and products. */
const SEARCH_PATH = /^\/(?:[a-z]+\/)?search\/?$|^\/shop\/?$/;

export const BING: PageRules = {
  links: {
    hosts: BING_HOST,
    unwrap(link) {
      const encoded = isRedirect(link) ? (link.searchParams.get("u") ?? "") : "";
      return encoded.startsWith("a1") ? decodeTarget(encoded.slice(2)) : null;
    },
    isRedirect,
    isSearch: ({ hostname, pathname, searchParams }) =>
      BING_HOST.test(hostname) && (SEARCH_PATH.test(pathname) || searchParams.has("q")),
    isAd: ({ hostname, pathname }) => BING_HOST.test(hostname) && AD_PATH.test(pathname),
  },
  paging: { parameter: "first", first: 1 },
  statedUrl: (_, click) => new URLSearchParams(`u=${decodeTarget(click?.searchParams.get("u") ?? "")}`).get("u"),
  isHidden: toMatcher(".b_hide, [role=tooltip], [role=dialog], .pa_hover"),
};

function isRedirect({ hostname, pathname }: URL): boolean {
  return BING_HOST.test(hostname) && pathname === "/ck/a";
}

function decodeTarget(text: string): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(fromBase64(text));
  } catch {
    return null;
  }
}

const isList = toMatcher("#b_results");
const isResult = toMatcher("li.b_algo");
/** Matches items of the list that are not results: answers, ads, notices and the pager. */
const isNotResult = toMatcher("li.b_ad, li.b_ans, li.b_msg, li.b_pag, li.b_no, li.b_top, li.b_nwsAns");
/** Matches the notice "Including results for …" or "Did you mean …". */
const isRequery: Matcher = (element) => attribute(element, "id") === "sp_requery";
const SNIPPETS = [".b_caption p", 'p[class*="b_lineclamp"]', "p.b_paractl", ".b_snippet", ".b_caption"].map(toMatcher);
/** Matches parts of a snippet that are not its text: the site's name, its address and links to its pages. */
const isNoText = toMatcher(".algoSlug_icon, .b_attribution, cite, .b_vlist2col, .b_deep, .b_factrow");

/** Extracts the results from a page of Bing. Never throws. */
export function readBingPage(html: string, url: string, { status }: PageResponse = {}): ResultPage {
  const document = parseDocument(html);
  const page = openPage(document, elementsUnder(document), url, BING);
  const { index } = page;
  const list = findList(index);
  const { found, disagreement } = resultItems(page, list);
  return toResultPage(
    page,
    readResults(found, (item) => toResult(page, item)),
    {
      total: readTotal(index, list),
      emptyKind: () => classifyEmptyPage(index, status),
      readBlocks: readBingBlocks,
      disagreement,
      isCorrected: index.has(isRequery),
    },
  );
}

/** Returns the list of results. If its id is unknown, returns the list with the most items that have a heading. */
function findList(index: PageIndex): Element | undefined {
  const lists = index.named("ol").slice(0, MAX_SERP_PAGE_RESULTS);
  const marked = lists.find(isList);
  if (marked) return marked;
  const sizes = new Map(lists.map((list) => [list, itemsOf(list).filter(headingIn).length]));
  return [...sizes].filter(([, size]) => size > 0).toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

function itemsOf(list: Element | undefined): Element[] {
  return list ? list.children.filter((child) => isElement(child)).filter(({ name }) => name === "li") : [];
}

function resultItems(
  page: OpenPage,
  list: Element | undefined,
): { found: Element[]; disagreement: Disagreement | null } {
  const items = itemsOf(list);
  const marked = items.filter(isResult);
  const unmarked = unmarkedItems(page, items);
  return {
    found: (marked.length > 0 ? marked : unmarked).slice(0, MAX_SERP_PAGE_RESULTS),
    disagreement: compareWays(new Set(marked), new Set(unmarked)),
  };
}

/**
 * Finds results on pages with unknown class names: items with a title that doesn't link to another search. If most
 * items show an address, the others are answers.
 */
function unmarkedItems({ index, targetOf }: OpenPage, items: readonly Element[]): Element[] {
  const isTarget = (link: Element | undefined) => link !== undefined && targetOf(link) !== null;
  if (items.length > 0) {
    const listed = items.filter((item) => !isNotResult(item) && isTarget(linkOf(item)?.link));
    const withAddress = listed.filter((item) => findAll(item, isNamed("cite"), 1).length > 0);
    return withAddress.length > listed.length / 2 ? withAddress : listed;
  }
  const titles = index.named("h2").slice(0, MAX_SERP_PAGE_RESULTS);
  return listedBlocks(titles.flatMap((title) => linkIn(title) ?? []).filter(isTarget));
}

function toResult(page: OpenPage, item: Element): OrganicResult | null {
  const found = linkOf(item);
  return (
    found &&
    toOrganic(page, found.link, {
      title: titleOf(found.title) || tidy(attribute(found.link, "aria-label"), MAX_SERP_TITLE_CHARS),
      snippet: () => snippetOf(item, found.link),
      sitelinks: (url) => sitelinksOf(page, item, { url, skip: BING.isHidden }),
    })
  );
}

/** Returns the first title that has a link, and the link. Returns null if there is no such title. */
function linkOf(item: Element): { title: Element; link: Element } | null {
  for (const title of findAll(item, isNamed("h2"))) {
    const link = linkIn(title);
    if (link) return { title, link };
  }
  return null;
}

function snippetOf(item: Element, link: Element): string {
  const marked = firstText(item, SNIPPETS, MAX_SERP_SNIPPET_CHARS, (at) => isNoText(at) || isButton(at));
  return marked || proseAfter(link, item);
}

/** Matches a line such as "About 55,900,000 results" or "1-10 of 3,000 results". */
const COUNT = /^(?:\p{L}+\s)?\d[\d.,\s–-]*\p{L}+(?:\s\p{L}+){0,2}\s?(?:\d[\d.,\s]*\p{L}+)?$/u;

/** Reads the number of results. If the names are unknown, reads it from the first such line above the list. */
function readTotal(index: PageIndex, list: Element | undefined): number | null {
  const [marked] = index.withClass("sb_count");
  if (marked || !list || isList(list)) return marked ? toTotal(titleOf(marked)) : null;
  const main = closest(list, isNamed("main"));
  const isAbove: Matcher = (at) => !closest(at, isLink) && closest(at, isNamed("main")) === main && isBefore(at, list);
  const line = index.named("span").find((at) => COUNT.test(leafText(at)) && isAbove(at));
  return line ? toTotal(leafText(line)) : null;
}

/** Matches the notice "There are no results for <query>" in any language, even if its class names are unknown. */
const isNone = toMatcher("li.b_no, li > h1 > strong");
const isCaptcha = toMatcher(
  '.captcha, .captcha_header, #turnstile-widget, [src*="challenges.cloudflare.com/turnstile"], .cf-turnstile, #b_captcha',
);

function classifyEmptyPage(index: PageIndex, status: number | undefined): EmptyPageKind {
  if (index.has(isNone)) return "no_results";
  return isRefusal(status) || index.has(isCaptcha) ? "blocked" : "unknown";
}

/**
 * Extracts the results from a page of Bing's feed. The feed doesn't link its next page, so `next` is computed for every
 * page with items. A feed without items is `unknown`, because it doesn't say why it is empty. Never throws.
 */
export function readBingFeed(xml: string, url: string): ResultPage {
  // Truncates the feed, because the parser's time grows with the square of the nesting depth.
  const { items = [] } = parseFeed(xml.slice(0, MAX_SERP_FEED_CHARS)) ?? {};
  const results = items.slice(0, MAX_SERP_PAGE_RESULTS).flatMap(({ title, link, description }) => {
    const result = DeclaredResult.parse({ title, link, snippet: description });
    return toDeclared(result, BING.links, url) ?? [];
  });
  const organic = distinct(results.filter(({ title }) => title !== ""));
  return organic.length > 0 ? { kind: "results", organic, total: null, next: nextFeedUrl(url) } : emptyPage("unknown");
}

function nextFeedUrl(url: string): string | null {
  const next = URL.parse(url);
  next?.searchParams.set("first", String(Number(next.searchParams.get("first") ?? 1) + BING_RESULTS_PER_PAGE));
  return next?.href ?? null;
}

const isListElement = isNamed("li");
const isFurniture: Matcher = ({ name }) => name === "header" || name === "footer" || name === "nav";
const isAdItem = toMatcher("li.b_ad li");
const isAdLabel = toMatcher(".b_adSlug");
const VIDEO_URL = /"murl":"(https?:[^"\\]+)"/;

/** Extracts the parts of a page besides its organic results. */
function readBingBlocks(page: EnginePage): FoundBlocks {
  const { index, body, url, ownUrl } = page;
  const query = (URL.parse(url)?.searchParams.get("q") ?? "").toLowerCase();
  const searches = index
    .named("a")
    .filter((link) => ownUrl(link)?.pathname === "/search" && !closest(link, isFurniture));
  const isOther: Matcher = (link) => {
    const target = ownUrl(link)?.searchParams;
    const isSame = [undefined, query].includes(target?.get("q")?.toLowerCase());
    return !isSame && !target?.has("filters") && !target?.has("first");
  };
  const related = new Set([...searches.filter(isOther), ...index.withClass("b_rs", "b_rrsr").flatMap(linksIn)]);
  const titles = index.named("h2").slice(0, MAX_SERP_PAGE_RESULTS);
  const answersAbout = (path: string) =>
    titles.flatMap((title) => {
      const link = linkIn(title);
      return link && ownUrl(link)?.pathname === path ? (closest(title, isListElement) ?? []) : [];
    });
  const isPicture: Matcher = (at) =>
    isLink(at) && ownUrl(at)?.pathname === "/images/search" && ownUrl(at)?.searchParams.has("id") === true;
  const pictures = outermost(answersAbout("/images/search")).flatMap((at) => findAll(at, isPicture));
  const stories = answersAbout("/news/search");
  const news = stories.length > 0 ? stories : index.elements.filter(isNews);
  const overview = findOverview(page);
  const card = findCard(page);
  return {
    ...(overview && { ai_overview: overview }),
    ...(card && { knowledge_graph: card }),
    people_also_ask: readQuestions(page, findQuestions(page)),
    related_searches: readRelated(page, related, () => false),
    ads: readAds(page, adItems(page, titles), toAd),
    local: readPlaces(page),
    top_stories: readStories(page, outermost(news).flatMap(linksIn)),
    images: readImages(page, pictures),
    videos: readVideos(page, (block) => {
      const data = findFirst(block, (at) => attribute(at, "vrhm") !== "");
      return data && (VIDEO_URL.exec(attribute(data, "vrhm"))?.[1] ?? "");
    }),
    shopping: readProducts(page),
    filters: listBlock<Item<"filters">>(body, searches.filter(isFilter), (link) => {
      const name = textOf(link, MAX_QUERY_CHARS);
      return name === "" ? null : compact({ name, url: ownUrl(link)?.href });
    }),
  };
}

/** Matches refinements: tabs and list items above the list. */
function isFilter(link: Element): boolean {
  const isChip: Matcher = (at) => attribute(at, "role") === "tab" || attribute(at, "role") === "listitem";
  const isElsewhere = closest(link, (at) => at.name === "ol" || isAside(at)) !== null;
  return !isElsewhere && closest(link, isChip) !== null && closest(link, isNamed("main")) !== null;
}

/** Returns the list items with an ad. The heading of a carousel of products leads to Bing's shop instead. */
function adItems({ isAdLink }: EnginePage, titles: readonly Element[]): Element[] {
  const ads = titles.filter((title) => {
    const link = linkIn(title);
    return link && (isAdLink(link) || closest(title, isAdItem));
  });
  const items = ads.map((title) => closest(title, isListElement) ?? title);
  return items.filter((item) => findAll(item, hasRole("listitem"), 1).length === 0);
}

function toAd(item: Element) {
  const title = findFirst(item, isNamed("h2")) ?? item;
  const link = linkIn(title);
  const text = findFirst(item, isNamed("p"));
  const description = text ? textOf(text, MAX_SERP_SNIPPET_CHARS, isAdLabel) : "";
  return link && { title: titleOf(title), link, address: findFirst(item, isNamed("cite")), description };
}

const MAX_CARDS = 1_000;

/** Reads the places next to a map: cards with a heading, in an answer that links to Bing's map. */
function readPlaces(page: EnginePage) {
  const isMapLink: Matcher = (at) => isLink(at) && page.ownUrl(at)?.pathname.startsWith("/maps") === true;
  const isPlace: Matcher = (at) => findFirst(closest(at, isListElement) ?? at, isMapLink) !== undefined;
  const buttons = page.index.elements.filter(hasRole("button")).slice(0, MAX_CARDS);
  const cards = buttons.filter((at) => headingIn(at) && isPlace(at) && !closest(at, isAside));
  return listBlock<Item<"local">>(page.body, outermost(cards), (card) => {
    const title = headingIn(card);
    const place = title ? readPlace(page, card, { title, lines: shownLines(card) }) : null;
    return place && compact<Item<"local">>({ rating: ratingOf(card), ...place });
  });
}

const isNews: Matcher = (at) => attribute(at, "data-tag") === "NewsAnswer.Container";
/** Matches the age of a story, such as "6h". */
const AGE = /^\d{1,3}\s?\p{L}{1,3}$/u;

function readStories({ body, readLink }: EnginePage, links: readonly Element[]) {
  return listBlock<Item<"top_stories">>(
    body,
    links.filter((link) => readLink(link)),
    (link) => {
      const pieces = piecesOf(link);
      const title = longestOf(pieces).slice(0, MAX_SERP_TITLE_CHARS);
      const cite = findFirst(link, isNamed("cite"));
      const date = pieces.find((piece) => isDate(piece) || AGE.test(piece));
      const source = cite && (attribute(cite, "title") || piecesOf(cite).find((piece) => piece !== date));
      return title === "" ? null : compact<Item<"top_stories">>({ title, url: readLink(link), source, date });
    },
  );
}

const QUESTION = /[?？]$/u;

/** Finds the questions of "People also ask". Without the attribute, a question is an element that can be expanded. */
function findQuestions({ index, isResult, readLink }: EnginePage): Map<Element, Question> {
  const marked = index.elements.filter((at) => attribute(at, "data-tag").includes("RelatedQnA.Item"));
  const isQuestion: Matcher = (at) => QUESTION.test(textOf(at, MAX_QUERY_CHARS)) && !closest(at, isResult);
  const isFolded: Matcher = (at) => attribute(at, "aria-expanded") !== "";
  const folded = () => index.elements.filter(isFolded).slice(0, MAX_CARDS).filter(isQuestion);
  const items = outermost(marked.length > 0 ? marked : folded());
  return new Map(
    items.flatMap((item): [Element, Question][] => {
      const pieces = piecesOf(item);
      const question = pieces.find((piece) => QUESTION.test(piece)) ?? (attribute(item, "data-query") || pieces[0]);
      const link = linksIn(item).find((at) => readLink(at));
      return question ? [[item, { question, link }]] : [];
    }),
  );
}

const GENERATED = /Copilot|\b(?:AI|KI|IA)\b|ИИ|人工智能/u;

/** Finds the generated answer in the list above the results. */
function findOverview(page: EnginePage) {
  const text = page.index.withClass("gs_text", "b_cnt_resp")[0];
  if (text) return readOverview(page, closest(text, isNamed("ol")) ?? text, text);
  const isOverview: Matcher = (at) =>
    !page.organic.some(({ parent }) => parent === at) && GENERATED.test(textOf(at, MAX_SERP_SNIPPET_CHARS));
  const lists = page.index.named("ol").filter((list) => !closest(list, isAside));
  const at = lists.slice(0, 2).find(isOverview);
  return at ? readOverview(page, at) : null;
}

const isEntity = toMatcher(".b_entityTP, .lite-entcard-main");

/** Finds the card in the column at the right. */
function findCard(page: EnginePage): FoundBlocks["knowledge_graph"] | null {
  const items = page.index.named("li").filter((at) => closest(at, isAside) && !linksIn(at).some(page.isAdLink));
  for (const at of outermost(items.slice(0, MAX_SERP_PAGE_RESULTS))) {
    const entity = findFirst(at, isEntity);
    const content = readCard(page, entity ?? at);
    if (content && (entity || content.facts.length > 0)) return { content, at };
  }
  return null;
}
