import { decodeUri, foldText } from "../../lib/text";
import { MAX_QUERY_CHARS } from "../../model/limits";
import commonWords from "./common-words.json";
import type { ResultPage } from "./result-page";

/** A page with fewer results than this is never off topic, because it has too little text to compare. */
const MIN_RESULTS = 3;
const MIN_WORD_CHARS = 3;
/** The share of a word's letters, from its start, that is compared. Other forms usually share them. */
const STEM_SHARE = 0.7;
/** The results of a page must contain at least this share of the query's words. Otherwise, the page is off topic. */
const MIN_FOUND = 0.5;

const MAX_SHORT_CHARS = 4;
/** Matches search operators, such as site:example.com, -word and OR. They don't occur in the results. */
const OPERATOR = /(?:^|[\s(])-?[a-z]+:(?:"[^"]*"|[^\s)]+)|(?:^|\s)-\S+|\b(?:OR|AND|NOT)\b/g;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Matches scripts without spaces. Pairs of characters are compared instead of words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Stop words. They occur in text about any subject, so they aren't compared. */
const COMMON: ReadonlySet<string> = new Set(Object.values(commonWords).join(" ").split(" "));

/**
 * Returns true if the results of a page don't fit the query, or fit only its first word. Bing serves such pages to
 * clients that it takes for bots. Returns false if the engine corrected the spelling of the query.
 */
export function isOffTopic(query: string, { organic, isCorrected }: ResultPage): boolean {
  if (isCorrected || organic.length < MIN_RESULTS) return false;
  const words = wordsOf(query);
  const contents = organic.map(({ title, snippet, url }) => `${title} ${snippet} ${decodeUri(url)}`).join(" ");
  const text = ` ${(foldText(contents).match(WORD) ?? []).join(" ")}`;
  const found = words.map((word) => isIn(text, stemOf(word)));
  const isCut = words.length > 1 && found[0] === true && !found.includes(true, 1);
  return isCut || found.filter(Boolean).length < words.length * MIN_FOUND;
}

/** Returns true if the text has the stem. A short one must start a word, because many words contain it. */
function isIn(text: string, stem: string): boolean {
  const isPart = stem.length > MAX_SHORT_CHARS || UNSPACED.test(stem);
  return text.includes(isPart ? stem : ` ${stem}`);
}

function wordsOf(query: string): string[] {
  const words = foldText(query.slice(0, MAX_QUERY_CHARS).replace(OPERATOR, " ")).match(WORD) ?? [];
  return words.flatMap((word) => {
    if (UNSPACED.test(word)) return pairsOf(word);
    return [...word].length < MIN_WORD_CHARS || COMMON.has(word) ? [] : [word];
  });
}

function pairsOf(word: string): string[] {
  const characters = [...word];
  return characters.length < 2 ? [word] : characters.slice(1).map((character, index) => characters[index] + character);
}

function stemOf(word: string): string {
  const characters = [...word];
  return characters.slice(0, Math.max(MIN_WORD_CHARS, Math.ceil(characters.length * STEM_SHARE))).join("");
}
