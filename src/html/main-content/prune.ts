import type { ChildNode } from "domhandler";
import { isBeside, isCaption, isTalk } from "./block-names";
import { isPictureWords } from "./captions";
import { findCards } from "./cards";
import { isDataTable } from "./data-tables";
import { type Draft, total } from "./draft";
import type { Headline } from "./headline";
import { hasDate, isAboutText, isInvitation } from "./lines";
import { linkedHeadings, linkLines } from "./link-lines";
import type { Block, Unit } from "./outline";
import { AD_LABEL, BYLINE, CREDIT, FOLLOW, PICTURE_NAMES } from "./words";

/** A step that would drop a greater share of the words has misread the page; unless this much prose is left of an article. */
const MAX_SHARE = 0.65;
const MIN_ARTICLE_PROSE = 200;
const MAX_SHARE_BEFORE_HEADLINE = 0.3;
const MAX_CARDS_SHARE = 0.5;
const MAX_BESIDE_WORDS = 250;
const MAX_BESIDE_SHARE = 0.4;
/** Comments with a greater share of the words are the content: a forum. */
const MAX_TALK_SHARE = 0.4;

export interface Content {
  draft: Draft;
  blocks: readonly Block[];
  headline: Headline | null;
  /** Where the page lives. */
  hosts: ReadonlySet<string>;
  /** What the page calls itself. */
  titles: readonly string[];
  /** What no reader sees. */
  invisible: ReadonlySet<ChildNode>;
  /** Whether it is the page as such, for want of an article: lists of links are what it has to say. */
  isPage: boolean;
  /** Whether the page says that it is an article. */
  isArticle: boolean;
}

type Find = (units: readonly Unit[], content: Content) => Unit[];

/** Lines that aren't part of the text that they stand in, by their looks and words. */
const STEPS: readonly Find[] = [
  linkLines,
  (units) => units.filter((unit) => unit.words < 60 && !isOnlySaid(unit) && isInvitation(unit)),
  (units) => units.filter((unit) => unit.words < 15 && !isHeading(unit) && isAboutText(unit)),
  (units) => units.filter((unit) => unit.words < 14 && !isSentence(unit) && CREDIT.test(unit.text)),
  (units) => units.filter((unit) => AD_LABEL.test(unit.text)),
  (units) => units.filter((unit) => unit.words < 40 && FOLLOW.test(unit.text)),
  bylines,
  linkedHeadings,
  standfirstHeading,
  repeatedTitles,
  emptyHeadings,
];

/** Drops from the content what isn't part of it: captions, links elsewhere, lines about the text. */
export function prune(content: Content): void {
  const { draft, blocks, headline } = content;
  const words = total(blocks, (block) => draft.words(block));
  const { inside, tables } = blocksInside(blocks, draft);
  const inTables = new Set(tables.flatMap((table) => draft.unitsIn(table)));
  const before = unitsOf(content).filter((unit) => headline && unit.index < headline.block.start);
  if (wordsOf(before) < MAX_SHARE_BEFORE_HEADLINE * words) drop(content, before);
  dropCaptions(content, inside);
  dropBeside(content, { inside, words });
  if (!content.isPage) {
    dropCards(content);
    dropPictureTexts(content, inside);
  }
  for (const find of content.isPage ? [repeatedTitles] : STEPS)
    drop(
      content,
      find(unitsOf(content), content).filter((unit) => !inTables.has(unit)),
    );
}

function drop(content: Content, units: readonly Unit[]): void {
  const { draft } = content;
  if (isPlausible(content, units)) for (const unit of units) draft.dropUnit(unit);
}

/** The same for blocks, which go with their pictures. */
function dropBlocks(content: Content, found: readonly Block[]): void {
  const units = found.flatMap((block) => content.draft.unitsIn(block));
  if (isPlausible(content, units)) for (const block of found) content.draft.dropBlock(block);
}

function isPlausible({ draft, blocks, isArticle }: Content, units: readonly Unit[]): boolean {
  if (wordsOf(units) <= MAX_SHARE * total(blocks, (block) => draft.words(block))) return true;
  const prose = units.reduce((sum, unit) => sum + (unit.isProse ? unit.length : 0), 0);
  return isArticle && total(blocks, (block) => draft.prose(block)) - prose >= MIN_ARTICLE_PROSE;
}

/** The words under pictures; the writers put those of a <figure> into the picture's title. */
function dropCaptions(content: Content, inside: readonly Block[]): void {
  const captions = inside.filter((block) => isPictureWords(block, (it) => content.draft.words(it)));
  const units = [...new Set(captions.flatMap((block) => content.draft.unitsIn(block)))];
  if (isPlausible(content, units)) for (const unit of units) content.draft.dropWords(unit);
}

function dropPictureTexts(content: Content, inside: readonly Block[]): void {
  const { draft, blocks } = content;
  const pictures = inside.filter((block) => {
    const words = draft.words(block);
    if (words === 0 || words >= 60 || block.children.length > 5 || blocks.includes(block)) return false;
    return block.names.some((name) => PICTURE_NAMES.test(name));
  });
  const units = [...new Set(pictures.flatMap((block) => draft.unitsIn(block)))];
  if (isPlausible(content, units)) for (const unit of units) draft.dropWords(unit);
}

/** Blocks with names that say so, as long as they are small. */
function dropBeside(
  { draft, blocks, headline }: Content,
  { inside, words }: { inside: readonly Block[]; words: number },
): void {
  const talk = inside.filter((block) => isTalk(block) && !(block.parent && isTalk(block.parent)));
  const isForum = total(talk, (block) => draft.words(block)) > MAX_TALK_SHARE * words;
  let budget = MAX_SHARE * words;
  let end = 0;
  const found = inside.filter((block) => {
    if (block.start < end || blocks.includes(block) || (headline && block.holds(headline.block))) return false;
    const size = draft.words(block);
    if (size === 0 || size >= MAX_BESIDE_WORDS || size >= MAX_BESIDE_SHARE * words || size > budget) return false;
    if (!isBeside(block) || (isForum && isTalk(block))) return false;
    budget -= size;
    end = block.end;
    return true;
  });
  for (const block of found) {
    // The picture above a caption stays.
    if (isCaption(block)) for (const unit of draft.unitsIn(block)) draft.dropWords(unit);
    else draft.dropBlock(block);
  }
}

function dropCards(content: Content): void {
  const { draft, blocks, isArticle } = content;
  const cards = blocks.flatMap((block) => findCards(draft, block));
  const words = total(blocks, (block) => draft.words(block));
  if (isArticle || total(cards, (block) => draft.words(block)) < MAX_CARDS_SHARE * words) dropBlocks(content, cards);
}

/** Short lines with a name or a date in front of the text. */
function bylines(units: readonly Unit[]): Unit[] {
  const first = units.findIndex((unit) => unit.isProse);
  return units
    .slice(0, Math.max(0, first))
    .filter((unit) => !isHeading(unit) && unit.words < 15 && (BYLINE.test(unit.text) || hasDate(unit)));
}

/** A sentence set as a heading below the headline, in the same <header>. */
function standfirstHeading(units: readonly Unit[], { headline }: Content): Unit[] {
  const first = headline && units.find((unit) => unit.index >= headline.block.end);
  return first && first.headingLevel > 1 && first.words >= 8 && isInHeader(first.block) ? [first] : [];
}

function repeatedTitles(units: readonly Unit[], { titles, headline }: Content): Unit[] {
  const known = new Set([...titles, headline?.text ?? ""].map((title) => title.toLowerCase()));
  return units.filter((unit) => unit.block === headline?.block || known.has(unit.text.toLowerCase()));
}

/** Headings with nothing under them, now. */
function emptyHeadings(units: readonly Unit[]): Unit[] {
  const empty: Unit[] = [];
  let next: Unit | null = null;
  for (const unit of units.toReversed()) {
    const level = unit.headingLevel;
    const isLast = next === null || (next.headingLevel > 0 && next.headingLevel <= level);
    if (level > 0 && !unit.isProse && unit.words <= 15 && isLast) empty.push(unit);
    else next = unit;
  }
  return empty;
}

/** Prose without a link may begin like an invitation, but there is nowhere to go. */
function isOnlySaid(unit: Unit): boolean {
  return unit.isProse && unit.linkLength === 0;
}

function isSentence({ text }: Unit): boolean {
  return /[.!?…。！？]["'”’»)]*$/.test(text);
}

function isHeading(unit: Unit): boolean {
  return unit.headingLevel > 0;
}

function isInHeader(block: Block): boolean {
  for (let at: Block | null = block; at; at = at.parent) if (/^(?:header|hgroup)$/.test(at.element.name)) return true;
  return false;
}

function unitsOf({ draft, blocks }: Content): Unit[] {
  return blocks.flatMap((block) => draft.unitsIn(block));
}

function wordsOf(units: readonly Unit[]): number {
  return units.reduce((sum, unit) => sum + unit.words, 0);
}

/** The blocks and all that are inside of them, in document order; of tables of data, nothing that is inside. */
function blocksInside(blocks: readonly Block[], draft: Draft): { inside: Block[]; tables: Block[] } {
  const inside: Block[] = [];
  const tables: Block[] = [];
  function visit(block: Block): void {
    if (block.isEmpty) return;
    inside.push(block);
    if (isDataTable(block, draft)) tables.push(block);
    else for (const child of block.children) visit(child);
  }
  for (const block of blocks) visit(block);
  return { inside, tables };
}
