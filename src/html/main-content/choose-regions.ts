import { dropBoilerplate, dropUnlikely } from "./boilerplate";
import { bestCandidate } from "./candidate";
import { findCards } from "./cards";
import { findKeptLines, listAround } from "./kept-lines";
import { type MainContent, prune } from "./prune";
import type { ReadPage } from "./read-page";
import { isNamedBoilerplate } from "./region-kinds";
import { type Region, type RegionTree, wordsIn } from "./regions";
import type { Selection } from "./selection";
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

/** Chooses the regions that contain the main content of an article, and prunes them. */
export function chooseArticle(read: ReadPage): MainContent {
  const { page, headline } = read;
  const sure = read.all.copy();
  dropBoilerplate(sure, headline);
  const likely = sure.copy();
  dropUnlikely(likely, headline);
  // The front page of a newspaper may declare that it's an article, too, but it has no headline.
  const isArticle = headline !== null && read.head.isArticle;
  const about = { ...read, kept: findKeptLines(read), sure, likely, isArticle };
  const whole = (selection: Selection): MainContent => ({
    ...about,
    selection: selection.copy(),
    regions: [landmark(page)],
    isWholePage: true,
  });
  if (sure.length(page.root) <= SMALL_PAGE_CHARS) return prune(whole(sure));

  const article = (selection: Selection): MainContent => {
    const regions = withLead(selection, widen(selection, bestCandidate(selection)), about);
    return { ...about, selection: selection.copy(), regions, isWholePage: false };
  };
  const first = article(likely);
  const best = lengthOf(first) >= MIN_LIKELY_CHARS ? first : longest(first, article(sure));
  const hasProse = isArticle || best.selection.prose(best.regions) >= MIN_PROSE_CHARS;
  const content = prune(hasProse ? best : whole(likely));
  if (lengthOf(content) >= Math.min(MIN_LIKELY_CHARS, MIN_SHARE * likely.length(landmark(page)))) return content;
  return longest(content, prune(whole(likely)));
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
  return selection.length(regions);
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
  return own.prose(candidate) < MIN_COVERAGE * own.prose(root) ? [mostProse(own)] : climb(own, candidate);
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
  let prose = selection.prose(candidate);
  let length = selection.length(candidate);
  for (const at of candidate[0]?.parent?.withAncestors() ?? []) {
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
  if (wordsIn(between) > MAX_LEAD_DISTANCE_WORDS) return content;
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
  return region.withAncestors().some((at) => {
    if (at.holds(headline)) return false;
    if (/^fig(?:ure|caption)$/.test(at.element.name) || isNamedBoilerplate(at)) return true;
    return at.isNamed(PICTURE_NAMES) || at.isNamed(MEDIA_NAMES);
  });
}
