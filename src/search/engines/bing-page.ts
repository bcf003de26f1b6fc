import type { Document, Element } from "domhandler";
import { Parser } from "htmlparser2";
import { bodyOf, parseDocument } from "../../html/parse/document";
import { attribute, isElement } from "../../html/parse/dom";
import { fromBase64 } from "../../lib/crypto";
import {
  MAX_SERP_FEED_CHARS,
  MAX_SERP_PAGE_RESULTS,
  MAX_SERP_SNIPPET_CHARS,
  MAX_SERP_TITLE_CHARS,
} from "../../model/search-limits";
import { placeBlocks } from "../results/blocks";
import {
  closest,
  findAll,
  firstText,
  isBefore,
  isButton,
  isLink,
  linkIn,
  type Matcher,
  textOf,
  toMatcher,
} from "../results/dom";
import { type LinkTarget, nextLink, parseAddress, toLinkTarget, unwrapLink } from "../results/links";
import { distinct } from "../results/listing";
import { PageIndex } from "../results/page-index";
import { type EnginePage, headingIn, isNamed, leafText, sitelinksOf, toLinkReaders } from "../results/page-parts";
import { type EmptyPageKind, emptyPage, type OrganicResult, type ResultPage } from "../results/result-page";
import { compareWays, type Disagreement, listedBlocks, proseAfter } from "../results/structure";
import { tidy, toSnippet, toTotal } from "../results/texts";
import { readBingBlocks } from "./bing-blocks";
import type { PageResponse } from "./search-engine";

export const BING_RESULTS_PER_PAGE = 10;

export const BING_HOST = /(?:^|\.)bing\.com$/;
/** Matches the paths of the click addresses of ads. */
const AD_PATH = /^\/(?:aclk|aclick|alink)(?:\/|$)/;
/** Matches the paths of Bing's searches for pages, pictures, videos, news and products. */
const SEARCH_PATH = /^\/(?:[a-z]+\/)?search\/?$|^\/shop\/?$/;

/** Returns the target of a link on a Bing page. Returns null if the link is an ad. */
export function readBingLink(href: string, base: string): LinkTarget | null {
  const url = toUnwrapped(href, base);
  if (url === null || (BING_HOST.test(url.hostname) && AD_PATH.test(url.pathname))) return null;
  return toLinkTarget(url, { isWrapped: BING_HOST.test(url.hostname) && url.pathname === "/ck/a" });
}

function toUnwrapped(href: string, base: string): URL | null {
  return unwrapLink(href, base, (link) => {
    if (!BING_HOST.test(link.hostname) || link.pathname !== "/ck/a") return null;
    const encoded = link.searchParams.get("u") ?? "";
    return encoded.startsWith("a1") ? decodeTarget(encoded.slice(2)) : null;
  });
}

function decodeTarget(text: string): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(fromBase64(text));
  } catch {
    return null;
  }
}

const isList = toMatcher("#b_results");
const isTitle = isNamed("h2");
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
  const index = new PageIndex(document);
  const list = findList(index);
  const results = new Map<OrganicResult, Element>();
  const { found, disagreement } = resultItems(index, list, url);
  for (const item of found) {
    const result = toResult(item, url);
    if (result) results.set(result, item);
  }
  const organic = distinct([...results.keys()]);
  const total = readTotal(index, list);
  if (organic.length === 0) return emptyPage(classifyEmptyPage(index, status), total);
  const next = nextLink(document, url, { parameter: "first", path: "/search", first: 1 });
  const isCorrected = index.elements.some(isRequery);
  const items = organic.flatMap((result) => results.get(result) ?? []);
  const blocks = placeBlocks(document, readBingBlocks(toEnginePage(document, url, index, items)), items);
  const page: ResultPage = { kind: "results", organic, total, next, blocks };
  return { ...page, ...(isCorrected && { isCorrected }), ...(disagreement && { disagreement }) };
}

/** Matches elements that Bing hides by its style sheet. */
const isHidden = toMatcher(".b_hide, [role=tooltip], [role=dialog], .pa_hover");

function toEnginePage(document: Document, url: string, index: PageIndex, organic: Element[]): EnginePage {
  const results = new Set(organic);
  const isOwn = ({ hostname, pathname }: URL) => BING_HOST.test(hostname) && pathname !== "/ck/a";
  const toTarget = (href: string) => readBingLink(href, url);
  const readers = toLinkReaders((href) => toUnwrapped(href, url), { isOwn, toTarget });
  return {
    ...{ body: bodyOf(document), url, index, organic, isHidden },
    ...readers,
    isResult: (at) => results.has(at),
    isAdLink: (link) => AD_PATH.test(readers.ownUrl(link)?.pathname ?? ""),
    adUrl(link) {
      const click = readers.ownUrl(link);
      const target = new URLSearchParams(`u=${decodeTarget(click?.searchParams.get("u") ?? "")}`).get("u");
      return (parseAddress(target ?? "") ?? click)?.href ?? url;
    },
  };
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
  index: PageIndex,
  list: Element | undefined,
  url: string,
): { found: Element[]; disagreement: Disagreement | null } {
  const items = itemsOf(list);
  const marked = items.filter(isResult);
  const unmarked = unmarkedItems(index, items, url);
  return {
    found: (marked.length > 0 ? marked : unmarked).slice(0, MAX_SERP_PAGE_RESULTS),
    disagreement: compareWays(new Set(marked), new Set(unmarked)),
  };
}

/**
 * Finds results on pages with unknown class names: items with a title that doesn't link to another search. If most
 * items show an address, the others are answers.
 */
function unmarkedItems(index: PageIndex, items: readonly Element[], url: string): Element[] {
  const isTarget = (link: Element | undefined) => {
    const target = link && URL.parse(readBingLink(attribute(link, "href"), url)?.url ?? "");
    return target && !(BING_HOST.test(target.hostname) && SEARCH_PATH.test(target.pathname));
  };
  if (items.length > 0) {
    const listed = items.filter((item) => !isNotResult(item) && isTarget(linkOf(item)?.link));
    const withAddress = listed.filter((item) => findAll(item, isNamed("cite"), 1).length > 0);
    return withAddress.length > listed.length / 2 ? withAddress : listed;
  }
  const titles = index.named("h2").slice(0, MAX_SERP_PAGE_RESULTS);
  return listedBlocks(titles.flatMap((title) => linkIn(title) ?? []).filter(isTarget));
}

function toResult(item: Element, url: string): OrganicResult | null {
  const found = linkOf(item);
  const target = found ? readBingLink(attribute(found.link, "href"), url) : null;
  if (!found || !target) return null;
  const title =
    textOf(found.title, MAX_SERP_TITLE_CHARS) || tidy(attribute(found.link, "aria-label"), MAX_SERP_TITLE_CHARS);
  if (title === "") return null;
  const sitelinks = sitelinksOf(item, target.url, (link) => readSitelink(link, url), isHidden);
  return { title, ...target, ...toSnippet(snippetOf(item, found.link)), ...(sitelinks.length > 0 && { sitelinks }) };
}

function readSitelink(link: Element, url: string): string | null {
  const target = URL.parse(readBingLink(attribute(link, "href"), url)?.url ?? "");
  return target && !(BING_HOST.test(target.hostname) && target.searchParams.has("q")) ? target.href : null;
}

/** Returns the first title that has a link, and the link. Returns null if there is no such title. */
function linkOf(item: Element): { title: Element; link: Element } | null {
  for (const title of findAll(item, isTitle)) {
    const link = linkIn(title);
    if (link) return { title, link };
  }
  return null;
}

function snippetOf(item: Element, link: Element): string {
  const marked = firstText(item, SNIPPETS, MAX_SERP_SNIPPET_CHARS, (at) => isNoText(at) || isButton(at));
  return marked || proseAfter(link, item, MAX_SERP_SNIPPET_CHARS);
}

/** Matches a line such as "About 55,900,000 results" or "1-10 of 3,000 results". */
const COUNT = /^(?:\p{L}+\s)?\d[\d.,\s–-]*\p{L}+(?:\s\p{L}+){0,2}\s?(?:\d[\d.,\s]*\p{L}+)?$/u;

/** Reads the number of results. If the names are unknown, reads it from the first such line above the list. */
function readTotal(index: PageIndex, list: Element | undefined): number | null {
  const [marked] = index.withClass("sb_count");
  if (marked || !list || isList(list)) return marked ? toTotal(textOf(marked, MAX_SERP_TITLE_CHARS)) : null;
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
  if (index.elements.some(isNone)) return "no_results";
  const isRefused = status === 429 || status === 403;
  return isRefused || index.elements.some(isCaptcha) ? "blocked" : "unknown";
}

const TEXT_ELEMENTS: ReadonlySet<string> = new Set(["title", "link", "description"]);

/**
 * Extracts the results from a page of Bing's feed. The feed doesn't link its next page, so `next` is computed for every
 * page with items. A feed without items is `unknown`, because it doesn't say why it is empty. Never throws.
 */
export function readBingFeed(xml: string, url: string): ResultPage {
  const organic = distinct(
    feedItems(xml).flatMap((item) => {
      const target = readBingLink(item.link ?? "", url);
      const title = tidy(item.title ?? "", MAX_SERP_TITLE_CHARS);
      if (!target || !item.link || title === "") return [];
      const snippet = tidy(item.description ?? "", MAX_SERP_SNIPPET_CHARS);
      return [{ title, ...target, ...toSnippet(snippet) } satisfies OrganicResult];
    }),
  );
  return organic.length > 0 ? { kind: "results", organic, total: null, next: nextFeedUrl(url) } : emptyPage("unknown");
}

function nextFeedUrl(url: string): string | null {
  const next = URL.parse(url);
  next?.searchParams.set("first", String(Number(next.searchParams.get("first") ?? 1) + BING_RESULTS_PER_PAGE));
  return next?.href ?? null;
}

type FeedItem = Partial<Record<string, string>>;

function feedItems(xml: string): FeedItem[] {
  const items: FeedItem[] = [];
  let [item, name]: [FeedItem | null, string] = [null, ""];
  const parser = new Parser(
    {
      onopentag(tag) {
        if (tag === "item") item = {};
        name = TEXT_ELEMENTS.has(tag) ? tag : "";
      },
      ontext(text) {
        if (item && name !== "") item[name] = (item[name] ?? "") + text;
      },
      onclosetag(tag) {
        name = "";
        if (tag === "item" && item && items.length < MAX_SERP_PAGE_RESULTS) items.push(item);
        if (tag === "item") item = null;
      },
    },
    { xmlMode: true },
  );
  // Truncates the feed, because the parser's time grows with the square of the nesting depth.
  parser.end(xml.slice(0, MAX_SERP_FEED_CHARS));
  return items;
}
