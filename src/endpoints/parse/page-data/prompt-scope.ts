import { isObject, type SchemaObject, toSchemaEntries } from "../../../json-schema/keywords";
import { synonymsOf } from "./concepts";
import { isQualified } from "./description-scope";
import { toSingular, wordsOf } from "./keys";
import { NEUTRAL, OTHER_SCRIPT, plain, TRANSFORMED } from "./prompt-words";

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

/** Words that select one of several objects, or other values than the page's main ones. */
const SELECTED =
  /\b(?:second|third|fourth|last|other|another|competitor|related|similar|previous|cheapest|most expensive|top \d+|first \d+|zweite\w*|dritte\w*|letzte\w*|andere\w*|deuxieme|dernier\w*|autre\w*|segund\w*|ultim[oa]|otr[oa]s?|second[oa])\b/;
/** Words that restrict the values. */
const RESTRICTED =
  /\b(?:only|except|exclud\w*|without|ignor\w*|skip|unless|where|whose|at least|at most|more than|less than|under|over|above|below|between|since|nur|ohne|ausser|seulement|sauf|sans|solo|sin|excepto|soltanto|senza)\b/;
/** Sentences about the form of the answer, which don't restrict the values. */
const ABOUT_FORM =
  /\b(?:json|null|missing|invent|guess|unknown|omit|empty|schema|not (?:found|available|present|given)|verbatim|word for word|do not|don t)\b/;
const PREPOSITIONS = words(
  "of in per before after from for including excluding incl excl without with as on at by von in pro vor nach aus fur ohne de du des en par avec avant sans por con sin antes per di da prima",
);
/** Words after a name that qualify it, whatever follows. */
const EXCLUSIONS = words("including excluding incl excl without except ohne sans sin senza hors");
const MAX_PROMPT_CHARS = 10_000;
const MAX_FOLLOWING_WORDS = 4;
const MAX_SYNONYMS = 60;

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

function placesOf(clause: readonly string[], name: readonly string[]): number[] {
  return clause.flatMap((_, at) => (name.every((word, index) => clause[at + index] === word) ? [at] : []));
}

function toWords(clause: string): string[] {
  return wordsOf(clause).map(toSingular);
}

/** Returns the words of all property names in the schema, in the singular. */
function namesIn(schema: SchemaObject): string[] {
  const names: string[] = [];
  const pending: unknown[] = [schema];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (Array.isArray(part)) pending.push(...part);
    else if (isObject(part)) {
      for (const [name, inner] of toSchemaEntries(part.properties)) {
        names.push(...toWords(name));
        pending.push(inner);
      }
      pending.push(
        ...["items", "anyOf", "oneOf", "allOf"].map((keyword) => part[keyword]).filter((one) => one !== undefined),
      );
      for (const [, inner] of [...toSchemaEntries(part.$defs), ...toSchemaEntries(part.definitions)])
        pending.push(inner);
    }
  }
  return names;
}
