import type { Document, Element, ParentNode } from "domhandler";
import { bodyOf, parseDocument } from "../../html/parse/document";
import { attribute, isElement } from "../../html/parse/dom";
import {
  MAX_QUERY_CHARS,
  MAX_SERP_PAGE_RESULTS,
  MAX_SERP_SNIPPET_CHARS,
  MAX_SERP_TITLE_CHARS,
} from "../../model/limits";
import { blocksOf, proseAfter } from "../block";
import { closest, findAll, firstText, isButton, isLink, type Test, textOf, tidy, toTest } from "../dom";
import { type Answer, type Engine, emptyPage, type Organic, type Query, type ResultPage } from "../engine";
import { googleTarget } from "../links";
import { googleLanguage } from "../locale";
import { distinct, nextLink, searchedFor } from "../page";
import { withoutDate } from "../snippet";
import { toTotal } from "../total";
import { toUule } from "../uule";

const ORIGIN = "https://www.google.com";
const RESULTS_A_PAGE = 10;

const isTitle: Test = ({ name }) => name === "h3";
const isMobileTitle = toTest('[role="heading"][aria-level="3"]');
/** The frame of a result, on mobile pages and on desktop ones. */
const isFrame = toTest("[data-snc]");
const isSite = toTest('cite, [role="text"]');
/** What is in the list and no result: people also ask, advertisements, carousels and top stories. */
const isForeign = toTest(
  ".related-question-pair, [data-initq], [data-q], [data-text-ad], #tads, #tadsb, #bottomads, g-section-with-header, g-scrolling-carousel",
);
const isFolding = toTest('[role="button"][aria-expanded][aria-controls]');
/** Newest layout first; a text in the frame's own part is a better sign than a class. */
const SNIPPETS = [
  '[data-sncf="1"] .VwiC3b',
  ".VwiC3b",
  ".ITZIwc",
  "span.st",
  ".BNeawe.s3v9rd .BNeawe.s3v9rd",
  ".FrIlee",
].map(toTest);
/** The answer above the list, quoted from the page below it. */
const isAnswer = toTest('[data-attrid="wa:/description"]');
const MAX_ANSWER_LEVELS = 4;

export const google: Engine = {
  searchUrl(query: Query, page: number): string {
    const url = new URL("/search", ORIGIN);
    const language = googleLanguage(query);
    const parameters = {
      q: query.text,
      hl: language,
      gl: query.place?.country.code.toLowerCase(),
      uule: query.place?.city?.google ? toUule(query.place.city.google) : undefined,
      start: page > 0 ? String(page * RESULTS_A_PAGE) : undefined,
      udm: "14",
      pws: "0",
      ie: "UTF-8",
      oe: "UTF-8",
    };
    for (const [name, value] of Object.entries(parameters)) if (value) url.searchParams.set(name, value);
    return url.href;
  },

  readySelector:
    'a h3, [data-snc] [role="heading"], #topstuff em, #botstuff em, #captcha-form, .g-recaptcha, form[action*="consent.google"]',

  readPage(html: string, url: string, answer: Answer = {}): ResultPage {
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
    return emptyPage(kindWithout(document, html, url, total, answer), total);
  },
};

function readOrganic(document: Document, url: string): Organic[] {
  const folded = foldedIds(document);
  const isLeftOut: Test = (element) => isForeign(element) || folded.has(attribute(element, "id"));
  const found = toResults(linkedTitles(document), url, isLeftOut);
  return distinct(found.length > 0 ? found : toResults(mobileTitles(document), url, isLeftOut));
}

/** Every layout but the mobile one: the title is a link around an <h3>. */
function linkedTitles(document: Document): Map<Element, Element> {
  const titles = findAll(document, isTitle, MAX_SERP_PAGE_RESULTS);
  const links = new Map<Element, Element>();
  for (const title of titles) {
    const link = closest(title, isLink);
    if (link && !links.has(link)) links.set(link, title);
  }
  return links;
}

/** What a button unfolds, such as the answers of people also ask, by id. */
function foldedIds(document: Document): ReadonlySet<string> {
  return new Set(findAll(document, isFolding).flatMap((button) => attribute(button, "aria-controls").split(" ")));
}

/** The title is an element with a heading's role; the answer above the list has its link inside of the heading. */
function mobileTitles(document: Document): Map<Element, Element> {
  const links = new Map<Element, Element>();
  const answers = aroundAnswers(document);
  const isResult: Test =
    findAll(document, isFrame, 1).length > 0 ? (link) => closest(link, isFrame) !== null : namesSite;
  for (const element of findAll(document, (at) => isTitle(at) || isMobileTitle(at), MAX_SERP_PAGE_RESULTS)) {
    const link = isTitle(element) ? findAll(element, isLink, 1)[0] : closest(element, isLink);
    if (!link || links.has(link)) continue;
    if (isTitle(element) ? closest(link, (at) => answers.has(at)) : isResult(link)) links.set(link, element);
  }
  return links;
}

/** Beside its title, a result's link holds its address, marked as text to be read out. */
function namesSite(link: Element): boolean {
  return findAll(link, isSite, 1).length > 0;
}

function toResults(links: ReadonlyMap<Element, Element>, url: string, isLeftOut: Test): Organic[] {
  const blocks = blocksOf([...links.keys()]);
  const results: Organic[] = [];
  for (const [link, title] of links) {
    if (closest(link, isLeftOut)) continue;
    const target = googleTarget(attribute(link, "href"), url);
    const text = textOf(title, MAX_SERP_TITLE_CHARS);
    if (!target || text === "") continue;
    const snippet = snippetOf(link, blocks.get(link) ?? link);
    results.push({ title: text, ...target, snippet, description: withoutDate(snippet) });
  }
  return results;
}

function snippetOf(link: Element, block: Element): string {
  const marked = firstText(block, SNIPPETS, MAX_SERP_SNIPPET_CHARS, isButton);
  if (marked !== "") return marked;
  const answer = findAll(block, isAnswer, 1)[0];
  return answer ? textOf(answer, MAX_SERP_SNIPPET_CHARS) : proseAfter(link, block, MAX_SERP_SNIPPET_CHARS);
}

/** What stands around the answers above the list, near enough to hold the link to their page. */
function aroundAnswers(document: Document): ReadonlySet<ParentNode> {
  const around = new Set<ParentNode>();
  for (const answer of findAll(document, isAnswer, MAX_SERP_PAGE_RESULTS)) {
    let at = answer.parent;
    for (let level = 0; level < MAX_ANSWER_LEVELS && isElement(at); level++, at = at.parent) around.add(at);
  }
  return around;
}

const isStats = toTest("#result-stats");
/** Recent pages carry it in a script, as `result-stats\">About 137 results\x3cnobr> (0.29s)`. */
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

const isConsent = toTest('form[action*="consent.google"], form[action*="consent.youtube"]');
const isCaptcha = toTest("#captcha-form, .g-recaptcha, [data-sitekey]");
const isPageTitle: Test = ({ name }) => name === "title";
const isRefusal = (title: string): boolean => /\b(?:403|429)\b|forbidden/i.test(title);
const isNotice = toTest("#topstuff em, #botstuff em, .mnr-c p em, .card-section p em");
/** Of the words around the query. */
const MIN_NOTICE_CHARS = 20;
const MAX_NOTICE_PAGE_CHARS = 20_000;
const NOTHING_FOUND = /did not match any documents|no results found for/i;

/** Of a page on which no result was found. */
function kindWithout(document: Document, html: string, url: string, total: number | null, { status }: Answer) {
  const address = URL.parse(url);
  if (address?.hostname.startsWith("consent.") || findAll(document, isConsent, 1).length > 0) return "consent";
  const isSorry = address?.pathname.startsWith("/sorry") || status === 429 || status === 403;
  if (isSorry || findAll(document, isCaptcha, 1).length > 0) return "blocked";
  if (total === 0 || saysNothingFound(document, url)) return "no_results";
  const title = findAll(document, isPageTitle, 1)[0];
  if (title && isRefusal(textOf(title, MAX_SERP_TITLE_CHARS))) return "blocked";
  return html.includes("/httpservice/retry/enablejs") ? "blocked" : "unknown";
}

/** The notice repeats the query: that is the same in all languages. */
function saysNothingFound(document: Document, url: string): boolean {
  if (findAll(document, isNotice, 1).length > 0) return true;
  const query = tidy(searchedFor(url, "q"), MAX_QUERY_CHARS);
  const isQuery: Test = (element) =>
    element.name === "span" && textOf(element, query.length + 1) === query && standsInSentence(element, query);
  if (query !== "" && findAll(document, isQuery, 1).length > 0) return true;
  return NOTHING_FOUND.test(textOf(bodyOf(document), MAX_NOTICE_PAGE_CHARS));
}

function standsInSentence({ parent }: Element, query: string): boolean {
  if (!isElement(parent) || closest(parent, isLink)) return false;
  return textOf(parent, query.length + MIN_NOTICE_CHARS).length >= query.length + MIN_NOTICE_CHARS;
}
