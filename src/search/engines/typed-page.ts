import { type Document, type Element, isText } from "domhandler";
import { parseDocument } from "../../html/parse/document";
import { attribute, elementsUnder } from "../../html/parse/dom";
import { parseJson } from "../../lib/json";
import { MAX_SERP_PAGE_RESULTS, MAX_SERP_SNIPPET_CHARS, MAX_SERP_TITLE_CHARS } from "../../model/search-limits";
import { type AdSigns, findAds } from "../results/ads";
import { closest, findAll, isLink, linkIn, textOf, toMatcher } from "../results/dom";
import { nextLink, parseAddress } from "../results/links";
import { distinct } from "../results/listing";
import { shownElements } from "../results/page-parts";
import { emptyPage, type OrganicResult, type ResultPage } from "../results/result-page";
import { blocksOf, proseAfter } from "../results/structure";
import { isDate, tidy, toSnippet } from "../results/texts";
import type { OtherType, PageResponse, SearchEngine } from "./search-engine";

/** The fields of a result as the page declares them. */
type Declared = Partial<Record<"title" | "url" | "source" | "duration" | "thumbnail", unknown>>;

const MAX_SOURCE_CHARS = 60;
/** The number of elements of a result that are searched for its date, source and duration. */
const MAX_BLOCK_ELEMENTS = 100;
const MAX_JSON_DEPTH = 12;
const isTitle = toMatcher('h2, h3, [role="heading"]');
/** Matches regions of ads and questions. Their titles can have links to other sites too. */
const isNotResult = toMatcher(".related-question-pair, [data-initq], [data-q], #tads, #tadsb, #bottomads");
const AD_SIGNS: AdSigns = {
  isAd: toMatcher("[data-text-ad], .b_ad"),
  isAdLink: (at) => isLink(at) && AD_ADDRESS.test(attribute(at, "href").slice(0, MAX_AD_ADDRESS_CHARS)),
};
/** Matches the start of the click addresses of ads. */
const AD_ADDRESS = /\/(?:aclk|aclick)\?|\/\/(?:www\.googleadservices\.com|(?:yabs|an)\.yandex\.[a-z.]+)\//;
const MAX_AD_ADDRESS_CHARS = 100;
const isImage = toMatcher("img");
const isDuration = (text: string) => /^\d{1,3}(?::\d\d){1,2}$/.test(text);

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
  const declared = declaredResults(document).flatMap((item) => toDeclaredResult(engine, item, url) ?? []);
  const isDeclared = type === "images" || declared.length > 0;
  const organic = distinct(isDeclared ? declared : titledResults(engine, document, url));
  if (organic.length === 0) {
    const { kind } = engine.readPage(html, url, response);
    return emptyPage(kind === "results" ? "unknown" : kind);
  }
  const path = URL.parse(url)?.pathname.replace(/\/$/, "") ?? "";
  return { kind: "results", organic, total: null, next: nextLink(document, url, { ...engine.paging, path }) };
}

function declaredResults(document: Document): Declared[] {
  const found: Declared[] = [];
  for (const element of elementsUnder(document)) {
    if (found.length >= MAX_SERP_PAGE_RESULTS) break;
    const { attribs } = element;
    const page = attribs["data-lpage"];
    const card = attribs["data-url"] ?? attribs.url;
    if (page) found.push({ url: page, title: attribute(findAll(element, isImage, 1)[0] ?? element, "alt") });
    else if (card && attribs["data-title"])
      found.push({ url: card, title: attribs["data-title"], source: attribs["data-author"] });
    for (const value of Object.values(attribs)) if (value.startsWith("{")) collect(parseJson(value), found);
  }
  return found.slice(0, MAX_SERP_PAGE_RESULTS);
}

/** Adds the objects that describe a result: pictures and videos of Bing, and the entries of Yandex. */
function collect(value: unknown, found: Declared[], depth = 0): void {
  if (typeof value !== "object" || value === null || depth > MAX_JSON_DEPTH) return;
  if (found.length >= MAX_SERP_PAGE_RESULTS) return;
  const { purl, turl, t, murl, vt, du, snippet, thumb } = value as Record<string, unknown>;
  if (typeof purl === "string") found.push({ url: purl, title: t, thumbnail: turl });
  else if (typeof murl === "string" && typeof vt === "string") found.push({ url: murl, title: vt, duration: du });
  else if (typeof snippet === "object" && snippet !== null && "url" in snippet) {
    const { url, title, domain } = snippet as Record<string, unknown>;
    found.push({ url, title, source: domain, thumbnail: (thumb as { url?: unknown } | undefined)?.url });
  } else for (const member of Object.values(value)) collect(member, found, depth + 1);
}

function toDeclaredResult(engine: SearchEngine, item: Declared, base: string): OrganicResult | null {
  const textIn = (value: unknown) =>
    typeof value === "string" ? tidy(value.replace(/<[^<>]*>/g, ""), MAX_SERP_TITLE_CHARS) : "";
  const target = item.url && typeof item.url === "string" ? engine.readLink(item.url, base) : null;
  if (target === null) return null;
  const [source, duration] = [item.source, item.duration].map(textIn);
  const picture = typeof item.thumbnail === "string" ? item.thumbnail : "";
  const thumbnail = picture === "" ? null : parseAddress(picture, base);
  return {
    title: textIn(item.title),
    ...target,
    ...toSnippet(""),
    extra: {
      source: source || hostOf(target.url),
      ...(duration && { duration }),
      ...(thumbnail && { thumbnail: thumbnail.href }),
    },
  };
}

function titledResults(engine: SearchEngine, document: Document, url: string): OrganicResult[] {
  const titles = new Map<Element, Element>();
  const shown = shownElements(document);
  for (const title of shown.filter(isTitle).slice(0, MAX_SERP_PAGE_RESULTS)) {
    const link = linkIn(title);
    if (link && !titles.has(link) && !closest(link, isNotResult)) titles.set(link, title);
  }
  const ads = findAds(shown, new Set(titles.keys()), AD_SIGNS);
  const blocks = blocksOf([...titles.keys()]);
  return [...titles].flatMap(([link, heading]) => {
    if (ads.has(link)) return [];
    const target = engine.readLink(attribute(link, "href"), url);
    const title = textOf(heading, MAX_SERP_TITLE_CHARS);
    if (target === null || title === "" || (engine.hosts.test(hostOf(target.url)) && !target.unresolved)) return [];
    const block = blocks.get(link) ?? link;
    const lines = findAll(block, () => true, MAX_BLOCK_ELEMENTS).map(ownText);
    const date = lines.find(isDate);
    const duration = lines.find(isDuration);
    const source = lines.find(
      (line) =>
        line !== "" && line.length <= MAX_SOURCE_CHARS && !title.startsWith(line) && !isDate(line) && !isDuration(line),
    );
    return [
      {
        title,
        ...target,
        ...toSnippet(proseAfter(link, block, MAX_SERP_SNIPPET_CHARS)),
        ...(date && { date }),
        extra: { source: source ?? hostOf(target.url), ...(duration && { duration }) },
      },
    ];
  });
}

function ownText({ children }: Element): string {
  const texts = children.map((child) => (isText(child) ? child.data : ""));
  return tidy(texts.join(" "), MAX_SOURCE_CHARS + 1);
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/^www\./, "") ?? "";
}
