import type { Document, Element } from "domhandler";
import { parseDocument } from "../../html/parse/document";
import { attribute, isBlock, isElement } from "../../html/parse/dom";
import { MAX_SERP_PAGE_RESULTS, MAX_SERP_SNIPPET_CHARS, MAX_SERP_TITLE_CHARS } from "../../model/limits";
import { listedBlocks, proseAfter } from "../block";
import { closest, findAll, firstText, isButton, linkIn, type Test, textOf, toTest } from "../dom";
import { type Answer, type Engine, emptyPage, type Organic, type Query, type ResultPage } from "../engine";
import { yandexTarget } from "../links";
import { yandexDomain, yandexLanguage, yandexRegion } from "../locale";
import { distinct, nextLink } from "../page";
import { withoutDate } from "../snippet";
import { toScaledTotal } from "../total";

const isItem = toTest(".serp-item, .b-serp-item");
/** Where classes are random: the list's own items, or whatever has a number in it. */
const isListed = toTest("#search-result > li, [data-cid]");
const isHeading: Test = ({ name }) => name === "h2" || name === "h3";
const isTitleLink = toTest("a.OrganicTitle-Link, a.organic__url, a.b-serp-item__title-link");
const TITLES = [
  ".Organic-Title",
  ".OrganicTitle-LinkText",
  ".organic__url-text",
  ".organic__title",
  ".TranslatedSnippet-TranslatedTitle",
  ".b-serp-item__title-link",
].map(toTest);
const SNIPPETS = [
  ".OrganicTextContentSpan",
  ".OrganicText",
  ".organic__text",
  ".ExtendedText-Full",
  ".TextContainer",
  ".text-container",
  ".b-serp-item__text",
].map(toTest);
/** A long text stands twice, cut and whole, each with a button to the other. */
const isWhole = toTest(".ExtendedText-Full, .extended-text__full");
const isToggle = toTest(".ExtendedText-Toggle, .extended-text__toggle");
/** "Реклама", "Промо": the words are scrambled, the marks' names are not. */
const isAdvertisement = toTest('[class*="AdvLabel"], [class*="advLabel"], [class*="abel_theme_direct"]');

export const yandex: Engine = {
  searchUrl(query: Query, page: number): string {
    const url = new URL("/search/", `https://${yandexDomain(query.place)}`);
    return withParameters(url, {
      text: query.text,
      lr: yandexRegion(query.place),
      lang: yandexLanguage(query),
      p: page > 0 ? String(page) : undefined,
    });
  },

  readySelector:
    '.serp-item, .b-serp-item, #search-result > li, .EmptySearchResults, .misspell__message, form[action*="checkcaptcha"], .CheckboxCaptcha',

  readPage(html: string, url: string, answer: Answer = {}): ResultPage {
    const document = parseDocument(html);
    const organic = distinct(toResults(document, url));
    const total = readTotal(document);
    if (organic.length > 0) {
      const next = nextLink(document, url, { parameter: "p", path: URL.parse(url)?.pathname.replace(/\/$/, "") ?? "" });
      return { kind: "results", organic, total, next };
    }
    return emptyPage(kindWithout(document, url, total, answer), total);
  },
};

/** Any number of seven digits is taken: it names no site, since the search is over the whole web. */
const LIGHT_SEARCH_ID = "2260018";

/** The light endpoint: the frame that sites show their own search in, over the whole web. It takes no place. */
export function lightUrl(query: Query, page: number): string {
  return withParameters(new URL("https://yandex.com/search/site/"), {
    text: query.text,
    web: "1",
    frame: "1",
    searchid: LIGHT_SEARCH_ID,
    tmpl_version: "releases",
    lang: yandexLanguage(query),
    p: String(page),
  });
}

function withParameters(url: URL, parameters: Readonly<Record<string, string | undefined>>): string {
  for (const [name, value] of Object.entries(parameters)) if (value) url.searchParams.set(name, value);
  return url.href;
}

function toResults(document: Document, url: string): Organic[] {
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

/** `elements` in document order, without those inside of others. */
function outermost(elements: readonly Element[]): Element[] {
  const taken = new Set<Element>();
  for (const element of elements)
    if (!isElement(element.parent) || !closest(element.parent, (at) => taken.has(at))) taken.add(element);
  return [...taken];
}

function toResult(item: Element, url: string): Organic | null {
  if (attribute(item, "data-fast-name") !== "" || findAll(item, isAdvertisement, 1).length > 0) return null;
  const link = linkOf(item);
  const target = link ? yandexTarget(attribute(link, "href"), url) : null;
  const title = link ? titleOf(item, link) : "";
  if (!link || !target || title === "") return null;
  const snippet = snippetOf(item, link);
  return { title, ...target, snippet, description: withoutDate(snippet) };
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

/** Never the whole link where it has a part of its own for the title: on mobile pages it holds the path as well. */
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

const isFound = toTest(".serp-adv__found");
const isPageTitle: Test = ({ name }) => name === "title";

/** Beside the results, or in the page's title: "query — Яндекс: нашлось 2 млн результатов". */
function readTotal(document: Document): number | null {
  const found = findAll(document, isFound, 1)[0];
  if (found) return toScaledTotal(textOf(found, MAX_SERP_TITLE_CHARS));
  const said = /: ([^:]*)$/.exec(pageTitle(document))?.[1];
  return said === undefined ? null : NOTHING_FOUND.test(said) ? 0 : toScaledTotal(said);
}

function pageTitle(document: Document): string {
  const title = findAll(document, isPageTitle, 1)[0];
  return title ? textOf(title, MAX_SERP_TITLE_CHARS * 2) : "";
}

const NOTHING_FOUND =
  /ничего не (?:нашлось|найдено|нашли)|нигде не встречается|nothing (?:was )?found|no results found|hiçbir (?:şey|sonuç) bul|sonuç bulunamadı|нічого не знайдено|нічога не знойдзена|ештеңе табылмады/iu;
const isEmpty = toTest(".EmptySearchResults, [class*='EmptySearchResults']");
const isMisspell = toTest(".misspell__message, .b-error-message, .message__text");
const isCaptcha = toTest(
  '.CheckboxCaptcha, .AdvancedCaptcha, .SmartCaptcha, #captcha-form, form[action*="checkcaptcha"], form[action*="showcaptcha"]',
);
/** A refusal of the captcha's own host. */
const isSupport = toTest('a[href*="/support/smart-captcha"]');
const WALL_TITLE =
  /^(?:ой!?|oops!?|вы не робот\??|are you not a robot\??|verification|robot musunuz\??|400|403|429)$/iu;

function kindWithout(document: Document, url: string, total: number | null, { status, headers }: Answer) {
  const isWall =
    headers?.get("x-yandex-captcha") === "captcha" ||
    /^\/(?:show|check)captcha/.test(URL.parse(url)?.pathname ?? "") ||
    status === 429 ||
    status === 403 ||
    WALL_TITLE.test(pageTitle(document)) ||
    findAll(document, (element) => isCaptcha(element) || isSupport(element), 1).length > 0;
  if (isWall) return "blocked";
  const isNone =
    total === 0 ||
    findAll(document, isEmpty, 1).length > 0 ||
    NOTHING_FOUND.test(pageTitle(document)) ||
    findAll(document, isMisspell).some((element) => NOTHING_FOUND.test(textOf(element, MAX_SERP_SNIPPET_CHARS)));
  return isNone ? "no_results" : "unknown";
}
