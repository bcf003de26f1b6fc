import { similarity, wordsOf } from "../metadata/headline";
import type { PageModel } from "../page/page-model";
import { collapseSpaces, isLinkLine, type Region, type RegionTree } from "./regions";

export interface Headline {
  region: Region;
  text: string;
}

const SEPARATOR = /(?<!\s)\s+[|–—·»:/-]\s+|:\s+/;
const MAX_LEVEL = 3;
/** A heading below <h1> is the headline only if it's at least this similar to the page's title. */
const MIN_SUBHEADING_MATCH = 0.75;
const OUTSIDE = new Set(["nav", "footer", "aside", "dialog"]);
const OUTSIDE_ROLE = /^(?:dialog|navigation)$/i;

/** Finds the page's headline: an <h1>, or a heading that repeats the title. Returns null if there is none. */
export function findHeadline(page: RegionTree, titles: readonly string[]): Headline | null {
  const titleWords = titles.map((title) => wordsOf(longestPart(title)));
  let best: Headline | null = null;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const region of page.regions) {
    const level = /^h[1-6]$/.test(region.element.name) ? Number(region.element.name[1]) : 0;
    if (level === 0 || level > MAX_LEVEL || region.isEmpty) continue;
    const text = textOf(region, page);
    const score = scoreOf(region, page, { isTop: level === 1, match: bestMatch(text, titleWords) });
    if (score !== null && score > bestScore) {
      best = { region, text };
      bestScore = score;
    }
  }
  return best;
}

/** Returns the titles that the page declares. */
export function pageTitles({ title, meta }: PageModel): string[] {
  const titles = [title, meta.get("og:title") ?? "", meta.get("twitter:title") ?? ""].map(collapseSpaces);
  return [...new Set(titles)].filter((one) => one !== "");
}

/**
 * Returns the likelihood that a heading is the headline, as a number to compare, or null if it certainly isn't. A
 * subheading in the second half of the page is often an invitation that repeats the title.
 */
function scoreOf(region: Region, page: RegionTree, { isTop, match }: { isTop: boolean; match: number }): number | null {
  if (!isTop && (match < MIN_SUBHEADING_MATCH || region.start > page.lines.length / 2)) return null;
  let isInHeader = false;
  let isInContent = false;
  let isLinked = page.lines.slice(region.start, region.end).every(isLinkLine);
  for (let at = region.parent; at; at = at.parent) {
    const { name, attribs } = at.element;
    if (OUTSIDE.has(name) || OUTSIDE_ROLE.test(attribs.role ?? "")) return null;
    if (name === "header") isInHeader = true;
    if (name === "article" || name === "main") isInContent = true;
    if (name === "a") isLinked = true;
  }
  // A linked <h1> outside of the content is usually the site's name, so more is subtracted from its score.
  const linked = isTop && !isInContent ? 0.4 : 0.2;
  const inHeader = isInHeader && !isInContent ? 0.2 : 0;
  return match + (isTop ? 0.5 : 0) + (isInContent ? 0.2 : 0) - (isLinked ? linked : 0) - inHeader;
}

function textOf({ start, end }: Region, page: RegionTree): string {
  return page.lines
    .slice(start, end)
    .map(({ text }) => text)
    .join(" ");
}

function longestPart(title: string): string {
  return title.split(SEPARATOR).reduce((longest, part) => (part.length > longest.length ? part : longest), "");
}

function bestMatch(text: string, titles: readonly Set<string>[]): number {
  const words = wordsOf(text);
  return Math.max(0, ...titles.map((title) => similarity(words, title)));
}
