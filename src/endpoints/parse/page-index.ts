import { amountsIn, composedNumbers, numbersIn, toCurrency, toRounded } from "./amounts";
import { toDates, toTimes } from "./dates";
import { normalizeText, toWords } from "./normalize-text";

/** Longer passages are looked for in pieces of so many words: each length is one more walk through the page. */
const MAX_PASSAGE_WORDS = 64;
const HASH_BASE = 0x01000193;

/** Links as markdown writes them: a person reads past where they lead. */
const DESTINATION = /\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?: "[^"\n]*")?\)/g;
/** Numbers of books, parts and articles, which some write without the hyphens. */
const HYPHENATED = /(?<![\p{L}\p{N}-])\d+(?:-\d+)+(?:-?x(?![\p{L}\p{N}]))?/gu;

export interface PageIndex {
  /** For each of the texts whether its words stand in the page, one after the other. One without words never does. */
  hasTexts(texts: readonly string[]): boolean[];
  /** In any of the usual spellings, and whatever its sign. */
  hasNumber(value: number): boolean;
  /** `19.5`, `eur`: side by side, whichever comes first. */
  hasAmount(value: number, currency: string): boolean;
  /** By its code, or its sign where that has several. */
  hasCurrency(currency: string): boolean;
  /** `9783161484100`, with hyphens. */
  hasHyphenated(digits: string): boolean;
  /** `2024-03-05`, or `2024-03`. */
  hasDate(date: string): boolean;
  /** `14:30`. */
  hasTime(time: string): boolean;
}

/** Reads the page once; each question is then answered in a time that doesn't depend on how often a word comes up. */
export function indexPage(text: string): PageIndex {
  const folded = normalizeText(text);
  const ids = new Map<string, number>();
  const words = toWords(folded);
  const streams = [words, toWords(folded.replace(DESTINATION, "] "))].map((stream) => Int32Array.from(stream, toId));
  const numbers = new Set([...numbersIn(words), ...composedNumbers(folded)]);
  const amounts = new Set(amountsIn(words));
  const currencies = new Set(words.map(toCurrency));
  const hyphenated = new Set(folded.match(HYPHENATED)?.map((code) => code.replaceAll("-", "")));
  const { days, months } = toDates(folded);
  const times = toTimes(folded);

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

/** The last piece reaches back, so that none is short. */
function toPassages(ids: readonly number[]): readonly (readonly number[])[] {
  if (ids.length <= MAX_PASSAGE_WORDS) return ids.length === 0 ? [] : [ids];
  const count = Math.ceil(ids.length / MAX_PASSAGE_WORDS);
  return Array.from({ length: count }, (_, piece) => {
    const start = Math.min(piece * MAX_PASSAGE_WORDS, ids.length - MAX_PASSAGE_WORDS);
    return ids.slice(start, start + MAX_PASSAGE_WORDS);
  });
}

/** The passages that stand in one of the streams, by their ids. Rabin and Karp's way: all of one length in one walk. */
function findAll(streams: readonly Int32Array[], passages: readonly (readonly number[])[]): ReadonlySet<string> {
  const found = new Set<string>();
  const byLength = new Map<number, Map<string, readonly number[]>>();
  for (const passage of passages) {
    // A word that the page doesn't have.
    if (passage.includes(0)) continue;
    const same = byLength.get(passage.length) ?? new Map<string, readonly number[]>();
    byLength.set(passage.length, same.set(passage.join(" "), passage));
  }
  for (const wanted of byLength.values()) {
    for (const stream of streams) walk(stream, wanted, found);
  }
  return found;
}

/** Takes what it finds from `wanted`, which holds passages of one length. */
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
