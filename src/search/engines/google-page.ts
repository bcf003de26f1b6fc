import type { Document, Element, ParentNode } from "domhandler";
import { bodyOf, parsePage } from "../../html/parse/document";
import { attribute, hasAttribute, isElement } from "../../html/parse/dom";
import { MAX_QUERY_CHARS } from "../../model/limits";
import { MAX_SERP_PAGE_RESULTS, MAX_SERP_SNIPPET_CHARS, MAX_SERP_TITLE_CHARS } from "../../model/search-limits";
import { type AdSigns, findAds } from "../results/ads";
import { placeBlocks } from "../results/blocks";
import { closest, findAll, firstText, isButton, isLink, linkIn, type Matcher, textOf, toMatcher } from "../results/dom";
import { type LinkTarget, nextLink, toLinkTarget, unwrapLink } from "../results/links";
import { distinct } from "../results/listing";
import { shownElements } from "../results/page-parts";
import { type EmptyPageKind, emptyPage, type OrganicResult, type ResultPage } from "../results/result-page";
import { blocksOf, compareWays, type Disagreement, proseAfter } from "../results/structure";
import { tidy, toSnippet, toTotal } from "../results/texts";
import { readGoogleBlocks } from "./google-blocks";
import { isTitle as isAnyTitle, isMarked, isQuote, MAX_TITLES } from "./google-parts";
import type { PageResponse } from "./search-engine";

/** Matches the hosts of Google's web search, but not of Google's other products. */
export const GOOGLE_SEARCH_HOST = /^(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?$/;

/** Paths of Google's own search pages. Links to other Google pages, such as /maps, can be results. */
const SEARCH_PATH =
  /^\/(?:search|url|aclk|imgres|images|webhp|sorry|preferences|setprefs|advanced_search|httpservice|shopping|async|finance\/quote|maps\/(?:search|dir|place)|travel\/(?:search|flights|hotels))(?:\/|$)/;

/**
 * Returns the target of a link on a Google page. Returns null if the link leads back to the search. A `/goto?url=` link
 * contains its target encrypted. Such a link is returned unchanged and marked as unresolved.
 */
export function readGoogleLink(href: string, base: string): LinkTarget | null {
  const url = unwrapLink(href, base, (link) => {
    if (!GOOGLE_SEARCH_HOST.test(link.hostname) || link.pathname !== "/url") return null;
    // Newer links have the target in `url`, and an empty `q`.
    return link.searchParams.get("q") || link.searchParams.get("url");
  });
  if (url === null) return null;
  if (!GOOGLE_SEARCH_HOST.test(url.hostname)) return toLinkTarget(url, { isWrapped: false });
  if (url.pathname === "/goto" && url.searchParams.get("url")) return toLinkTarget(url, { isWrapped: true });
  return SEARCH_PATH.test(url.pathname) || url.search !== "" ? null : toLinkTarget(url, { isWrapped: false });
}

const isTitle: Matcher = ({ name }) => name === "h3";
const isMobileTitle = toMatcher('[role="heading"][aria-level="3"]');
/** Matches the element around one result, on desktop and mobile pages. */
const isFrame = toMatcher("[data-snc]");
const isSite = toMatcher('cite, [role="text"]');
/** Matches parts of the list that are not results: "People also ask", ads, carousels and top stories. */
const isNotResult = toMatcher(
  ".related-question-pair, [data-initq], [data-q], [data-text-ad], #tads, #tadsb, #bottomads, g-section-with-header, g-scrolling-carousel",
);
const isFolding = toMatcher('[role="button"][aria-expanded][aria-controls]');
/** Snippets by layout, the newest layout first. `data-sncf` is more reliable than a class name. */
const SNIPPETS = [
  '[data-sncf="1"] .VwiC3b',
  ".VwiC3b",
  ".ITZIwc",
  "span.st",
  ".BNeawe.s3v9rd .BNeawe.s3v9rd",
  ".FrIlee",
].map(toMatcher);
const MAX_FEATURED_LEVELS = 4;

/** Extracts the results from a page of Google. Never throws. */
export function readGooglePage(html: string, url: string, response: PageResponse = {}): ResultPage {
  const styled = parsePage(html, { fields: false });
  const { document } = styled;
  const shown = shownElements(document);
  const marked = shown.filter(isMarked);
  const ads = findAds(shown, titleLinks(marked), AD_SIGNS);
  const links = readOrganic(document, url, ads);
  const organic = [...links.values()];
  const total = readTotal(document, html);
  const page: ResultPage =
    organic.length > 0
      ? { kind: "results", organic, total, next: nextLink(document, url, { parameter: "start", path: "/search" }) }
      : emptyPage(classifyEmptyPage(document, html, url, total, response), total);
  if (page.kind !== "results" && page.kind !== "no_results") return page;
  const readSearchLink = (href: string) => toSearchLink(href, url);
  const readLink = (href: string) => readGoogleLink(href, url);
  const found = readGoogleBlocks({ page: styled, html, url, marked, organic: links, ads, readLink, readSearchLink });
  const disagreement = compareSnippets([...links.keys()]);
  const blocks = placeBlocks(document, found, [...links.keys()]);
  return { ...page, blocks, ...(disagreement && { disagreement }) };
}

/** Returns the URL of a link to Google's search for pages. Returns null for other links. */
function toSearchLink(href: string, base: string): URL | null {
  if (!href.includes("/search")) return null;
  const url = URL.parse(href, base);
  return url?.pathname === "/search" && GOOGLE_SEARCH_HOST.test(url.hostname) ? url : null;
}

const AD_SIGNS: AdSigns = {
  isAd: (element) => hasAttribute(element, "data-text-ad"),
  isAdLink: (element) =>
    isLink(element) &&
    /^(?:https:\/\/www\.google\.[a-z.]+)?\/aclk\?|^https:\/\/www\.googleadservices\.com\//.test(
      attribute(element, "href"),
    ),
};

/** Returns the links of all titles: of organic results, of ads and of cards. */
function titleLinks(marked: readonly Element[]): Set<Element> {
  return new Set(
    marked
      .filter(isAnyTitle)
      .slice(0, MAX_TITLES)
      .flatMap((title) => linkIn(title) ?? []),
  );
}

/** Returns the organic results with their links. */
function readOrganic(document: Document, url: string, ads: ReadonlyMap<Element, Element>): Map<Element, OrganicResult> {
  const folded = foldedIds(document);
  const around = new Set(ads.values());
  const isSkipped: Matcher = (element) =>
    isNotResult(element) || around.has(element) || folded.has(attribute(element, "id"));
  const titled = toResults(linkedTitles(document), url, isSkipped);
  const found = titled.size > 0 ? titled : toResults(mobileTitles(document), url, isSkipped);
  const kept = new Set(distinct([...found.values()]));
  return new Map([...found].filter(([, result]) => kept.has(result)));
}

/** Finds titles in all layouts except the mobile one. The title is an <h3> inside a link. */
function linkedTitles(document: Document): Map<Element, Element> {
  const titles = findAll(document, isTitle, MAX_SERP_PAGE_RESULTS);
  const links = new Map<Element, Element>();
  for (const title of titles) {
    const link = closest(title, isLink);
    if (link && !links.has(link)) links.set(link, title);
  }
  return links;
}

/** Returns the ids of elements that a button expands, such as the answers in "People also ask". */
function foldedIds(document: Document): ReadonlySet<string> {
  return new Set(findAll(document, isFolding).flatMap((button) => attribute(button, "aria-controls").split(" ")));
}

/** Finds mobile titles: links around a heading, or in a featured snippet, links inside an <h3>. */
function mobileTitles(document: Document): Map<Element, Element> {
  const links = new Map<Element, Element>();
  const featured = featuredSnippetAncestors(document);
  const isResult: Matcher =
    findAll(document, isFrame, 1).length > 0 ? (link) => closest(link, isFrame) !== null : hasAddress;
  for (const element of findAll(document, (at) => isTitle(at) || isMobileTitle(at), MAX_SERP_PAGE_RESULTS)) {
    const link = isTitle(element) ? findAll(element, isLink, 1)[0] : closest(element, isLink);
    if (!link || links.has(link)) continue;
    if (isTitle(element) ? closest(link, (at) => featured.has(at)) : isResult(link)) links.set(link, element);
  }
  return links;
}

/** Returns true if the link is a result. A result's link contains the site's address in addition to the title. */
function hasAddress(link: Element): boolean {
  return findAll(link, isSite, 1).length > 0;
}

function toResults(links: ReadonlyMap<Element, Element>, url: string, isSkipped: Matcher): Map<Element, OrganicResult> {
  const blocks = blocksOf([...links.keys()]);
  const results = new Map<Element, OrganicResult>();
  for (const [link, title] of links) {
    if (closest(link, isSkipped)) continue;
    const target = readGoogleLink(attribute(link, "href"), url);
    const text = textOf(title, MAX_SERP_TITLE_CHARS);
    if (!target || text === "") continue;
    const snippet = snippetOf(link, blocks.get(link) ?? link);
    results.set(link, { title: text, ...target, ...toSnippet(snippet) });
  }
  return results;
}

/** Compares the two ways to find snippets. Titles need no names: they are headings in every layout. */
function compareSnippets(links: readonly Element[]): Disagreement | null {
  const blocks = blocksOf(links);
  const withText = (read: (block: Element, link: Element) => string) =>
    new Set(links.filter((link) => read(blocks.get(link) ?? link, link) !== ""));
  return compareWays(
    withText(markedSnippet),
    withText((block, link) => proseAfter(link, block, MAX_SERP_SNIPPET_CHARS)),
  );
}

function markedSnippet(block: Element): string {
  return firstText(block, SNIPPETS, MAX_SERP_SNIPPET_CHARS, isButton);
}

function snippetOf(link: Element, block: Element): string {
  const marked = markedSnippet(block);
  if (marked !== "") return marked;
  const snippet = findAll(block, isQuote, 1)[0];
  return snippet ? textOf(snippet, MAX_SERP_SNIPPET_CHARS) : proseAfter(link, block, MAX_SERP_SNIPPET_CHARS);
}

/** Returns the ancestors of the featured snippets, up to the level that contains the link to the quoted page. */
function featuredSnippetAncestors(document: Document): ReadonlySet<ParentNode> {
  const around = new Set<ParentNode>();
  for (const snippet of findAll(document, isQuote, MAX_SERP_PAGE_RESULTS)) {
    let at = snippet.parent;
    for (let level = 0; level < MAX_FEATURED_LEVELS && isElement(at); level++, at = at.parent) around.add(at);
  }
  return around;
}

const isStats = toMatcher("#result-stats");
/** Matches the element with the time that the search took, in the page or in a script: `<nobr> (0.29s)`. */
const TIME = /nobr(?:>|\\x3e|\\u003e)(?:\s|&nbsp;)*\(\d/;
/** Matches the total before the time: `About 137 results<` or `About 137 results\x3c`. */
const STATS = /(?:>|\\x3e|\\u003e)([^<>]{1,250}?)(?:<|\\x3c|\\u003c)$/i;
const MAX_STATS_CHARS = 250;
const ESCAPE = /\\x([\da-f]{2})|\\u([\da-f]{4})/gi;
const SPACE = /&nbsp;|&#(?:160|8239);/g;

function readTotal(document: Document, html: string): number | null {
  const marked = findAll(document, isStats, 1)[0];
  if (marked) return toTotal(textOf(marked, MAX_SERP_TITLE_CHARS));
  const time = html.search(TIME);
  const stats = time < 0 ? null : STATS.exec(html.slice(Math.max(0, time - MAX_STATS_CHARS), time));
  const line = (stats?.[1] ?? "").replace(ESCAPE, (_, byte, unit) =>
    String.fromCharCode(Number.parseInt(byte ?? unit, 16)),
  );
  return toTotal(line.replace(SPACE, " "));
}

const isConsent = toMatcher('form[action*="consent.google"], form[action*="consent.youtube"]');
const isCaptcha = toMatcher("#captcha-form, .g-recaptcha, [data-sitekey]");
const isTypeLink = toMatcher('a[href*="udm="]');
const isPageTitle: Matcher = ({ name }) => name === "title";
const isRefusal = (title: string): boolean => /\b(?:403|429)\b|forbidden/i.test(title);
const isNotice = toMatcher("#topstuff em, #botstuff em, .mnr-c p em, .card-section p em");
/** The minimum length of the notice "nothing found", without the query that it repeats. */
const MIN_NOTICE_CHARS = 20;
const MAX_NOTICE_PAGE_CHARS = 20_000;
const NOTHING_FOUND = /did not match any documents|no results found for/i;

/** Classifies a page without results, for example as a block page or a consent page. */
function classifyEmptyPage(
  document: Document,
  html: string,
  url: string,
  total: number | null,
  { status }: PageResponse,
): EmptyPageKind {
  const address = URL.parse(url);
  if (address?.hostname.startsWith("consent.") || findAll(document, isConsent, 1).length > 0) return "consent";
  const isSorry = address?.pathname.startsWith("/sorry") || status === 429 || status === 403;
  if (isSorry || findAll(document, isCaptcha, 1).length > 0) return "blocked";
  // To a suspected bot, Google says "About 0 results" on a page of its old layout. A normal page of the layouts that show
  // a count links the searches of other types by `udm`.
  if (total === 0) return findAll(document, isTypeLink, 1).length > 0 ? "no_results" : "degraded";
  if (hasNothingFoundNotice(document, url)) return "no_results";
  const title = findAll(document, isPageTitle, 1)[0];
  if (title && isRefusal(textOf(title, MAX_SERP_TITLE_CHARS))) return "blocked";
  return html.includes("/httpservice/retry/enablejs") ? "blocked" : "unknown";
}

/** Returns true if the page has the notice "nothing found". In every language, the notice repeats the query. */
function hasNothingFoundNotice(document: Document, url: string): boolean {
  if (findAll(document, isNotice, 1).length > 0) return true;
  const query = tidy(URL.parse(url)?.searchParams.get("q") ?? "", MAX_QUERY_CHARS);
  const isQuery: Matcher = (element) =>
    element.name === "span" && textOf(element, query.length + 1) === query && isInSentence(element, query);
  if (query !== "" && findAll(document, isQuery, 1).length > 0) return true;
  return NOTHING_FOUND.test(textOf(bodyOf(document), MAX_NOTICE_PAGE_CHARS));
}

function isInSentence({ parent }: Element, query: string): boolean {
  if (!isElement(parent) || closest(parent, isLink)) return false;
  return textOf(parent, query.length + MIN_NOTICE_CHARS).length >= query.length + MIN_NOTICE_CHARS;
}
