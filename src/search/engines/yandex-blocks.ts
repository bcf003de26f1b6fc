import type { Element } from "domhandler";
import { attribute } from "../../html/parse/dom";
import { MAX_QUERY_CHARS } from "../../model/limits";
import { MAX_SERP_PAGE_RESULTS, MAX_SERP_SNIPPET_CHARS, MAX_SERP_TITLE_CHARS } from "../../model/search-limits";
import type { BlockContent, FoundBlocks } from "../results/blocks";
import { closest, findAll, isBefore, isButton, isLink, type Matcher, textOf, toMatcher } from "../results/dom";
import { unwrapLink } from "../results/links";
import type { PageIndex } from "../results/page-index";
import {
  attributesIn,
  firstTarget,
  isHiddenByAttribute,
  isListItem,
  type LinkReader,
  linksIn,
  listBlock,
  piecesOf,
  productItems,
  toCard,
  toProducts,
  toVideo,
  videoBlocks,
} from "../results/page-parts";
import { blocksOf, linesOf, longestOf } from "../results/structure";

/** A page of Yandex with its organic results. */
export interface YandexPage {
  index: PageIndex;
  body: Element;
  url: string;
  /** The items of the organic results. */
  organic: readonly Element[];
  /** The items of the ads. */
  ads: readonly Element[];
  readLink: LinkReader;
  /** Returns the URL of a link to Yandex itself, or null. */
  ownUrl(link: Element): URL | null;
  /** Reads the title, the link and the snippet of a result or an ad. */
  readItem(item: Element): { title: string; link: Element; snippet: string } | null;
}

/** Matches the links of ads. */
export const isAdLink = (link: Element) => /^(?:https?:)?\/\/(?:yabs|an|direct)\./.test(attribute(link, "href"));
const isHeading: Matcher = ({ name }) => name === "h2";
const isHidden = toMatcher(".A11yHidden, .a11y-hidden, .organic__advLabel, .ExtendedText-Toggle");
const isPath = toMatcher(".Path, .path");

/** The attributes that the index of a page must have. */
export const YANDEX_ATTRIBUTES = ["data-fast-name"];

/** Extracts the parts of a page besides its organic results. */
export function readYandexBlocks(page: YandexPage): FoundBlocks {
  const results = new Set([...page.organic, ...page.ads]);
  const isSkipped: Matcher = (at) => results.has(at);
  const products = toProducts(productItems(page.index, isSkipped));
  const card = readCard(page);
  const overview = readOverview(page);
  const spelling = readSpelling(page);
  return {
    ...(overview && { ai_overview: overview }),
    ...(card && { knowledge_graph: card }),
    ...(spelling && { spelling }),
    related_searches: readRelated(page, isSkipped),
    ads: readAds(page),
    images: readImages(page, isSkipped),
    videos: listBlock(page.body, videoBlocks(page.index, isSkipped), (block) => toYandexVideo(block, page)),
    shopping: listBlock(page.body, [...products.keys()], (item) => toYandexProduct(item, products.get(item), page)),
  };
}

/** Matches the hosts and the paths of Yandex's searches for pages. */
const WEB_HOST = /^(?:www\.)?(?:yandex\.[a-z]{2,3}(?:\.[a-z]{2})?|ya\.ru)$/;
const WEB_PATH = /^\/(?:search|search\/touch|search\/pad|yandsearch|touchsearch)\/?$/;
const isRelatedRegion = toMatcher('[role="complementary"], [class*="Related"], [class*="related"]');

/** Returns the query of a link to another search, or null. */
function otherQuery(link: Element, { url, ownUrl }: YandexPage): string | null {
  const target = ownUrl(link);
  if (!target || !WEB_HOST.test(target.hostname) || !WEB_PATH.test(target.pathname) || target.searchParams.has("p"))
    return null;
  const query = target.searchParams.get("text");
  return query === URL.parse(url)?.searchParams.get("text") ? null : query;
}

function readRelated(page: YandexPage, isSkipped: Matcher) {
  const known = new Set<string>();
  const isApart: Matcher = (at) => isSkipped(at) || isHiddenByAttribute(at);
  const links = page.index.named("a").filter((at) => otherQuery(at, page) !== null && !closest(at, isApart));
  return listBlock(page.body, links.slice(0, MAX_SERP_PAGE_RESULTS), (link) => {
    const query = textOf(link, MAX_QUERY_CHARS);
    const item = closest(link, (at) => isListItem(at) || at.name === "li" || isRelatedRegion(at));
    const isAlone = item && (isRelatedRegion(item) || textOf(item, MAX_QUERY_CHARS) === query);
    if (!isAlone || query === "" || known.has(query)) return null;
    known.add(query);
    return { query, url: toHref(link, page) };
  });
}

function readAds(page: YandexPage) {
  const [first] = page.organic;
  return listBlock(page.body, page.ads, (item) => {
    const read = page.readItem(item);
    if (!read) return null;
    const path = findAll(item, isPath, 1)[0];
    const sitelinks = linksIn(item).flatMap((link) => {
      const title = textOf(link, MAX_SERP_TITLE_CHARS);
      const isOther = link !== read.link && !closest(link, isPath) && isAdLink(link) && title !== "";
      return isOther ? [{ title, url: toHref(link, page) }] : [];
    });
    return {
      block_position: first && isBefore(first, item) ? ("bottom" as const) : ("top" as const),
      title: read.title,
      url: toHref(read.link, page),
      ...(path && { displayed_url: textOf(path, MAX_SERP_TITLE_CHARS) }),
      ...(read.snippet && { description: read.snippet }),
      ...(sitelinks.length > 0 && { sitelinks }),
    };
  });
}

/** Returns the URL of a link, even if it is an ad. Returns the page's URL if the link is invalid or too long. */
function toHref(link: Element, { url }: YandexPage): string {
  return unwrapLink(attribute(link, "href"), url, () => null)?.href ?? url;
}

/** Reads the pictures: links to the search for pictures with the address of a picture. */
function readImages(page: YandexPage, isSkipped: Matcher) {
  const isPicture: Matcher = (at) => {
    const target = isLink(at) ? page.ownUrl(at) : null;
    return target?.pathname.startsWith("/images/") === true && target.searchParams.has("img_url");
  };
  const links = page.index.named("a").filter((at) => isPicture(at) && !closest(at, isSkipped));
  const blocks = blocksOf(links.slice(0, MAX_SERP_PAGE_RESULTS));
  return listBlock(page.body, [...new Set(blocks.values())], (block) => {
    const texts = linksIn(block).flatMap((link) => (isPicture(link) ? [] : piecesOf(link)));
    const title = longestOf(texts);
    const url = firstTarget(block, page.readLink)?.url;
    const thumbnail = attributesIn(block, "src").find((src) => /^(?:https?:)?\/\//.test(src));
    return {
      ...(title && { title }),
      ...(url && { url }),
      ...(thumbnail && { thumbnail: new URL(thumbnail, page.url).href }),
    };
  });
}

/** Reads a video. The links besides the one to Yandex's player lead to the sites that have it. */
function toYandexVideo(block: Element, page: YandexPage) {
  const video = toVideo(block);
  if (!video) return null;
  const isPlayer = (link: Element) => page.ownUrl(link)?.pathname.startsWith("/video/");
  const link = linksIn(block).find((at) => !isPlayer(at) && page.readLink(at) !== null);
  const { channel: _, source, ...rest } = video;
  const url = link && page.readLink(link)?.url;
  const site = (link && textOf(link, MAX_SERP_TITLE_CHARS)) || source;
  return { ...rest, ...(site && { source: site }), ...(url && { url }) };
}

function toYandexProduct(item: Element, product: BlockContent<"shopping">[number] | undefined, page: YandexPage) {
  const link = linksIn(item)[0];
  if (!product || !link) return null;
  return { ...product, url: toHref(link, page), ...(isAdLink(link) && { is_ad: true }) };
}

const isResultList: Matcher = (at) => attribute(at, "id") === "search-result" || attribute(at, "role") === "main";
const isTab: Matcher = (at) => attribute(at, "role") === "tab";
const isKinds: Matcher = (at) => at.name === "ul" && attribute(at, "aria-label") !== "";
const hasTitle: Matcher = (at) => findAll(at, isHeading, 1).length > 0;

/** Reads the card of a company or a person in the column at the right. */
function readCard({ index, ...page }: YandexPage): FoundBlocks["knowledge_graph"] | null {
  const entities = index.withAttribute("data-fast-name", ["companies", "entity_search"]);
  const marked = entities.find((at) => hasTitle(at) && !closest(at, isResultList));
  const at = marked ?? index.withClass("content__right").find(hasTitle);
  const card = at ? toCard(at, isHidden) : null;
  if (!at || !card || (!marked && card.facts.length === 0)) return null;
  const kinds = findAll(at, isKinds, 1)[0];
  const type = kinds && linesOf(kinds, { maxChars: MAX_SERP_TITLE_CHARS, skip: isHiddenByAttribute }).join(" · ");
  const tabs = findAll(at, isTab).map((tab) => /\d[\d\s]*/.exec(textOf(tab, MAX_SERP_TITLE_CHARS))?.[0]);
  const reviews = tabs.find((number) => number !== undefined);
  const links = linksIn(at).flatMap((link) => {
    const url = page.ownUrl(link) ? undefined : page.readLink(link)?.url;
    return url ? [{ url, name: textOf(link, MAX_SERP_TITLE_CHARS) }] : [];
  });
  const source = links.find(({ url }) => /^https?:\/\/[\w.]+\.wikipedia\.org\//.test(url));
  const website = links.find(({ url }) => url !== source?.url);
  return {
    content: {
      ...card,
      ...(type && { type }),
      ...(reviews && { reviews: reviews.trim() }),
      ...(source && { source }),
      ...(website && { website: website.url }),
    },
    at,
  };
}

function readOverview({ index, ...page }: YandexPage): FoundBlocks["ai_overview"] | null {
  const [at] = index.withAttribute("data-fast-name", ["neuro_answer"]);
  if (!at) return null;
  const skip: Matcher = (element) =>
    isHiddenByAttribute(element) || isHidden(element) || isButton(element) || isLink(element);
  const text = linesOf(at, { maxChars: MAX_SERP_SNIPPET_CHARS, skip }).join("\n").slice(0, MAX_SERP_SNIPPET_CHARS);
  const sources = new Map<string, { title: string; url: string }>();
  for (const link of linksIn(at)) {
    const url = page.ownUrl(link) ? undefined : page.readLink(link)?.url;
    const title = piecesOf(link)[0];
    if (url && title && !sources.has(url)) sources.set(url, { title, url });
  }
  return text === "" ? null : { content: { text, sources: [...sources.values()], complete: true }, at };
}

/** Reads the corrected query. If the results are those of the correction, a link leads to the results of the original. */
function readSpelling({ index, ...page }: YandexPage): FoundBlocks["spelling"] | null {
  const at =
    index.withAttribute("data-fast-name", ["misspell"])[0] ??
    index.withClass("misspell", "misspell__message", "Misspell")[0];
  const links = at ? linksIn(at).filter((link) => page.ownUrl(link)?.searchParams.has("text")) : [];
  const isOriginal = (link: Element) => page.ownUrl(link)?.searchParams.has("noreask") === true;
  const queryOf = (link: Element | undefined) => (link && page.ownUrl(link)?.searchParams.get("text")) ?? undefined;
  const original = queryOf(links.find(isOriginal));
  const other = queryOf(links.find((link) => !isOriginal(link)));
  const quoted = at && /[«"“]([^»"”]+)[»"”]/u.exec(textOf(at, MAX_SERP_TITLE_CHARS))?.[1];
  const corrected = other ?? quoted;
  if (!at || !corrected) return null;
  return { content: { corrected, ...(original && { original }), applied: original !== undefined }, at };
}
