import { isObject, type SchemaObject, subschemas, toArray } from "../../json-schema/keywords";
import { toPointer } from "../../json-schema/pointer";
import { verifyEvidence } from "./evidence";
import { type Leaf, leavesOf, toLeafPath } from "./member-schemas";
import type { Quote } from "./merge";

/**
 * Returns the quotes whose values the repair hasn't changed. A repair that removes or moves items of a list also drops
 * the quotes of the items after them, because they could belong to the wrong items.
 */
export function keepQuotes(quotes: readonly Quote[], before: unknown, after: unknown): Quote[] {
  const values = new Map([...leavesOf(after)].map((leaf) => [toPointer(leaf.path), keyOf(leaf)]));
  const isKept = (leaf: Leaf) => values.get(toPointer(leaf.path)) === keyOf(leaf);
  const kept = new Set([...leavesOf(before)].filter(isKept).map(({ path }) => toPointer(path)));
  return quotes.filter(({ pointer }) => kept.has(toPointer(toLeafPath(before, pointer) ?? [])));
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

/**
 * Returns the properties that can have only one value according to the schema. Each is the JSON of a name and a value,
 * such as `["kind","product"]`.
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
