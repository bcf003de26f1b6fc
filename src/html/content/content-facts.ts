import { findCards } from "../main-content/cards";
import type { MainContent } from "../main-content/prune";
import type { Headline } from "../main-content/read-page";
import { isDataTable } from "../main-content/region-kinds";
import { linkShareOf, type Region, type RegionTree, type TextLine, wordsIn } from "../main-content/regions";
import { findSiteBoilerplate } from "../main-content/site-boilerplate";
import type { Posts } from "./posts";
import { readStructuredText, wordString } from "./structured-text";
import topics from "./topics.json";

/** Evidence that many lines share: names and their values. The receiver adds up the weights of a list only once. */
export type SharedEvidence = readonly (readonly [name: string, value: number])[];

/** Facts about the whole page that the evidence refers to. */
export type ContentFacts = Readonly<ReturnType<typeof readContentFacts>>;

/** The marks of a region and of the regions around it. They are evidence about all lines in the region. */
export interface Marks {
  readonly names: ReadonlySet<string>;
  /** The same names as evidence. */
  readonly shared: SharedEvidence;
}

/** The lines in the same place of a repeated structure, for example the prices of products. See `Region.place`. */
export type LineGroup = ReturnType<typeof toGroup>;

/** The subjects of sections that headings name, in the most common languages. */
const TOPICS = Object.entries(topics).map(
  ([topic, words]) => [topic, new RegExp(`(?<= )(?:${words})(?= )`, "u")] as const,
);
const MAX_HEADING_CHARS = 80;

/** Reads the facts about a page from the result of the article extraction. */
export function readContentFacts(article: MainContent, posts: Posts) {
  const { head, page, all, headline, kept } = article;
  const repetitions = new Map<string, number>();
  for (const { text } of page.lines) repetitions.set(text, (repetitions.get(text) ?? 0) + 1);
  return {
    page,
    all,
    headline,
    kept,
    posts,
    article,
    /** The lines that the article extraction keeps. */
    articleLines: new Set(article.selection.linesIn(article.regions).map(({ index }) => index)),
    /** The elements that certainly belong to the site and not to the page. */
    siteElements: findSiteBoilerplate(page),
    words: all.words(page.root) || 1,
    /** The headline's region and the regions around it. */
    aroundHeadline: new Set(headline?.region.withAncestors()),
    titleWords: new Set(wordString(head.titles.join(" ")).trim().split(" ")),
    texts: readStructuredText(head),
    /** The number of lines with each text. */
    repetitions,
    topics: topicsAbove(page.lines, headline),
    /** The index of the last line of prose, or -1. */
    lastProse: page.lines.findLastIndex((line) => line.isProse),
    cards: new Set(findCards(all, page.root)),
    dataTables: new Set(page.regions.filter((region) => isDataTable(region, all))),
    siblings: countSiblings(page),
    groups: groupLines(page),
    /** The marks of the regions that were read already. */
    marks: new Map<Region, Marks>(),
    /** The measures of the regions that were read already, by the names of the measures. */
    measures: new Map<readonly string[], Map<Region, SharedEvidence>>(),
  };
}

/** Returns the number of siblings with the same element and first class for each region, including the region itself. */
export function countSiblings(page: RegionTree): Map<Region, number> {
  const siblings = new Map<Region, number>();
  for (const { children } of page.regions) {
    const counts = new Map<string, number>();
    for (const child of children) if (!child.isEmpty) counts.set(child.kind, (counts.get(child.kind) ?? 0) + 1);
    for (const child of children) siblings.set(child, counts.get(child.kind) ?? 1);
  }
  return siblings;
}

/** Groups the lines by the place of their region. Returns the group of each line. */
function groupLines({ lines }: RegionTree): LineGroup[] {
  const byLine: LineGroup[] = [];
  for (const own of Map.groupBy(lines, ({ region }) => region.place).values()) {
    const group = toGroup(own);
    for (const { index } of own) byLine[index] = group;
  }
  return byLine;
}

function toGroup(own: readonly TextLine[]) {
  const mean = (of: (line: TextLine) => number) => own.reduce((sum, line) => sum + of(line), 0) / own.length;
  return {
    size: own.length,
    words: wordsIn(own) / own.length,
    linkShare: mean(linkShareOf),
    proseShare: mean(({ isProse }) => Number(isProse)),
    /** The number of different texts, divided by `size`. */
    variety: new Set(own.map(({ text }) => text)).size / own.length,
  };
}

/** Returns the topics of the headings above each line, including the line itself. The page's headline doesn't count. */
function topicsAbove(lines: readonly TextLine[], headline: Headline | null): (readonly string[])[] {
  const above: { level: number; topics: readonly string[] }[] = [];
  let topics: readonly string[] = [];
  return lines.map((line) => {
    const level = line.headingLevel;
    if (level === 0) return topics;
    while (above.length > 0 && (above.at(-1)?.level ?? 0) >= level) above.pop();
    above.push({ level, topics: line.region === headline?.region ? [] : topicsOf(line.text) });
    topics = [...new Set(above.flatMap((one) => one.topics))];
    return topics;
  });
}

/** Returns the topics of a heading. A long heading is a title and has none. */
export function topicsOf(heading: string): string[] {
  if (heading.length > MAX_HEADING_CHARS) return [];
  const text = ` ${heading.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ")} `;
  return TOPICS.flatMap(([topic, pattern]) => (pattern.test(text) ? [topic] : []));
}
