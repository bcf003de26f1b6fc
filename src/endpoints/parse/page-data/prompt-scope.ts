import { isObject, type SchemaObject, toSchemaEntries } from "../../../json-schema/keywords";
import { conceptsOf, type Kind, synonymsOf } from "./concepts";
import { isRating } from "./scalars";
import table from "./scope-words.json";
import { toSingular, wordsOf } from "./shape";

const toSet = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** Words that don't change which value of a page is meant, in the languages of the names of concepts. */
const NEUTRAL = toSet(table.neutral);
/** Words of descriptions that don't change which value is meant. */
const STRUCTURAL = toSet(table.structural);
/** Words that don't change which value of a kind is meant. */
const BY_KIND: { readonly [K in Kind]?: string } = table.byKind;
/** Prompts with one of these words ask for values that aren't on the page in this form. */
const TRANSFORMED =
  /\b(?:translat\w*|summar\w*|paraphras\w*|rewrit\w*|rephras\w*|conver[ts]\w*|classif\w*|categori[sz]e\w*|estimat\w*|infer\w*|calculat\w*|comput\w*|round(?:ed)?|shorten\w*|explain\w*|sentiment|own words|upper-?case|lower-?case|ubersetz\w*|zusammenfass\w*|umrechn\w*|tradui\w*|traduc\w*|traduz\w*|resum\w*|riassu\w*|slug)\b/;
/** Scripts whose words this file can't separate or doesn't know. */
const OTHER_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Cyrillic}\p{Script=Greek}]/u;
/** Words that select one of several objects, or other values than the page's main ones. */
const SELECTED =
  /\b(?:second|third|fourth|last|other|another|competitor|related|similar|previous|cheapest|most expensive|top \d+|first \d+|zweite\w*|dritte\w*|letzte\w*|andere\w*|deuxieme|dernier\w*|autre\w*|segund\w*|ultim[oa]|otr[oa]s?|second[oa])\b/;
/** Words that restrict the values. */
const RESTRICTED =
  /\b(?:only|except|exclud\w*|without|ignor\w*|skip|unless|where|whose|at least|at most|more than|less than|under|over|above|below|between|since|nur|ohne|ausser|seulement|sauf|sans|solo|sin|excepto|soltanto|senza)\b/;
/** Sentences about the form of the answer, which don't restrict the values. */
const ABOUT_FORM =
  /\b(?:json|null|missing|invent|guess|unknown|omit|empty|schema|not (?:found|available|present|given)|verbatim|word for word|do not|don t)\b/;
const PREPOSITIONS = toSet(table.prepositions);
/** Words after a name that qualify it, whatever follows. */
const EXCLUSIONS = toSet(table.exclusions);
const MAX_PROMPT_CHARS = 10_000;
const MAX_FOLLOWING_WORDS = 4;
const MAX_SYNONYMS = 60;
/** Phrases that only say how a value is written. */
const NOTATION =
  /\b(?:without|no|excluding|not including|omit) (?:the |any )?(?:(?:currency|symbols?|signs?|codes?|html|markup|tags|site name|name of the site|thousands?|separators?)[ ,/]*(?:and |or )?)+|\bexactly as (?:shown|given|written|on the page)\b|\byyyy-mm-dd(?:[t ]hh:mm(?::ss)?(?:\.s+)?(?:z|[+-]hh:?mm)?)?|\biso[ -]?(?:8601|4217)\b/g;
/** The scale that ratings have by default. `Filler` compares other scales. */
const SCALE = /\b(?:out of|from|on a scale of)? ?[01] ?(?:to|-|–) ?5\b|\bout of (?:5|five)\b/g;
/** Examples end with the sentence or the parentheses around them. */
const EXAMPLES =
  /\b(?:e\.? ?g\.?|for example|for instance|such as|z\.? ?b\.?|par exemple|por ejemplo|p\. ?ej\.?)(?!\w)(?:[^.;()]|\.(?=\d))*/g;
/** Words that also qualify a property in its examples. */
const QUALIFYING =
  /\b(?:vat|tax|taxes|mwst|tva|iva|net|netto|gross|brutto|shipping|delivery|discount\w*|month\w*|week\w*|per|unit|lowest|highest|former|old|before|after|excl\w*|incl\w*|without|instal\w*)\b/g;

/**
 * Decides which properties a prompt leaves as their names say. A prompt can only narrow what a property means, so a
 * property that it qualifies, such as “the SALE price”, can't be answered from the page's data.
 */
export class PromptScope {
  readonly #clauses: readonly string[][];
  readonly #known: ReadonlySet<string>;
  readonly #isOpen: boolean;
  readonly #restrictions: readonly string[][];

  constructor(prompt: string, schema: SchemaObject) {
    const text = plain(prompt.slice(0, MAX_PROMPT_CHARS));
    const clauses = text.split(/[.!?;:\n]+|,\s/).filter((clause) => !ABOUT_FORM.test(clause));
    this.#clauses = clauses.map(toWords);
    this.#known = new Set([...NEUTRAL, ...namesIn(schema)]);
    this.#isOpen =
      OTHER_SCRIPT.test(prompt) || clauses.some((clause) => TRANSFORMED.test(clause) || SELECTED.test(clause));
    this.#restrictions = clauses.filter((clause) => RESTRICTED.test(clause)).map(toWords);
  }

  /** Returns true if the prompt or the description gives the property a narrower meaning than its name. */
  isNarrowed(key: string, { description, isText }: { description: string; isText: boolean }): boolean {
    if (this.#isOpen || isQualified(description, key, { isText })) return true;
    const names = [...synonymsOf(key)].slice(0, MAX_SYNONYMS).map((name) => name.split(" "));
    const own = new Set(names.flat());
    const hasName = (clause: readonly string[]) => names.some((name) => placesOf(clause, name).length > 0);
    if (this.#restrictions.some((clause) => hasName(clause) || !clause.some((word) => this.#isNameOfProperty(word))))
      return true;
    return this.#clauses.some((clause) =>
      names.some((name) =>
        placesOf(clause, name).some((at) => this.#isQualifiedAt(clause, { at, length: name.length, own })),
      ),
    );
  }

  #isNameOfProperty(word: string): boolean {
    return this.#known.has(word) && !NEUTRAL.has(word);
  }

  /** Returns true if an unknown word stands directly before or after the name, or after it and a preposition. */
  #isQualifiedAt(
    clause: readonly string[],
    { at, length, own }: { at: number; length: number; own: ReadonlySet<string> },
  ): boolean {
    const isKnown = (word: string) => this.#known.has(word) || own.has(word);
    const before = clause[at - 1];
    if (before !== undefined && !isKnown(before)) return true;
    const after = clause.slice(at + length, at + length + MAX_FOLLOWING_WORDS);
    const [next = ""] = after;
    if (EXCLUSIONS.has(next)) return true;
    if (!PREPOSITIONS.has(next)) return next !== "" && !isKnown(next);
    const end = after.findIndex((word) => word === "and" || word === "und" || word === "et" || word === "y");
    return after.slice(0, end === -1 ? undefined : end).some((word) => !isKnown(word) && !PREPOSITIONS.has(word));
  }
}

/**
 * Returns true if the description of a property says something that its name doesn't say, such as “net” or “per month”.
 * Unknown words count as such, because they can select another value.
 */
function isQualified(description: string, key: string, { isText }: { isText: boolean }): boolean {
  if (description === "") return false;
  const text = plain(description)
    .replace(NOTATION, " ")
    .replace(isRating(key) ? SCALE : "", " ");
  if (OTHER_SCRIPT.test(description) || TRANSFORMED.test(text)) return true;
  const own = new Set([...synonymsOf(key)].flatMap((name) => name.split(" ")));
  const examples = (text.match(EXAMPLES) ?? []).join(" ");
  if ((examples.match(QUALIFYING) ?? []).some((word) => !own.has(toSingular(word)))) return true;
  const kinds = conceptsOf(key).map(({ kind }) => kind);
  const lists = [...kinds.map((kind) => BY_KIND[kind] ?? ""), ...(kinds.length === 0 ? [table.others] : [])];
  if (!isText && kinds.includes("duration")) lists.push(table.timeUnits);
  const allowed = new Set(lists.flatMap((list) => list.split(" ")));
  return toWords(text.replace(EXAMPLES, " ")).some(
    (word) => ![NEUTRAL, STRUCTURAL, own, allowed].some((words) => words.has(word)),
  );
}

/** Returns the text in lower case, without diacritics and apostrophes. */
function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/['’`´]/g, " ")
    .toLowerCase();
}

function placesOf(clause: readonly string[], name: readonly string[]): number[] {
  return clause.flatMap((_, at) => (name.every((word, index) => clause[at + index] === word) ? [at] : []));
}

function toWords(clause: string): string[] {
  return wordsOf(clause).map(toSingular);
}

function namesIn(schema: SchemaObject): string[] {
  const names: string[] = [];
  const pending: unknown[] = [schema];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (Array.isArray(part)) pending.push(...part);
    if (!isObject(part)) continue;
    const properties = toSchemaEntries(part.properties);
    names.push(...properties.flatMap(([name]) => toWords(name)));
    const inner = [part.items, part.anyOf, part.oneOf, part.allOf].filter((one) => one !== undefined);
    const named = [...properties, ...toSchemaEntries(part.$defs), ...toSchemaEntries(part.definitions)];
    pending.push(...inner, ...named.map(([, schemaOfName]) => schemaOfName));
  }
  return names;
}
