import type { Document, Element, ParentNode } from "domhandler";
import { parsePage } from "../../html/parse/document";
import { attribute, hasAttribute, isElement } from "../../html/parse/dom";
import { unescapeScript } from "../../lib/text";
import { MAX_QUERY_CHARS } from "../../model/limits";
import { MAX_SERP_PAGE_RESULTS, MAX_SERP_SNIPPET_CHARS, MAX_SERP_TITLE_CHARS } from "../../model/search-limits";
import { findAds } from "../results/ads";
import { closest, findAll, findFirst, linkIn, shownElements } from "../results/dom";
import { firstText, isQuote, proseAfter, textOf, titleOf } from "../results/element-text";
import {
  isRefusal,
  type OpenPage,
  openPage,
  type PageRules,
  pageTitle,
  readResults,
  toOrganic,
  toResultPage,
} from "../results/engine-page";
import { isButton, isLink, isNamed, isTitle, type Matcher, toMatcher } from "../results/matchers";
import type { EmptyPageKind, ResultPage } from "../results/result-page";
import { blocksOf, compareWays } from "../results/structure";
import { tidy, toTotal } from "../results/texts";
import { readGoogleBlocks } from "./google-blocks";
import { isMarked, MAX_TITLES } from "./google-parts";
import type { PageResponse } from "./search-engine";

/** Matches the hosts of Google's web search, but not of Google's other products. */
export const GOOGLE_SEARCH_HOST = /^(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?$/;

/** Paths of Google's own search pages. Links to other Google pages, such as /maps, can be results. */
const SEARCH_PATH =
  /^\/(?:search|url|aclk|imgres|images|webhp|sorry|preferences|setprefs|advanced_search|httpservice|shopping|async|finance\/quote|maps\/(?:search|dir|place)|travel\/(?:search|flights|hotels))(?:\/|$)/;

export const GOOGLE: PageRules = {
  links: {
    hosts: GOOGLE_SEARCH_HOST,
    unwrap({ hostname, pathname, searchParams }) {
      if (!GOOGLE_SEARCH_HOST.test(hostname) || pathname !== "/url") return null;
      // Newer links have the target in `url`, and an empty `q`.
      return searchParams.get("q") || searchParams.get("url");
    },
    /** A `/goto?url=` link contains its target encrypted. */
    isRedirect: ({ hostname, pathname, searchParams }) =>
      GOOGLE_SEARCH_HOST.test(hostname) && pathname === "/goto" && Boolean(searchParams.get("url")),
    isSearch: ({ hostname, pathname, search }) =>
      GOOGLE_SEARCH_HOST.test(hostname) && (SEARCH_PATH.test(pathname) || search !== ""),
    isAd: ({ hostname, pathname }) =>
      hostname === "www.googleadservices.com" || (GOOGLE_SEARCH_HOST.test(hostname) && pathname === "/aclk"),
  },
  paging: { parameter: "start" },
  statedUrl: (link) => attribute(link, "data-pcu").split(",")[0] ?? "",
  isHidden: () => false,
};

const isHeading = isNamed("h3");
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
export function readGooglePage(html: string, url: string, { status }: PageResponse = {}): ResultPage {
  const styled = parsePage(html, { fields: false });
  const { document } = styled;
  const shown = shownElements(document);
  const page = openPage(document, shown, url, GOOGLE);
  const marked = shown.filter(isMarked);
  const titles = marked.filter(isTitle).slice(0, MAX_TITLES);
  const isAd: Matcher = (element) => hasAttribute(element, "data-text-ad");
  const ads = findAds(page, new Set(titles.flatMap((title) => linkIn(title) ?? [])), isAd);
  const { results, disagreement } = readOrganic(page, new Set(ads.values()));
  const total = readTotal(page, html);
  return toResultPage(page, results, {
    total,
    emptyKind: () => classifyEmptyPage(page, html, { total, status }),
    readBlocks: (read) => readGoogleBlocks({ ...read, styled, html, marked, results, ads }),
    disagreement,
  });
}

/** Returns the organic results with their links. Compares the two ways to find snippets, because titles need no names. */
function readOrganic(page: OpenPage, ads: ReadonlySet<Element>) {
  const { document } = page;
  const folded = foldedIds(document);
  const isSkipped: Matcher = (element) =>
    isNotResult(element) || ads.has(element) || folded.has(attribute(element, "id"));
  const [named, structural] = [new Set<Element>(), new Set<Element>()];
  const read = (links: ReadonlyMap<Element, Element>) => {
    const blocks = blocksOf([...links.keys()]);
    return readResults(links.keys(), (link) => {
      const title = links.get(link);
      if (!title || closest(link, isSkipped)) return null;
      const block = blocks.get(link) ?? link;
      return toOrganic(page, link, {
        title: titleOf(title),
        snippet() {
          const marked = firstText(block, SNIPPETS, MAX_SERP_SNIPPET_CHARS, isButton);
          const prose = proseAfter(link, block);
          if (marked !== "") named.add(link);
          if (prose !== "") structural.add(link);
          const quote = marked === "" && findFirst(block, isQuote);
          return marked || (quote ? textOf(quote, MAX_SERP_SNIPPET_CHARS) : prose);
        },
      });
    });
  };
  const titled = read(linkedTitles(document));
  const results = titled.size > 0 ? titled : read(mobileTitles(document));
  return { results, disagreement: compareWays(named, structural) };
}

/** Finds titles in all layouts except the mobile one. The title is an <h3> inside a link. */
function linkedTitles(document: Document): Map<Element, Element> {
  const titles = findAll(document, isHeading, MAX_SERP_PAGE_RESULTS);
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
  for (const element of findAll(document, (at) => isHeading(at) || isMobileTitle(at), MAX_SERP_PAGE_RESULTS)) {
    const link = isHeading(element) ? findFirst(element, isLink) : closest(element, isLink);
    if (!link || links.has(link)) continue;
    if (isHeading(element) ? closest(link, (at) => featured.has(at)) : isResult(link)) links.set(link, element);
  }
  return links;
}

/** Returns true if the link is a result. A result's link contains the site's address in addition to the title. */
function hasAddress(link: Element): boolean {
  return findAll(link, isSite, 1).length > 0;
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
const SPACE = /&nbsp;|&#(?:160|8239);/g;

function readTotal({ index }: OpenPage, html: string): number | null {
  const marked = index.elements.find(isStats);
  if (marked) return toTotal(titleOf(marked));
  const time = html.search(TIME);
  const stats = time < 0 ? null : STATS.exec(html.slice(Math.max(0, time - MAX_STATS_CHARS), time));
  return toTotal(unescapeScript(stats?.[1] ?? "").replace(SPACE, " "));
}

const isConsent = toMatcher('form[action*="consent.google"], form[action*="consent.youtube"]');
const isCaptcha = toMatcher("#captcha-form, .g-recaptcha, [data-sitekey]");
const isTypeLink = toMatcher('a[href*="udm="]');
const REFUSAL_TITLE = /\b(?:403|429)\b|forbidden/i;
const isNotice = toMatcher("#topstuff em, #botstuff em, .mnr-c p em, .card-section p em");
/** The minimum length of the notice "nothing found", without the query that it repeats. */
const MIN_NOTICE_CHARS = 20;
const MAX_NOTICE_PAGE_CHARS = 20_000;
const NOTHING_FOUND = /did not match any documents|no results found for/i;

/** Classifies a page without results, for example as a block page or a consent page. */
function classifyEmptyPage(
  page: OpenPage,
  html: string,
  { total, status }: { total: number | null; status: number | undefined },
): EmptyPageKind {
  const address = URL.parse(page.url);
  const { index } = page;
  if (address?.hostname.startsWith("consent.") || index.has(isConsent)) return "consent";
  if (address?.pathname.startsWith("/sorry") || isRefusal(status) || index.has(isCaptcha)) return "blocked";
  // To a suspected bot, Google says "About 0 results" on a page of its old layout. A normal page of the layouts that show
  // a count links the searches of other types by `udm`.
  if (total === 0) return index.has(isTypeLink) ? "no_results" : "degraded";
  if (hasNothingFoundNotice(page)) return "no_results";
  if (REFUSAL_TITLE.test(pageTitle(page, MAX_SERP_TITLE_CHARS))) return "blocked";
  return html.includes("/httpservice/retry/enablejs") ? "blocked" : "unknown";
}

/** Returns true if the page has the notice "nothing found". In every language, the notice repeats the query. */
function hasNothingFoundNotice({ body, url, index }: OpenPage): boolean {
  const query = tidy(URL.parse(url)?.searchParams.get("q") ?? "", MAX_QUERY_CHARS);
  const isQuery: Matcher = (element) => textOf(element, query.length + 1) === query && isInSentence(element, query);
  if (index.has(isNotice) || (query !== "" && index.named("span").some(isQuery))) return true;
  return NOTHING_FOUND.test(textOf(body, MAX_NOTICE_PAGE_CHARS));
}

function isInSentence({ parent }: Element, query: string): boolean {
  if (!isElement(parent) || closest(parent, isLink)) return false;
  return textOf(parent, query.length + MIN_NOTICE_CHARS).length >= query.length + MIN_NOTICE_CHARS;
}
