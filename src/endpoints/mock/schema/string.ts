import { greatest, type SchemaObject, smallest, stringsOf } from "../../../json-schema/keywords";
import { sampleRegex } from "../regex/sample";
import { textOfFormat } from "./formats";
import { textFor } from "./names";
import { MAX_TEXT_CHARS, type Place, type Sampling } from "./sampling";

/** Rounds beyond the needed ones, in the order in which they make good-looking texts. */
const EXTRAS = [4, 0, 1, 2, 3, 5, 6, 7, 8, 10, 12, 16, 20, 24, 30, 40, 60, 100, 200, 500, 1_000, 5_000, 10_000];
const MAX_PATTERN_TEXTS = 6;

/** For patterns that only say what a text must have in it, as those of passwords do. */
const ALL_ROUND = [
  "Abcdef1!",
  "Abcdefg1",
  "abcdefg1",
  "ABCDEFG1",
  "Abcdefgh1!Abcdefgh1!",
  "12345678",
  "abc",
  "1",
  "a-b_c.d",
];

/** Texts that may do, the best first. */
export function* sampleTexts(
  parts: readonly SchemaObject[],
  place: Place,
  { checker, budget }: Sampling,
): Generator<string> {
  const min = greatest(parts, "minLength") ?? 0;
  const max = smallest(parts, "maxLength") ?? Infinity;
  const minChars = Math.max(0, Math.min(min, MAX_TEXT_CHARS, budget.chars));

  for (const format of stringsOf(parts, "format")) {
    const text = textOfFormat(format, place.index, minChars);
    if (text !== undefined) yield text;
  }
  const patterns = stringsOf(parts, "pattern");
  for (const pattern of patterns) {
    yield* sampleTextsOfPattern(pattern, { min, max, index: place.index }, { checker, budget });
  }
  yield fitLength(textFor(place.name, place.index), minChars, max);
  for (const text of patterns.length > 0 ? ALL_ROUND : []) yield fitLength(text, minChars, max);
}

/** Texts that match the pattern, of a length within the bounds; none for a pattern that isn't understood. */
export function* sampleTextsOfPattern(
  pattern: string,
  { min, max, index }: { min: number; max: number; index: number },
  { checker, budget }: Pick<Sampling, "checker" | "budget">,
): Generator<string> {
  const regex = checker.patterns.toRegex(pattern);
  if (regex === null) return;
  const maxChars = Math.min(max, MAX_TEXT_CHARS, budget.chars);
  const seen = new Set<string>();
  for (const extra of EXTRAS) {
    budget.steps -= 1 + extra / 20;
    if (budget.steps < 0 || seen.size >= MAX_PATTERN_TEXTS) return;
    const text = sampleRegex(regex, { extra, index, maxChars });
    if (text === null || seen.has(text) || [...text].length < min) continue;
    seen.add(text);
    yield text;
  }
}

function fitLength(text: string, min: number, max: number): string {
  const long = text.length >= min ? text : `${text} `.repeat(Math.ceil(min / (text.length + 1))).slice(0, min);
  return long.length <= max ? long : long.slice(0, Math.max(0, Math.floor(max)));
}
