import { isObject, type Path, type SchemaObject, subschemas, toArray } from "../../json-schema/keywords";
import { toPointer } from "../../json-schema/pointer";
import { MAX_QUOTES } from "../../model/limits";
import { verifyEvidence } from "./evidence";
import { type Leaf, leavesOf, toLeafPath } from "./member-schemas";
import type { Quote } from "./merge";

/**
 * Moves the quotes of an answer to the repaired answer. If the repair moved a value to the same property of another
 * item, the value's quote moves with it. If the value now occurs more or less often than before, its quotes are
 * dropped, because they could belong to the wrong items.
 */
export function relocateQuotes(quotes: readonly Quote[], before: unknown, after: unknown): Quote[] {
  const left = Map.groupBy(leavesOf(after), keyOf);
  const targets = new Map<string, Path>();
  for (const [key, leaves] of Map.groupBy(leavesOf(before), keyOf)) {
    const places = left.get(key) ?? [];
    if (places.length !== leaves.length) continue;
    for (const [at, { path }] of places.entries()) targets.set(toPointer(leaves[at]?.path ?? path), path);
  }
  return quotes.slice(0, MAX_QUOTES).flatMap(({ pointer, quote }) => {
    const path = toLeafPath(before, pointer);
    const to = path === null ? undefined : targets.get(toPointer(path));
    return to === undefined ? [] : [{ pointer: toPointer(to), quote }];
  });
}

function keyOf({ shape, value }: Leaf): string {
  return JSON.stringify([shape, value]);
}

/**
 * Returns pointers to the values that the repair added and that aren't in the page. The model repairs the answers
 * without the page, so it must have invented such values. Ignores empty strings and values that the schema prescribes.
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

/** Returns the JSON of the properties that can have only one value, such as `["kind","product"]`. */
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
