import type { Document, Element } from "domhandler";
import { parseDocument } from "../../html/parse/document";
import { attribute, elementsUnder } from "../../html/parse/dom";
import { MAX_SERP_PAGE_RESULTS, MAX_SERP_SNIPPET_CHARS, MAX_SERP_TITLE_CHARS } from "../../model/search-limits";
import { compact, type FoundBlocks } from "../results/blocks";
import { closest, findAll, headingIn, linkIn, linksIn, outermost } from "../results/dom";
import { firstText, leafText, linesOf, proseAfter, textOf, titleOf } from "../results/element-text";
import {
  type EnginePage,
  isRefusal,
  type OpenPage,
  openPage,
  type PageRules,
  pageTitle,
  readResults,
  toOrganic,
  toResultPage,
} from "../results/engine-page";
import { isButton, isHiddenByAttribute, isLink, type Matcher, toMatcher } from "../results/matchers";
import {
  readAds,
  readCard,
  readImages,
  readOverview,
  readProducts,
  readRelated,
  readVideos,
  sitelinksOf,
} from "../results/page-parts";
import type { EmptyPageKind, OrganicResult, ResultPage } from "../results/result-page";
import { compareWays, listedBlocks } from "../results/structure";
import { toScaledTotal } from "../results/texts";
import type { PageResponse } from "./search-engine";

export const YANDEX_HOST = /(?:^|\.)(?:yandex\.[a-z]{2,3}(?:\.[a-z]{2})?|ya\.ru)$/;
/** Matches the hosts of Yandex's search, but not of its other products. */
export const YANDEX_SEARCH_HOST = /^(?:www\.)?(?:yandex\.[a-z]{2,3}(?:\.[a-z]{2})?|ya\.ru)$/;
const ADVERTISEMENT_HOST = /^(?:yabs|an|direct)\./;
/** Matches the paths of Yandex's searches for pages, images and products. */
const SEARCH_PATH = /(?:^|\/)search\/?$/;

export const YANDEX: PageRules = {
  links: {
    hosts: YANDEX_SEARCH_HOST,
    unwrap(link) {
      if (!isRedirect(link)) return null;
      return link.searchParams.get("url") ?? /\*((?:https?:)?\/\/.+)$/s.exec(link.href)?.[1] ?? null;
    },
    isRedirect,
    isSearch: ({ hostname, pathname, searchParams }) =>
      YANDEX_HOST.test(hostname) && SEARCH_PATH.test(pathname) && searchParams.has("text"),
    isAd: ({ hostname }) => YANDEX_HOST.test(hostname) && ADVERTISEMENT_HOST.test(hostname),
  },
  paging: { parameter: "p" },
  statedUrl: () => null,
  isHidden: toMatcher(".A11yHidden, .a11y-hidden, .organic__advLabel, .ExtendedText-Toggle"),
};

function isRedirect({ hostname, pathname }: URL): boolean {
  return YANDEX_HOST.test(hostname) && pathname.startsWith("/clck/");
}

const isItem = toMatcher(".serp-item, .b-serp-item");
/** Matches results on pages with random class names: children of the list, or elements with a number in `data-cid`. */
const isListed = toMatcher("#search-result > li, [data-cid]");
const isHeading: Matcher = ({ name }) => name === "h2" || name === "h3";
const isTitleLink = toMatcher("a.OrganicTitle-Link, a.organic__url, a.b-serp-item__title-link");
const TITLES = [
  ".OrganicResult-Title",
  ".OrganicTitle-LinkText",
  ".organic__url-text",
  ".organic__title",
  ".Organic-Title",
  ".TranslatedSnippet-TranslatedTitle",
  ".b-serp-item__title-link",
].map(toMatcher);
const SNIPPETS = [
  ".OrganicTextContentSpan",
  ".OrganicText",
  ".organic__text",
  ".ExtendedText-Full",
  ".TextContainer",
  ".text-container",
  ".b-serp-item__text",
].map(toMatcher);
/** Matches the whole text of a long snippet. The page also has a short one, and buttons to switch. */
const isWhole = toMatcher(".ExtendedText-Full, .extended-text__full");
const isToggle = toMatcher(".ExtendedText-Toggle, .extended-text__toggle");
/** Matches the label of an ad ("Реклама" or "Промо"), whose text is scrambled, by its class name. */
const isAdvertisement = toMatcher('[class*="AdvLabel"], [class*="advLabel"], [class*="abel_theme_direct"]');

/** Extracts the results from a page of Yandex. Never throws. */
export function readYandexPage(html: string, url: string, response: PageResponse = {}): ResultPage {
  const document = parseDocument(html);
  const page = openPage(document, elementsUnder(document), url, YANDEX);
  const titled = titleLinks(page);
  const named = namedItems(document);
  const items = (named.length > 0 ? named : listedBlocks(titled, MIN_LISTED)).slice(0, MAX_SERP_PAGE_RESULTS);
  const ads = new Map(
    items.flatMap((item) => (linkOf(item) && isAdvertised(page, item) ? [[item, readItem(item)]] : [])),
  );
  const results = readResults(
    items.filter((item) => !ads.has(item)),
    (item) => toResult(page, item),
  );
  const linksOf = (of: Iterable<Element>) => new Set([...of].flatMap((item) => linkOf(item) ?? []));
  const links = linksOf(results.keys());
  // Ads and other blocks have titles with links too.
  const others = linksOf(items).difference(links);
  const structural = new Set(titled.filter((link) => !page.isAdLink(link))).difference(others);
  const total = readTotal(page);
  return toResultPage(page, results, {
    total,
    emptyKind: () => classifyEmptyPage(page, total, response),
    readBlocks: (read) => readYandexBlocks({ ...read, isResult: (at) => read.isResult(at) || ads.has(at) }, ads),
    disagreement: compareWays(named.length > 0 ? links : new Set(), structural),
  });
}

/** On Yandex, only results and ads have a heading that links to another site. */
const MIN_LISTED = 2;

/** Returns the items of the list by their names: results, ads and other blocks. */
function namedItems(document: Document): Element[] {
  const marked = outermost(findAll(document, isItem));
  return marked.length > 0 ? marked : outermost(findAll(document, isListed));
}

function titleLinks({ document, isAdLink, targetOf }: OpenPage): Element[] {
  const titles = findAll(document, isHeading, MAX_SERP_PAGE_RESULTS).flatMap((heading) => linkIn(heading) ?? []);
  return titles.filter((link) => isAdLink(link) || targetOf(link));
}

/** Returns true for an item with a link or a label of an ad. */
function isAdvertised({ isAdLink }: OpenPage, item: Element): boolean {
  if (attribute(item, "data-fast-name") !== "") return false;
  return findAll(item, (at) => (isLink(at) && isAdLink(at)) || isAdvertisement(at), 1).length > 0;
}

/** Reads the title, the link and the snippet of a result or an ad. */
function readItem(item: Element): ReadItem | null {
  const link = linkOf(item);
  const title = link ? titleIn(item, link) : "";
  return link && title !== "" ? { title, link, snippet: snippetOf(item, link) } : null;
}

function toResult(page: OpenPage, item: Element): OrganicResult | null {
  const read = attribute(item, "data-fast-name") === "" ? readItem(item) : null;
  if (!read) return null;
  const sitelinks = (url: string) => sitelinksOf(page, item, { url, skip: isHiddenByAttribute });
  return toOrganic(page, read.link, { title: read.title, snippet: () => read.snippet, sitelinks });
}

function linkOf(item: Element): Element | null {
  const marked = findAll(item, isTitleLink, 1)[0];
  if (marked) return marked;
  for (const heading of findAll(item, isHeading)) {
    const link = linkIn(heading);
    if (link) return link;
  }
  return null;
}

/** Returns the title of a result. Mobile links also contain the path, so prefers the title's own element. */
function titleIn(item: Element, link: Element): string {
  const marked = firstText(item, TITLES, MAX_SERP_TITLE_CHARS, () => false);
  if (marked !== "") return marked;
  const heading = findAll(link, isHeading, 1)[0];
  return (
    (heading && titleOf(heading)) ||
    (linesOf(link, { maxChars: MAX_SERP_TITLE_CHARS, skip: isHiddenByAttribute })[0] ?? "")
  );
}

function snippetOf(item: Element, link: Element): string {
  const snippets = [isWhole, ...SNIPPETS];
  const marked = firstText(item, snippets, MAX_SERP_SNIPPET_CHARS, (at) => isToggle(at) || isButton(at));
  return marked || proseAfter(link, item);
}

const MAX_PAGE_TITLE_CHARS = MAX_SERP_TITLE_CHARS * 2;

/** Matches a line such as "Нашлось 20 млн результатов" or "20 milyon sonuç bulundu". */
const FOUND =
  /^(?:нашл(?:ось|ся|ась)|нашёлся|знайшлося|знойдзена|found)\s+\d|^\d.{0,40}(?:results? found|bulundu|табылды)$/iu;

/** Reads the total next to the results, or from the page's title: "query — Яндекс: нашлось 2 млн результатов". */
function readTotal(page: OpenPage): number | null {
  const { index } = page;
  const found = index.withClass("serp-adv__found")[0] ?? index.named("div").find((at) => FOUND.test(leafText(at)));
  if (found) return toScaledTotal(titleOf(found));
  const text = /: ([^:]*)$/.exec(pageTitle(page, MAX_PAGE_TITLE_CHARS))?.[1];
  return text === undefined ? null : NOTHING_FOUND.test(text) ? 0 : toScaledTotal(text);
}

const NOTHING_FOUND =
  /ничего не (?:нашлось|найдено|нашли)|нигде не встречается|nothing (?:was )?found|no results found|hiçbir (?:şey|sonuç) bul|sonuç bulunamadı|нічого не знайдено|нічога не знойдзена|ештеңе табылмады/iu;
const isEmpty = toMatcher(".EmptySearchResults, [class*='EmptySearchResults']");
const isMisspell = toMatcher(".misspell__message, .b-error-message, .message__text");
const isCaptcha = toMatcher(
  '.CheckboxCaptcha, .AdvancedCaptcha, .SmartCaptcha, #captcha-form, form[action*="checkcaptcha"], form[action*="showcaptcha"]',
);
/** Matches the link to the captcha's support page. The captcha's host shows this link to clients that it refuses. */
const isSupport = toMatcher('a[href*="/support/smart-captcha"]');
const BLOCK_PAGE_TITLE =
  /^(?:ой!?|oops!?|вы не робот\??|are you not a robot\??|verification|robot musunuz\??|400|403|429)$/iu;

function classifyEmptyPage(page: OpenPage, total: number | null, { status, headers }: PageResponse): EmptyPageKind {
  const { index, url } = page;
  const title = pageTitle(page, MAX_PAGE_TITLE_CHARS);
  const isBlocked =
    headers?.get("x-yandex-captcha") === "captcha" ||
    /^\/(?:show|check)captcha/.test(URL.parse(url)?.pathname ?? "") ||
    isRefusal(status) ||
    BLOCK_PAGE_TITLE.test(title) ||
    index.has((at) => isCaptcha(at) || isSupport(at));
  if (isBlocked) return "blocked";
  const isNotice: Matcher = (at) => isMisspell(at) && NOTHING_FOUND.test(textOf(at, MAX_SERP_SNIPPET_CHARS));
  const isNone = total === 0 || NOTHING_FOUND.test(title) || index.has((at) => isEmpty(at) || isNotice(at));
  return isNone ? "no_results" : "unknown";
}

/** Matches blocks by the name that Yandex gives them. */
function isBlock(...names: string[]): Matcher {
  return (element) => names.includes(attribute(element, "data-fast-name"));
}

const isPath = toMatcher(".Path, .path");
const isRelatedRegion = toMatcher('[role="complementary"], [class*="Related"], [class*="related"]');

/** The parts of a result or an ad. */
interface ReadItem {
  title: string;
  link: Element;
  snippet: string;
}

/** Extracts the parts of a page besides its organic results. */
function readYandexBlocks(page: EnginePage, ads: ReadonlyMap<Element, ReadItem | null>): FoundBlocks {
  const { index, isResult, ownUrl } = page;
  const isApart: Matcher = (at) => isResult(at) || isHiddenByAttribute(at);
  const isRelated: Matcher = (link) =>
    ![null, queryOf(page.url)].includes(searchQuery(page, link)) && !closest(link, isApart);
  const isPicture: Matcher = (link) => ownUrl(link)?.searchParams.has("img_url") === true && !closest(link, isResult);
  const links = index.named("a");
  const card = findCard(page);
  const spelling = readSpelling(page);
  const answer = index.elements.find(isBlock("neuro_answer"));
  const overview = answer && readOverview(page, answer);
  return {
    ...(overview && { ai_overview: overview }),
    ...(card && { knowledge_graph: card }),
    ...(spelling && { spelling }),
    related_searches: readRelated(page, links.filter(isRelated), isRelatedRegion),
    ads: readAds(page, ads.keys(), (item) => {
      const read = ads.get(item);
      return read ? { ...read, address: findAll(item, isPath, 1)[0], description: read.snippet } : null;
    }),
    images: readImages(page, links.filter(isPicture)),
    videos: readVideos(page, () => undefined),
    shopping: readProducts(page),
  };
}

/** Matches the paths of Yandex's searches for pages. */
const WEB_PATH = /^\/(?:search|search\/touch|search\/pad|yandsearch|touchsearch)\/?$/;

/** Returns the query of a link to the first page of a search, or null. */
function searchQuery({ ownUrl }: EnginePage, link: Element): string | null {
  const target = ownUrl(link);
  return target && WEB_PATH.test(target.pathname) && !target.searchParams.has("p") ? queryOf(target.href) : null;
}

function queryOf(url: string): string | null {
  return URL.parse(url)?.searchParams.get("text") ?? null;
}

const isResultList: Matcher = (at) => attribute(at, "id") === "search-result" || attribute(at, "role") === "main";

/** Finds the card of a company or a person in the column at the right. */
function findCard(page: EnginePage): FoundBlocks["knowledge_graph"] | null {
  const isEntity = isBlock("companies", "entity_search");
  const marked = page.index.elements.find((at) => isEntity(at) && headingIn(at) && !closest(at, isResultList));
  const at = marked ?? page.index.withClass("content__right").find(headingIn);
  const content = at ? readCard(page, at) : null;
  return at && content && (marked || content.facts.length > 0) ? { content, at } : null;
}

const QUOTED = /[«"“]([^«»"“”]+)[»"”]/gu;

/**
 * Reads the correction of the query. Yandex links the other spelling: the original one if the results are those of the
 * correction. In that case, the correction is in quotation marks, or in the links to other pages.
 */
function readSpelling(page: EnginePage): FoundBlocks["spelling"] | null {
  const { index, url, ownUrl } = page;
  const at = index.elements.find(isBlock("misspell")) ?? index.withClass("misspell", "misspell__message")[0];
  const link = at && linksIn(at).find((one) => searchQuery(page, one) !== null);
  const other = link ? searchQuery(page, link) : null;
  if (!at || !link || !other) return null;
  const applied = ownUrl(link)?.searchParams.has("noreask") === true || other === queryOf(url);
  if (!applied) return { content: compact({ corrected: other, original: queryOf(url), applied }), at };
  const quoted = [...textOf(at, MAX_SERP_TITLE_CHARS).matchAll(QUOTED)].map(([, text = ""]) => text);
  const pages = index.named("a").filter((one) => ownUrl(one)?.searchParams.has("p"));
  const others = pages.map((one) => queryOf(ownUrl(one)?.href ?? ""));
  const corrected = [...quoted, ...others].find((query) => query && query !== other);
  return corrected ? { content: { corrected, original: other, applied }, at } : null;
}
