import { isObject, type SchemaObject, subschemas, toArray } from "../../json-schema/keywords";
import { toPointer } from "../../json-schema/pointer";
import { MAX_QUOTES } from "../../model/limits";
import { verifyEvidence } from "./evidence";
import { type Leaf, leavesOf, toLeafPath } from "./leaves";
import type { Quote } from "./merge";

/**
 * Moves the quotes of an answer to the repaired answer. A quote follows its value to the item that now has the value,
 * in the same property. If the value occurs more or less often than before, its quotes are dropped, because they could
 * be moved to the wrong item.
 */
export function relocateQuotes(quotes: readonly Quote[], before: unknown, after: unknown): Quote[] {
  const [known, now] = [pointersByValue(before), pointersByValue(after)];
  return quotes.slice(0, MAX_QUOTES).flatMap(({ pointer, quote }) => {
    const path = toLeafPath(before, pointer);
    const position = path === null ? undefined : known.positions.get(toPointer(path));
    if (position === undefined) return [];
    const left = now.groups.get(position.key) ?? [];
    const to = left.length === known.groups.get(position.key)?.length ? left[position.index] : undefined;
    return to === undefined ? [] : [{ pointer: to, quote }];
  });
}

interface ValueIndex {
  /** The pointers to the leaves with the same value and shape, in document order, by a key of the value and shape. */
  groups: ReadonlyMap<string, readonly string[]>;
  /** The group of each pointer, and its index in that group. */
  positions: ReadonlyMap<string, { key: string; index: number }>;
}

function pointersByValue(data: unknown): ValueIndex {
  const groups = new Map<string, string[]>();
  const positions = new Map<string, { key: string; index: number }>();
  for (const leaf of leavesOf(data)) {
    const key = keyOf(leaf);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    const pointer = toPointer(leaf.path);
    positions.set(pointer, { key, index: group.length });
    group.push(pointer);
  }
  return { groups, positions };
}

function keyOf({ shape, value }: Leaf): string {
  return JSON.stringify([shape, value]);
}

/**
 * Returns pointers to the values that the repair added and that aren't in the page. During the repair, the model sees
 * only the answers, so it has invented these values. Ignores empty strings and values that the schema prescribes.
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

/**
 * Returns the properties for which the schema allows only one value. Each is the JSON of its name and value, such as
 * `["kind","product"]`.
 */
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
