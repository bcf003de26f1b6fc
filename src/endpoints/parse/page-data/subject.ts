import type { DataObject } from "../../../html/page-data/data-node";
import type { SchemaValidator } from "../../../json-schema/validate";
import { findCandidates, nodesAt, type Subject, toInnerSubject } from "./candidates";
import { canBeSubject, familyOf, isGroupKey, NO_FAMILY, prefixesOf, rankOf, synonymsOf } from "./concepts";
import { nameOf, objectsIn, type PageView, textsIn, toPhrase } from "./page-view";
import { type Shape, toKey, toShape } from "./shape";

const ORGANIZATION = "Organization";
const MAX_GROUPS = 100;
const MAX_STATE_OBJECTS = 3_000;
/** The minimum number of properties that an object in embedded state must have. */
const MIN_STATE_MATCHES = 2;
const MAX_DEPTH = 3;
/** The number of a schema's keys that are searched. Schemas that refer to themselves have endless keys. */
const MAX_KEYS = 500;
const MAX_TITLE_PARTS = 5;
/** The keys of properties that only organizations have. The name of a page is never the name of its organization. */
const OF_ORGANIZATIONS = toKeys(
  ["telephone", "legal name", "vat id", "founding date", "same as"],
  ["employee", "number of employee", "employee count", "headquarter", "opening hour", "industry"],
);
const OF_ARTICLES = new Set(["date published", "published", "author"]);
/** The families of things, each with the keys of properties that these things have, and pages don't. */
const THINGS: readonly (readonly [families: readonly string[], keys: ReadonlySet<string>])[] = [
  [["Product", "Book", "Movie", "Course", "SoftwareApplication", "Event"], toKeys(["price", "sku", "availability"])],
  [["Recipe", "HowTo"], toKeys(["ingredient", "step"])],
  [["Event", "Course"], toKeys([], ["start date", "event date", "end date", "venue"])],
  [["JobPosting"], toKeys(["employment type", "company"])],
];
/** The names of groups that describe a thing, such as in `{"product": {"name": …}}`. */
const THING_WORDS = new Set(
  ["Recipe", "JobPosting", "Event", "Product", "Book"].flatMap((family) => [...prefixesOf(family)]),
);
/** The families of objects that pages about a thing declare, too. */
const COMPANION_FAMILIES = new Set(["WebPage", "FAQPage", "Question", "Person", "VideoObject", ORGANIZATION]);
/** The types of Open Graph for pages about one thing. */
const THING_TYPE = /^(?:og:)?(?:product|product\.item|books?\.book|book)$/i;
/** Matches the separators between the title of a page and the name of its site. */
const SEPARATOR = /(?<!\s)\s+[|·•»–—-]\s+|(?:(?<!\s)\s+)?[|»]\s*/;
/** Words that titles of pages have besides the name of their subject. */
const TITLE_WORDS = new Set(
  "and und et y e con with mit avec recipe rezept recette receta ricetta receita recept the a an der die das le la les el los il lo buy kaufen online m f d w x h mwd mfd all genders gn hf".split(
    " ",
  ),
);
/** Paths to the objects whose names pages put before or after the name of the subject. */
const MAKERS = ["brand", "manufacturer", "hiringOrganization", "author", "publisher"];
/** The types of organizations that can be the operators of a site about something else. */
const GENERAL_ORGANIZATION = /^(?:Organization|Corporation|NewsMediaOrganization|OnlineBusiness|OnlineStore|WebSite)$/;
/** Matches the paths of pages about the operator of a site. */
const ABOUT_OPERATOR =
  /^\/?(?:[a-z]{2}(?:-[a-z]{2})?\/?)?$|\/(?:about|contact|imprint|impressum|kontakt|company|legal|uber-uns|ueber-uns|a-propos|contacto|contatti|chi-siamo|quienes-somos|mentions-legales)(?:-us|s)?(?:\.\w+)?\/?$/i;

/** Returns the keys and, of the first list, their synonyms. */
function toKeys(concepts: readonly string[], others: readonly string[] = []): ReadonlySet<string> {
  return new Set([...concepts.flatMap((key) => [...synonymsOf(key)]), ...others]);
}

/** Objects of different sources with the same family and the same name. */
interface Group {
  family: string;
  objects: DataObject[];
}

/**
 * Chooses the object that the schema describes: the one that has most of the schema's properties and that the titles of
 * the page name. If several objects fit equally well, none of them is chosen, and only meta elements are used.
 */
export function chooseSubject(shape: Shape, page: PageView, validator: SchemaValidator): Subject {
  const keys = keysOf(shape, validator);
  const isThing = keys.some((key) => THING_WORDS.has(key) || THINGS.some(([, own]) => own.has(key)));
  const isOrganization =
    !isThing && keys.some((key) => OF_ORGANIZATIONS.has(key)) && !keys.some((key) => OF_ARTICLES.has(key));
  const toSubject = (group: Group, isNamedByHeadline: boolean): Subject => ({
    ...group,
    page,
    isOfPage: true,
    isNamedByHeadline,
  });
  const nothing = toSubject(
    { family: isOrganization ? ORGANIZATION : NO_FAMILY, objects: [] },
    !isThing || isOfferedPage(page),
  );
  const count = ({ objects, family }: Group) => {
    const subject = toInnerSubject(objects, family, page);
    return keys.filter((key) => findCandidates(key, subject) !== null).length;
  };
  const proved = page.objects.filter(
    (object) =>
      canBeSubject(object.types) &&
      (familyOf(object.types) === ORGANIZATION) === isOrganization &&
      isSubjectOf(page, object),
  );
  const fitting = proved.filter((object) => !isThing || isThingOf(keys, object, page));
  // The page is about something else than the schema. Its meta elements don't describe a thing, either.
  if (fitting.length === 0 && proved.some(isThingItself))
    return { ...nothing, isOfPage: false, isNamedByHeadline: false };
  const rated = toGroups(fitting).map((group) => ({ ...group, matches: count(group) }));
  const best = bestOf(
    rated.filter(({ matches }) => matches > 0),
    ({ matches, family }) => [-matches, rankOf(family)],
  );
  if (best.length > 0) {
    const chosen =
      onlyOf(best) ?? onlyOf(best.filter(({ objects }) => objects.some((one) => isTitledExactly(one, page))));
    return chosen === null ? nothing : toSubject(chosen, true);
  }
  const inState = page.state
    .slice(0, MAX_STATE_OBJECTS)
    .filter((object) => isTitledExactly(object, page))
    .filter((object) => !isThing || isThingOf(keys, object, page))
    .map((object) => ({ family: familyOf(object.types), objects: [object] }))
    .filter((group) => count(group) >= MIN_STATE_MATCHES);
  const state = onlyOf(inState);
  return state === null ? nothing : toSubject(state, true);
}

/** Returns true if the page is about one thing. The lists that it declares have related things. */
export function isAboutThing(page: PageView): boolean {
  return page.objects.some((one) => canBeSubject(one.types) && isThingItself(one) && isSubjectOf(page, one));
}

function isThingItself({ types }: DataObject): boolean {
  return !COMPANION_FAMILIES.has(familyOf(types));
}

function onlyOf<Item>([only, ...others]: readonly Item[]): Item | null {
  return only !== undefined && others.length === 0 ? only : null;
}

/** Returns the items with the lowest first number, and of these the ones with the lowest second number. */
function bestOf<Item>(items: readonly Item[], rate: (item: Item) => readonly [number, number]): readonly Item[] {
  const first = Math.min(...items.map((item) => rate(item)[0]));
  const most = items.filter((item) => rate(item)[0] === first);
  const second = Math.min(...most.map((item) => rate(item)[1]));
  return most.filter((item) => rate(item)[1] === second);
}

/** Groups the objects that several sources declare. Objects of the same source, such as two variants, can be in one group. */
function toGroups(objects: readonly DataObject[]): Group[] {
  const keyOf = (object: DataObject) =>
    nameOf(object) === "" ? object : `${familyOf(object.types)} ${nameOf(object)}`;
  const groups = [...Map.groupBy(objects, keyOf).values()].slice(0, MAX_GROUPS);
  return groups.map((group) => ({ family: familyOf(group[0]?.types ?? []), objects: group }));
}

function keysOf({ properties }: Shape, validator: SchemaValidator, depth = 0): string[] {
  const keys: string[] = [];
  for (const [name, schema] of properties) {
    const key = toKey(name);
    if (keys.length >= MAX_KEYS) break;
    keys.push(key);
    if (depth >= MAX_DEPTH || !(isGroupKey(key) || THING_WORDS.has(key))) continue;
    const inner = toShape(schema, validator);
    // The items of a list are described by its schema, and not by the schema of the page.
    if (inner.items !== null) keys.pop();
    else keys.push(...keysOf(inner, validator, depth + 1));
  }
  return keys.slice(0, MAX_KEYS);
}

/**
 * Returns true if the object is a thing that the schema can describe. An object of another type, such as `Apartment`, or
 * without a type must have one of the properties that only things have.
 */
function isThingOf(keys: readonly string[], object: DataObject, page: PageView): boolean {
  const family = familyOf(object.types);
  const wanted = THINGS.filter(([, own]) => keys.some((key) => own.has(key)));
  if (wanted.length === 0 || wanted.some(([families]) => families.includes(family))) return true;
  if (rankOf(family) < rankOf(NO_FAMILY)) return false;
  const subject = toInnerSubject([object], family, page);
  return keys.some((key) => wanted.some(([, own]) => own.has(key)) && findCandidates(key, subject) !== null);
}

/** Returns true if meta elements say that the page offers a product. */
function isOfferedPage({ meta }: PageView): boolean {
  const type = String(meta.get("og:type")?.value ?? "");
  return THING_TYPE.test(type) && ["product:price:amount", "og:price:amount"].some((name) => meta.has(name));
}

/** Returns true if a title of the page or its address shows that the object is the subject of the page. */
function isSubjectOf(page: PageView, object: DataObject): boolean {
  if (object.part !== undefined) return false;
  const family = familyOf(object.types);
  if (family === ORGANIZATION) return isTitled(object, page) && isAboutOrganization(object, page);
  // The elements of microdata and RDFa are in the main part of the page.
  if (nameOf(object) === "") return family === "FAQPage" || object.source !== "json_ld" || hasAddressOf(page, object);
  return page.titles.length === 0 || isTitled(object, page) || hasAddressOf(page, object);
}

/** Returns true for an organization that the page is about, and not only the site. */
function isAboutOrganization(object: DataObject, page: PageView): boolean {
  if (page.headings.some((heading) => toPhrase(heading) === nameOf(object))) return true;
  if (!object.types.some((type) => GENERAL_ORGANIZATION.test(type))) return true;
  return addressesOf(page).some((address) => ABOUT_OPERATOR.test(address.replace(/^[^/]*/, "")));
}

/** Returns true if a title, with or without the site's name, is the object's name, apart from the maker. */
function isTitled(object: DataObject, { titles }: PageView): boolean {
  const name = nameOf(object);
  const parts = titles.flatMap((title) => [title, ...title.split(SEPARATOR, MAX_TITLE_PARTS)]).map(toPhrase);
  if (name === "" || parts.includes(name)) return name !== "";
  const makers = nodesAtAny(object, MAKERS);
  const names = [...textsIn(makers).map(toPhrase), ...objectsIn(makers).map(nameOf)];
  const added = new Set([...names.flatMap((maker) => maker.split(" ")), ...TITLE_WORDS]);
  const core = withoutWords(name, added);
  return core !== "" && parts.some((title) => withoutWords(title, added) === core);
}

/** Returns the letters of a phrase without some words. Some compounds are also written as several words. */
function withoutWords(phrase: string, words: ReadonlySet<string>): string {
  return phrase
    .split(" ")
    .filter((word) => !words.has(word))
    .join("");
}

function isTitledExactly(object: DataObject, { titles }: PageView): boolean {
  const name = nameOf(object);
  return name !== "" && titles.some((title) => toPhrase(title) === name);
}

function nodesAtAny(object: DataObject, names: readonly string[]) {
  return names.flatMap((name) => nodesAt(object, [name]));
}

/** Returns true if the object, or its offer, has the page's address as its own. */
function hasAddressOf(page: PageView, object: DataObject): boolean {
  const addresses = new Set(addressesOf(page));
  const own = nodesAtAny(object, ["url", "@id", "mainEntityOfPage"]);
  const inner = objectsIn([...own, ...nodesAt(object, ["offers"])]).flatMap((one) => nodesAtAny(one, ["url", "@id"]));
  return textsIn([...own, ...inner]).some((text) => addresses.has(toAddress(text)));
}

function addressesOf({ meta }: PageView): string[] {
  return ["url", "canonical", "og:url"].flatMap((name) => toAddress(String(meta.get(name)?.value ?? "")) || []);
}

/** Returns a URL without its scheme, `www`, fragment and last slash. Returns the text if it isn't absolute. */
function toAddress(url: string): string {
  return url
    .trim()
    .replace(/#.*$/s, "")
    .replace(/^https?:\/\/(?:www\.)?/i, "")
    .replace(/\/(?=$|\?)/, "");
}
