import type { Document, Element } from "domhandler";
import { parseDocument } from "../../html/parse/document";
import { attribute, elementsUnder } from "../../html/parse/dom";
import { parseJson } from "../../lib/json";
import { MAX_SERP_PAGE_RESULTS } from "../../model/search-limits";
import { findAds } from "../results/ads";
import { DeclaredResult, toDeclared } from "../results/declared";
import { closest, findAll, linkIn, shownElements } from "../results/dom";
import { piecesOf, proseAfter, titleOf } from "../results/element-text";
import { type OpenPage, openPage } from "../results/engine-page";
import { nextLink, siteOf } from "../results/links";
import { distinct } from "../results/listing";
import { toMatcher } from "../results/matchers";
import { readMeta } from "../results/page-parts";
import { emptyPage, type OrganicResult, type ResultPage } from "../results/result-page";
import { blocksOf } from "../results/structure";
import { toSnippet } from "../results/texts";
import type { OtherType, PageResponse, SearchEngine } from "./search-engine";

/** The fields of a result as the page declares them. */
type Declared = { [Name in keyof DeclaredResult]?: unknown };

const MAX_JSON_DEPTH = 12;
const isTitle = toMatcher('h2, h3, [role="heading"]');
/** Matches regions of ads and questions. Their titles can have links to other sites too. */
const isNotResult = toMatcher(".related-question-pair, [data-initq], [data-q], #tads, #tadsb, #bottomads");
const isAd = toMatcher("[data-text-ad], .b_ad");
const isImage = toMatcher("img");

/**
 * Extracts the results from a page of news, images or videos. Results are found by the data that the page declares in
 * attributes, and otherwise by headings with links to other sites. Pictures are found only by declared data, because
 * their headings don't differ from those of web results. Never throws.
 */
export function readTypedPage(
  engine: SearchEngine,
  html: string,
  { type, url, ...response }: PageResponse & { type: OtherType; url: string },
): ResultPage {
  const document = parseDocument(html);
  const page = openPage(document, shownElements(document), url, engine.page);
  const declared = declaredResults(document).flatMap((item) => toListed(item, engine, url) ?? []);
  const isDeclared = type === "images" || declared.length > 0;
  const organic = distinct(isDeclared ? declared : titledResults(engine, page));
  if (organic.length === 0) {
    const { kind } = engine.readPage(html, url, response);
    return emptyPage(kind === "results" ? "unknown" : kind);
  }
  return { kind: "results", organic, total: null, next: nextLink(document, url, engine.page.paging) };
}

function declaredResults(document: Document): Declared[] {
  const found: Declared[] = [];
  for (const element of elementsUnder(document)) {
    if (found.length >= MAX_SERP_PAGE_RESULTS) break;
    const { attribs } = element;
    const page = attribs["data-lpage"];
    const card = attribs["data-url"] ?? attribs.url;
    if (page) found.push({ link: page, title: attribute(findAll(element, isImage, 1)[0] ?? element, "alt") });
    else if (card && attribs["data-title"])
      found.push({ link: card, title: attribs["data-title"], source: attribs["data-author"] });
    for (const value of Object.values(attribs)) if (value.startsWith("{")) collect(parseJson(value), found);
  }
  return found.slice(0, MAX_SERP_PAGE_RESULTS);
}

/** Adds the objects that describe a result: pictures and videos of Bing, and the entries of Yandex. */
function collect(value: unknown, found: Declared[], depth = 0): void {
  if (typeof value !== "object" || value === null || depth > MAX_JSON_DEPTH) return;
  if (found.length >= MAX_SERP_PAGE_RESULTS) return;
  const { purl, turl, t, murl, vt, du, snippet, thumb } = value as Record<string, unknown>;
  if (typeof purl === "string") found.push({ link: purl, title: t, thumbnail: turl });
  else if (typeof murl === "string" && typeof vt === "string") found.push({ link: murl, title: vt, duration: du });
  else if (typeof snippet === "object" && snippet !== null && "url" in snippet) {
    const { url: link, title, domain } = snippet as Record<string, unknown>;
    found.push({ link, title, source: domain, thumbnail: (thumb as { url?: unknown } | undefined)?.url });
  } else for (const member of Object.values(value)) collect(member, found, depth + 1);
}

function toListed(item: Declared, { page }: SearchEngine, base: string): OrganicResult | null {
  const fields = DeclaredResult.parse(item);
  const title = fields.title.replace(/<[^<>]*>/g, "");
  const result = toDeclared({ ...fields, title }, page.links, base);
  return result && { ...result, extra: { ...result.extra, source: fields.source || siteOf(result.url) } };
}

function titledResults({ hosts }: SearchEngine, page: OpenPage): OrganicResult[] {
  const titles = new Map<Element, Element>();
  for (const title of page.index.elements.filter(isTitle).slice(0, MAX_SERP_PAGE_RESULTS)) {
    const link = linkIn(title);
    if (link && !titles.has(link) && !closest(link, isNotResult)) titles.set(link, title);
  }
  const ads = findAds(page, new Set(titles.keys()), isAd);
  const blocks = blocksOf([...titles.keys()]);
  return [...titles].flatMap(([link, heading]) => {
    const target = ads.has(link) ? null : page.targetOf(link);
    const title = titleOf(heading);
    if (target === null || title === "" || (hosts.test(siteOf(target.url)) && !target.unresolved)) return [];
    const block = blocks.get(link) ?? link;
    const lines = piecesOf(block);
    const { source = siteOf(target.url), date, duration } = readMeta(lines.filter((line) => !title.startsWith(line)));
    return [
      {
        title,
        ...target,
        ...toSnippet(proseAfter(link, block)),
        ...(date && { date }),
        extra: { source, ...(duration && { duration }) },
      },
    ];
  });
}
