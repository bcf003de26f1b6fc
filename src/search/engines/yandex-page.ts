import type { Document, Element } from "domhandler";
import { bodyOf, parseDocument } from "../../html/parse/document";
import { attribute } from "../../html/parse/dom";
import { MAX_SERP_PAGE_RESULTS, MAX_SERP_SNIPPET_CHARS, MAX_SERP_TITLE_CHARS } from "../../model/search-limits";
import { placeBlocks } from "../results/blocks";
import { findAll, firstText, isButton, isLink, linkIn, type Matcher, textOf, toMatcher } from "../results/dom";
import { type LinkTarget, nextLink, parseAddress, toLinkTarget, unwrapLink } from "../results/links";
import { distinct } from "../results/listing";
import { PageIndex } from "../results/page-index";
import { isHiddenByAttribute, leafText, outermost, sitelinksOf, toLinkReaders } from "../results/page-parts";
import { type EmptyPageKind, emptyPage, type OrganicResult, type ResultPage } from "../results/result-page";
import { compareWays, linesOf, listedBlocks, proseAfter } from "../results/structure";
import { toScaledTotal, toSnippet } from "../results/texts";
import type { PageResponse } from "./search-engine";
import { readYandexBlocks, type YandexPage } from "./yandex-blocks";

export const YANDEX_HOST = /(?:^|\.)(?:yandex\.[a-z]{2,3}(?:\.[a-z]{2})?|ya\.ru)$/;
const ADVERTISEMENT_HOST = /^(?:yabs|an|direct)\./;
/** Matches the paths of Yandex's searches for pages, images and products. */
const SEARCH_PATH = /(?:^|\/)search\/?$/;

/** Returns the target of a link on a Yandex page. Returns null if the link is an ad or leads back to the search. */
export function readYandexLink(href: string, base: string): LinkTarget | null {
  const url = unwrapLink(href, base, (link) => {
    if (!YANDEX_HOST.test(link.hostname) || !link.pathname.startsWith("/clck/")) return null;
    return link.searchParams.get("url") ?? /\*((?:https?:)?\/\/.+)$/s.exec(link.href)?.[1] ?? null;
  });
  if (url === null) return null;
  if (!YANDEX_HOST.test(url.hostname)) return toLinkTarget(url, { isWrapped: false });
  const isSearch = SEARCH_PATH.test(url.pathname) && url.searchParams.has("text");
  if (ADVERTISEMENT_HOST.test(url.hostname) || isSearch) return null;
  return toLinkTarget(url, { isWrapped: url.pathname.startsWith("/clck/") });
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
  const index = new PageIndex(document);
  const titled = titleLinks(document, url);
  const named = namedItems(document);
  const items = (named.length > 0 ? named : listedBlocks(titled, MIN_LISTED)).slice(0, MAX_SERP_PAGE_RESULTS);
  const isAd = new Set(items.filter((item) => linkOf(item) && isAdvertised(item)));
  const results = new Map<OrganicResult, Element>();
  for (const item of items) {
    const result = isAd.has(item) ? null : toResult(item, url);
    if (result) results.set(result, item);
  }
  const organic = distinct([...results.keys()]);
  const total = readTotal(document, index);
  if (organic.length === 0) return emptyPage(classifyEmptyPage(document, url, total, response), total);
  const next = nextLink(document, url, { parameter: "p", path: URL.parse(url)?.pathname.replace(/\/$/, "") ?? "" });
  const elements = organic.flatMap((result) => results.get(result) ?? []);
  const found = readYandexBlocks(toYandexPage(document, url, { index, organic: elements, ads: [...isAd] }));
  const linksOf = (of: Iterable<Element>) => new Set([...of].flatMap((item) => linkOf(item) ?? []));
  const links = linksOf(results.values());
  // Ads and other blocks have titles with links too.
  const others = linksOf(items).difference(links);
  const structural = new Set(titled.filter((link) => !isAdLink(link))).difference(others);
  const disagreement = compareWays(named.length > 0 ? links : new Set(), structural);
  const page: ResultPage = { kind: "results", organic, total, next, blocks: placeBlocks(document, found, elements) };
  return { ...page, ...(disagreement && { disagreement }) };
}

/** Matches the hosts of Yandex's search, but not of its other products. */
const SEARCH_HOST = /^(?:www\.)?(?:yandex\.[a-z]{2,3}(?:\.[a-z]{2})?|ya\.ru)$/;
/** Matches links of ads. */
const isAdLink: Matcher = (link) => /^(?:https?:)?\/\/(?:yabs|an|direct)\./.test(attribute(link, "href"));
/** Matches texts for screen readers, labels of ads and buttons. */
const isHidden = toMatcher(".A11yHidden, .a11y-hidden, .organic__advLabel, .ExtendedText-Toggle");

function toYandexPage(
  document: Document,
  url: string,
  parts: Pick<YandexPage, "index" | "organic" | "ads">,
): YandexPage {
  const results = new Set([...parts.organic, ...parts.ads]);
  const isOwn = ({ hostname }: URL) => SEARCH_HOST.test(hostname);
  const toTarget = (href: string) => readYandexLink(href, url);
  return {
    ...{ body: bodyOf(document), url, isHidden, isAdLink, readItem, ...parts },
    ...toLinkReaders((href) => URL.parse(href, url), { isOwn, toTarget }),
    isResult: (at) => results.has(at),
    adUrl: (link) => parseAddress(attribute(link, "href"), url)?.href ?? url,
  };
}

/** On Yandex, only results and ads have a heading that links to another site. */
const MIN_LISTED = 2;

/** Returns the items of the list by their names: results, ads and other blocks. */
function namedItems(document: Document): Element[] {
  const marked = outermost(findAll(document, isItem));
  return marked.length > 0 ? marked : outermost(findAll(document, isListed));
}

function titleLinks(document: Document, url: string): Element[] {
  return findAll(document, isHeading, MAX_SERP_PAGE_RESULTS).flatMap((heading) => {
    const link = linkIn(heading);
    return link && (isAdLink(link) || readYandexLink(attribute(link, "href"), url)) ? [link] : [];
  });
}

/** Returns true for an item with a link or a label of an ad. */
function isAdvertised(item: Element): boolean {
  if (attribute(item, "data-fast-name") !== "") return false;
  return findAll(item, (at) => (isLink(at) && isAdLink(at)) || isAdvertisement(at), 1).length > 0;
}

function readItem(item: Element): { title: string; link: Element; snippet: string } | null {
  const link = linkOf(item);
  const title = link ? titleOf(item, link) : "";
  return link && title !== "" ? { title, link, snippet: snippetOf(item, link) } : null;
}

function toResult(item: Element, url: string): OrganicResult | null {
  const read = attribute(item, "data-fast-name") === "" ? readItem(item) : null;
  const target = read ? readYandexLink(attribute(read.link, "href"), url) : null;
  if (!read || !target) return null;
  const readSitelink = (link: Element) => readYandexLink(attribute(link, "href"), url)?.url ?? null;
  const sitelinks = sitelinksOf(item, target.url, readSitelink, isHiddenByAttribute);
  return { title: read.title, ...target, ...toSnippet(read.snippet), ...(sitelinks.length > 0 && { sitelinks }) };
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
function titleOf(item: Element, link: Element): string {
  const marked = firstText(item, TITLES, MAX_SERP_TITLE_CHARS, () => false);
  if (marked !== "") return marked;
  const heading = findAll(link, isHeading, 1)[0];
  const title = heading ? textOf(heading, MAX_SERP_TITLE_CHARS) : "";
  return title || (linesOf(link, { maxChars: MAX_SERP_TITLE_CHARS, skip: isHiddenByAttribute })[0] ?? "");
}

function snippetOf(item: Element, link: Element): string {
  for (const isSnippet of SNIPPETS) {
    const element = findAll(item, isSnippet, 1)[0];
    if (!element) continue;
    const whole = findAll(element, isWhole, 1)[0] ?? element;
    const text = textOf(whole, MAX_SERP_SNIPPET_CHARS, (at) => isToggle(at) || isButton(at));
    if (text !== "") return text;
  }
  return proseAfter(link, item, MAX_SERP_SNIPPET_CHARS);
}

const isPageTitle: Matcher = ({ name }) => name === "title";

/** Matches a line such as "Нашлось 20 млн результатов" or "20 milyon sonuç bulundu". */
const FOUND =
  /^(?:нашл(?:ось|ся|ась)|нашёлся|знайшлося|знойдзена|found)\s+\d|^\d.{0,40}(?:results? found|bulundu|табылды)$/iu;

/** Reads the total next to the results, or from the page's title: "query — Яндекс: нашлось 2 млн результатов". */
function readTotal(document: Document, index: PageIndex): number | null {
  const found = index.withClass("serp-adv__found")[0] ?? index.named("div").find((at) => FOUND.test(leafText(at)));
  if (found) return toScaledTotal(textOf(found, MAX_SERP_TITLE_CHARS));
  const text = /: ([^:]*)$/.exec(pageTitle(document))?.[1];
  return text === undefined ? null : NOTHING_FOUND.test(text) ? 0 : toScaledTotal(text);
}

function pageTitle(document: Document): string {
  const title = findAll(document, isPageTitle, 1)[0];
  return title ? textOf(title, MAX_SERP_TITLE_CHARS * 2) : "";
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

function classifyEmptyPage(
  document: Document,
  url: string,
  total: number | null,
  { status, headers }: PageResponse,
): EmptyPageKind {
  const isBlocked =
    headers?.get("x-yandex-captcha") === "captcha" ||
    /^\/(?:show|check)captcha/.test(URL.parse(url)?.pathname ?? "") ||
    status === 429 ||
    status === 403 ||
    BLOCK_PAGE_TITLE.test(pageTitle(document)) ||
    findAll(document, (element) => isCaptcha(element) || isSupport(element), 1).length > 0;
  if (isBlocked) return "blocked";
  const isNone =
    total === 0 ||
    findAll(document, isEmpty, 1).length > 0 ||
    NOTHING_FOUND.test(pageTitle(document)) ||
    findAll(document, isMisspell).some((element) => NOTHING_FOUND.test(textOf(element, MAX_SERP_SNIPPET_CHARS)));
  return isNone ? "no_results" : "unknown";
}
