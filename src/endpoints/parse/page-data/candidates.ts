import type { DataNode, DataObject } from "../../../html/page-data/data-node";
import { type Concept, conceptsOf, type Kind, NO_FAMILY, prefixesOf } from "./concepts";
import { objectsIn, type PageView, textsIn } from "./page-view";
import { toKey } from "./shape";

/** The object that a schema describes. Several sources of a page can declare the same object. */
export interface Subject {
  family: string;
  objects: readonly DataObject[];
  page: PageView;
  /** True if the object is the subject of the page. Meta elements then describe the object, too. */
  isOfPage: boolean;
  /** False if the headline of the page can't be the name, because the page doesn't declare the thing. */
  isNamedByHeadline: boolean;
}

/** The nodes that can have the value of a property. */
export interface Candidates {
  kind: Kind;
  /** The nodes of the subject's objects, of each object separately. */
  declared: readonly (readonly DataNode[])[];
  meta: readonly DataNode[];
  /** True if the page must show the value. */
  mustBeShown: boolean;
}

/** Matches the meta elements that describe a thing, or the address of the page. The others describe a page or its article. */
const OF_THINGS = /^(?:product|book):|^og:(?:price|availability|brand|rating|url)|^(?:canonical|url|language)$/;
/** Words at the end of a name that only give the type of a value. */
const TYPE_SUFFIXES = new Set(["url", "text", "iso", "list", "value", "raw", "string"]);
/** Words at the end of a name that give the unit of a duration. */
const TIME_SUFFIXES = new Set(["minute", "min", "hour", "second", "sec", "in"]);
/** Members of an offer or of a price that restrict it to some buyers or amounts, or that say what it covers. */
const RESTRICTION =
  /^(?:referenceQuantity|validForMemberTier|eligible(?:Quantity|TransactionVolume|CustomerType)|billing(?:Duration|Increment|Start)|membershipPointsEarned)$/;
/** Types of prices that come in addition to the price, such as the costs of the delivery. */
const OTHER_PRICE = /ChargeSpecification$/;

/** Finds the nodes for the property with this key. Returns null if there are none. */
export function findCandidates(key: string, subject: Subject): Candidates | null {
  const keys = toKeys(key, subject.family);
  for (const [text, isDuration] of keys) {
    for (const concept of conceptsOf(text, subject.family)) {
      const found = isDuration && concept.kind !== "duration" ? null : findConcept(concept, subject);
      if (found !== null) return found;
    }
  }
  for (const [text, isDuration] of keys) {
    const declared = isDuration ? [] : subject.objects.map((object) => directNodes(object, text)).filter(isFilled);
    if (declared.length > 0) return { kind: "text", declared, meta: [], mustBeShown: false };
  }
  return null;
}

/**
 * Returns the key, and the key without a word for the family at its start and without words for types and units at its
 * end. The value is true for a key without the unit of a duration, which only durations have.
 */
function toKeys(key: string, family: string): ReadonlyMap<string, boolean> {
  const words = key.split(" ");
  const starts = [words];
  if (words.length > 1 && prefixesOf(family).has(words[0] ?? "")) starts.push(words.slice(1));
  const keys = new Map<string, boolean>();
  for (const suffixes of [new Set<string>(), TYPE_SUFFIXES, TIME_SUFFIXES])
    for (const start of starts) {
      const end = start.findLastIndex((word) => !suffixes.has(word)) + 1;
      const text = start.slice(0, end).join(" ");
      if (end > 0 && !keys.has(text)) keys.set(text, suffixes === TIME_SUFFIXES);
    }
  return keys;
}

function findConcept({ kind, paths, meta: names, mustBeShown }: Concept, subject: Subject): Candidates | null {
  const { family, objects, page, isOfPage, isNamedByHeadline } = subject;
  const declared = objects
    .map((object) => paths.map((path) => nodesAt(object, path)).find(isFilled) ?? [])
    .filter(isFilled);
  // The description and the URL of a page aren't those of the organization that operates the site.
  const hasMeta = isOfPage && family !== "Organization";
  const meta = hasMeta
    ? names.filter((name) => isNamedByHeadline || OF_THINGS.test(name)).flatMap((name) => page.meta.get(name) ?? [])
    : [];
  return declared.length === 0 && meta.length === 0 ? null : { kind, declared, meta, mustBeShown };
}

function isFilled(nodes: readonly DataNode[]): boolean {
  return nodes.length > 0;
}

/** Returns the members with this key, the members of a member, or the value of an additional property. */
function directNodes({ members }: DataObject, key: string): readonly DataNode[] {
  const own = members.filter(({ name }) => toKey(name) === key);
  if (own.length > 0) return own;
  const inner = members.flatMap((member) => {
    const start = `${toKey(member.name)} `;
    if (!key.startsWith(start)) return [];
    return objectsIn([member]).flatMap((object) => object.members.filter(({ name }) => start + toKey(name) === key));
  });
  if (inner.length > 0) return inner;
  const properties = objectsIn(members.filter(({ name }) => name === "additionalProperty"));
  return properties
    .filter((one) => textsIn(one.members.filter(({ name }) => name === "name")).some((name) => toKey(name) === key))
    .flatMap((one) => one.members.filter(({ name }) => name === "value"));
}

/** Returns the nodes at a path of member names. Enters the items of lists. */
export function nodesAt(object: DataObject, path: readonly string[]): readonly DataNode[] {
  let nodes: readonly DataNode[] = [object];
  for (const name of path) {
    nodes = objectsIn(nodes)
      .filter((one) => !isOtherPrice(one))
      .flatMap(({ members }) => members.filter((member) => member.name === name));
  }
  return nodes;
}

/** Returns true for another price than that of the thing: a former one, the delivery's, or that of a unit or month. */
function isOtherPrice({ types, members }: DataObject): boolean {
  if (types.some((type) => OTHER_PRICE.test(type))) return true;
  return members.some((member) => {
    const [text = ""] = textsIn([member]);
    if (member.name === "priceType") return !/SalePrice$/.test(text);
    if (member.name === "valueAddedTaxIncluded") return /false$/i.test(text);
    return RESTRICTION.test(member.name);
  });
}

export function toInnerSubject(objects: readonly DataObject[], family: string, page: PageView): Subject {
  return { family: family === "" ? NO_FAMILY : family, objects, page, isOfPage: false, isNamedByHeadline: false };
}
