import table from "./families.json";

const toSet = (list: string): ReadonlySet<string> => new Set(list.split(", "));

/** The families of types, in the order in which one is preferred if several objects fit a schema equally well. */
const FAMILIES = table.families.map(({ name, types }) => ({ name, isMember: toPattern(types) }));
/** Returns true for types that are never the subject of a page, because they describe a part of another object or of the site. */
const isNeverSubject = toPattern(table.neverSubjects);
/** The words that schemas put before the names of a family's properties, such as in `product_name`. */
const WORDS = new Map([...table.families, ...table.parts].map(({ name, words }) => [name, toSet(words)]));
const NO_WORDS: ReadonlySet<string> = new Set();
/** The words for groups that only arrange properties, such as `details` in `{"details": {"price": …}}`. */
const GROUP_WORDS = toSet(table.groupWords);

export const NO_FAMILY = "none";

/** Returns a function that returns true for the types of a list. A `*` stands for any beginning. Templates write types in any case. */
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
