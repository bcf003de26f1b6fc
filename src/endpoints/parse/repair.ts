import { isObject, type SchemaObject, subschemas, toArray } from "../../json-schema/keywords";
import { toPointer } from "../../json-schema/pointer";
import { MAX_QUOTES } from "../../model/limits";
import { verifyEvidence } from "./evidence";
import { type Leaf, leavesOf, toLeafPath } from "./leaves";
import type { Quote } from "./merge";

/**
 * Moves the quotes of an answer to its repaired version. A quote follows its value to the same property, in whatever item has
 * the value now. If the value occurs there more or less often than before, its quotes are dropped, because they could end up
 * at the wrong item.
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
  /** The pointers to each value at each shape, in the order of the data. */
  groups: ReadonlyMap<string, readonly string[]>;
  /** The group of each pointer, and its index there. */
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
 * Returns pointers to the values that the repair added, and that aren't in the page. The model sees only the answers during
 * the repair, so it has invented them. Empty texts and values that the schema prescribes don't count.
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
  const unverified = new Set(verifyEvidence({ data: after, quotes: [], pageText }).unverified);
  return added.flatMap(({ path, value }) => {
    const pointer = toPointer(path);
    return typeof value === "boolean" || unverified.has(pointer) ? [pointer] : [];
  });
}

/** Returns the properties for which the schema has a single value, as `["kind","product"]`. */
function fixedMembers(schema: SchemaObject): ReadonlySet<string> {
  const found = new Set<string>();
  const pending: SchemaObject[] = [schema];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    for (const [[keyword, name], inner] of subschemas(part)) {
      if (!isObject(inner)) continue;
      pending.push(inner);
      const values = "const" in inner ? [inner.const] : toArray(inner.enum);
      if (keyword === "properties" && values.length === 1) found.add(JSON.stringify([name, values[0]]));
    }
  }
  return found;
}
