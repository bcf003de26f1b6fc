import { greatest, isSchema, type Schema, type SchemaObject, smallest, toArray } from "../../../json-schema/keywords";
import { isLean, isTooRecursive, toInner } from "./parts";
import type { Place, Sample, Sampling } from "./sampling";

/** What an array is filled with when the schema leaves it open. */
const USUAL_ITEMS = 2;
const MAX_TRIES_A_PLACE = 4;

/** An array of the usual length, or with `full` false of the shortest that is allowed. */
export function sampleArray(parts: readonly SchemaObject[], place: Place, full: boolean, sampling: Sampling): Sample {
  const min = greatest(parts, "minItems") ?? 0;
  const max = smallest(parts, "maxItems") ?? Infinity;
  const contained = toContained(parts);
  const listed = Math.max(0, ...parts.map((part) => toListed(part).length));
  const isUnique = parts.some((part) => part.uniqueItems === true);
  const needed = Math.max(min, contained.length);
  const usual = full && !isLean(parts, place, sampling) ? Math.max(listed, USUAL_ITEMS) : 0;
  const length = Math.min(Math.max(needed, usual), max);
  // What must be contained comes after the listed items, if there is room.
  const firstContained = Math.min(listed, Math.max(0, length - contained.length));

  const items: unknown[] = [];
  const seen = new Set<string>();
  let ok = true;
  while (items.length < length) {
    const at = items.length;
    const all = [...toItemSchemas(parts, at), ...(contained[at - firstContained] ?? [])];
    const inner = toInner(place, parts, { index: at });
    const isNeeded = at < needed;
    if (!isNeeded && (all.includes(false) || isTooRecursive(all, inner, sampling))) break;
    const item = sampleOther(all, inner, isUnique ? seen : null, sampling);
    if (!isNeeded && !item.ok) break;
    ok &&= item.ok;
    if (sampling.budget.nodes <= 0 || sampling.budget.steps <= 0) break;
    items.push(item.value);
  }
  return { value: items, ok: ok && items.length >= needed };
}

/** An item that isn't there yet, where the items must differ. */
function sampleOther(all: readonly Schema[], place: Place, seen: Set<string> | null, sampling: Sampling): Sample {
  const item = sampling.sample(all, place);
  if (seen === null) return item;
  const { size } = seen;
  for (let next = item, tries = 1; ; tries++) {
    if (seen.add(JSON.stringify(next.value)).size > size) return next;
    if (tries === MAX_TRIES_A_PLACE) return { ...item, ok: false };
    next = sampling.sample(all, { ...place, index: place.index + tries });
  }
}

function toItemSchemas(parts: readonly SchemaObject[], at: number): readonly Schema[] {
  return parts.flatMap((part) => {
    const listed = toListed(part);
    const schema = at < listed.length ? listed[at] : Array.isArray(part.items) ? part.additionalItems : part.items;
    return isSchema(schema) ? [schema] : [];
  });
}

/** `prefixItems`, which before 2020-12 was `items` as a list. */
function toListed(part: SchemaObject): readonly unknown[] {
  return Array.isArray(part.items) ? part.items : toArray(part.prefixItems);
}

/** What each of the contained items must meet. */
function toContained(parts: readonly SchemaObject[]): readonly (readonly Schema[])[] {
  return parts.flatMap((part) => {
    const { contains } = part;
    if (!isSchema(contains)) return [];
    const count = greatest([part], "minContains") ?? 1;
    return Array.from({ length: Math.min(Math.max(0, Math.ceil(count)), 2_000) }, () => [contains]);
  });
}
