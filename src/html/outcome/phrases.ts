import { toRegExp } from "../../lib/to-reg-exp";
import { normalize, QUOTED, sentencesOf } from "../text/sentences";
import table from "./phrases.json";

/** An entry of the table. `about` says what its patterns match. A pattern has the form `/source/flags`. */
type Entry = { about?: string } & (
  | { pattern: string }
  | { patterns: readonly string[] }
  // The sources of patterns of a few languages each. They are joined to one pattern with the flag `u`.
  | { anyOf: readonly string[] }
);
type Compiled<E> = E extends { patterns: unknown } ? readonly RegExp[] : RegExp;
type Phrases = {
  readonly [Page in keyof typeof table]: {
    readonly [Name in keyof (typeof table)[Page]]: Compiled<(typeof table)[Page][Name]>;
  };
};

/** The phrases of all languages, by the page or notice that they belong to. They are patterns for normalized text. */
export const PHRASES = mapValues(table, (entries) => mapValues(entries, compile)) as unknown as Phrases;

function mapValues<Value, Result>(map: Record<string, Value>, change: (value: Value) => Result) {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));
}

function compile(entry: Entry): RegExp | RegExp[] {
  if ("anyOf" in entry) return new RegExp(entry.anyOf.join("|"), "u");
  return "pattern" in entry ? toRegExp(entry.pattern) : entry.patterns.map(toRegExp);
}

/** A line with more characters than this isn't compared with phrases. Notices are short. */
export const MAX_PHRASE_CHARS = 400;
const MAX_QUOTE_CHARS = 80;

/** Returns the beginning of a text in single quotation marks, without the full stop at its end. */
export function quote(text: string): string {
  const clean = text
    .replace(/\s+/g, " ")
    .replace(/(?<!\.)[.。!！]? ?$/, "")
    .trimStart();
  return `'${clean.length <= MAX_QUOTE_CHARS ? clean : `${clean.slice(0, MAX_QUOTE_CHARS - 1).trimEnd()}…`}'`;
}

/** Text of at most this length outside of quotation marks is only the frame of a quoted notice. */
const MIN_UNQUOTED_CHARS = 20;

/**
 * Returns true if one of the patterns matches a normalized text of at most `MAX_PHRASE_CHARS`. Ignores passages in
 * quotation marks, unless they are the whole text.
 */
export function says(text: string, patterns: readonly RegExp[]): boolean {
  if (text.length > MAX_PHRASE_CHARS) return false;
  const unquoted = text.replace(QUOTED, " ");
  const normalized = normalize(unquoted.length < MIN_UNQUOTED_CHARS ? text : unquoted);
  return patterns.some((pattern) => pattern.test(normalized));
}

/** A condition before a notice: the sentence explains the notice, and isn't the notice. */
const CONDITION =
  /(?<![\p{L}])(?:if|when|whenever|once|unless|wenn|falls|sobald|sofern|si|quand|lorsque|cuando|se|quando|als|wanneer|indien|eğer|если|когда|jeśli|jeżeli|gdy|kiedy)(?![\p{L}])|如果|若|場合|경우|때/u;

/**
 * Returns true if a sentence of at most `maxChars` matches one of the patterns, and isn't a condition such as "If the
 * page was deleted". Checks the first two sentences of the text, because a notice can begin with an apology.
 */
export function announces(text: string, patterns: readonly RegExp[], maxChars: number): boolean {
  return sentencesOf(text)
    .slice(0, 2)
    .some(
      (sentence) => sentence.length <= maxChars && !CONDITION.test(normalize(sentence)) && says(sentence, patterns),
    );
}
