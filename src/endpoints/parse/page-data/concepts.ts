import table from "./concepts.json";
import families from "./families.json";
import { toKey } from "./shape";

/** The way in which the values of a concept are read. See `toScalars`. */
export type Kind =
  | "text"
  | "title"
  | "name"
  | "number"
  | "amount"
  | "currency"
  | "date"
  | "duration"
  | "state"
  | "url"
  | "keywords"
  | "ingredients"
  | "steps"
  | "yield"
  | "object";

/** Something that many schemas ask for, and the places where pages declare it. */
export interface Concept {
  kind: Kind;
  /** The keys of the names. See `toKey`. */
  keys: ReadonlySet<string>;
  /** The paths in an object of schema.org, the best one first. The first path with a value is used. */
  paths: readonly (readonly string[])[];
  /** The names of meta elements. */
  meta: readonly string[];
  /** If given, the concept applies only to objects of these families. See `familyOf`. */
  families: ReadonlySet<string> | null;
  /** True if a declared value is used only if the page shows it. */
  mustBeShown: boolean;
}

/** A row of the table. Names are separated by commas, and paths, meta elements and families by spaces. */
interface ConceptRow {
  kind: Kind;
  names: string;
  paths: string;
  meta?: string;
  families?: string;
  mustBeShown?: boolean;
}

const BY_KEY = new Map<string, Concept[]>();
for (const { kind, names, paths, meta, families, mustBeShown = false } of table as ConceptRow[]) {
  const keys = new Set(names.split(", ").map(toKey));
  const concept = {
    kind,
    keys,
    paths: paths.split(" ").map((path) => path.split(".")),
    meta: meta?.split(" ") ?? [],
    families: families === undefined ? null : new Set(families.split(" ")),
    mustBeShown,
  };
  for (const key of keys) BY_KEY.set(key, [...(BY_KEY.get(key) ?? []), concept]);
}

/** Returns the concepts that a key can mean for an object of this family, or of any family by default. */
export function conceptsOf(key: string, family?: string): readonly Concept[] {
  const concepts = BY_KEY.get(key) ?? [];
  return family === undefined ? concepts : concepts.filter(({ families }) => families?.has(family) ?? true);
}

/** Returns the keys of all names with the same meaning, in all languages. */
export function synonymsOf(key: string): ReadonlySet<string> {
  return new Set([key, ...conceptsOf(key).flatMap(({ keys }) => [...keys])]);
}

const toSet = (list: string): ReadonlySet<string> => new Set(list.split(", "));

/** The families of types, in the order in which one is preferred if several objects fit a schema equally well. */
const FAMILIES = families.families.map(({ name, types }) => ({ name, isMember: toPattern(types) }));
/** Returns true for types that are never the subject of a page, because they describe a part of another object or of the site. */
const isNeverSubject = toPattern(families.neverSubjects);
/** The words that schemas put before the names of a family's properties, such as in `product_name`. */
const WORDS = new Map([...families.families, ...families.parts].map(({ name, words }) => [name, toSet(words)]));
const NO_WORDS: ReadonlySet<string> = new Set();
/** The words for groups that only arrange properties, such as `details` in `{"details": {"price": …}}`. */
const GROUP_WORDS = toSet(families.groupWords);

export const NO_FAMILY = "none";

/** Returns a test for the types in a list. A `*` stands for any beginning. The test ignores the case of letters. */
function toPattern(list: string): (type: string) => boolean {
  const names = list.toLowerCase().split(", ");
  const ends = names.filter((name) => name.startsWith("*")).map((name) => name.slice(1));
  const exact = new Set(names);
  return (type) => exact.has(type.toLowerCase()) || ends.some((end) => type.toLowerCase().endsWith(end));
}

/** Returns the family of an object's types. Returns the first type if it has no family. */
export function familyOf(types: readonly string[]): string {
  return FAMILIES.find(({ isMember }) => types.some(isMember))?.name ?? types[0] ?? NO_FAMILY;
}

/** Returns a number that is lower for a family that is preferred. */
export function rankOf(family: string): number {
  const at = FAMILIES.findIndex(({ name }) => name === family);
  return at === -1 ? FAMILIES.length : at;
}

/** Returns false for an object that can't be the subject of a page. */
export function canBeSubject(types: readonly string[]): boolean {
  return types.length > 0 && !types.every(isNeverSubject);
}

/** Returns the words that can stand before a property of this family. */
export function prefixesOf(family: string): ReadonlySet<string> {
  return WORDS.get(family) ?? NO_WORDS;
}

/** Returns true for the name of a group of properties, such as `details`. */
export function isGroupKey(key: string): boolean {
  return key.split(" ").every((word) => GROUP_WORDS.has(word));
}

/** Returns true for the name of an object that stands for the subject itself, such as `product` or `details`. */
export function isSubjectKey(key: string, family: string): boolean {
  return key.split(" ").every((word) => GROUP_WORDS.has(word) || prefixesOf(family).has(word));
}
