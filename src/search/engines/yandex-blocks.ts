import type { Element } from "domhandler";
import { attribute } from "../../html/parse/dom";
import { MAX_SERP_TITLE_CHARS } from "../../model/search-limits";
import type { FoundBlocks } from "../results/blocks";
import { closest, findAll, type Matcher, textOf, toMatcher } from "../results/dom";
import {
  compact,
  type EnginePage,
  headingIn,
  isHiddenByAttribute,
  linksIn,
  readAds,
  readCard,
  readImages,
  readOverview,
  readProducts,
  readRelated,
  readVideos,
} from "../results/page-parts";

/** A page of Yandex with its organic results and ads. */
export interface YandexPage extends EnginePage {
  /** The items of the ads. */
  ads: readonly Element[];
  /** Reads the title, the link and the snippet of a result or an ad. */
  readItem(item: Element): { title: string; link: Element; snippet: string } | null;
}

/** Matches blocks by the name that Yandex gives them. */
function isBlock(...names: string[]): Matcher {
  return (element) => names.includes(attribute(element, "data-fast-name"));
}

const isPath = toMatcher(".Path, .path");
const isRelatedRegion = toMatcher('[role="complementary"], [class*="Related"], [class*="related"]');

/** Extracts the parts of a page besides its organic results. */
export function readYandexBlocks(page: YandexPage): FoundBlocks {
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
    ads: readAds(page, page.ads, (item) => {
      const read = page.readItem(item);
      return read && { ...read, address: findAll(item, isPath, 1)[0], description: read.snippet };
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
function findCard(page: YandexPage): FoundBlocks["knowledge_graph"] | null {
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
function readSpelling(page: YandexPage): FoundBlocks["spelling"] | null {
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
