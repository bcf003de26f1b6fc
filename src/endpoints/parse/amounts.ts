import { toCurrency } from "../../html/page/prices";
import { toNumbers } from "./normalize-text";

const MULTIPLES: ReadonlyMap<string, number> = new Map([
  ["%", 1e-2],
  ...["k", "tsd", "thousand", "tausend", "mille", "mil", "bin", "тыс", "千"].map((word) => [word, 1e3] as const),
  ...["万", "萬"].map((word) => [word, 1e4] as const),
  ["lakh", 1e5] as const,
  ...["m", "mio", "mn", "mln", "million", "millions", "millionen", "millones", "milyon", "млн"].map(
    (word) => [word, 1e6] as const,
  ),
  ["crore", 1e7] as const,
  ...["億", "亿"].map((word) => [word, 1e8] as const),
  ...["b", "bn", "mrd", "billion", "billions", "milliarde", "milliarden", "milyar", "млрд"].map(
    (word) => [word, 1e9] as const,
  ),
]);

const SPACED_NUMBER = /(?<![\d.,])\d{1,3}(?:[ '’]\d{3})+(?:[.,]\d+)?(?!\d)/g;
/** Matches a price whose cents are superscript in Markdown: €19<sup>99</sup>. */
const RAISED_CENTS = /(\p{Sc} ?)?(?<!\d)(\d{1,6})<sup>(\d\d)<\/sup>( ?\p{Sc})?/gu;
const BARE_CENTS = /\p{Sc} ?([.,]\d\d)(?!\d)/gu;
/** Matches fractions such as `1⁄2` with U+2044, to which NFKC converts ½, and typed ones such as `1 1/2`. */
const FRACTION = /(?<![\d.,/⁄])(?:(\d{1,3}) )?(?:(\d{1,3})⁄(\d{1,3})|([1-7])\/([2348]))(?![\d/⁄])/g;

/** Matches durations in the forms `pt1h30m` and `1 hr 30 min` in normalized text. */
const DURATION =
  /(?<![\p{L}\d])p(?:(\d{1,4})d)?t(?:(\d{1,5})h)?(?:(\d{1,6})m)?(?:(\d{1,7})s)?(?![\p{L}\d])|(?<![\d.,])(\d{1,3}) ?(?:hours?|hrs?|h|std\.?|stunden?),? ?(?:and |und )?(\d{1,2}) ?(?:minutes?|mins?|minuten?)(?!\p{L})/gu;

/** Yields every number that the words can mean. A word is read alone and together with the next word (`5 million`). */
export function* numbersIn(words: readonly string[]): Generator<number> {
  for (const [at, word] of words.entries()) {
    const multiple = MULTIPLES.get(words[at + 1] ?? "");
    for (const number of toNumbers(word)) {
      yield toRounded(number);
      if (multiple !== undefined) yield toRounded(number * multiple);
    }
  }
}

/**
 * Yields the numbers in normalized text that consist of several words, such as `10 000` or `1 1/2`. Yields each duration
 * in minutes, and a duration in ISO 8601 in hours and seconds, too.
 */
export function* composedNumbers(normalized: string): Generator<number> {
  const text = normalized.replace(/\s/g, " ");
  for (const [number] of text.matchAll(SPACED_NUMBER)) yield* toNumbers(number.replace(/[ '’]/g, "")).map(toRounded);
  for (const [, before, whole, cents, after] of text.matchAll(RAISED_CENTS)) {
    if (before !== undefined || after !== undefined) yield Number(`${whole}.${cents}`);
  }
  for (const [, cents = ""] of text.matchAll(BARE_CENTS)) yield Number(cents.replace(",", "."));
  for (const [, whole = "0", above, below, typedAbove, typedBelow] of text.matchAll(FRACTION)) {
    yield toRounded(Number(whole) + Number(above ?? typedAbove) / Number(below ?? typedBelow));
  }
  for (const [, days = 0, hours = 0, minutes = 0, seconds = 0, shownHours, shownMinutes] of text.matchAll(DURATION)) {
    if (shownHours !== undefined) yield 60 * Number(shownHours) + Number(shownMinutes);
    const total = 86_400 * Number(days) + 3_600 * Number(hours) + 60 * Number(minutes) + Number(seconds);
    if (total > 0) yield* [total / 60, total / 3_600, total].map(toRounded);
  }
}

/** Yields each number next to a currency, in the form `19.5 eur`. Thousands can be separate words (“1 299 kr”). */
export function* amountsIn(words: readonly string[]): Generator<string> {
  for (const [at, word] of words.entries()) {
    let digits = word;
    for (let next = at + 1; ; next++) {
      const currencies = [words[at - 1] ?? "", words[next] ?? ""].map(toCurrency).filter((one) => one !== null);
      for (const number of currencies.length === 0 ? [] : toNumbers(digits)) {
        yield* currencies.map((currency) => `${toRounded(number)} ${currency}`);
      }
      if (!/^\d{1,9}$/.test(digits) || !/^\d{3}(?!\d)/.test(words[next] ?? "")) break;
      digits += words[next];
    }
  }
}

/** Rounds to 15 digits, to remove the rounding errors of a multiplication. */
export function toRounded(value: number): number {
  return Number(value.toPrecision(15));
}
