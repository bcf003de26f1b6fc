import {
  greatest,
  isObject,
  isSchema,
  memberOf,
  type Schema,
  type SchemaObject,
  smallest,
  toSchemaEntries,
  toStrings,
} from "../../../json-schema/keywords";
import { isLean, isTooRecursive, toInner, toParts } from "./parts";
import type { Place, Sample, Sampling } from "./sampling";
import { sampleTextsOfPattern } from "./string";

/** What an object is filled with whose properties may have any name. */
const USUAL_ENTRIES = 2;
const MAX_NAMES = 2_000;
const MAX_PATTERNS = 50;
const MAX_MISSES = 20;

/** What one part says of the properties that it has. */
interface Members {
  own: unknown;
  patterns: readonly (readonly [pattern: string, schema: Schema])[];
  others: Schema | undefined;
}

/** An object with all its properties, or with `full` false only with those that it needs. */
export function sampleObject(own: readonly SchemaObject[], place: Place, full: boolean, sampling: Sampling): Sample {
  const isFull = full && !isLean(own, place, sampling);
  const { parts, needed, names } = toNames(own, isFull, sampling);
  const members = parts.map(toMembers);
  const max = smallest(parts, "maxProperties") ?? Infinity;
  const values = new Map<string, unknown>();
  let ok = true;

  /** False when a property that is needed isn't what it must be. */
  const add = (name: string, isNeeded: boolean, index = place.index): boolean => {
    const { budget } = sampling;
    budget.steps -= parts.length / 4;
    if (budget.nodes <= 0 || budget.steps <= 0 || budget.chars < name.length) return !isNeeded;
    const all = toMemberSchemas(members, name, sampling);
    const inner = toInner(place, parts, { name, index });
    if (!isNeeded && (all.includes(false) || isTooRecursive(all, inner, sampling))) return true;
    const sample = sampling.sample(all, inner);
    if (!isNeeded && !sample.ok) return true;
    budget.chars -= name.length;
    values.set(name, sample.value);
    return sample.ok;
  };

  for (const name of names) {
    const isNeeded = needed.has(name);
    const isFilled = max < Infinity && values.size + countLeft(needed, values) >= max;
    if (!isNeeded && (isFilled || !isAllowedName(parts, name, sampling))) continue;
    if (!add(name, isNeeded)) ok = false;
  }
  const patterns = members.flatMap((member) => member.patterns.map(([pattern]) => pattern));
  addEntries(parts, values, isFull && names.size === 0, { patterns, place, max, sampling, add });
  return { value: Object.fromEntries(values), ok: ok && values.size >= (greatest(parts, "minProperties") ?? 0) };
}

function countLeft(needed: ReadonlySet<string>, values: ReadonlyMap<string, unknown>): number {
  let left = 0;
  for (const name of needed) if (!values.has(name)) left++;
  return left;
}

/** Which properties there will be: some bring others with them, and schemas of their own for the whole. */
function toNames(own: readonly SchemaObject[], full: boolean, sampling: Sampling) {
  let parts = own;
  let needed = toNeeded(parts);
  for (let round = 0; round < 5; round++) {
    const present = new Set([...needed, ...(full ? parts.flatMap((part) => memberNames(part.properties)) : [])]);
    const dependent = parts.flatMap((part) => [
      ...toSchemaEntries(part.dependentSchemas),
      ...toSchemaEntries(part.dependencies),
    ]);
    const added = dependent.filter(([name]) => present.has(name)).map(([, schema]) => schema);
    const next = toParts([...own, ...added], sampling) ?? parts;
    const nextNeeded = toNeeded(next, present);
    const isSettled = next.length === parts.length && nextNeeded.size === needed.size;
    parts = next;
    needed = nextNeeded;
    if (isSettled) break;
  }
  const declared = parts.flatMap((part) => memberNames(part.properties));
  sampling.budget.steps -= declared.length / 20;
  const names = full ? [...declared, ...needed] : declared.filter((name) => needed.has(name)).concat(...needed);
  return { parts, needed, names: new Set(names.slice(0, 2 * MAX_NAMES)) };
}

function toNeeded(parts: readonly SchemaObject[], present: ReadonlySet<string> = new Set()): Set<string> {
  const needed = new Set(parts.flatMap((part) => toStrings(part.required)).slice(0, MAX_NAMES));
  for (const part of parts) {
    for (const map of [part.dependentRequired, part.dependencies]) {
      for (const name of memberNames(map)) {
        if (!present.has(name) && !needed.has(name)) continue;
        for (const other of toStrings(memberOf(map, name))) needed.add(other);
      }
    }
  }
  return needed;
}

function memberNames(map: unknown): readonly string[] {
  return isObject(map) ? Object.keys(map).slice(0, MAX_NAMES) : [];
}

function toMembers(part: SchemaObject): Members {
  const { properties, patternProperties, additionalProperties } = part;
  return {
    own: properties,
    patterns: toSchemaEntries(patternProperties).slice(0, MAX_PATTERNS),
    others: isSchema(additionalProperties) ? additionalProperties : undefined,
  };
}

function toMemberSchemas(members: readonly Members[], name: string, { checker }: Sampling): readonly Schema[] {
  return members.flatMap(({ own, patterns, others }) => {
    const matching = patterns
      .filter(([pattern]) => checker.patterns.hasMatch(pattern, name))
      .map(([, schema]) => schema);
    const schemas = [memberOf(own, name), ...matching].filter(isSchema);
    return schemas.length > 0 || others === undefined ? schemas : [others];
  });
}

function isAllowedName(parts: readonly SchemaObject[], name: string, { checker }: Sampling): boolean {
  return parts.every((part) => !isSchema(part.propertyNames) || checker.check(part.propertyNames, name) !== false);
}

interface EntryOptions {
  place: Place;
  max: number;
  patterns: readonly string[];
  sampling: Sampling;
  add(name: string, isNeeded: boolean, index?: number): boolean;
}

/** Properties without a declared name: as many as there must be, and a few to look at in a map. */
function addEntries(
  parts: readonly SchemaObject[],
  values: ReadonlyMap<string, unknown>,
  isMap: boolean,
  { patterns, place, max, sampling, add }: EntryOptions,
): void {
  const isOpen = parts.every((part) => part.additionalProperties !== false);
  const hasEntries = patterns.length > 0 || parts.some((part) => isObject(part.additionalProperties));
  const usual = isMap && hasEntries ? Math.max(USUAL_ENTRIES, patterns.length) : 0;
  const wanted = Math.min(max, Math.max(greatest(parts, "minProperties") ?? 0, usual));
  for (let index = 0; values.size < wanted && index - values.size < MAX_MISSES; index++) {
    if (sampling.budget.nodes <= 0 || sampling.budget.steps <= 0) return;
    const name = toEntryName(parts, patterns, isOpen, { place, index, sampling });
    if (name !== undefined && !values.has(name) && isAllowedName(parts, name, sampling)) add(name, false, index);
    if (name === undefined && !isOpen) return;
  }
}

function toEntryName(
  parts: readonly SchemaObject[],
  patterns: readonly string[],
  isOpen: boolean,
  { place, index, sampling }: { place: Place; index: number; sampling: Sampling },
): string | undefined {
  const pattern = patterns[index % Math.max(patterns.length, 1)];
  if (pattern !== undefined) {
    const at = { min: 1, max: 100, index: Math.floor(index / patterns.length) };
    const [text] = sampleTextsOfPattern(pattern, at, sampling);
    if (text !== undefined) return text;
  }
  if (!isOpen) return undefined;
  const rules = parts.map((part) => part.propertyNames).filter(isSchema);
  if (rules.length === 0) return `example_${index + 1}`;
  const name = sampling.sample([{ type: "string" }, ...rules], toInner(place, parts, { name: "example", index })).value;
  return typeof name === "string" ? name : undefined;
}
