import type { DataObject } from "../../../html/page-data/data-node";
import { isObject } from "../../../json-schema/keywords";
import type { SchemaValidator } from "../../../json-schema/validate";
import { findCandidates, type Subject, toInnerSubject } from "./candidates";
import { synonymsOf } from "./concepts";
import { canBeSubject, familyOf, isGroupKey, isSubjectKey, NO_FAMILY, prefixesOf, rankOf } from "./families";
import { toKey } from "./keys";
import { isTitledExactly, nameOf, type PageView, titleWords } from "./page-view";
import { type Shape, toShape } from "./shape";
import type { ShownText } from "./shown-text";
import { isSubjectOf, mayBeAt } from "./subject-proof";

/** The minimum number of properties that an object in embedded state must have. */
const MIN_STATE_MATCHES = 2;
const MAX_GROUPS = 100;
const MAX_STATE_OBJECTS = 3_000;
const MAX_DEPTH = 3;
/** The number of properties that are searched in all groups. Schemas that refer to themselves have endless properties. */
const MAX_SEARCHES = 50_000;
const ORGANIZATION = "Organization";
/** The keys of properties that only organizations have. The name of a page is never the name of its organization. */
const OF_ORGANIZATIONS = new Set([
  "telephone",
  "phone",
  "phone number",
  "legal name",
  "registered name",
  "vat id",
  "vat number",
  "founding date",
  "founded",
  "founding year",
  "employee",
  "number of employee",
  "employee count",
  "headquarter",
  "same as",
  "social link",
  "opening hour",
  "industry",
]);
/** The types of Open Graph for pages about one thing. */
const THING_TYPE = /^(?:og:)?(?:product|product\.item|books?\.book|book)$/i;
const OFFERED = ["Product", "Book", "Movie", "Course", "SoftwareApplication", "Event"];
/** The keys of properties that things have, and pages don't, with the families of these things. */
const FAMILIES_OF_KEYS: readonly (readonly [keys: readonly string[], families: readonly string[]])[] = [
  [["price", "sku", "availability"].flatMap((key) => [...synonymsOf(key)]), OFFERED],
  [["ingredient", "step"].flatMap((key) => [...synonymsOf(key)]), ["Recipe", "HowTo"]],
  // Articles have a date, too.
  [
    ["start date", "event date", "end date", "venue"],
    ["Event", "Course"],
  ],
  [["employment type", "company"].flatMap((key) => [...synonymsOf(key)]), ["JobPosting"]],
];
const FAMILIES_BY_KEY: ReadonlyMap<string, readonly string[]> = new Map(
  FAMILIES_OF_KEYS.flatMap(([keys, families]) => keys.map((key) => [key, families] as const)),
);
const THING_KEYS = new Set(FAMILIES_BY_KEY.keys());
/** The families of objects that pages about a thing declare, too. */
const COMPANION_FAMILIES = new Set(["WebPage", "FAQPage", "Question", "Person", "VideoObject", ORGANIZATION]);
/** The names of groups that describe a thing, such as in `{"product": {"name": …}}`. */
const THING_WORDS = new Set(["Recipe", "JobPosting", "Event", "Product", "Book"].flatMap(prefixesOf));
const OF_ARTICLES = new Set(["date published", "published", "author"]);

/** Objects of different sources with the same family and the same name. */
interface Group {
  family: string;
  objects: DataObject[];
}

/**
 * Chooses the object that the schema describes: the one that has most of the schema's properties and that the titles of
 * the page name. If several objects fit equally well, none of them is chosen, and only meta elements and labels are used.
 */
export function chooseSubject(shape: Shape, page: PageView, validator: SchemaValidator): Subject {
  const isOrganization = isAboutOrganization(shape);
  const { shown } = page;
  const keys = keysOf(shape, validator);
  const isThing = keys.some((key) => THING_KEYS.has(key) || THING_WORDS.has(key));
  const nothing: Subject = {
    family: isOrganization ? ORGANIZATION : NO_FAMILY,
    objects: [],
    page,
    shown,
    isNamedByHeadline: !isThing || isOfferedPage(page),
  };
  const budget = { left: MAX_SEARCHES };
  const count = (group: Group) =>
    countMatches(shape, toInnerSubject(group.objects, group.family, shown), { validator, budget, depth: 0 });
  const proved = page.objects.filter(
    (object) =>
      canBeSubject(object.types) &&
      (familyOf(object.types) === ORGANIZATION) === isOrganization &&
      isSubjectOf(page, object),
  );
  const fitting = proved.filter((object) => !isThing || isThingOf(keys, object, shown));
  // The page is about something else than the schema. Its labels and meta elements don't describe a thing, either.
  if (fitting.length === 0 && proved.some(({ types }) => !COMPANION_FAMILIES.has(familyOf(types))))
    return { ...nothing, page: null, isNamedByHeadline: false };
  const groups = toGroups(fitting);
  const rated = groups.map((group) => ({ group, matches: count(group) })).filter(({ matches }) => matches > 0);
  if (budget.left <= 0) return nothing;
  const most = Math.max(0, ...rated.map(({ matches }) => matches));
  const best = rated.filter(({ matches }) => matches === most).map(({ group }) => group);
  const rank = Math.min(...best.map(({ family }) => rankOf(family)));
  const chosen = preferTitled(
    best.filter(({ family }) => rankOf(family) === rank),
    page,
  );
  if (chosen !== null) return { ...chosen, page, shown, isNamedByHeadline: true };
  if (best.length > 0) return nothing;
  const inState = page.state
    .slice(0, MAX_STATE_OBJECTS)
    .filter((object) => isTitledExactly(object, page.titles) && mayBeAt(page, object))
    .filter((object) => !isThing || isThingOf(keys, object, shown))
    .map((object) => ({ family: stateFamilyOf(object), objects: [object] }))
    .filter((group) => count(group) >= MIN_STATE_MATCHES);
  const [only, ...others] = inState;
  return only === undefined || others.length > 0 ? nothing : { ...only, page, shown, isNamedByHeadline: true };
}

function preferTitled(groups: readonly Group[], page: PageView): Group | null {
  const [only, ...others] = groups;
  if (only === undefined || others.length === 0) return only ?? null;
  const [exact, ...more] = groups.filter(({ objects }) =>
    objects.some((object) => isTitledExactly(object, page.titles)),
  );
  return more.length === 0 ? (exact ?? null) : null;
}

function toGroups(objects: readonly DataObject[]): Group[] {
  const groups = new Map<string, Group>();
  const nameless: Group[] = [];
  for (const object of objects) {
    const family = familyOf(object.types);
    const name = titleWords(nameOf(object)?.value ?? "").join(" ");
    const group = groups.get(`${family} ${name}`) ?? { family, objects: [] };
    group.objects.push(object);
    if (name === "") nameless.push({ family, objects: [object] });
    else groups.set(`${family} ${name}`, group);
  }
  return [...groups.values(), ...nameless].slice(0, MAX_GROUPS);
}

function countMatches(
  shape: Shape,
  subject: Subject,
  { validator, budget, depth }: { validator: SchemaValidator; budget: { left: number }; depth: number },
): number {
  let matches = 0;
  for (const [name, schema] of shape.properties) {
    if (budget.left-- <= 0) break;
    const key = toKey(name);
    if (findCandidates(key, subject) !== null) matches++;
    else if (isSubjectKey(key, subject.family) && isObject(schema) && depth < MAX_DEPTH)
      matches += countMatches(toShape(schema, validator), subject, { validator, budget, depth: depth + 1 });
  }
  return matches;
}

/** Objects in embedded state rarely have a type of schema.org. An object with a price is a product. */
function stateFamilyOf(object: DataObject): string {
  const family = familyOf(object.types);
  if (rankOf(family) < rankOf("")) return family;
  return object.members.some(({ name }) => /price$/i.test(name)) ? "Product" : NO_FAMILY;
}

function isAboutOrganization({ properties }: Shape): boolean {
  const keys = [...properties.keys()].map(toKey);
  const isOther = keys.some((key) => THING_KEYS.has(key) || OF_ARTICLES.has(key));
  return keys.some((key) => OF_ORGANIZATIONS.has(key)) && !isOther;
}

/** Returns the keys of the schema's properties, and of those in its groups. */
function keysOf({ properties }: Shape, validator: SchemaValidator, depth = 0): string[] {
  return [...properties].flatMap(([name, schema]) => {
    const key = toKey(name);
    if (depth >= MAX_DEPTH || !(isGroupKey(key) || THING_WORDS.has(key))) return [key];
    const inner = toShape(schema, validator);
    // The items of a list are described by its schema, and not by the schema of the page.
    return inner.items === null ? [key, ...keysOf(inner, validator, depth + 1)] : [];
  });
}

/**
 * Returns true if the object is a thing that the schema can describe. An object of another type, such as `Apartment`, or
 * without a type must have one of the properties that only things have.
 */
function isThingOf(keys: readonly string[], object: DataObject, shown: ShownText): boolean {
  const own = keys.filter((key) => THING_KEYS.has(key));
  const family = familyOf(object.types);
  if (own.length === 0 || own.some((key) => FAMILIES_BY_KEY.get(key)?.includes(family))) return true;
  const isKnown = rankOf(family) < rankOf(NO_FAMILY);
  return !isKnown && own.some((key) => findCandidates(key, toInnerSubject([object], family, shown)) !== null);
}

/** Returns true if meta elements say that the page offers a product. */
function isOfferedPage({ meta }: PageView): boolean {
  const type = String(meta.get("og:type")?.value ?? "");
  return THING_TYPE.test(type) && ["product:price:amount", "og:price:amount"].some((name) => meta.has(name));
}
