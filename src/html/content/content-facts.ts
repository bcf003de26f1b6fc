import type { ChildNode } from "domhandler";
import { findCards } from "../main-content/cards";
import type { Headline } from "../main-content/headline";
import type { MainContent } from "../main-content/prune";
import { isDataTable } from "../main-content/region-kinds";
import type { Region, RegionTree, TextLine } from "../main-content/regions";
import type { Selection } from "../main-content/selection";
import type { PageModel } from "../page/page-model";
import type { Posts } from "./posts";
import { readStructuredText, type StructuredText, wordString } from "./structured-text";
import topics from "./topics.json";

/** Facts about the whole page that the evidence refers to. */
export interface ContentFacts {
  readonly page: RegionTree;
  /** All lines of the page. */
  readonly all: Selection;
  readonly words: number;
  readonly headline: Headline | null;
  /** The headline's region and the regions around it. */
  readonly aroundHeadline: ReadonlySet<Region>;
  readonly titleWords: ReadonlySet<string>;
  readonly texts: StructuredText;
  /** The number of lines with each text. */
  readonly repetitions: ReadonlyMap<string, number>;
  /** The topics of the headings above each line. */
  readonly topics: readonly (readonly string[])[];
  /** The index of the last line of prose, or -1. */
  readonly lastProse: number;
  readonly cards: ReadonlySet<Region>;
  readonly dataTables: ReadonlySet<Region>;
  /** The number of siblings with the same element and first class, including the region itself. */
  readonly siblings: ReadonlyMap<Region, number>;
  /** Lines in the same place of a repeated structure share a group, for example the prices in a list of products. */
  readonly groups: readonly LineGroup[];
  readonly posts: Posts;
  /** The result of the article extraction. */
  readonly article: MainContent;
  /** The lines that are content by their place. See `findKeptLines`. */
  readonly kept: ReadonlySet<number>;
  /** The lines that the article extraction keeps. */
  readonly articleLines: ReadonlySet<number>;
  /** The elements that certainly belong to the site and not to the page. */
  readonly siteElements: ReadonlySet<ChildNode>;
  /** The marks of the regions that were read already. */
  readonly marks: Map<Region, Marks>;
  /** The measures of the regions that were read already, by their place. */
  readonly measures: Map<string, Map<Region, readonly (readonly [name: string, value: number])[]>>;
}

/** The marks of a region and of the regions around it. They are evidence about all lines in the region. */
export interface Marks {
  readonly names: ReadonlySet<string>;
  /** The same names as evidence. */
  readonly shared: readonly (readonly [name: string, value: number])[];
}

/** The lines in the same place of a repeated structure. The means are over these lines. */
export interface LineGroup {
  /** The number of its lines. */
  size: number;
  words: number;
  linkShare: number;
  proseShare: number;
  /** The number of different texts, divided by `size`. */
  variety: number;
}

const GROUP_LEVELS = 4;

/** The subjects of sections that headings name, in the most common languages. */
const TOPICS = Object.entries(topics).map(
  ([topic, words]) => [topic, new RegExp(`(?<= )(?:${words})(?= )`, "u")] as const,
);
const MAX_HEADING_CHARS = 80;

/** Reads the facts about a page. `given`: what the article extraction and the search for the site's parts found. */
export function readContentFacts(
  head: PageModel,
  page: RegionTree,
  given: Pick<ContentFacts, "all" | "article" | "articleLines" | "siteElements" | "posts">,
): ContentFacts {
  const { all, article } = given;
  const { headline, titles } = article;
  const aroundHeadline = new Set<Region>();
  for (let at = headline?.region ?? null; at; at = at.parent) aroundHeadline.add(at);
  const repetitions = new Map<string, number>();
  for (const { text } of page.lines) repetitions.set(text, (repetitions.get(text) ?? 0) + 1);
  return {
    ...given,
    page,
    kept: article.kept,
    words: all.words(page.root) || 1,
    headline,
    aroundHeadline,
    titleWords: new Set(wordString(titles.join(" ")).trim().split(" ")),
    texts: readStructuredText(head),
    repetitions,
    topics: topicsAbove(page.lines, headline),
    lastProse: page.lines.findLastIndex((line) => line.isProse),
    cards: new Set(findCards(all, page.root)),
    dataTables: new Set(page.regions.filter((region) => isDataTable(region, all))),
    siblings: countSiblings(page),
    groups: groupLines(page),
    marks: new Map(),
    measures: new Map(),
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

/** Groups the lines whose region and the regions around it have the same elements and first classes. */
function groupLines({ lines }: RegionTree): LineGroup[] {
  const keys = new Map<Region, string>();
  const keyOf = (region: Region): string => {
    let key = keys.get(region);
    if (key === undefined) {
      key = "";
      let at: Region | null = region;
      for (let level = 0; at && level < GROUP_LEVELS; level++, at = at.parent) key += `${at.kind}<`;
      keys.set(region, key);
    }
    return key;
  };
  const groups = new Map<string, LineGroup & { texts: Set<string> }>();
  const byLine = lines.map((line) => {
    const key = keyOf(line.region);
    let group = groups.get(key);
    if (!group) {
      group = { size: 0, words: 0, linkShare: 0, proseShare: 0, variety: 0, texts: new Set() };
      groups.set(key, group);
    }
    group.size++;
    group.words += line.words;
    group.linkShare += line.linkLength / Math.max(1, line.length);
    group.proseShare += line.isProse ? 1 : 0;
    group.texts.add(line.text);
    return group;
  });
  for (const group of groups.values()) {
    group.words /= group.size;
    group.linkShare /= group.size;
    group.proseShare /= group.size;
    group.variety = group.texts.size / group.size;
  }
  return byLine;
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
