import { findCards } from "./cards";
import { endsLikeSentence, findLinkLines, isAboutText, isInvitation } from "./line-kinds";
import type { ReadPage } from "./read-page";
import { isDataTable, isNamedBoilerplate, isPictureText } from "./region-kinds";
import { charsIn, isLinkLine, type Region, type TextLine, wordsIn } from "./regions";
import type { Selection } from "./selection";
import {
  AD_LABEL,
  BYLINE,
  CAPTION_NAMES,
  CREDIT,
  DISCUSSION_NAMES,
  invitesToFollow,
  PICTURE_NAMES,
} from "./vocabulary";

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

/** The regions with the main content of a page, and their lines that weren't dropped. */
export interface MainContent extends ReadPage {
  selection: Selection;
  regions: readonly Region[];
  /** The indexes of lines that are content by their place. See `findKeptLines`. */
  kept: ReadonlySet<number>;
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
  (lines) => lines.filter((line) => line.words < 14 && !endsLikeSentence(line) && CREDIT.test(line.text)),
  (lines) => lines.filter((line) => AD_LABEL.test(line.text)),
  (lines) => lines.filter((line) => line.words < 40 && invitesToFollow(line.text)),
  bylines,
  standfirstHeading,
  repeatedTitles,
  emptyHeadings,
];

/** Drops lines that don't belong to the content: captions, links to other pages and lines about the text. */
export function prune(content: MainContent): MainContent {
  const { selection, regions, headline, isArticle } = content;
  const words = selection.words(regions);
  const { inside, tables } = regionsInside(regions, selection);
  const inTables = new Set(selection.linesIn(tables));
  const before = selection.linesIn(regions).filter((line) => headline && line.index < headline.region.start);
  if (wordsIn(before) < MAX_SHARE_BEFORE_HEADLINE * words) drop(content, before);
  // The captions of <figure> elements become the titles of their images in the output.
  dropTexts(
    content,
    inside.filter((region) => isPictureText(region, selection)),
  );
  dropNamed(content, { inside, words });
  if (!content.isWholePage) {
    const cards = regions.flatMap((region) => findCards(selection, region, { sections: false }));
    const areFew = isArticle || selection.words(cards) < MAX_CARDS_SHARE * selection.words(regions);
    if (areFew && isPlausible(content, selection.linesIn(cards))) for (const card of cards) selection.dropRegion(card);
    dropTexts(
      content,
      inside.filter((region) => isNextToPicture(region, content)),
    );
  }
  for (const find of content.isWholePage ? [repeatedTitles] : STEPS) {
    const found = find(selection.linesIn(regions), content);
    drop(
      content,
      found.filter((line) => !inTables.has(line) && !content.kept.has(line.index)),
    );
  }
  return content;
}

/** Drops the texts of regions, but not their images. */
function dropTexts(content: MainContent, found: readonly Region[]): void {
  const lines = [...new Set(content.selection.linesIn(found))];
  if (isPlausible(content, lines)) for (const line of lines) content.selection.dropText(line);
}

function drop(content: MainContent, lines: readonly TextLine[]): void {
  if (isPlausible(content, lines)) for (const line of lines) content.selection.dropLine(line);
}

/** Returns false if the lines are too much of the content to be dropped. */
function isPlausible({ selection, regions, isArticle }: MainContent, lines: readonly TextLine[]): boolean {
  if (wordsIn(lines) <= MAX_SHARE * selection.words(regions)) return true;
  const prose = charsIn(lines.filter((line) => line.isProse));
  return isArticle && selection.prose(regions) - prose >= MIN_ARTICLE_PROSE;
}

/** Returns true for a small region whose names say that it contains an image. */
function isNextToPicture(region: Region, { selection, regions }: MainContent): boolean {
  const words = selection.words(region);
  if (words === 0 || words >= 60 || region.children.length > 5 || regions.includes(region)) return false;
  return region.isNamed(PICTURE_NAMES);
}

/** Drops small regions whose class names mark them as boilerplate. */
function dropNamed(
  { selection, regions, headline, kept }: MainContent,
  { inside, words }: { inside: readonly Region[]; words: number },
): void {
  const isDiscussion = (region: Region) => region.isNamed(DISCUSSION_NAMES);
  const discussions = inside.filter(
    (region) => isDiscussion(region) && !(region.parent && isDiscussion(region.parent)),
  );
  const isForum = selection.words(discussions) > MAX_DISCUSSION_SHARE * words;
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
    if (region.isNamed(CAPTION_NAMES)) for (const line of selection.linesIn(region)) selection.dropText(line);
    else selection.dropRegion(region);
  }
}

/** Finds invitations. Prose without links isn't an invitation, even if it starts like one. */
function invitations(lines: readonly TextLine[]): TextLine[] {
  const hasText = (line: TextLine | undefined) =>
    line?.linkLength === 0 && (line.isProse || endsLikeSentence(line) || line.region.element.name === "li");
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
    .filter((line) => !isHeading(line) && line.words < 15 && (BYLINE.test(line.text) || line.hasDate));
}

/** Finds a standfirst that is marked as a heading: a sentence below the headline in the same <header>. */
function standfirstHeading(lines: readonly TextLine[], { headline }: MainContent): TextLine[] {
  const first = headline && lines.find((line) => line.index >= headline.region.end);
  const isHeader = ({ element }: Region) => element.name === "header" || element.name === "hgroup";
  return first && first.headingLevel > 1 && first.words >= 8 && first.region.withAncestors().some(isHeader)
    ? [first]
    : [];
}

function repeatedTitles(lines: readonly TextLine[], { head, headline }: MainContent): TextLine[] {
  const known = new Set([...head.titles, headline?.text ?? ""].map((title) => title.toLowerCase()));
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

function isHeading(line: TextLine): boolean {
  return line.headingLevel > 0;
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
