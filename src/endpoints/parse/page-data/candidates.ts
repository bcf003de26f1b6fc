import type { DataNode, DataObject } from "../../../html/page-data/data-node";
import type { Kind } from "./concept";
import { type Concept, conceptsOf, isConceptKey } from "./concepts";
import { NO_FAMILY, prefixesOf } from "./families";
import { toKey } from "./keys";
import { isOfSubject, type PageView } from "./page-view";
import type { ShownText } from "./shown-text";

/** The object that a schema describes. Several sources of a page can declare the same object. */
export interface Subject {
  family: string;
  objects: readonly DataObject[];
  /** The page, if the object is the subject of the page. Meta elements and labels then describe the object, too. */
  page: PageView | null;
  /** The text in which the values of the object must be shown. */
  shown: ShownText;
  /** False if the headline of the page can't be the name, because the page doesn't declare the thing. */
  isNamedByHeadline: boolean;
}

/** The nodes that can have the value of a property. */
export interface Candidates {
  kind: Kind;
  /** The nodes of the subject's objects, of each object separately. */
  declared: readonly (readonly DataNode[])[];
  meta: readonly DataNode[];
  labeled: readonly DataNode[];
  /** Labels in parts of the page about something else. They give no values, but must not contradict them. */
  elsewhere: readonly DataNode[];
  /** True if all sources must agree on the value. */
  isChecked: boolean;
  /** True if the page must show the value. */
  isShown: boolean;
}

/** Matches the meta elements that describe a thing, or the address of the page. The others describe a page or its article. */
const OF_THINGS = /^(?:product|book):|^og:(?:price|availability|brand|rating|url)|^(?:canonical|url|language)$/;
/** Words at the end of a name that only give the type of a value. */
const TYPE_SUFFIXES = new Set(["url", "text", "iso", "list", "value", "raw", "string"]);
/** Words at the end of a name that give the unit of a duration. */
const TIME_SUFFIXES = new Set(["minute", "min", "hour", "second", "sec", "in"]);

/** Finds the nodes for the property with this key. Returns null if there are none. */
export function findCandidates(key: string, subject: Subject): Candidates | null {
  const keys = toKeys(key, subject.family);
  for (const { text, isDuration } of keys) {
    for (const concept of conceptsOf(text, subject.family)) {
      if (isDuration && concept.kind !== "duration") continue;
      const found = findConcept(concept, subject);
      if (found !== null) return found;
    }
  }
  const whole = keys.filter(({ isDuration }) => !isDuration);
  return whole.map(({ text }) => findDirect(text, subject)).find((found) => found !== null) ?? null;
}

/**
 * Returns the key, and the key without a word for the family at its start and without words for types and units at its
 * end. Without the unit of a duration, only durations have the key.
 */
function toKeys(key: string, family: string): { text: string; isDuration: boolean }[] {
  const words = key.split(" ");
  const starts = [words];
  if (words.length > 1 && prefixesOf(family).includes(words[0] ?? "")) starts.push(words.slice(1));
  const keys = new Map<string, boolean>();
  for (const suffixes of [new Set<string>(), TYPE_SUFFIXES, TIME_SUFFIXES])
    for (const start of starts) {
      const end = start.findLastIndex((word) => !suffixes.has(word)) + 1;
      const text = start.slice(0, end).join(" ");
      if (end > 0 && !keys.has(text)) keys.set(text, suffixes === TIME_SUFFIXES);
    }
  return [...keys].map(([text, isDuration]) => ({ text, isDuration }));
}

function findConcept(
  { kind, paths, meta, keys, isChecked, isShown, isLabeled }: Concept,
  { family, objects, page, isNamedByHeadline }: Subject,
): Candidates | null {
  const declared = objects.map((object) => firstOf(paths.map((path) => nodesAt(object, path))));
  // The description and the URL of a page aren't those of the organization that operates the site.
  const names = isNamedByHeadline ? meta : meta.filter((name) => OF_THINGS.test(name));
  const metaNodes =
    page === null || family === "Organization" ? [] : names.flatMap((name) => page.meta.get(name) ?? []);
  const withLabel = page === null || !isLabeled ? [] : [...keys].flatMap((key) => page.labels.get(key) ?? []);
  const labeled = withLabel.filter(isOfSubject);
  if (declared.every((nodes) => nodes.length === 0) && metaNodes.length === 0 && labeled.length === 0) return null;
  return {
    kind,
    declared: declared.filter((nodes) => nodes.length > 0),
    meta: metaNodes,
    labeled,
    elsewhere: withLabel.filter((node) => !isOfSubject(node)),
    isChecked,
    isShown,
  };
}

function firstOf(lists: readonly (readonly DataNode[])[]): readonly DataNode[] {
  return lists.find((nodes) => nodes.length > 0) ?? [];
}

/** Finds a member with the same name, a member of a member, an additional property, or a label. */
function findDirect(key: string, { objects, page }: Subject): Candidates | null {
  const declared = objects.map((object) => directNodes(object, key)).filter((nodes) => nodes.length > 0);
  // A label can't be trusted for a concept of another kind of object, such as the price on a recipe's page.
  const labeled = page === null || isConceptKey(key) ? [] : (page.labels.get(key) ?? []).filter(isOfSubject);
  if (declared.length === 0 && labeled.length === 0) return null;
  return { kind: "text", declared, meta: [], labeled, elsewhere: [], isChecked: true, isShown: false };
}

function directNodes(object: DataObject, key: string): readonly DataNode[] {
  const own = object.members.filter(({ name }) => toKey(name) === key);
  if (own.length > 0) return own;
  const words = key.split(" ");
  for (let count = 1; count < words.length; count++) {
    const [first, rest] = [words.slice(0, count).join(" "), words.slice(count).join(" ")];
    const inner = objectsIn(object.members.filter(({ name }) => toKey(name) === first));
    const nodes = inner.flatMap(({ members }) => members.filter(({ name }) => toKey(name) === rest));
    if (nodes.length > 0) return nodes;
  }
  const properties = objectsIn(object.members.filter(({ name }) => name === "additionalProperty"));
  return properties.flatMap(({ members }) => {
    const name = members.find((member) => member.name === "name");
    if (name?.kind !== "value" || toKey(String(name.value)) !== key) return [];
    return members.filter((member) => member.name === "value");
  });
}

/** Returns the objects among the nodes and in their lists. */
export function objectsIn(nodes: readonly DataNode[]): DataObject[] {
  return nodes.flatMap((node) => (node.kind === "list" ? node.items : [node])).filter((node) => node.kind === "object");
}

/** Returns the nodes at a path of member names. Enters the items of lists. */
export function nodesAt(object: DataObject, path: readonly string[]): readonly DataNode[] {
  let nodes: readonly DataNode[] = [object];
  for (const name of path) {
    nodes = objectsIn(nodes)
      .filter((one) => !isOtherPrice(one))
      .flatMap(({ members }) => members.filter((member) => member.name === name));
    if (nodes.length === 0) return [];
  }
  return nodes;
}

/** Members of an offer or of a price that restrict it to some buyers or amounts, or that say what it covers. */
const RESTRICTIONS = new Set([
  "referenceQuantity",
  "validForMemberTier",
  "eligibleQuantity",
  "eligibleTransactionVolume",
  "eligibleCustomerType",
  "billingDuration",
  "billingIncrement",
  "billingStart",
  "membershipPointsEarned",
]);
const PRICE_TYPES = /^(?:PriceSpecification|UnitPriceSpecification|CompoundPriceSpecification|.*Offer)$/;

/**
 * Returns true for a price that isn't the price of the thing itself, such as a former one, the costs of the delivery, or
 * the price of a unit or of a month.
 */
function isOtherPrice({ types, members }: DataObject): boolean {
  if (members.some(({ name }) => RESTRICTIONS.has(name))) return true;
  if (types.some((type) => /(?:Price|Charge)Specification$/.test(type) && !PRICE_TYPES.test(type))) return true;
  return members.some(
    (member) =>
      (member.name === "priceType" && !(member.kind === "value" && /SalePrice$/.test(String(member.value)))) ||
      (member.name === "valueAddedTaxIncluded" && member.kind === "value" && /false$/i.test(String(member.value))),
  );
}

/** Returns a subject for an object within another one. */
export function toInnerSubject(objects: readonly DataObject[], family: string, shown: ShownText): Subject {
  return { family: family === "" ? NO_FAMILY : family, objects, page: null, shown, isNamedByHeadline: false };
}
