import type { DataObject } from "../../../html/page-data/data-node";
import { isRelatedHeading } from "../../../html/page-data/part-names";
import { isObject, type SchemaObject } from "../../../json-schema/keywords";
import { toCanonicalJson } from "../../../lib/json";
import { nodesAt, objectsIn } from "./candidates";
import { canBeSubject, familyOf } from "./families";
import type { Filled } from "./filled";
import { nameOf, type PageView } from "./page-view";
import { isSubjectOf } from "./subject-proof";

/** The names of a page's main list. Other names, such as “related products”, mean a part of the page. */
const LIST_WORDS = new Set(
  "item product result article post story recipe event job posting listing entry row offer list movie book course video page link new vacancy property deal restaurant place hotel company search catalog record".split(
    " ",
  ),
);
const MAX_LISTS = 200;
const MIN_PROPERTIES = 2;
/** The minimum number of objects in a list. A smaller group may be a part of it, such as its most popular items. */
const MIN_OBJECTS = 3;
/** Families that describe the page or the site. A page can declare several of them, but they aren't items. */
const NON_ITEM_FAMILIES = new Set(["WebPage", "Organization", "Person", "VideoObject"]);

/** The families of things that have separate pages. */
const SINGLE_FAMILIES = new Set([
  "Recipe",
  "JobPosting",
  "Event",
  "Product",
  "Book",
  "Movie",
  "Course",
  "SoftwareApplication",
]);

/** Returns true for the key of a list that stands for the page's main list. */
export function isListKey(key: string): boolean {
  return key.split(" ").every((word) => LIST_WORDS.has(word));
}

/**
 * Chooses the list that a page consists of: the declared list, the table or the list in embedded state of which most
 * properties are found in all items. Returns null if several different lists fit equally well.
 */
export function chooseItems(
  page: PageView,
  {
    fill,
    isList,
  }: { fill: (objects: readonly DataObject[]) => Filled<readonly SchemaObject[]> | null; isList: boolean },
): Filled | null {
  // The declared lists of a page about one thing are its related things.
  const lists =
    isList && !isAboutOneThing(page) ? [...declaredLists(page), ...page.tables, ...page.stateLists] : page.tables;
  let best: { filled: Filled<readonly SchemaObject[]>; count: number; isUnique: boolean } | null = null;
  for (const objects of lists.slice(0, MAX_LISTS)) {
    const filled = objects.length < 2 ? null : fill(objects);
    if (filled === null) continue;
    const count = Math.min(...filled.value.map((item) => Object.keys(item).length));
    if (count < MIN_PROPERTIES || (best !== null && count < best.count)) continue;
    if (best === null || count > best.count) best = { filled, count, isUnique: true };
    else if (toCanonicalJson(best.filled.value) !== toCanonicalJson(filled.value)) best.isUnique = false;
  }
  return best?.isUnique ? best.filled : null;
}

function isAboutOneThing(page: PageView): boolean {
  if (page.titles.words.size === 0) return false;
  return page.objects.some((object) => SINGLE_FAMILIES.has(familyOf(object.types)) && isSubjectOf(page, object));
}

/** Returns the items of each ItemList, and the objects of the same family if a page declares several of them. */
function declaredLists({ objects }: PageView): DataObject[][] {
  const lists = objects
    .filter(({ types }) => types.includes("ItemList") || types.includes("OfferCatalog"))
    .filter((list) => !isRelatedHeading(String(nameOf(list)?.value ?? "")))
    .map((list) => objectsIn(nodesAt(list, ["itemListElement"])).map(unwrap));
  const families = Map.groupBy(
    objects.filter(({ types }) => canBeSubject(types) && !NON_ITEM_FAMILIES.has(familyOf(types))),
    ({ types, source }) => `${source} ${familyOf(types)}`,
  );
  return [...lists, ...families.values().filter((group) => group.length >= MIN_OBJECTS)];
}

/** Returns the item of a ListItem. A ListItem without one has the name and the URL itself. */
function unwrap(listItem: DataObject): DataObject {
  const item = listItem.members.find(({ name }) => name === "item");
  return item !== undefined && isObject(item) && item.kind === "object" ? item : listItem;
}
