import type { Document, Element } from "domhandler";
import { Parser } from "htmlparser2";
import { parseDocument } from "../../html/parse/document";
import { attribute, isElement } from "../../html/parse/dom";
import { fromBase64 } from "../../lib/crypto";
import {
  MAX_SERP_FEED_CHARS,
  MAX_SERP_PAGE_RESULTS,
  MAX_SERP_SNIPPET_CHARS,
  MAX_SERP_TITLE_CHARS,
} from "../../model/search-limits";
import { findAll, firstText, isButton, linkIn, type Matcher, textOf, toMatcher } from "../results/dom";
import { type LinkTarget, nextLink, toLinkTarget, unwrapLink } from "../results/links";
import { distinct } from "../results/listing";
import { type EmptyPageKind, emptyPage, type OrganicResult, type ResultPage } from "../results/result-page";
import { listedBlocks, proseAfter } from "../results/structure";
import { tidy, toSnippet, toTotal } from "../results/texts";
import type { PageResponse } from "./search-engine";

export const BING_RESULTS_PER_PAGE = 10;

export const BING_HOST = /(?:^|\.)bing\.com$/;
const ADVERTISEMENT_PATH = /^\/(?:aclk|aclick|alink)(?:\/|$)/;

/** Returns the target of a link on a Bing page. Returns null if the link is an ad. */
export function readBingLink(href: string, base: string): LinkTarget | null {
  const url = unwrapLink(href, base, (link) => {
    if (!BING_HOST.test(link.hostname) || link.pathname !== "/ck/a") return null;
    const encoded = link.searchParams.get("u") ?? "";
    return encoded.startsWith("a1") ? decodeTarget(encoded.slice(2)) : null;
  });
  if (url === null || (BING_HOST.test(url.hostname) && ADVERTISEMENT_PATH.test(url.pathname))) return null;
  return toLinkTarget(url, { isWrapped: BING_HOST.test(url.hostname) && url.pathname === "/ck/a" });
}

function decodeTarget(text: string): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(fromBase64(text));
  } catch {
    return null;
  }
}

const isList = toMatcher("#b_results");
const isTitle: Matcher = ({ name }) => name === "h2";
const isResult = toMatcher("li.b_algo");
/** Matches items of the list that are not results: answers, ads, notices and the pager. */
const isNotResult = toMatcher("li.b_ad, li.b_ans, li.b_msg, li.b_pag, li.b_no, li.b_top, li.b_nwsAns");
/** Matches the notice "Including results for …" or "Did you mean …". */
const isRequery = toMatcher("#sp_requery");
const SNIPPETS = [".b_caption p", 'p[class*="b_lineclamp"]', "p.b_paractl", ".b_snippet", ".b_caption"].map(toMatcher);
/** Matches parts of a snippet that are not its text: the site's name, its address and links to its pages. */
const isNoText = toMatcher(".algoSlug_icon, .b_attribution, cite, .b_vlist2col, .b_deep, .b_factrow");

/** Extracts the results from a page of Bing. Never throws. */
export function readBingPage(html: string, url: string, { status }: PageResponse = {}): ResultPage {
  const document = parseDocument(html);
  const list = findAll(document, isList, 1)[0];
  const organic = distinct(toResults(document, list, url));
  const total = readTotal(document);
  if (organic.length > 0) {
    const next = nextLink(document, url, { parameter: "first", path: "/search", first: 1 });
    const isCorrected = findAll(document, isRequery, 1).length > 0;
    return { kind: "results", organic, total, next, ...(isCorrected && { isCorrected }) };
  }
  return emptyPage(classifyEmptyPage(document, list, status), total);
}

function toResults(document: Document, list: Element | undefined, url: string): OrganicResult[] {
  const items = list ? list.children.filter((child) => isElement(child)).filter(({ name }) => name === "li") : [];
  const marked = items.filter(isResult);
  return (marked.length > 0 ? marked : unmarkedItems(document, items, url))
    .slice(0, MAX_SERP_PAGE_RESULTS)
    .flatMap((item) => toResult(item, url) ?? []);
}

/** Finds results on pages with unknown class names: items with a title that links to another site. */
function unmarkedItems(document: Document, items: readonly Element[], url: string): Element[] {
  const links = new Set(titleLinks(document, url));
  if (items.length === 0) return listedBlocks([...links]);
  return items.filter((item) => {
    const link = isNotResult(item) ? undefined : linkOf(item)?.link;
    return link !== undefined && links.has(link);
  });
}

function titleLinks(document: Document, url: string): Element[] {
  const isAway = (link: Element) => {
    const target = readBingLink(attribute(link, "href"), url);
    return target !== null && URL.parse(target.url)?.hostname !== URL.parse(url)?.hostname;
  };
  return findAll(document, isTitle, MAX_SERP_PAGE_RESULTS).flatMap((title) => {
    const link = linkIn(title);
    return link && isAway(link) ? [link] : [];
  });
}

function toResult(item: Element, url: string): OrganicResult | null {
  const found = linkOf(item);
  const target = found ? readBingLink(attribute(found.link, "href"), url) : null;
  if (!found || !target) return null;
  const title =
    textOf(found.title, MAX_SERP_TITLE_CHARS) || tidy(attribute(found.link, "aria-label"), MAX_SERP_TITLE_CHARS);
  if (title === "") return null;
  const snippet = snippetOf(item, found.link);
  return { title, ...target, ...toSnippet(snippet) };
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

const isCount = toMatcher(".sb_count");

function readTotal(document: Document): number | null {
  const count = findAll(document, isCount, 1)[0];
  return count ? toTotal(textOf(count, MAX_SERP_TITLE_CHARS)) : null;
}

/** Matches the notice "There are no results for <query>" in any language, even if its class names are unknown. */
const isNone = toMatcher("li.b_no, #b_results > li > h1 > strong");
const isCaptcha = toMatcher(
  '.captcha, .captcha_header, #turnstile-widget, [src*="challenges.cloudflare.com/turnstile"], .cf-turnstile, #b_captcha',
);

function classifyEmptyPage(document: Document, list: Element | undefined, status: number | undefined): EmptyPageKind {
  if (list && findAll(list, isNone, 1).length > 0) return "no_results";
  const isRefused = status === 429 || status === 403;
  return isRefused || findAll(document, isCaptcha, 1).length > 0 ? "blocked" : "unknown";
}

const TEXT_ELEMENTS: ReadonlySet<string> = new Set(["title", "link", "description"]);

/**
 * Extracts the results from a page of Bing's feed. The feed doesn't link its next page, so `next` is computed for every
 * page with items. A feed without items is `unknown`, because it doesn't say why it is empty. Never throws.
 */
export function readBingFeed(xml: string, url: string): ResultPage {
  const organic = distinct(
    itemsOf(xml).flatMap((item) => {
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

function itemsOf(xml: string): FeedItem[] {
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
