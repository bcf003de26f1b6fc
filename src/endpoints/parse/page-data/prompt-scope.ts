import { isObject, type SchemaObject, toSchemaEntries } from "../../../json-schema/keywords";
import { synonymsOf } from "./concepts";
import { toSingular, wordsOf } from "./keys";

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

/** Words that don't change which value of a page is meant, in the languages whose names `concepts.ts` has. */
const NEUTRAL = words(
  "a an the this that these those its it their his her my our your all every each any both and or as well also plus with for of from on in at to by is are be " +
    "please extract get give return find read list show fetch scrape pull collect me us i want need page site website web document html json schema field value object array data detail info information " +
    "structured following given complete full main exact actual current whole displayed shown listed available visible exactly total number string text s " +
    "product item article post blog news story recipe dish event job posting position vacancy book movie film company organization business course app software person " +
    "der die das den dem des ein eine einen einem einer eines und oder von vom aus im am zum zur mit für alle jede jeden bitte extrahiere gib hole finde seite produkt produkte artikel rezept veranstaltung stelle sowie " +
    "le la les l un une des du de d et ou avec pour sur dans toutes tous chaque extrais extraire donne produit recette " +
    "el los las lo una unos unas del al y o con para en por todos todas extrae extraer dame producto receta articulo noticia " +
    "il gli i uno della dello delle dei degli e ed per nella estrai prodotto ricetta articolo",
);
/** Prompts with one of these words ask for values that aren't on the page in this form. */
const TRANSFORMED =
  /\b(?:translat\w*|summar\w*|paraphras\w*|rewrit\w*|rephras\w*|conver[ts]\w*|classif\w*|categori[sz]e\w*|estimat\w*|infer\w*|calculat\w*|comput\w*|round(?:ed)?|shorten\w*|explain\w*|sentiment|own words|upper-?case|lower-?case|ubersetz\w*|zusammenfass\w*|umrechn\w*|tradui\w*|traduc\w*|traduz\w*|resum\w*|riassu\w*|slug)\b/;
/** Words that select one of several objects, or other values than the page's main ones. */
const SELECTED =
  /\b(?:second|third|fourth|last|other|another|competitor|related|similar|previous|cheapest|most expensive|top \d+|first \d+|zweite\w*|dritte\w*|letzte\w*|andere\w*|deuxieme|dernier\w*|autre\w*|segund\w*|ultim[oa]|otr[oa]s?|second[oa])\b/;
/** Words that restrict the values. */
const RESTRICTED =
  /\b(?:only|except|exclud\w*|without|ignor\w*|skip|unless|where|whose|at least|at most|more than|less than|under|over|above|below|between|since|nur|ohne|ausser|seulement|sauf|sans|solo|sin|excepto|soltanto|senza)\b/;
/** Sentences about the form of the answer, which don't restrict the values. */
const ABOUT_FORM =
  /\b(?:json|null|missing|invent|guess|unknown|omit|empty|schema|not (?:found|available|present|given)|verbatim|word for word|do not|don t)\b/;
const QUALIFIED =
  /\b(?:sale|discount\w*|original|regular|old|previous|former|struck|strike\w*|crossed|rrp|msrp|uvp|list price|before|after|exclud\w*|excl|includ\w* (?:tax|vat|shipping)|incl|net|gross|per (?!serving|page|portion|recipe)\w+|member\w*|subscri\w*|used|refurbished|second|third|last|other|cheapest|lowest|highest|minimum|maximum|average of|translat\w*|summar\w*|one sentence|short|at most|max \d+|comma separated|lower ?case|upper ?case|slug|cents|pence|pennies|minor units?|shipping|delivery|postage|deposit|fees?|instal\w*|hourly|daily|weekly|monthly|yearly|annual\w*|without|converted|(?:euros?|eur|usd|gbp|chf|jpy|cad|aud|nzd|inr|cny|rmb|sek|nok|dkk|pln|czk|brl|mxn|krw|try|zar|francs?|yen|yuan|rupees?|kron(?:er|or|a|e)|pesos?|reais)|in (?:dollars?|pounds?|german|english|french|spanish|metric|grams?|kg))\b/g;
/** Phrases of descriptions that only say how a value is written. */
const NOTATION =
  /\b(?:without|no|excluding|not including) (?:the |any )?(?:currency|symbols?|units?|html|markup|tags|site name|thousands?|\$|sign)[\w ]*|\bexactly as (?:shown|on the page)\b|\([^()]*\)|\b(?:e\.?g\.?|for example|such as|like|z\.? ?b\.?)\b.*$/gi;
/** Scripts whose words this file can't separate or doesn't know. */
const OTHER_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Cyrillic}\p{Script=Greek}]/u;
const PREPOSITIONS = words(
  "of in per before after from for including excluding incl excl without with as on at by von in pro vor nach aus fur ohne de du des en par avec avant sans por con sin antes per di da prima",
);
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
  isNarrowed(key: string, description: string): boolean {
    if (this.#isOpen || isQualified(description, key)) return true;
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

  /** Returns true if an unknown word stands directly before the name, or after it and a preposition. */
  #isQualifiedAt(
    clause: readonly string[],
    { at, length, own }: { at: number; length: number; own: ReadonlySet<string> },
  ): boolean {
    const isKnown = (word: string) => this.#known.has(word) || own.has(word);
    const before = clause[at - 1];
    if (before !== undefined && !isKnown(before)) return true;
    const after = clause.slice(at + length, at + length + MAX_FOLLOWING_WORDS);
    if (!PREPOSITIONS.has(after[0] ?? "")) return false;
    const end = after.findIndex((word) => word === "and" || word === "und" || word === "et" || word === "y");
    return after.slice(0, end === -1 ? undefined : end).some((word) => !isKnown(word) && !PREPOSITIONS.has(word));
  }
}

function isQualified(description: string, key: string): boolean {
  if (description === "") return false;
  if (OTHER_SCRIPT.test(description)) return true;
  const text = plain(description.replace(NOTATION, " "));
  if (TRANSFORMED.test(text)) return true;
  const own = key.split(" ");
  return [...text.matchAll(QUALIFIED)].some(([found]) => !own.includes(toSingular(found)));
}

function placesOf(clause: readonly string[], name: readonly string[]): number[] {
  return clause.flatMap((_, at) => (name.every((word, index) => clause[at + index] === word) ? [at] : []));
}

function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/['’`´]/g, " ")
    .toLowerCase();
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
