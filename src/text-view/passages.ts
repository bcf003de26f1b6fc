// Finds the passages of a text that answer a question, without a language model: BM25 over blocks and their headings.
import type { TextFormat, TextPassage } from "../contract/view-options";
import { type Block, readBlocks } from "./blocks";
import { cutPart, lastBoundary, type TextRange } from "./cut";
import { estimateTokens } from "./tokens";

/** The maximum number of passages, the maximum size of all passages together, and the part of the text to search. */
type PassageLimits = Partial<TextRange> & { max: number };

/**
 * The maximum length of a passage, without a repeated head. With 800 characters, 3 fewer of the unseen questions are
 * answered. This length was chosen with both halves of the questions.
 */
const MAX_PASSAGE_CHARS = 1_200;
/** A longer head of a table isn't repeated in each of its passages. */
const MAX_HEAD_CHARS = 600;
const MAX_HEADING_CHARS = 300;
/** The usual parameters of BM25: https://doi.org/10.1561/1500000019 */
const [K1, B] = [1.2, 0.75];
/** The share of the better neighbor's score that is added to the score of a passage: 2 more unseen questions. */
const NEIGHBOR_SHARE = 0.2;
/**
 * Words with the same first letters count as partly equal, because they are often forms of one word: 2 more of the 59
 * unseen questions in lab/eval are answered.
 */
const STEM_CHARS = [4, 6];
const STEM_WEIGHT = 0.5;

/** Returns the passages that match the query best, in the order of the text. */
export function findPassages(text: string, format: TextFormat, query: string, limits: PassageLimits): TextPassage[] {
  const { max, maxChars, maxTokens, start = 0, end = text.length } = limits;
  const sizeOf = maxTokens === undefined ? (part: string) => part.length : estimateTokens;
  let room = maxTokens ?? maxChars ?? Number.POSITIVE_INFINITY;
  const passages: TextPassage[] = [];
  const units = readUnits(text, format).flatMap((unit) => clip(unit, start, end));
  for (const unit of rankUnits(text, units, query)) {
    if (passages.length >= max) break;
    const passage = toPassage(text, unit);
    if (passages.length === 0 && sizeOf(passage.text) > room)
      passage.text = cutPart(text, format, { ...limits, start: unit.start, end: unit.end }).text;
    const size = sizeOf(passage.text);
    if (size > room) continue;
    passages.push(passage);
    room -= size;
  }
  return passages.sort((a, b) => a.offset - b.offset);
}

function clip(unit: Unit, start: number, end: number): Unit[] {
  if (unit.end <= start || unit.start >= end) return [];
  return [{ ...unit, start: Math.max(unit.start, start), end: Math.min(unit.end, end) }];
}

/** Returns the units that have words of the query, the best first. */
function rankUnits(text: string, units: readonly Unit[], query: string): Unit[] {
  const wanted = new Map(readTerms(query));
  const counter = new TermCounter(wanted);
  const counts = units.map((unit) => counter.count(text, unit));
  const averageLength = counts.reduce((sum, { length }) => sum + length, 0) / counts.length;
  const unitsWith = new Map<string, number>();
  for (const { terms } of counts) for (const term of terms.keys()) unitsWith.set(term, (unitsWith.get(term) ?? 0) + 1);
  const scores = counts.map(({ terms, length }) => {
    let score = 0;
    for (const [term, count] of terms) {
      const found = unitsWith.get(term) ?? 0;
      const rarity = Math.log(1 + (units.length - found + 0.5) / (found + 0.5));
      const saturation = K1 * (1 - B + (B * length) / averageLength);
      score += ((wanted.get(term) ?? 0) * rarity * count * (K1 + 1)) / (count + saturation);
    }
    return score;
  });
  const ranked = units.flatMap((unit, at) => {
    const neighbor = Math.max(scores[at - 1] ?? 0, scores[at + 1] ?? 0);
    const score = scores[at] ?? 0;
    return score > 0 ? [{ unit, score: score + NEIGHBOR_SHARE * neighbor }] : [];
  });
  return ranked.sort((a, b) => b.score - a.score).map(({ unit }) => unit);
}

/** Counts the terms of a query in parts of a text. */
class TermCounter {
  readonly #wanted: ReadonlyMap<string, number>;
  /** The terms of each heading, which belong to all parts below it. */
  readonly #headings = new Map<Heading, ReadonlyMap<string, number>>();

  constructor(wanted: ReadonlyMap<string, number>) {
    this.#wanted = wanted;
  }

  /** Returns the terms of the part with their counts, and the number of its words. */
  count(text: string, { start, end, head, path }: Unit): { terms: Map<string, number>; length: number } {
    const counted = this.#countIn(head + text.slice(start, end));
    for (const heading of path) {
      let terms = this.#headings.get(heading);
      if (terms === undefined) {
        terms = this.#countIn(heading.text).terms;
        this.#headings.set(heading, terms);
      }
      for (const [term, count] of terms) counted.terms.set(term, (counted.terms.get(term) ?? 0) + count);
    }
    return counted;
  }

  #countIn(part: string): { terms: Map<string, number>; length: number } {
    const terms = new Map<string, number>();
    let length = 0;
    for (const [term, weight] of readTerms(part)) {
      if (weight === 1) length++;
      if (this.#wanted.has(term)) terms.set(term, (terms.get(term) ?? 0) + 1);
    }
    return { terms, length };
  }
}

/** Scripts without spaces between words, and Korean, whose words end with particles. */
const DENSE = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}ー`;
const WORDS = new RegExp(String.raw`(?<dense>[${DENSE}]+)|(?:(?![${DENSE}])[\p{L}\p{M}\p{N}])+`, "gu");

/**
 * Reads the terms of a text with their weights: words with weight 1 and their first letters with a lower weight. In
 * scripts without spaces, pairs of characters are words. Case and accents are removed, and so are the URLs of links.
 */
function* readTerms(text: string): Generator<[term: string, weight: number]> {
  const visible = text.replace(/\]\([^()\s]*/g, "] ");
  const folded = visible
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase();
  for (const { 0: word, groups } of folded.matchAll(WORDS)) {
    if (groups?.dense === undefined) {
      yield [word, 1];
      for (const chars of STEM_CHARS) if (word.length > chars) yield [`${word.slice(0, chars)}…`, STEM_WEIGHT];
      continue;
    }
    for (let at = 0; at < Math.max(1, word.length - 1); at++) {
      yield [word.slice(at, at + 2), 1];
      yield [`${word.charAt(at)}…`, STEM_WEIGHT];
    }
  }
}

function toPassage(text: string, { start, end, head, tail, path }: Unit): TextPassage {
  const heading = path.map((entry) => entry.text).join(" > ");
  return {
    text: head + text.slice(start, end).trimEnd() + (tail === "" ? "" : `\n${tail}`),
    heading: heading === "" ? null : heading.slice(0, MAX_HEADING_CHARS).toWellFormed(),
    offset: start,
  };
}

interface Heading {
  level: number;
  text: string;
}

/** A part of a block. `head` and `tail` are the lines around it, if it is a part of a table or of code. */
interface Piece {
  start: number;
  end: number;
  head: string;
  tail: string;
}

/** Blocks that belong together: those after a heading, until they are too long. */
interface Unit extends Piece {
  path: readonly Heading[];
}

function readUnits(text: string, format: TextFormat): Unit[] {
  const units: Unit[] = [];
  let path: readonly Heading[] = [];
  let isAfterHeading = false;
  for (const block of readBlocks(text, format)) {
    const isHeading = block.kind === "heading";
    if (isHeading) path = [...path.filter(({ level }) => level < block.level), block];
    for (const piece of readPieces(text, block)) {
      const unit = units.at(-1);
      // A heading starts a unit, and isn't separated from the block after it.
      const room = isHeading ? (isAfterHeading ? 1 : 0) : isAfterHeading ? 2 : 1;
      const isJoined = unit !== undefined && piece.head === "" && piece.end - unit.start <= room * MAX_PASSAGE_CHARS;
      if (isJoined) units[units.length - 1] = { ...unit, end: piece.end, tail: piece.tail, path };
      else units.push({ ...piece, path });
      isAfterHeading = isHeading;
    }
  }
  return units;
}

/** Splits a block that is longer than a passage. */
function* readPieces(text: string, block: Block): Generator<Piece> {
  const frame = "bodyStart" in block && block.head.length <= MAX_HEAD_CHARS ? block : null;
  for (let start = block.start; start < block.end; ) {
    const isLast = block.end - start <= MAX_PASSAGE_CHARS;
    const end = isLast ? block.end : lastBoundary(text, start, start + MAX_PASSAGE_CHARS);
    const head = frame !== null && start >= frame.bodyStart ? frame.head : "";
    yield { start, end, head, tail: isLast || frame === null ? "" : frame.tail };
    start = end;
  }
}
