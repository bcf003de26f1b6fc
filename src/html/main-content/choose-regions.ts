import { type ChildNode, type Document, Element, Text } from "domhandler";
import { type PageModel, readPageModel } from "../page/page-model";
import { bodyOf } from "../parse/document";
import { excludeHidden } from "../visibility/markup-visibility";
import { findAppendedArticles } from "./appended-articles";
import { dropBoilerplate, dropUnlikely } from "./boilerplate";
import { bestCandidate } from "./candidate";
import { findCards } from "./cards";
import { findHeadline, type Headline } from "./headline";
import { findKeptLines, listAround } from "./kept-lines";
import { pageHosts } from "./line-kinds";
import { type MainContent, prune } from "./prune";
import { isNamedBoilerplate } from "./region-kinds";
import { type Region, type RegionTree, readRegions } from "./regions";
import { Selection, total } from "./selection";
import { MEDIA_NAMES, PICTURE_NAMES } from "./vocabulary";

/**
 * If the content has fewer characters than this, regions with unlikely class names are searched, too. Their names may
 * be misleading.
 */
const MIN_LIKELY_CHARS = 500;
/** A page with at most this many characters outside of boilerplate is returned as a whole. */
const SMALL_PAGE_CHARS = 500;
/**
 * Content with less prose than this isn't an article, but for example a list of links, a table or the result of a form.
 * The page is then returned as a whole, unless it declares that it's an article.
 */
const MIN_PROSE_CHARS = 300;
/**
 * The content should have at least this share of the page's text. Otherwise, the wrong region may have been chosen, and
 * the whole page is returned if it's longer.
 */
const MIN_SHARE = 0.1;

/** A page with its lines outside of `invisible` nodes. */
export interface ReadPage {
  head: PageModel;
  url: string;
  page: RegionTree;
  /** The nodes that no reader can see. */
  invisible: ReadonlySet<ChildNode>;
  /** True if the content is in <noscript> elements. */
  noscript: boolean;
  /** The titles from the page's head. */
  titles: readonly string[];
  headline: Headline | null;
}

/** The content is in <noscript> elements if they have at least this many words, and more words than the other elements. */
const MIN_NOSCRIPT_WORDS = 40;

/** If the best candidate has less than this share of the page's prose, another region is chosen. */
const MIN_COVERAGE = 0.6;
/** A region that replaces the candidate has at least this share of the page's prose. */
const WIDE_COVERAGE = 0.85;
/** An ancestor replaces the content only if it adds at least this much prose, as a share of the content's prose. */
const MIN_GAIN = 0.1;
/** An ancestor may add at most this much other text, as a share of the prose that it adds. */
const MAX_WASTE = 0.3;
const MAX_LEADS = 3;
const MAX_LEAD_WORDS = 120;
const MAX_LEAD_DISTANCE_WORDS = 250;

/**
 * Reads the lines of a page outside of the `excluded` nodes and of nodes that are hidden by convention. Forums such as
 * Discourse and Flarum send their content in a <noscript> and build the page with a script.
 */
export function readPage(document: Document, given: { url: string; excluded: ReadonlySet<ChildNode> }): ReadPage {
  const body = bodyOf(document);
  const head = readPageModel(document);
  const titles = head.titles;
  const read = (noscript: boolean): ReadPage => {
    const invisible = new Set(given.excluded);
    excludeHidden(body, invisible, { byClass: true, noscript });
    const page = readRegions(body, invisible, { noscript });
    const headline = findHeadline(page, titles);
    const found = { head, url: given.url, page, invisible, noscript, titles, headline };
    const appended = findAppendedArticles(page, found);
    if (appended.length === 0) return found;
    for (const { element } of appended) invisible.add(element);
    const first = readRegions(body, invisible, { noscript });
    return { ...found, page: first, headline: findHeadline(first, titles) };
  };
  const shown = read(false);
  const words = wordsInNoscript(bodyOf(document));
  return words >= MIN_NOSCRIPT_WORDS && words > wordsIn(shown) ? read(true) : shown;
}

const WORD = /[\p{L}\p{N}]+/gu;

function wordsInNoscript(node: ChildNode, isInside = false): number {
  if (node instanceof Text) return isInside ? (node.data.match(WORD)?.length ?? 0) : 0;
  if (!(node instanceof Element) || node.name === "script" || node.name === "style") return 0;
  const isShown = isInside || node.name === "noscript";
  let words = 0;
  for (const child of node.children) words += wordsInNoscript(child, isShown);
  return words;
}

function wordsIn({ page }: ReadPage): number {
  return page.lines.reduce((words, line) => words + line.words, 0);
}

/** Chooses the regions that contain the main content of an article, and prunes them. */
export function chooseArticle(read: ReadPage): MainContent {
  const { head, url, page, invisible, noscript, titles, headline } = read;
  // The front page of a newspaper may declare that it's an article, too, but it has no headline.
  const isArticle = headline !== null && head.isArticle;
  const sure = new Selection(page);
  dropBoilerplate(sure, headline);
  const likely = sure.copy();
  dropUnlikely(likely, headline);
  const hosts = pageHosts(head, url);
  const kept = findKeptLines(page, { headline, hosts });
  const about = { hosts, kept, headline, titles, invisible, noscript, isArticle, sure, likely };
  const whole = (selection: Selection): MainContent => ({
    ...about,
    selection: selection.copy(),
    regions: [landmark(page)],
    isWholePage: true,
  });
  if (sure.length(page.root) <= SMALL_PAGE_CHARS) return pruned(whole(sure));

  const article = (selection: Selection): MainContent => {
    const regions = withLead(selection, widen(selection, bestCandidate(selection)), about);
    return { ...about, selection: selection.copy(), regions, isWholePage: false };
  };
  const first = article(likely);
  const best = lengthOf(first) >= MIN_LIKELY_CHARS ? first : longest(first, article(sure));
  const hasProse = about.isArticle || total(best.regions, (region) => best.selection.prose(region)) >= MIN_PROSE_CHARS;
  const content = pruned(hasProse ? best : whole(likely));
  if (lengthOf(content) >= Math.min(MIN_LIKELY_CHARS, MIN_SHARE * likely.length(landmark(page)))) return content;
  return longest(content, pruned(whole(likely)));
}

function pruned(content: MainContent): MainContent {
  prune(content);
  return content;
}

function landmark({ regions, root }: RegionTree): Region {
  const [main, ...more] = regions.filter(
    ({ element, isEmpty }) => !isEmpty && (element.name === "main" || element.attribs.role === "main"),
  );
  return main && more.length === 0 ? main : root;
}

function longest(first: MainContent, second: MainContent): MainContent {
  return lengthOf(second) > lengthOf(first) ? second : first;
}

function lengthOf({ selection, regions }: MainContent): number {
  return total(regions, (region) => selection.length(region));
}

/**
 * Compares the candidate's prose with all prose outside of teasers. If the candidate has too little prose, returns the
 * smallest region with most of the page's prose. Otherwise returns the candidate, or an ancestor that adds prose and
 * little other text.
 */
function widen(selection: Selection, candidate: Region[]): Region[] {
  const { root } = selection.page;
  const own = selection.copy();
  for (const card of findCards(selection, root)) own.dropRegion(card);
  const covered = total(candidate, (region) => own.prose(region));
  return covered < MIN_COVERAGE * own.prose(root) ? [mostProse(own)] : climb(own, candidate);
}

function mostProse(selection: Selection): Region {
  let region = selection.page.root;
  const enough = WIDE_COVERAGE * selection.prose(region);
  for (;;) {
    const next = region.children.find((child) => selection.prose(child) >= enough);
    if (!next) return region;
    region = next;
  }
}

function climb(selection: Selection, candidate: Region[]): Region[] {
  let current = candidate;
  let prose = total(candidate, (region) => selection.prose(region));
  let length = total(candidate, (region) => selection.length(region));
  for (let at = candidate[0]?.parent ?? null; at; at = at.parent) {
    const gain = selection.prose(at) - prose;
    const waste = selection.length(at) - length - gain;
    if (gain < MIN_GAIN * prose || waste > MAX_WASTE * gain) continue;
    current = [at];
    prose += gain;
    length = selection.length(at);
  }
  return current;
}

/** Adds the standfirst and the facts, which are between the headline and the content. */
function withLead(
  selection: Selection,
  content: Region[],
  { headline, kept }: Pick<MainContent, "headline" | "kept">,
): Region[] {
  const [first] = content;
  if (!headline || !first || first.start < headline.region.end) return content;
  const between = selection.linesIn({ start: headline.region.end, end: first.start });
  if (between.reduce((words, line) => words + line.words, 0) > MAX_LEAD_DISTANCE_WORDS) return content;
  const leads = between.filter(
    (line) => line.isProse && line.words <= MAX_LEAD_WORDS && !isNearPicture(line.region, headline.region),
  );
  const added = new Set<Region>();
  for (const line of between) {
    const isLead = leads.length <= MAX_LEADS && leads.includes(line) && line.region.children.length === 0;
    if (isLead || kept.has(line.index)) added.add(isLead ? line.region : listAround(line.region));
  }
  return [...added, ...content];
}

function isNearPicture(region: Region, headline: Region): boolean {
  for (let at: Region | null = region; at && !at.holds(headline); at = at.parent) {
    if (/^fig(?:ure|caption)$/.test(at.element.name) || isNamedBoilerplate(at)) return true;
    if (at.names.some((name) => PICTURE_NAMES.test(name) || MEDIA_NAMES.test(name))) return true;
  }
  return false;
}
