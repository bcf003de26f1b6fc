import type { Document, Element } from "domhandler";
import { parseDocument } from "../../html/parse/document";
import { attribute, isBlock, isElement } from "../../html/parse/dom";
import { MAX_SERP_PAGE_RESULTS, MAX_SERP_SNIPPET_CHARS, MAX_SERP_TITLE_CHARS } from "../../model/search-limits";
import { closest, findAll, firstText, isButton, linkIn, type Matcher, textOf, toMatcher } from "../results/dom";
import { type LinkTarget, nextLink, toLinkTarget, unwrapLink } from "../results/links";
import { distinct } from "../results/listing";
import { type EmptyPageKind, emptyPage, type OrganicResult, type ResultPage } from "../results/result-page";
import { listedBlocks, proseAfter } from "../results/structure";
import { toScaledTotal, toSnippet } from "../results/texts";
import type { PageResponse } from "./search-engine";

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
  const organic = distinct(toResults(document, url));
  const total = readTotal(document);
  if (organic.length > 0) {
    const next = nextLink(document, url, { parameter: "p", path: URL.parse(url)?.pathname.replace(/\/$/, "") ?? "" });
    return { kind: "results", organic, total, next };
  }
  return emptyPage(classifyEmptyPage(document, url, total, response), total);
}

function toResults(document: Document, url: string): OrganicResult[] {
  const marked = outermost(findAll(document, isItem));
  const listed = marked.length > 0 ? marked : outermost(findAll(document, isListed));
  const items = listed.length > 0 ? listed : listedBlocks(titleLinks(document));
  return items.slice(0, MAX_SERP_PAGE_RESULTS).flatMap((item) => toResult(item, url) ?? []);
}

function titleLinks(document: Document): Element[] {
  return findAll(document, isHeading, MAX_SERP_PAGE_RESULTS).flatMap((heading) => {
    const link = linkIn(heading);
    return link ? [link] : [];
  });
}

/** Returns the elements that are not inside another element of the list, in document order. */
function outermost(elements: readonly Element[]): Element[] {
  const taken = new Set<Element>();
  for (const element of elements)
    if (!isElement(element.parent) || !closest(element.parent, (at) => taken.has(at))) taken.add(element);
  return [...taken];
}

function toResult(item: Element, url: string): OrganicResult | null {
  if (attribute(item, "data-fast-name") !== "" || findAll(item, isAdvertisement, 1).length > 0) return null;
  const link = linkOf(item);
  const target = link ? readYandexLink(attribute(link, "href"), url) : null;
  const title = link ? titleOf(item, link) : "";
  if (!link || !target || title === "") return null;
  const snippet = snippetOf(item, link);
  return { title, ...target, ...toSnippet(snippet) };
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
  const parts = [...findAll(link, isHeading, 1), ...link.children.filter((child) => isElement(child)).filter(isBlock)];
  const texts = [...parts, link].map((part) => textOf(part, MAX_SERP_TITLE_CHARS));
  return texts.find((text) => text !== "") ?? "";
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

const isFound = toMatcher(".serp-adv__found");
const isPageTitle: Matcher = ({ name }) => name === "title";

/** Reads the total next to the results, or from the page's title: "query — Яндекс: нашлось 2 млн результатов". */
function readTotal(document: Document): number | null {
  const found = findAll(document, isFound, 1)[0];
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
