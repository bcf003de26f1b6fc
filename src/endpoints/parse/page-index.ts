import { toCurrency } from "../../html/page/prices";
import { lazy } from "../../lib/lazy";
import { amountsIn, composedNumbers, numbersIn, toRounded } from "./amounts";
import { toDates, toTimes } from "./dates";
import { normalizeText, toWords } from "./normalize-text";

/**
 * The maximum number of words in a passage. Longer passages are split into pieces of this length. Equal lengths make
 * the search faster, because it makes one pass through the page for each distinct length.
 */
const MAX_PASSAGE_WORDS = 64;
const HASH_BASE = 0x01000193;

/** Matches the URL of a Markdown link. A copy of the page without URLs is searched too. */
const DESTINATION = /\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?: "[^"\n]*")?\)/g;
/** Matches ISBNs, part numbers and article numbers. Models often omit their hyphens. */
const HYPHENATED = /(?<![\p{L}\p{N}-])\d+(?:-\d+)+(?:-?x(?![\p{L}\p{N}]))?/gu;

export interface PageIndex {
  /** Returns one boolean for each string: true if the page has its words in the same order. False without words. */
  hasTexts(texts: readonly string[]): boolean[];
  /** Returns true if the page has the number in any common spelling, with or without a minus. */
  hasNumber(value: number): boolean;
  /** Returns true if the page has the number next to the currency, such as `19.5` and `eur`. */
  hasAmount(value: number, currency: string): boolean;
  /** Returns true if the page has the currency: a code such as `eur`, or a shared symbol such as `$`. */
  hasCurrency(currency: string): boolean;
  /** Returns true if the page has these digits with hyphens between them, such as `9783161484100`. */
  hasHyphenated(digits: string): boolean;
  /** Returns true if the page has a date such as `2024-03-05` or a month such as `2024-03`. */
  hasDate(date: string): boolean;
  /** Returns true if the page has any date with a day. */
  hasDays(): boolean;
  /** Returns true if the page has a time such as `14:30`. */
  hasTime(time: string): boolean;
}

/** Builds the index of a page. The first search that needs a part builds it. Common words are as fast as rare ones. */
export function indexPage(text: string): PageIndex {
  const normalized = normalizeText(text);
  const ids = new Map<string, number>();
  const words = lazy(() => toWords(normalized));
  const streams = lazy(() => {
    const shown = normalized.replace(DESTINATION, "] ");
    return [words(), ...(shown === normalized ? [] : [toWords(shown)])].map((stream) => Int32Array.from(stream, toId));
  });
  const numbers = lazy(() => new Set([...numbersIn(words()), ...composedNumbers(normalized)]));
  const amounts = lazy(() => new Set(amountsIn(words())));
  const currencies = lazy(() => new Set(words().map(toCurrency)));
  const hyphenated = lazy(() => new Set(normalized.match(HYPHENATED)?.map((code) => code.replaceAll("-", ""))));
  const dates = lazy(() => toDates(normalized));
  const times = lazy(() => toTimes(normalized));

  function toId(word: string): number {
    const id = ids.get(word) ?? ids.size + 1;
    ids.set(word, id);
    return id;
  }

  return {
    hasTexts(texts) {
      if (texts.length === 0) return [];
      const pageStreams = streams();
      const passages = texts.map((one) => toPassages(toWords(normalizeText(one)).map((word) => ids.get(word) ?? 0)));
      const found = findAll(pageStreams, passages.flat());
      return passages.map((pieces) => pieces.length > 0 && pieces.every((piece) => found.has(piece.join(" "))));
    },
    hasNumber: (value) => numbers().has(toRounded(Math.abs(value))),
    hasAmount: (value, currency) => amounts().has(`${toRounded(value)} ${currency}`),
    hasCurrency: (currency) => currencies().has(currency),
    hasHyphenated: (digits) => hyphenated().has(digits),
    hasDate: (date) => dates().days.has(date) || dates().months.has(date),
    hasDays: () => dates().days.size > 0,
    hasTime: (time) => times().has(time),
  };
}

/** Splits a passage into pieces of equal length. The last piece may overlap the piece before it. */
function toPassages(ids: readonly number[]): readonly (readonly number[])[] {
  if (ids.length <= MAX_PASSAGE_WORDS) return ids.length === 0 ? [] : [ids];
  const count = Math.ceil(ids.length / MAX_PASSAGE_WORDS);
  return Array.from({ length: count }, (_, piece) => {
    const start = Math.min(piece * MAX_PASSAGE_WORDS, ids.length - MAX_PASSAGE_WORDS);
    return ids.slice(start, start + MAX_PASSAGE_WORDS);
  });
}

/** Returns the passages that occur in a stream. Uses Rabin-Karp, with one pass for each length. */
function findAll(streams: readonly Int32Array[], passages: readonly (readonly number[])[]): ReadonlySet<string> {
  const found = new Set<string>();
  const byLength = new Map<number, Map<string, readonly number[]>>();
  for (const passage of passages) {
    // The id 0 stands for a word that the page doesn't have, so the page can't have this passage.
    if (passage.includes(0)) continue;
    const same = byLength.get(passage.length) ?? new Map<string, readonly number[]>();
    byLength.set(passage.length, same.set(passage.join(" "), passage));
  }
  for (const wanted of byLength.values()) {
    for (const stream of streams) walk(stream, wanted, found);
  }
  return found;
}

/** Searches the stream for passages of one length. Moves the passages that it finds from `wanted` to `found`. */
function walk(stream: Int32Array, wanted: Map<string, readonly number[]>, found: Set<string>): void {
  const byHash = new Map<number, [key: string, passage: readonly number[]][]>();
  let length = 0;
  for (const [key, passage] of wanted) {
    const hash = passage.reduce(addToHash, 0);
    byHash.set(hash, [...(byHash.get(hash) ?? []), [key, passage]]);
    length = passage.length;
  }
  const leaving = Array.from({ length }).reduce<number>((power) => Math.imul(power, HASH_BASE), 1);
  let hash = 0;
  for (let at = 0; at < stream.length && byHash.size > 0; at++) {
    hash = addToHash(hash, stream[at] ?? 0);
    if (at >= length) hash = (hash - Math.imul(stream[at - length] ?? 0, leaving)) | 0;
    const start = at - length + 1;
    const candidates = start < 0 ? undefined : byHash.get(hash);
    if (candidates === undefined) continue;
    const left = candidates.filter(([key, passage]) => {
      const isHere = passage.every((id, index) => id === stream[start + index]);
      if (isHere && wanted.delete(key)) found.add(key);
      return !isHere;
    });
    if (left.length === 0) byHash.delete(hash);
    else byHash.set(hash, left);
  }
}

function addToHash(hash: number, id: number): number {
  return (Math.imul(hash, HASH_BASE) + id) | 0;
}
