import { toCurrency } from "../../html/page/prices";
import { lazy } from "../../lib/lazy";
import { amountsIn, composedNumbers, numbersIn, toRounded } from "./amounts";
import { toDates, toTimes } from "./dates";
import { normalizeText, toWords } from "./normalize-text";

/** Matches the URL of a Markdown link. A copy of the page without URLs is searched too. */
const DESTINATION = /\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?: "[^"\n]*")?\)/g;
/** Matches ISBNs, part numbers and article numbers. Models often omit their hyphens. */
const HYPHENATED = /(?<![\p{L}\p{N}-])\d+(?:-\d+)+(?:-?x(?![\p{L}\p{N}]))?/gu;

export interface PageIndex {
  /** Returns true if the page has the words of the text in the same order. False without words. */
  hasText(text: string): boolean;
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

/** Builds the index of a page. The first search that needs a part builds it. */
export function indexPage(text: string): PageIndex {
  const normalized = normalizeText(text);
  const words = lazy(() => toWords(normalized));
  const streams = lazy(() => {
    const shown = normalized.replace(DESTINATION, "] ");
    return [words(), ...(shown === normalized ? [] : [toWords(shown)])].map((stream) => {
      return { words: stream, places: Map.groupBy(stream.keys(), (at) => stream[at] ?? "") };
    });
  });
  const numbers = lazy(() => new Set([...numbersIn(words()), ...composedNumbers(normalized)]));
  const amounts = lazy(() => new Set(amountsIn(words())));
  const currencies = lazy(() => new Set(words().map(toCurrency)));
  const hyphenated = lazy(() => new Set(normalized.match(HYPHENATED)?.map((code) => code.replaceAll("-", ""))));
  const dates = lazy(() => toDates(normalized));
  const times = lazy(() => toTimes(normalized));

  return {
    hasText: (passage) => streams().some((stream) => hasPassage(stream, toWords(normalizeText(passage)))),
    hasNumber: (value) => numbers().has(toRounded(Math.abs(value))),
    hasAmount: (value, currency) => amounts().has(`${toRounded(value)} ${currency}`),
    hasCurrency: (currency) => currencies().has(currency),
    hasHyphenated: (digits) => hyphenated().has(digits),
    hasDate: (date) => dates().days.has(date) || dates().months.has(date),
    hasDays: () => dates().days.size > 0,
    hasTime: (time) => times().has(time),
  };
}

/** The words of a page, and the places of each word. */
interface Stream {
  words: readonly string[];
  places: ReadonlyMap<string, readonly number[]>;
}

/** A page on which every word of a passage occurs more often repeats a few words, and would take long to search. */
const MAX_PLACES = 10_000;

/** Returns true if the words follow each other in the stream. Compares them only at the places of the rarest word. */
function hasPassage({ words, places }: Stream, passage: readonly string[]): boolean {
  let [rarest, found] = [0, places.get(passage[0] ?? "") ?? []];
  for (const [index, word] of passage.entries()) {
    const own = places.get(word) ?? [];
    if (own.length < found.length) [rarest, found] = [index, own];
  }
  return found.slice(0, MAX_PLACES).some((at) => passage.every((word, index) => words[at - rarest + index] === word));
}
