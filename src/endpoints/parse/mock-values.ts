import { type AST, RegExpParser } from "@eslint-community/regexpp";
import { highest, lowest, type SchemaObject, stringsOf } from "../../json-schema/keywords";
import { MAX_PATTERN_CHARS } from "../../model/limits";

const MAX_TEXT_CHARS = 10_000;
const MAX_NAME_CHARS = 100;
/** Limits the parts of a pattern that are written for one text. */
const MAX_STEPS = 10_000;

const toUrl = (index: number) => `https://example.com/mock-${index + 1}`;
const toEmail = (index: number) => `jane.doe${index === 0 ? "" : index + 1}@example.com`;
const toDay = (index: number) => new Date(Date.UTC(2026, 2, 12 + index)).toISOString().slice(0, 10);
const toTime = (index: number) => `${toDay(index)}T09:30:00Z`;

/** Texts for the formats of JSON Schema. */
const FORMATS: ReadonlyMap<unknown, (index: number) => string> = new Map([
  ["date-time", toTime],
  ["date", toDay],
  ["time", () => "09:30:00Z"],
  ["duration", (index) => `P${index + 1}D`],
  ["email", toEmail],
  ["idn-email", toEmail],
  ["hostname", (index) => `host-${index + 1}.example.com`],
  ["ipv4", (index) => `192.0.2.${(index % 254) + 1}`],
  ["ipv6", (index) => `2001:db8::${(index + 1).toString(16)}`],
  ["uri", toUrl],
  ["iri", toUrl],
  ["url", toUrl],
  ["uri-reference", (index) => `/mock-${index + 1}`],
  ["uri-template", (index) => `${toUrl(index)}/{id}`],
  ["uuid", (index) => `00000000-0000-4000-8000-${(index + 1).toString(16).padStart(12, "0")}`],
  ["json-pointer", (index) => `/mock/${index}`],
  ["json-pointer-uri-fragment", (index) => `#/mock/${index}`],
  ["relative-json-pointer", (index) => `${index}/mock`],
  ["regex", (index) => `^mock-${index + 1}$`],
]);

/** Texts and numbers for the words in a property's name. The first match counts. */
const NAMED_TEXTS: readonly (readonly [words: RegExp, make: (index: number) => string])[] = [
  [/\be?mail\b/, toEmail],
  [/\b(url|uri|link|href|website|image|photo|logo)s?\b/, toUrl],
  [/\b(phone|tel|telephone|mobile)\b/, (index) => `+1 202 555 ${String(100 + (index % 100)).padStart(4, "0")}`],
  [/\b(author|full name|person|contact)\b/, (index) => ["Jane Doe", "John Smith", "Mary Miller"][index % 3] ?? ""],
  [/\bcurrency\b/, () => "USD"],
  [/\b(date|published|created|updated)\b/, toDay],
];
const NAMED_NUMBERS: readonly (readonly [words: RegExp, make: (index: number) => number])[] = [
  [/\b(price|cost|amount|fee|total)\b/, (index) => Math.round(1999 + 1000 * index) / 100],
  [/\b(rating|score|stars?)\b/, (index) => 4.5 - (index % 4)],
  [/\byear\b/, (index) => 2026 - (index % 100)],
];

/** Returns the usual number for a property of that name. */
export function numberFor(name: string, index: number): number {
  const words = toWords(name);
  return NAMED_NUMBERS.find(([pattern]) => pattern.test(words))?.[1](index) ?? index + 1;
}

/** Returns texts that may be valid against the schemas, the most likely one first: by format, by pattern, by name. */
export function textsFor(
  parts: readonly SchemaObject[],
  { name, index }: { name: string; index: number },
  maxChars: number,
): string[] {
  const words = toWords(name);
  const named = NAMED_TEXTS.find(([pattern]) => pattern.test(words))?.[1](index);
  const text = named ?? `Mock ${words || "text"}${index === 0 ? "" : ` ${index + 1}`}`;
  const formatted = stringsOf(parts, "format").flatMap((format) => FORMATS.get(format)?.(index) ?? []);
  const matching = stringsOf(parts, "pattern").flatMap((pattern) => textsForPattern(pattern, index));
  const min = Math.min(highest(parts, "minLength") ?? 0, MAX_TEXT_CHARS, maxChars);
  const fitting = text.padEnd(min, ` ${text}`).slice(0, lowest(parts, "maxLength"));
  return [...formatted, ...matching, fitting].filter(({ length }) => length <= maxChars);
}

function toWords(name: string): string {
  const spaced = name.slice(0, MAX_NAME_CHARS).replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2");
  return spaced
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}

/** How many rounds beyond the minimum a repetition gets, so that one of the texts fits the schema's length. */
const EXTRA_ROUNDS = [3, 0, 1, 2, 4, 5, 6, 7, 8, 12, 16, 32];
const CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890-_ .,:;@#/+éßαя中あ€😀";

/** Returns texts that are likely to match a pattern: look-around isn't taken into account. */
function textsForPattern(pattern: string, index: number): string[] {
  if (pattern.length > MAX_PATTERN_CHARS) return [];
  try {
    const tree = new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true });
    const texts = EXTRA_ROUNDS.map((extra) => new PatternWriter(extra, index).write(tree.alternatives));
    return [...new Set(texts)].filter((text) => text.length < MAX_TEXT_CHARS);
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

class PatternWriter {
  readonly #extra: number;
  readonly #index: number;
  #text = "";
  #stepsLeft = MAX_STEPS;

  constructor(extra: number, index: number) {
    this.#extra = extra;
    this.#index = index;
  }

  /** Appends a text for one of the alternatives, and returns all that was written. */
  write(alternatives: readonly AST.Alternative[]): string {
    for (const element of alternatives[this.#index % alternatives.length]?.elements ?? []) this.#writeElement(element);
    return this.#text;
  }

  #writeElement(element: AST.Element): void {
    if (--this.#stepsLeft < 0) return;
    if (element.type === "Quantifier") {
      const rounds = Math.min(element.max, element.min + this.#extra);
      for (let round = 0; round < rounds && this.#stepsLeft > 0; round++) this.#writeElement(element.element);
    } else if (element.type === "Group" || element.type === "CapturingGroup") this.write(element.alternatives);
    else if (element.type === "Character") this.#text += String.fromCodePoint(element.value);
    else if (element.type === "CharacterSet" || element.type === "CharacterClass") {
      const regex = new RegExp(`^${element.raw}$`, "u");
      const characters = [...CHARACTERS, ...element.raw].filter((character) => regex.test(character));
      this.#text += characters[(this.#text.length + this.#index) % characters.length] ?? "";
    }
  }
}
