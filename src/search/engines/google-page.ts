import type { Document, Element, ParentNode } from "domhandler";
import { bodyOf, parseDocument } from "../../html/parse/document";
import { attribute, isElement } from "../../html/parse/dom";
import {
  MAX_QUERY_CHARS,
  MAX_SERP_PAGE_RESULTS,
  MAX_SERP_SNIPPET_CHARS,
  MAX_SERP_TITLE_CHARS,
} from "../../model/limits";
import { closest, findAll, firstText, isButton, isLink, type Matcher, textOf, toMatcher } from "../results/dom";
import { type LinkTarget, nextLink, toLinkTarget, unwrapLink } from "../results/links";
import { distinct } from "../results/listing";
import { type EmptyPageKind, emptyPage, type OrganicResult, type ResultPage } from "../results/result-page";
import { blocksOf, proseAfter } from "../results/structure";
import { removeDate, tidy, toTotal } from "../results/texts";
import type { PageResponse } from "./search-engine";

/** Matches the hosts of the search itself. */
export const GOOGLE_SEARCH_HOST = /^(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?$/;

/** Pages of the search itself. Google's products, such as /chrome/ and /maps, are results like any other site. */
const SEARCH_PATH =
  /^\/(?:search|url|aclk|imgres|images|webhp|sorry|preferences|setprefs|advanced_search|httpservice|shopping|async|finance\/quote|maps\/(?:search|dir|place)|travel\/(?:search|flights|hotels))(?:\/|$)/;

/**
 * Unwraps a link of Google's page. Returns null if it leads back to the search. `/goto?url=` contains its target encrypted,
 * so it is returned as it is, marked as unresolved.
 */
export function readGoogleLink(href: string, base: string): LinkTarget | null {
  const url = unwrapLink(href, base, (link) => {
    if (!GOOGLE_SEARCH_HOST.test(link.hostname) || link.pathname !== "/url") return null;
    // Newer links have an empty `q` besides `url`.
    return link.searchParams.get("q") || link.searchParams.get("url");
  });
  if (url === null) return null;
  if (!GOOGLE_SEARCH_HOST.test(url.hostname)) return toLinkTarget(url, { isWrapped: false });
  if (url.pathname === "/goto" && url.searchParams.get("url")) return toLinkTarget(url, { isWrapped: true });
  return SEARCH_PATH.test(url.pathname) || url.search !== "" ? null : toLinkTarget(url, { isWrapped: false });
}

const isTitle: Matcher = ({ name }) => name === "h3";
const isMobileTitle = toMatcher('[role="heading"][aria-level="3"]');
/** The frame of a result on mobile and desktop pages. */
const isFrame = toMatcher("[data-snc]");
const isSite = toMatcher('cite, [role="text"]');
/** Parts of the list that are not results: people also ask, advertisements, carousels and top stories. */
const isNotResult = toMatcher(
  ".related-question-pair, [data-initq], [data-q], [data-text-ad], #tads, #tadsb, #bottomads, g-section-with-header, g-scrolling-carousel",
);
const isFolding = toMatcher('[role="button"][aria-expanded][aria-controls]');
/** The newest layout comes first. The frame's part for text is more reliable than a class name. */
const SNIPPETS = [
  '[data-sncf="1"] .VwiC3b',
  ".VwiC3b",
  ".ITZIwc",
  "span.st",
  ".BNeawe.s3v9rd .BNeawe.s3v9rd",
  ".FrIlee",
].map(toMatcher);
/** The answer above the list, quoted from the page that is linked below it. */
const isAnswer = toMatcher('[data-attrid="wa:/description"]');
const MAX_ANSWER_LEVELS = 4;

/** Reads a result page of Google. Never throws. */
export function readGooglePage(html: string, url: string, answer: PageResponse = {}): ResultPage {
  const document = parseDocument(html);
  const organic = readOrganic(document, url);
  const total = readTotal(document, html);
  if (organic.length > 0) {
    return {
      kind: "results",
      organic,
      total,
      next: nextLink(document, url, { parameter: "start", path: "/search" }),
    };
  }
  return emptyPage(classifyEmptyPage(document, html, url, total, answer), total);
}

function readOrganic(document: Document, url: string): OrganicResult[] {
  const folded = foldedIds(document);
  const isLeftOut: Matcher = (element) => isNotResult(element) || folded.has(attribute(element, "id"));
  const found = toResults(linkedTitles(document), url, isLeftOut);
  return distinct(found.length > 0 ? found : toResults(mobileTitles(document), url, isLeftOut));
}

/** Finds titles in all layouts except the mobile one: an <h3> inside of a link. */
function linkedTitles(document: Document): Map<Element, Element> {
  const titles = findAll(document, isTitle, MAX_SERP_PAGE_RESULTS);
  const links = new Map<Element, Element>();
  for (const title of titles) {
    const link = closest(title, isLink);
    if (link && !links.has(link)) links.set(link, title);
  }
  return links;
}

/** Returns the ids of elements that a button unfolds, such as the answers of people also ask. */
function foldedIds(document: Document): ReadonlySet<string> {
  return new Set(findAll(document, isFolding).flatMap((button) => attribute(button, "aria-controls").split(" ")));
}

/** Finds titles with the role of a heading. The answer above the list has its link inside of the heading. */
function mobileTitles(document: Document): Map<Element, Element> {
  const links = new Map<Element, Element>();
  const answers = aroundAnswers(document);
  const isResult: Matcher =
    findAll(document, isFrame, 1).length > 0 ? (link) => closest(link, isFrame) !== null : hasAddress;
  for (const element of findAll(document, (at) => isTitle(at) || isMobileTitle(at), MAX_SERP_PAGE_RESULTS)) {
    const link = isTitle(element) ? findAll(element, isLink, 1)[0] : closest(element, isLink);
    if (!link || links.has(link)) continue;
    if (isTitle(element) ? closest(link, (at) => answers.has(at)) : isResult(link)) links.set(link, element);
  }
  return links;
}

/** Returns true for the link of a result: besides the title it contains the address, marked for screen readers. */
function hasAddress(link: Element): boolean {
  return findAll(link, isSite, 1).length > 0;
}

function toResults(links: ReadonlyMap<Element, Element>, url: string, isLeftOut: Matcher): OrganicResult[] {
  const blocks = blocksOf([...links.keys()]);
  const results: OrganicResult[] = [];
  for (const [link, title] of links) {
    if (closest(link, isLeftOut)) continue;
    const target = readGoogleLink(attribute(link, "href"), url);
    const text = textOf(title, MAX_SERP_TITLE_CHARS);
    if (!target || text === "") continue;
    const snippet = snippetOf(link, blocks.get(link) ?? link);
    results.push({ title: text, ...target, snippet, description: removeDate(snippet) });
  }
  return results;
}

function snippetOf(link: Element, block: Element): string {
  const marked = firstText(block, SNIPPETS, MAX_SERP_SNIPPET_CHARS, isButton);
  if (marked !== "") return marked;
  const answer = findAll(block, isAnswer, 1)[0];
  return answer ? textOf(answer, MAX_SERP_SNIPPET_CHARS) : proseAfter(link, block, MAX_SERP_SNIPPET_CHARS);
}

/** Returns the ancestors of the answers above the list, up to the level that holds the link to their page. */
function aroundAnswers(document: Document): ReadonlySet<ParentNode> {
  const around = new Set<ParentNode>();
  for (const answer of findAll(document, isAnswer, MAX_SERP_PAGE_RESULTS)) {
    let at = answer.parent;
    for (let level = 0; level < MAX_ANSWER_LEVELS && isElement(at); level++, at = at.parent) around.add(at);
  }
  return around;
}

const isStats = toMatcher("#result-stats");
/** Recent pages have the total in a script, as `result-stats\">About 137 results\x3cnobr> (0.29s)`. */
const STATS_IN_SCRIPT = /result-stats(?:\\x22|\\u0022|\\?["'])(?:>|\\x3e|\\u003e)([^<>]{1,200}?)(?:<|\\x3c|\\u003c)/i;
const ESCAPE = /\\x([\da-f]{2})|\\u([\da-f]{4})/gi;
const SPACE = /&nbsp;|&#(?:160|8239);/g;

function readTotal(document: Document, html: string): number | null {
  const stats = findAll(document, isStats, 1)[0];
  if (stats) return toTotal(textOf(stats, MAX_SERP_TITLE_CHARS));
  const line = (STATS_IN_SCRIPT.exec(html)?.[1] ?? "").replace(ESCAPE, (_, byte, unit) =>
    String.fromCharCode(Number.parseInt(byte ?? unit, 16)),
  );
  return toTotal(line.replace(SPACE, " "));
}

const isConsent = toMatcher('form[action*="consent.google"], form[action*="consent.youtube"]');
const isCaptcha = toMatcher("#captcha-form, .g-recaptcha, [data-sitekey]");
const isPageTitle: Matcher = ({ name }) => name === "title";
const isRefusal = (title: string): boolean => /\b(?:403|429)\b|forbidden/i.test(title);
const isNotice = toMatcher("#topstuff em, #botstuff em, .mnr-c p em, .card-section p em");
/** The shortest sentence around the query in a notice. */
const MIN_NOTICE_CHARS = 20;
const MAX_NOTICE_PAGE_CHARS = 20_000;
const NOTHING_FOUND = /did not match any documents|no results found for/i;

/** Returns what a page without results is. */
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
  if (total === 0 || saysNothingFound(document, url)) return "no_results";
  const title = findAll(document, isPageTitle, 1)[0];
  if (title && isRefusal(textOf(title, MAX_SERP_TITLE_CHARS))) return "blocked";
  return html.includes("/httpservice/retry/enablejs") ? "blocked" : "unknown";
}

/** Looks for the notice that nothing was found. In every language the notice repeats the query. */
function saysNothingFound(document: Document, url: string): boolean {
  if (findAll(document, isNotice, 1).length > 0) return true;
  const query = tidy(URL.parse(url)?.searchParams.get("q") ?? "", MAX_QUERY_CHARS);
  const isQuery: Matcher = (element) =>
    element.name === "span" && textOf(element, query.length + 1) === query && standsInSentence(element, query);
  if (query !== "" && findAll(document, isQuery, 1).length > 0) return true;
  return NOTHING_FOUND.test(textOf(bodyOf(document), MAX_NOTICE_PAGE_CHARS));
}

function standsInSentence({ parent }: Element, query: string): boolean {
  if (!isElement(parent) || closest(parent, isLink)) return false;
  return textOf(parent, query.length + MIN_NOTICE_CHARS).length >= query.length + MIN_NOTICE_CHARS;
}
