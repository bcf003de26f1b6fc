import type { Element } from "domhandler";
import { attribute, hasAttribute, isWithin } from "../../html/parse/dom";
import { MAX_QUERY_CHARS } from "../../model/limits";
import { MAX_SERP_SNIPPET_CHARS, MAX_SERP_TITLE_CHARS } from "../../model/search-limits";
import type { FoundBlocks, Sitelink } from "../results/blocks";
import { closest, findAll, isBefore, isButton, isLink, type Matcher, textOf } from "../results/dom";
import { parseAddress } from "../results/links";
import { compact, hasRole, type Item, linksIn, listBlock, piecesOf, titleOf } from "../results/page-parts";
import type { OrganicResult } from "../results/result-page";
import { blocksOf, longestOf, proseAfter } from "../results/structure";
import { tidy } from "../results/texts";
import { readCards } from "./google-cards";
import {
  type GooglePage,
  isNavigation,
  isQuote,
  isSectionTitle,
  isTitle,
  isVideo,
  MAX_TITLES,
  type PageParts,
  shownLines,
  toKey,
} from "./google-parts";
import { readSections } from "./google-sections";

/** Extracts the parts of a page besides its organic results. Adds their sitelinks to the organic results. */
export function readGoogleBlocks(page: GooglePage): FoundBlocks {
  const questions = findQuestions(page);
  const anchors = [...page.organic.keys(), ...page.ads.keys(), ...questions.keys()];
  const headings = page.marked.filter((element) => isSectionTitle(element) || isTitle(element)).slice(0, MAX_TITLES);
  const sections = headings.filter((element) => isSectionTitle(element) || isCardTitle(element, page));
  const blocks = blocksOf([...new Set([...anchors, ...sections])]);
  const results = new Set([...page.organic.keys()].flatMap((link) => blocks.get(link) ?? []));
  const asides = new Set([...page.ads.values(), ...questions.keys()]);
  const taken = new Set([...results, ...asides]);
  const parts: PageParts = {
    ...page,
    query: toKey(URL.parse(page.url)?.searchParams.get("q") ?? ""),
    questions,
    results,
    asides,
    taken,
    blocks,
  };
  for (const [link, result] of page.organic) {
    const sitelinks = readSitelinks(parts, link, result);
    if (sitelinks.length > 0) result.sitelinks = sitelinks;
  }
  return {
    ...readQuestions(parts),
    ...readSearchLinks(parts),
    ...readAds(parts),
    ...readSections(parts),
    ...readCards(parts),
  };
}

/** Returns true for a title that isn't the title of an organic result, of an ad or of a sitelink. */
function isCardTitle(element: Element, { organic, ads }: GooglePage): boolean {
  const link = closest(element, isLink);
  return link ? !(organic.has(link) || ads.has(link)) : findAll(element, isLink, 1).length === 0;
}

const isFolding: Matcher = (element) =>
  attribute(element, "role") === "button" &&
  attribute(element, "aria-expanded") === "false" &&
  hasAttribute(element, "aria-controls");
const QUESTION_MARK = /[?？؟՞;]["'”’»)\s]*$/;

/**
 * Finds the questions of "People also ask": elements with `data-q`, or buttons whose texts are questions. Google
 * answers them on a click. Questions below an organic result belong to this result.
 */
function findQuestions({ marked: elements, organic }: GooglePage): Map<Element, string> {
  const marked = new Map<Element, string>();
  const buttons = new Map<Element, string>();
  for (const element of elements) {
    const question = attribute(element, "data-q");
    const isMarked = question !== "" && closest(element, (at) => hasAttribute(at, "data-initq")) !== null;
    if (isMarked) marked.set(element, tidy(question, MAX_SERP_TITLE_CHARS));
    else if (isFolding(element)) {
      const text = textOf(element, MAX_SERP_TITLE_CHARS);
      // The buttons of "Things to know" have a subject and a question.
      if (QUESTION_MARK.test(text) && piecesOf(element).length === 1) buttons.set(element, text);
    }
  }
  if (marked.size > 0 || buttons.size === 0) return marked;
  const items = blocksOf([...buttons.keys(), ...organic.keys()]);
  const results = new Set([...organic.keys()].flatMap((link) => items.get(link) ?? []));
  return new Map(
    [...buttons].flatMap(([button, text]) => (isWithin(button, results) ? [] : [[items.get(button) ?? button, text]])),
  );
}

function readQuestions({ questions, readLink }: PageParts): FoundBlocks {
  const [first] = questions.keys();
  const block =
    first &&
    listBlock<Item<"people_also_ask">>(first, questions.keys(), (item) => {
      const title = findAll(item, isTitle).find((at) => closest(at, isLink));
      const link = title && closest(title, isLink);
      const quote = findAll(item, isQuote, 1)[0];
      const button = findAll(item, isFolding, 1)[0];
      return compact({
        question: questions.get(item) ?? "",
        snippet: quote
          ? textOf(quote, MAX_SERP_SNIPPET_CHARS)
          : button && proseAfter(button, item, MAX_SERP_SNIPPET_CHARS),
        title: title && titleOf(title),
        url: link && readLink(attribute(link, "href"))?.url,
      });
    });
  return block ? { people_also_ask: block } : {};
}

/** Parameters of links to other pages of the same search, and to other types of results. */
const OTHER_SEARCH = ["start", "tbm", "udm"];
/** A page without organic results has related searches if it has at least this many links to other searches. */
const MIN_RELATED = 2;

interface SearchLink {
  query: string;
  url: string;
  at: Element;
}

/**
 * Reads the links that search for another query. Their places and texts tell the blocks apart: filters are in the
 * navigation, and corrections have the parameter `spell`. The text of a related search is its query. Organic results
 * separate groups of related searches, and the last group is the block. On pages without scripts, the link below a
 * question searches for it.
 */
function readSearchLinks(parts: PageParts): FoundBlocks {
  const filters: SearchLink[] = [];
  const questions: SearchLink[] = [];
  let related: SearchLink[] = [];
  let spelling: SearchLink | null = null;
  let original: SearchLink | null = null;
  let organic = 0;
  let isEnded = false;
  for (const element of parts.marked) {
    if (parts.organic.has(element)) {
      organic++;
      isEnded = true;
    }
    const target = isLink(element) ? parts.readSearchLink(attribute(element, "href")) : null;
    const query = tidy(target?.searchParams.get("q") ?? "", MAX_QUERY_CHARS);
    if (!target || query === "" || OTHER_SEARCH.some((name) => target.searchParams.has(name))) continue;
    const link: SearchLink = { query, url: target.href, at: element };
    if (target.searchParams.has("spell")) spelling ??= link;
    else if (target.searchParams.get("nfpr") === "1" && organic === 0) original ??= link;
    if (target.searchParams.has("spell") || toKey(query) === parts.query) continue;
    const text = textOf(element, MAX_QUERY_CHARS);
    if (closest(element, isNavigation)) {
      if (text !== "") filters.push({ ...link, query: text });
    } else if (toKey(text) !== toKey(query)) questions.push(link);
    else if (organic > 0 || parts.organic.size === 0) {
      if (isWithin(element, parts.asides)) continue;
      if (isEnded) related = [];
      isEnded = false;
      related.push(link);
    }
  }
  const found: FoundBlocks = {};
  const [filter] = filters;
  if (filter) found.filters = { content: filters.map(({ query: name, url }) => ({ name, url })), at: filter.at };
  const [first] = related;
  if (first && related.length >= (parts.organic.size > 0 ? 1 : MIN_RELATED))
    found.related_searches = { content: related.map(({ query, url }) => ({ query, url })), at: first.at };
  if (spelling && (toKey(spelling.query) !== parts.query || original)) {
    const isApplied = original !== null && toKey(original.query) !== toKey(spelling.query);
    const { query: corrected, at } = spelling;
    const content = { corrected, original: isApplied ? original?.query : undefined, applied: isApplied };
    found.spelling = { content: compact(content), at };
  }
  return parts.questions.size > 0 ? found : { ...found, ...readPlainQuestions(parts, questions) };
}

/** Reads "People also ask" on pages without scripts. Each item has the question that its last link searches for. */
function readPlainQuestions(parts: PageParts, links: readonly SearchLink[]): FoundBlocks {
  const blocks = blocksOf([...links.map(({ at }) => at), ...parts.organic.keys()]);
  const queries = new Map(links.map(({ query, at }) => [at, toKey(query)]));
  const [first] = queries.keys();
  const block =
    first &&
    listBlock<Item<"people_also_ask">>(first, queries.keys(), (at) => {
      const item = blocks.get(at) ?? at;
      const isQuestion = (text: string) => toKey(text) === queries.get(at);
      const question = piecesOf(item).find(isQuestion);
      if (question === undefined) return null;
      const source = linksIn(item).findLast((link) => parts.readLink(attribute(link, "href")) !== null);
      const lines = shownLines(item, isLink);
      return compact({
        question,
        snippet: longestOf(lines.slice(lines.findIndex(isQuestion) + 1)),
        title: source && piecesOf(source)[0],
        url: source && parts.readLink(attribute(source, "href"))?.url,
      });
    });
  return block ? { people_also_ask: block } : {};
}

const isColumn: Matcher = (element) => hasRole("complementary")(element) || attribute(element, "id") === "rhs";
const isAddress: Matcher = (element) => hasRole("text")(element) || element.name === "cite";

function readAds(parts: PageParts): FoundBlocks {
  const [result] = parts.organic.keys();
  const [first] = parts.ads.keys();
  const block =
    first &&
    listBlock<Item<"ads">>(first, parts.ads.keys(), (link) => {
      const item = parts.ads.get(link) ?? link;
      const title = titleOf(findAll(link, isTitle, 1)[0] ?? closest(link, isTitle) ?? link);
      const address = findAll(item, isAddress, 1)[0];
      const others = linksIn(item).filter((other) => other !== link && !isButton(other) && titleOf(other) !== "");
      if (title === "") return null;
      return compact<Item<"ads">>({
        block_position: closest(item, isColumn) ? "right" : result && isBefore(result, item) ? "bottom" : "top",
        title,
        url: adUrl(parts, link),
        displayed_url: address && titleOf(address),
        description: proseAfter(link, item, MAX_SERP_SNIPPET_CHARS),
        sitelinks: others.length > 0 ? others.map((at) => ({ title: titleOf(at), url: adUrl(parts, at) })) : undefined,
      });
    });
  return block ? { ads: block } : {};
}

/** Returns the advertiser's URL: the link's target, or the first URL in `data-pcu` if the link is a click address. */
function adUrl({ readLink, url }: GooglePage, link: Element): string {
  const href = attribute(link, "href");
  const [stated = ""] = attribute(link, "data-pcu").split(",");
  return readLink(href)?.url ?? (parseAddress(stated) ?? parseAddress(href, url))?.href ?? url;
}

/** Reads links of a result to other pages of its host. A video's links lead to moments of the video. */
function readSitelinks(parts: PageParts, link: Element, { url }: OrganicResult): Sitelink[] {
  const block = parts.blocks.get(link);
  const host = hostOf(url);
  if (!block || block === link || host === null || findAll(block, isVideo, 1).length > 0) return [];
  const links = new Map<string, Sitelink>();
  for (const other of findAll(block, isLink)) {
    if (other === link || isButton(other) || closest(other, (at) => parts.asides.has(at))) continue;
    const target = parts.readLink(attribute(other, "href"));
    if (!target || target.unresolved || target.url === url || hostOf(target.url) !== host) continue;
    const title = piecesOf(other).length > 0 ? textOf(other, MAX_SERP_TITLE_CHARS) : "";
    if (title !== "" && !links.has(target.url)) links.set(target.url, { title, url: target.url });
  }
  return [...links.values()];
}

function hostOf(url: string): string | null {
  return URL.parse(url)?.hostname.replace(/^(?:www|m)\./, "") ?? null;
}
