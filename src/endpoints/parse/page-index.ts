import { amountsIn, composedNumbers, numbersIn, toCurrency, toRounded } from "./amounts";
import { toDates, toTimes } from "./dates";
import { normalizeText, toWords } from "./normalize-text";

/** Longer passages are searched in pieces of so many words, because each length costs one more pass through the page. */
const MAX_PASSAGE_WORDS = 64;
const HASH_BASE = 0x01000193;

/** The URL of a markdown link. A person doesn't read it. */
const DESTINATION = /\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?: "[^"\n]*")?\)/g;
/** ISBNs, part and article numbers. Models often leave out the hyphens. */
const HYPHENATED = /(?<![\p{L}\p{N}-])\d+(?:-\d+)+(?:-?x(?![\p{L}\p{N}]))?/gu;

export interface PageIndex {
  /** Tells for each text whether its words are in the page, in this order. A text without words never is. */
  hasTexts(texts: readonly string[]): boolean[];
  /** Finds a number in any of its usual spellings, with or without a minus. */
  hasNumber(value: number): boolean;
  /** Finds a number next to a currency: `19.5`, `eur`. */
  hasAmount(value: number, currency: string): boolean;
  /** Finds a currency by its code, or by its symbol if that has several codes. */
  hasCurrency(currency: string): boolean;
  /** Finds digits that are written with hyphens: `9783161484100`. */
  hasHyphenated(digits: string): boolean;
  /** Finds `2024-03-05` or `2024-03`. */
  hasDate(date: string): boolean;
  /** Finds `14:30`. */
  hasTime(time: string): boolean;
}

/** Indexes the page once. Searches then take a time that doesn't depend on how often a word occurs. */
export function indexPage(text: string): PageIndex {
  const normalized = normalizeText(text);
  const ids = new Map<string, number>();
  const words = toWords(normalized);
  const streams = [words, toWords(normalized.replace(DESTINATION, "] "))].map((stream) =>
    Int32Array.from(stream, toId),
  );
  const numbers = new Set([...numbersIn(words), ...composedNumbers(normalized)]);
  const amounts = new Set(amountsIn(words));
  const currencies = new Set(words.map(toCurrency));
  const hyphenated = new Set(normalized.match(HYPHENATED)?.map((code) => code.replaceAll("-", "")));
  const { days, months } = toDates(normalized);
  const times = toTimes(normalized);

  function toId(word: string): number {
    const id = ids.get(word) ?? ids.size + 1;
    ids.set(word, id);
    return id;
  }

  return {
    hasTexts(texts) {
      const passages = texts.map((one) => toPassages(toWords(normalizeText(one)).map((word) => ids.get(word) ?? 0)));
      const found = findAll(streams, passages.flat());
      return passages.map((pieces) => pieces.length > 0 && pieces.every((piece) => found.has(piece.join(" "))));
    },
    hasNumber: (value) => numbers.has(toRounded(Math.abs(value))),
    hasAmount: (value, currency) => amounts.has(`${toRounded(value)} ${currency}`),
    hasCurrency: (currency) => currencies.has(currency),
    hasHyphenated: (digits) => hyphenated.has(digits),
    hasDate: (date) => days.has(date) || months.has(date),
    hasTime: (time) => times.has(time),
  };
}

/** Splits a passage into pieces of equal length. The last one overlaps with the one before. */
function toPassages(ids: readonly number[]): readonly (readonly number[])[] {
  if (ids.length <= MAX_PASSAGE_WORDS) return ids.length === 0 ? [] : [ids];
  const count = Math.ceil(ids.length / MAX_PASSAGE_WORDS);
  return Array.from({ length: count }, (_, piece) => {
    const start = Math.min(piece * MAX_PASSAGE_WORDS, ids.length - MAX_PASSAGE_WORDS);
    return ids.slice(start, start + MAX_PASSAGE_WORDS);
  });
}

/** Returns the passages that are in one of the streams (Rabin-Karp: one pass for all passages of one length). */
function findAll(streams: readonly Int32Array[], passages: readonly (readonly number[])[]): ReadonlySet<string> {
  const found = new Set<string>();
  const byLength = new Map<number, Map<string, readonly number[]>>();
  for (const passage of passages) {
    // The page doesn't have one of the words.
    if (passage.includes(0)) continue;
    const same = byLength.get(passage.length) ?? new Map<string, readonly number[]>();
    byLength.set(passage.length, same.set(passage.join(" "), passage));
  }
  for (const wanted of byLength.values()) {
    for (const stream of streams) walk(stream, wanted, found);
  }
  return found;
}

/** Searches for passages of one length, and removes those that it finds from `wanted`. */
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
