import type { DataObject } from "../../../html/page-data/data-node";
import { isObject } from "../../../json-schema/keywords";
import type { SchemaValidator } from "../../../json-schema/validate";
import { findCandidates, type Subject } from "./candidates";
import { canBeSubject, familyOf, isSubjectKey, NO_FAMILY, rankOf } from "./families";
import { toKey } from "./keys";
import { isTitledExactly, nameOf, type PageView, titleWords } from "./page-view";
import { type Shape, toShape } from "./shape";
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
/** The keys of properties that describe something else, although its schema can have a telephone number, too. */
const OF_OTHERS = new Set([
  "price",
  "ingredient",
  "step",
  "start date",
  "employment type",
  "company",
  "date published",
  "published",
  "author",
  "sku",
  "availability",
]);

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
  const nothing: Subject = { family: isOrganization ? ORGANIZATION : NO_FAMILY, objects: [], page, shown };
  const budget = { left: MAX_SEARCHES };
  const count = (group: Group) => countMatches(shape, { ...group, page: null, shown }, { validator, budget, depth: 0 });
  const groups = toGroups(
    page.objects.filter(
      (object) =>
        canBeSubject(object.types) &&
        (familyOf(object.types) === ORGANIZATION) === isOrganization &&
        isSubjectOf(page, object),
    ),
  );
  const rated = groups.map((group) => ({ group, matches: count(group) })).filter(({ matches }) => matches > 0);
  if (budget.left <= 0) return nothing;
  const most = Math.max(0, ...rated.map(({ matches }) => matches));
  const best = rated.filter(({ matches }) => matches === most).map(({ group }) => group);
  const rank = Math.min(...best.map(({ family }) => rankOf(family)));
  const chosen = preferTitled(
    best.filter(({ family }) => rankOf(family) === rank),
    page,
  );
  if (chosen !== null) return { ...chosen, page, shown };
  if (best.length > 0) return nothing;
  const inState = page.state
    .slice(0, MAX_STATE_OBJECTS)
    .filter((object) => isTitledExactly(object, page.titles) && mayBeAt(page, object))
    .map((object) => ({ family: stateFamilyOf(object), objects: [object] }))
    .filter((group) => count(group) >= MIN_STATE_MATCHES);
  const [only, ...others] = inState;
  return only === undefined || others.length > 0 ? nothing : { ...only, page, shown };
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
  return keys.some((key) => OF_ORGANIZATIONS.has(key)) && !keys.some((key) => OF_OTHERS.has(key));
}
