import { isAboutText, isInvitation, pageHosts, refersToSubject } from "./line-kinds";
import type { Headline, ReadPage } from "./read-page";
import { isNamedBoilerplate } from "./region-kinds";
import { isLinkLine, type Region, type RegionTree, type TextLine } from "./regions";
import { BYLINE } from "./vocabulary";

const MAX_FACT_WORDS = 20;
/** The facts about a subject are in this number of lines below the headline. */
const MAX_FACT_LINES = 24;
const LISTS: ReadonlySet<string> = new Set(["dl", "ol", "table", "ul"]);
const NO_FACTS: ReadonlySet<string> = new Set(["aside", "button", "figure", "form", "nav", "pre"]);
const LABEL = /^\p{Lu}[\p{L} ]{1,30}:\s*\S/u;
const SENTENCE_END = /[.!?]$/;
const WORD = /\p{L}{2}/u;
const DATE =
  /\d{1,2}(?:st|nd|rd|th|\.)?\s+\p{Lu}\p{L}{2,}\.?,?|\p{Lu}\p{L}{2,20}\.?\s+\d{1,2}(?:st|nd|rd|th)?(?!\d|\.\d),?|\b(?:19|20)\d\d\b|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m)?/gu;
const PERIOD = /\b(?:1\d|20)\d\d\s*[–—-]\s(?=.*\b(?:1\d|20)\d\d\b)/;
/** The numbers of a text's readers, and the time that it takes them. */
const READERS =
  /\d\s*(?:k\s*)?(?:min|sec|h(?:ou)?rs?\b|[dh]\b|days?|weeks?|months?|years?|stunden?|tage?|comments?|kommentare?|views?|shares?|likes?|reads?|aufrufe|reactions?)/iu;
/** The labels of a text's author, topics and readers. `isAboutText` knows others. */
const ABOUT_LABEL = /^(?:aut|writ|topic|reading|lesezeit|comment|share|views)/i;

/**
 * Finds lines that are content by their place: facts about the subject below the headline, and parts of a text between
 * two of its paragraphs.
 */
export function findKeptLines(read: ReadPage): ReadonlySet<number> {
  const { page, headline } = read;
  return new Set([...(headline ? factsBelow(headline, page) : []), ...partsOfText(page, pageHosts(read))]);
}

/** Finds the facts between the headline and the text, such as date, place and price. Leaves out facts about the text. */
function factsBelow(headline: Headline, { lines }: RegionTree): number[] {
  const start = headline.region.end;
  const near = lines.slice(start, start + MAX_FACT_LINES);
  const end = near.findIndex((line) => line.isProse || line.headingLevel > 0);
  const groups = Map.groupBy(near.slice(0, Math.max(0, end)), ({ region }) => {
    const list = listAround(region);
    return list === region && region.parent ? rowsAround(region.parent) : list;
  });
  const found: number[] = [];
  for (const [group, own] of groups) {
    const isMenu = 2 * own.filter(({ linkLength, length }) => 2 * linkLength > length).length >= own.length;
    const isAside = group.withAncestors().some(({ element }) => NO_FACTS.has(element.name));
    if (isAside || isMenu || own.some(({ words }) => words > MAX_FACT_WORDS) || !own.some(isFact)) continue;
    for (const line of own) if (!isAboutText(line) && !BYLINE.test(line.text)) found.push(line.index);
  }
  return found;
}

/** Returns the box around rows of the same kind, such as pairs of a label and a value. Returns other regions themselves. */
function rowsAround(row: Region): Region {
  return row.parent?.children.every((other) => other.kind === row.kind) ? row.parent : row;
}

/** Returns the outermost list or table around a region. Returns the region itself outside of lists. */
export function listAround(region: Region): Region {
  return region.withAncestors().findLast(({ element }) => LISTS.has(element.name)) ?? region;
}

/** Returns true for a line with a label, a price, or a number that isn't part of a date. */
function isFact(line: TextLine, _at: number, group: readonly TextLine[]): boolean {
  const { text, region } = line;
  if (isAboutText(line) || BYLINE.test(text) || READERS.test(text)) return false;
  if (region.element.name === "dd") {
    if (group.length <= 2 && !/\d/.test(text)) return false;
    const label = group.findLast(({ index, region: { element } }) => element.name === "dt" && index < line.index);
    return label !== undefined && !isAboutText(label) && !ABOUT_LABEL.test(label.text);
  }
  if (LABEL.test(text)) return true;
  if (!/\d/.test(text)) return false;
  const rest = text.replace(DATE, "");
  return PERIOD.test(text) || line.hasPrice || SENTENCE_END.test(text) || (/\d/.test(rest) && WORD.test(rest));
}

/** The number of blocks, and of their lines, that can be between two paragraphs of a text. */
const MAX_BLOCKS = 3;
const MAX_LINES = 4;

/** Finds the links and the cards between two paragraphs that refer to the subject. */
function partsOfText({ regions, lines }: RegionTree, hosts: ReadonlySet<string>): number[] {
  const found: number[] = [];
  const isParagraph = ({ element, start, end }: Region) =>
    element.name === "p" && end - start === 1 && lines[start]?.isProse === true;
  for (const { children } of regions) {
    let between: Region[] | null = null;
    for (const child of children) {
      if (child.isEmpty) continue;
      if (!isParagraph(child)) {
        between?.push(child);
        continue;
      }
      const blocks = between !== null && between.length <= MAX_BLOCKS ? between : [];
      for (const block of blocks.filter((one) => isPartOfText(one, lines, hosts)))
        for (let at = block.start; at < block.end; at++) found.push(at);
      between = [];
    }
  }
  return found;
}

function isPartOfText(block: Region, lines: readonly TextLine[], hosts: ReadonlySet<string>): boolean {
  const { element, start, end } = block;
  if (end - start > MAX_LINES || NO_FACTS.has(element.name) || isNamedBoilerplate(block)) return false;
  const own = lines.slice(start, end);
  const first = own[0];
  if (!first || own.some((line) => isInvitation(line))) return false;
  if (own.length > 1 && isLinkLine(first)) return first.headingLevel > 0 && own.every(isLinkLine);
  return own.every((line) => refersToSubject(line, hosts));
}
