import type { Element } from "domhandler";
import type { Purpose } from "../main-content/name-words";
import {
  between,
  elementsIn,
  linkShareOf,
  type Region,
  type RegionTree,
  runningSum,
  type TextLine,
} from "../main-content/regions";

/** A relative time: "2 hours ago", "yesterday", or "3h" as the whole text. */
const RELATIVE_TIME =
  /\b(?:\d+|an?) ?(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|mo|months?|y|yrs?|years?) ago\b|\byesterday\b|\btoday at\b|^\d+ ?(?:h|d|w|mo|y)$/i;
const TIME_ELEMENTS: ReadonlySet<string> = new Set(["time", "relative-time"]);
/** A longer line with a time isn't the heading of a post. Neither is a sentence of more than `MAX_PROSE_TIME_WORDS`. */
const MAX_TIME_WORDS = 25;
const MAX_PROSE_TIME_WORDS = 15;
const MIN_POST_WORDS = 12;
const MIN_POSTS = 2;
/** A region with a larger share of the page's text is the whole thread. */
const MAX_POST_SHARE = 0.9;
/** The entries of a list of other threads aren't posts. A list with a larger share of the page's text is the page. */
const ASIDES: ReadonlySet<Purpose> = new Set(["related", "sidebar"]);
const MAX_ASIDE_SHARE = 0.5;
/** The number of regions around a time that can be its post. */
const POST_LEVELS = 8;

/** A region with a time and text. Other regions of the page have the same structure. */
export interface Post {
  region: Region;
  /** The index of the line with the time. */
  time: number;
}

/** The posts of a forum, the comments of a page, or the entries of a blog. */
export type Posts = ReturnType<typeof findPosts>;

/** Finds regions with the same structure that each have a time and text. */
export function findPosts({ lines }: RegionTree) {
  const textBefore = runningSum(lines, textWords);
  const codeBefore = runningSum(lines, (line) => (isCode(line) ? line.words : 0));
  const total = textBefore[lines.length] || 1;
  const wordsIn = (region: Region) => between(textBefore, region);
  const isAside = (region: Region): boolean =>
    (wordsIn(region) <= MAX_ASIDE_SHARE * total && region.purposes.some((one) => ASIDES.has(one))) ||
    (region.parent !== null && isAside(region.parent));
  const posts = new Map<Region, Post>();
  const isPost = (region: Region, time: TextLine) =>
    wordsIn(region) + between(codeBefore, region) - time.words >= MIN_POST_WORDS;
  for (const times of Map.groupBy(lines.filter(hasTime), ({ region }) => region.place).values()) {
    if (times.length < MIN_POSTS || times.every(({ region }) => isAside(region))) continue;
    const level = commonLevel(times, isPost);
    if (level === null) continue;
    const found = new Map<Region, Post>();
    for (const { index, region } of times) {
      const around = region.withAncestors(level + 1)[level];
      if (around && !found.has(around) && wordsIn(around) <= MAX_POST_SHARE * total)
        found.set(around, { region: around, time: index });
    }
    if (found.size >= MIN_POSTS) for (const [region, post] of found) posts.set(region, post);
  }
  const byLine: (Post | null)[] = lines.map(() => null);
  const length = ({ start, end }: Region) => end - start;
  for (const [{ start, end }, post] of [...posts].toSorted(([a], [b]) => length(b) - length(a)))
    byLine.fill(post, start, end);
  return {
    count: posts.size,
    /** The share of the page's text that is in posts. Links and headings aren't counted. */
    share: lines.reduce((sum, line) => sum + (byLine[line.index] ? textWords(line) : 0), 0) / total,
    /** The smallest post around each line, or null. */
    byLine,
    /** The indexes of the first and the last line of posts, or -1. */
    first: byLine.findIndex((post) => post !== null),
    last: byLine.findLastIndex((post) => post !== null),
  };
}

/** Posts in these elements are separate without a rule. A rule at the start of such an element would be misplaced. */
const PARTS_OF_LISTS: ReadonlySet<string> = new Set(["dd", "dt", "li", "tbody", "td", "tr"]);
/** The number of elements around a region that can be the quote. */
const QUOTE_LEVELS = 5;

/**
 * Returns the elements of the posts with kept lines, except the first one. A line of a reply belongs only to the reply.
 * Leaves out quotes with a time, and posts that begin an item of a list. `kept`: the kept lines, in order.
 */
export function laterPosts({ byLine }: Posts, kept: readonly TextLine[]): ReadonlySet<Element> {
  const later = new Set<Element>();
  const known = new Set<Post>();
  let before = -1;
  for (const { index } of kept) {
    const post = byLine[index];
    if (post && !known.has(post) && !isQuote(post.region)) {
      if (known.size > 0 && !beginsItem(post.region, before)) later.add(post.region.element);
      known.add(post);
    }
    before = index;
  }
  return later;
}

function isQuote(region: Region): boolean {
  const around = region.withAncestors(QUOTE_LEVELS);
  return around.some(({ element, names }) => element.name === "blockquote" || names.includes("quote"));
}

/** Returns true if a region is, or begins, a part of a list. `before`: the index of the last kept line before it. */
function beginsItem(region: Region, before: number): boolean {
  return region.withAncestors().some(({ start, element }) => start > before && PARTS_OF_LISTS.has(element.name));
}

/** Returns the number of unlinked words. Headings and code don't count, because a log can be longer than all posts. */
function textWords(line: TextLine): number {
  return line.headingLevel > 0 || isCode(line) ? 0 : line.words * (1 - linkShareOf(line));
}

function isCode({ region }: TextLine): boolean {
  return region.element.name === "pre";
}

function hasTime(line: TextLine): boolean {
  if (line.words > (line.isProse ? MAX_PROSE_TIME_WORDS : MAX_TIME_WORDS)) return false;
  return line.hasDate || RELATIVE_TIME.test(line.text) || elementsIn(line).some(({ name }) => TIME_ELEMENTS.has(name));
}

/**
 * Returns the number of levels from a time up to its post. It is the same for all posts: the level at which most of the
 * times have enough text around them. A short post alone would seem to be the whole thread. Returns null if fewer than
 * two times have text.
 */
function commonLevel(times: readonly TextLine[], isPost: (region: Region, time: TextLine) => boolean): number | null {
  const counts = new Uint32Array(POST_LEVELS);
  for (const time of times) {
    let region: Region | null = time.region;
    let level = 0;
    for (; region && level < POST_LEVELS && !isPost(region, time); level++) region = region.parent;
    if (region && level < POST_LEVELS) counts[level] = (counts[level] ?? 0) + 1;
  }
  const most = Math.max(...counts);
  return most >= MIN_POSTS ? counts.indexOf(most) : null;
}
