import type { ChildNode } from "domhandler";
import { hasDate } from "../page/dates";
import { findCards } from "./cards";
import type { Headline } from "./headline";
import { findLinkLines, isAboutText, isInvitation } from "./line-kinds";
import { isCaption, isDataTable, isDiscussion, isNamedBoilerplate, isPictureText } from "./region-kinds";
import { isLinkLine, type Region, type TextLine } from "./regions";
import { type Selection, total } from "./selection";
import { AD_LABEL, BYLINE, CREDIT, invitesToFollow, PICTURE_NAMES } from "./vocabulary";

/** One step may drop at most this share of the content's words. A step that would drop more is skipped. */
const MAX_SHARE = 0.65;
/** In an article, a step may drop more than `MAX_SHARE` if at least this many characters of prose remain. */
const MIN_ARTICLE_PROSE = 200;
const MAX_SHARE_BEFORE_HEADLINE = 0.3;
const MAX_CARDS_SHARE = 0.5;
const MAX_INVITATION_WORDS = 60;
const MAX_NAMED_WORDS = 250;
const MAX_NAMED_SHARE = 0.4;
/** If more than this share of a page's words is in comments, the page is a forum. Its comments are then content. */
const MAX_DISCUSSION_SHARE = 0.4;

/** The regions with the main content, and their lines that weren't dropped. */
export interface MainContent {
  selection: Selection;
  regions: readonly Region[];
  headline: Headline | null;
  /** The indexes of lines that are content by their place. See `findKeptLines`. */
  kept: ReadonlySet<number>;
  /** The page's host names without `www.`. */
  hosts: ReadonlySet<string>;
  /** The titles from the page's head. */
  titles: readonly string[];
  /** The nodes that no reader can see. */
  invisible: ReadonlySet<ChildNode>;
  /** True if the content is in <noscript> elements. */
  noscript: boolean;
  /** The page without the elements that are boilerplate. */
  sure: Selection;
  /** `sure` without the regions whose names content seldom has. */
  likely: Selection;
  /** True if no article was found. Then `regions` covers the whole page, and its lists of links are content. */
  isWholePage: boolean;
  /** True if Open Graph or JSON-LD declares that the page is an article. */
  isArticle: boolean;
}

type Find = (lines: readonly TextLine[], content: MainContent) => TextLine[];

/** The steps that drop lines of an article. Each step finds lines that don't belong to the article's text. */
const STEPS: readonly Find[] = [
  findLinkLines,
  invitations,
  (lines) => lines.filter((line) => line.words < 15 && !isHeading(line) && isAboutText(line)),
  (lines) => lines.filter((line) => line.words < 14 && !isSentence(line) && CREDIT.test(line.text)),
  (lines) => lines.filter((line) => AD_LABEL.test(line.text)),
  (lines) => lines.filter((line) => line.words < 40 && invitesToFollow(line.text)),
  bylines,
  standfirstHeading,
  repeatedTitles,
  emptyHeadings,
];

/** Drops lines that don't belong to the content: captions, links to other pages and lines about the text. */
export function prune(content: MainContent): void {
  const { selection, regions, headline } = content;
  const words = total(regions, (region) => selection.words(region));
  const { inside, tables } = regionsInside(regions, selection);
  const inTables = new Set(tables.flatMap((table) => selection.linesIn(table)));
  const before = linesOf(content).filter((line) => headline && line.index < headline.region.start);
  if (wordsOf(before) < MAX_SHARE_BEFORE_HEADLINE * words) drop(content, before);
  dropCaptions(content, inside);
  dropNamed(content, { inside, words });
  if (!content.isWholePage) {
    dropCards(content);
    dropPictureTexts(content, inside);
  }
  for (const find of content.isWholePage ? [repeatedTitles] : STEPS)
    drop(
      content,
      find(linesOf(content), content).filter((line) => !inTables.has(line) && !content.kept.has(line.index)),
    );
}

function drop(content: MainContent, lines: readonly TextLine[]): void {
  const { selection } = content;
  if (isPlausible(content, lines)) for (const line of lines) selection.dropLine(line);
}

/** Drops the regions and their images. Does nothing if the regions contain too much of the content. */
function dropRegions(content: MainContent, found: readonly Region[]): void {
  const lines = found.flatMap((region) => content.selection.linesIn(region));
  if (isPlausible(content, lines)) for (const region of found) content.selection.dropRegion(region);
}

function isPlausible({ selection, regions, isArticle }: MainContent, lines: readonly TextLine[]): boolean {
  if (wordsOf(lines) <= MAX_SHARE * total(regions, (region) => selection.words(region))) return true;
  const prose = lines.reduce((sum, line) => sum + (line.isProse ? line.length : 0), 0);
  return isArticle && total(regions, (region) => selection.prose(region)) - prose >= MIN_ARTICLE_PROSE;
}

/** Drops captions. The captions of <figure> elements become the titles of their images in the output. */
function dropCaptions(content: MainContent, inside: readonly Region[]): void {
  const captions = inside.filter((region) => isPictureText(region, (it) => content.selection.words(it)));
  const lines = [...new Set(captions.flatMap((region) => content.selection.linesIn(region)))];
  if (isPlausible(content, lines)) for (const line of lines) content.selection.dropText(line);
}

function dropPictureTexts(content: MainContent, inside: readonly Region[]): void {
  const { selection, regions } = content;
  const pictures = inside.filter((region) => {
    const words = selection.words(region);
    if (words === 0 || words >= 60 || region.children.length > 5 || regions.includes(region)) return false;
    return region.names.some((name) => PICTURE_NAMES.test(name));
  });
  const lines = [...new Set(pictures.flatMap((region) => selection.linesIn(region)))];
  if (isPlausible(content, lines)) for (const line of lines) selection.dropText(line);
}

/** Drops small regions whose class names mark them as boilerplate. */
function dropNamed(
  { selection, regions, headline, kept }: MainContent,
  { inside, words }: { inside: readonly Region[]; words: number },
): void {
  const discussions = inside.filter(
    (region) => isDiscussion(region) && !(region.parent && isDiscussion(region.parent)),
  );
  const isForum = total(discussions, (region) => selection.words(region)) > MAX_DISCUSSION_SHARE * words;
  let wordsLeft = MAX_SHARE * words;
  let end = 0;
  const found = inside.filter((region) => {
    if (region.start < end || regions.includes(region) || (headline && region.holds(headline.region))) return false;
    const size = selection.words(region);
    if (size === 0 || size >= MAX_NAMED_WORDS || size >= MAX_NAMED_SHARE * words || size > wordsLeft) return false;
    if (!isNamedBoilerplate(region) || (isForum && isDiscussion(region))) return false;
    if (selection.linesIn(region).some(({ index }) => kept.has(index))) return false;
    wordsLeft -= size;
    end = region.end;
    return true;
  });
  for (const region of found) {
    // Only the text of a caption is dropped. The image above it is kept.
    if (isCaption(region)) for (const line of selection.linesIn(region)) selection.dropText(line);
    else selection.dropRegion(region);
  }
}

function dropCards(content: MainContent): void {
  const { selection, regions, isArticle } = content;
  const cards = regions.flatMap((region) => findCards(selection, region, { sections: false }));
  const words = total(regions, (region) => selection.words(region));
  if (isArticle || total(cards, (region) => selection.words(region)) < MAX_CARDS_SHARE * words)
    dropRegions(content, cards);
}

/** Finds invitations. Prose without links isn't one, even if it starts like one. */
function invitations(lines: readonly TextLine[]): TextLine[] {
  const hasText = (line: TextLine | undefined) =>
    line?.linkLength === 0 && (line.isProse || isSentence(line) || line.region.element.name === "li");
  return lines.filter((line, at) => {
    if (line.words >= MAX_INVITATION_WORDS || (line.isProse && line.linkLength === 0)) return false;
    return isInvitation(line, isHeading(line) && !isLinkLine(line) && hasText(lines[at + 1]));
  });
}

/** Finds bylines: short lines before the text with a name or a date. */
function bylines(lines: readonly TextLine[]): TextLine[] {
  const first = lines.findIndex((line) => line.isProse);
  return lines
    .slice(0, Math.max(0, first))
    .filter((line) => !isHeading(line) && line.words < 15 && (BYLINE.test(line.text) || hasDate(line)));
}

/** Finds a standfirst that is marked as a heading: a sentence below the headline in the same <header>. */
function standfirstHeading(lines: readonly TextLine[], { headline }: MainContent): TextLine[] {
  const first = headline && lines.find((line) => line.index >= headline.region.end);
  return first && first.headingLevel > 1 && first.words >= 8 && isInHeader(first.region) ? [first] : [];
}

function repeatedTitles(lines: readonly TextLine[], { titles, headline }: MainContent): TextLine[] {
  const known = new Set([...titles, headline?.text ?? ""].map((title) => title.toLowerCase()));
  const firstProse = lines.findIndex((line) => line.isProse);
  // Below the first paragraph, a heading with the words of the title starts a section.
  const isSection = (line: TextLine, at: number) => isHeading(line) && firstProse !== -1 && at > firstProse;
  return lines.filter(
    (line, at) => line.region === headline?.region || (known.has(line.text.toLowerCase()) && !isSection(line, at)),
  );
}

/** Finds headings with no remaining lines below them. */
function emptyHeadings(lines: readonly TextLine[]): TextLine[] {
  const empty: TextLine[] = [];
  let next: TextLine | null = null;
  for (const line of lines.toReversed()) {
    const level = line.headingLevel;
    const isLast = next === null || (next.headingLevel > 0 && next.headingLevel <= level);
    if (level > 0 && !line.isProse && line.words <= 15 && isLast) empty.push(line);
    else next = line;
  }
  return empty;
}

function isSentence({ text }: TextLine): boolean {
  return /[.!?…。！？]["'”’»)]*$/.test(text);
}

function isHeading(line: TextLine): boolean {
  return line.headingLevel > 0;
}

function isInHeader(region: Region): boolean {
  for (let at: Region | null = region; at; at = at.parent) if (/^(?:header|hgroup)$/.test(at.element.name)) return true;
  return false;
}

function linesOf({ selection, regions }: MainContent): TextLine[] {
  return regions.flatMap((region) => selection.linesIn(region));
}

function wordsOf(lines: readonly TextLine[]): number {
  return lines.reduce((sum, line) => sum + line.words, 0);
}

/** Returns the regions and all regions inside them, in document order. Leaves out the insides of data tables. */
function regionsInside(regions: readonly Region[], selection: Selection): { inside: Region[]; tables: Region[] } {
  const inside: Region[] = [];
  const tables: Region[] = [];
  function visit(region: Region): void {
    if (region.isEmpty) return;
    inside.push(region);
    if (isDataTable(region, selection)) tables.push(region);
    else for (const child of region.children) visit(child);
  }
  for (const region of regions) visit(region);
  return { inside, tables };
}
