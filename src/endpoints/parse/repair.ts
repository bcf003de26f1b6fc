import { isObject, type SchemaObject, subschemas, toArray } from "../../json-schema/keywords";
import { toPointer } from "../../json-schema/pointer";
import { MAX_QUOTES } from "../../model/limits";
import { verifyEvidence } from "./evidence";
import { type Leaf, leavesOf, toLeafPath } from "./leaves";
import type { Quote } from "./merge";

/**
 * The quotes of an answer, for what a model has made of it since. A quote goes with its value to the same member of
 * whatever item holds that now; where as many places don't hold the value as before, nobody knows which one is gone, and
 * the quote is dropped: better none than one that vouches for its neighbour.
 */
export function relocateQuotes(quotes: readonly Quote[], before: unknown, after: unknown): Quote[] {
  const [known, now] = [pointersByValue(before), pointersByValue(after)];
  return quotes.slice(0, MAX_QUOTES).flatMap(({ pointer, quote }) => {
    const path = toLeafPath(before, pointer);
    const place = path === null ? undefined : known.places.get(toPointer(path));
    if (place === undefined) return [];
    const left = now.groups.get(place.key) ?? [];
    const to = left.length === known.groups.get(place.key)?.length ? left[place.index] : undefined;
    return to === undefined ? [] : [{ pointer: to, quote }];
  });
}

interface Places {
  /** The pointers to each value at each shape, in order. */
  groups: ReadonlyMap<string, readonly string[]>;
  /** By pointer: in which group, and where in it. */
  places: ReadonlyMap<string, { key: string; index: number }>;
}

function pointersByValue(data: unknown): Places {
  const groups = new Map<string, string[]>();
  const places = new Map<string, { key: string; index: number }>();
  for (const leaf of leavesOf(data)) {
    const key = keyOf(leaf);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    const pointer = toPointer(leaf.path);
    places.set(pointer, { key, index: group.length });
    group.push(pointer);
  }
  return { groups, places };
}

function keyOf({ shape, value }: Leaf): string {
  return JSON.stringify([shape, value]);
}

/**
 * Pointers to the values that no part of the page brought, and that stand in none of them: the model that mends sees the
 * answers alone, so it has made them up. What the schema leaves no choice about isn't, nor what says nothing.
 */
export function ungroundedValues(request: {
  before: unknown;
  after: SchemaObject;
  schema: SchemaObject;
  pageText: string;
}): string[] {
  const { before, after, schema, pageText } = request;
  const known = new Set([...leavesOf(before)].map(keyOf));
  const given = fixedMembers(schema);
  const added = [...leavesOf(after)].filter((leaf) => {
    const name = leaf.path.at(-1) ?? "";
    return leaf.value !== "" && !known.has(keyOf(leaf)) && !given.has(JSON.stringify([name, leaf.value]));
  });
  if (added.length === 0) return [];
  const unsaid = new Set(verifyEvidence({ data: after, quotes: [], pageText }).unverified);
  return added.flatMap(({ path, value }) => {
    const pointer = toPointer(path);
    return typeof value === "boolean" || unsaid.has(pointer) ? [pointer] : [];
  });
}

/** The members that the schema has a single value for, as `["kind","product"]`, wherever in it they stand. */
function fixedMembers(schema: SchemaObject): ReadonlySet<string> {
  const found = new Set<string>();
  const open: SchemaObject[] = [schema];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    for (const [[keyword, name], inner] of subschemas(part)) {
      if (!isObject(inner)) continue;
      open.push(inner);
      const values = "const" in inner ? [inner.const] : toArray(inner.enum);
      if (keyword === "properties" && values.length === 1) found.add(JSON.stringify([name, values[0]]));
    }
  }
  return found;
}
