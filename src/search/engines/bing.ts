import type { Document, Element } from "domhandler";
import { parseDocument } from "../../html/parse/document";
import { attribute, isElement } from "../../html/parse/dom";
import { MAX_SERP_PAGE_RESULTS, MAX_SERP_SNIPPET_CHARS, MAX_SERP_TITLE_CHARS } from "../../model/limits";
import { listedBlocks, proseAfter } from "../block";
import { findAll, firstText, isButton, linkIn, type Test, textOf, tidy, toTest } from "../dom";
import { type Answer, type Engine, emptyPage, type Organic, type Query, type ResultPage } from "../engine";
import { bingTarget } from "../links";
import { bingMarket } from "../locale";
import { distinct, nextLink } from "../page";
import { withoutDate } from "../snippet";
import { toTotal } from "../total";

const ORIGIN = "https://www.bing.com";
const RESULTS_A_PAGE = 10;

const isList = toTest("#b_results");
const isTitle: Test = ({ name }) => name === "h2";
const isResult = toTest("li.b_algo");
/** Answers, advertisements, notices and the pager, which the list holds as well. */
const isForeign = toTest("li.b_ad, li.b_ans, li.b_msg, li.b_pag, li.b_no, li.b_top, li.b_nwsAns");
/** "Including results for …", "Did you mean …" */
const isRequery = toTest("#sp_requery");
const SNIPPETS = [".b_caption p", 'p[class*="b_lineclamp"]', "p.b_paractl", ".b_snippet", ".b_caption"].map(toTest);
/** In a snippet: what says where the text is from, its address, and a list of the site's pages. */
const isNoText = toTest(".algoSlug_icon, .b_attribution, cite, .b_vlist2col, .b_deep, .b_factrow");

export const bing: Engine = {
  searchUrl(query: Query, page: number): string {
    const url = new URL("/search", ORIGIN);
    const { market, country, language } = bingMarket(query);
    const parameters = {
      q: query.text,
      mkt: market,
      cc: country,
      setlang: language,
      adlt: "off",
      // Without these, a later page repeats the first.
      first: page > 0 ? String(page * RESULTS_A_PAGE + 1) : undefined,
      FORM: page > 0 ? `PERE${page > 1 ? page - 1 : ""}` : undefined,
      pq: page > 0 ? query.text : undefined,
    };
    for (const [name, value] of Object.entries(parameters)) if (value) url.searchParams.set(name, value);
    return url.href;
  },

  readySelector: "#b_results > li, .captcha, #turnstile-widget, .cf-turnstile",

  readPage(html: string, url: string, { status }: Answer = {}): ResultPage {
    const document = parseDocument(html);
    const list = findAll(document, isList, 1)[0];
    const organic = distinct(toResults(document, list, url));
    const total = readTotal(document);
    if (organic.length > 0) {
      const next = nextLink(document, url, { parameter: "first", path: "/search", first: 1 });
      const isCorrected = findAll(document, isRequery, 1).length > 0;
      return { kind: "results", organic, total, next, ...(isCorrected && { isCorrected }) };
    }
    return emptyPage(kindWithout(document, list, status), total);
  },
};

function toResults(document: Document, list: Element | undefined, url: string): Organic[] {
  const items = list ? list.children.filter((child) => isElement(child)).filter(({ name }) => name === "li") : [];
  const marked = items.filter(isResult);
  return (marked.length > 0 ? marked : unmarkedItems(document, items, url))
    .slice(0, MAX_SERP_PAGE_RESULTS)
    .flatMap((item) => toResult(item, url) ?? []);
}

/** Where their class is another, results are the items with a title that leads away from the engine. */
function unmarkedItems(document: Document, items: readonly Element[], url: string): Element[] {
  const links = new Set(titleLinks(document, url));
  if (items.length === 0) return listedBlocks([...links]);
  return items.filter((item) => {
    const link = isForeign(item) ? undefined : linkOf(item)?.link;
    return link !== undefined && links.has(link);
  });
}

function titleLinks(document: Document, url: string): Element[] {
  const isAway = (link: Element) => {
    const target = bingTarget(attribute(link, "href"), url);
    return target !== null && URL.parse(target.url)?.hostname !== URL.parse(url)?.hostname;
  };
  return findAll(document, isTitle, MAX_SERP_PAGE_RESULTS).flatMap((title) => {
    const link = linkIn(title);
    return link && isAway(link) ? [link] : [];
  });
}

function toResult(item: Element, url: string): Organic | null {
  const found = linkOf(item);
  const target = found ? bingTarget(attribute(found.link, "href"), url) : null;
  if (!found || !target) return null;
  const title =
    textOf(found.title, MAX_SERP_TITLE_CHARS) || tidy(attribute(found.link, "aria-label"), MAX_SERP_TITLE_CHARS);
  if (title === "") return null;
  const snippet = snippetOf(item, found.link);
  return { title, ...target, snippet, description: withoutDate(snippet) };
}

/** The first title with a link. */
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

const isCount = toTest(".sb_count");

function readTotal(document: Document): number | null {
  const count = findAll(document, isCount, 1)[0];
  return count ? toTotal(textOf(count, MAX_SERP_TITLE_CHARS)) : null;
}

/** "There are no results for <query>", whatever the language and the class. */
const isNone = toTest("li.b_no, #b_results > li > h1 > strong");
const isCaptcha = toTest(
  '.captcha, .captcha_header, #turnstile-widget, [src*="challenges.cloudflare.com/turnstile"], .cf-turnstile, #b_captcha',
);

function kindWithout(document: Document, list: Element | undefined, status: number | undefined) {
  if (list && findAll(list, isNone, 1).length > 0) return "no_results";
  const isRefused = status === 429 || status === 403;
  return isRefused || findAll(document, isCaptcha, 1).length > 0 ? "blocked" : "unknown";
}
