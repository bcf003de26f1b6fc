import { isSchema, type Schema, type SchemaObject, toSchemas } from "../../../json-schema/keywords";
import { FULL_DEPTH, MAX_REPEATS, type Place, RESERVED_NODES, type Sampling } from "./sampling";

const MAX_PARTS = 200;

/**
 * All the schemas that a value must meet, with what `$ref` and `allOf` add, as one list: each keyword is then looked up
 * in every part. Null when one of them is `false`.
 */
export function toParts(all: readonly Schema[], { checker, budget }: Sampling): readonly SchemaObject[] | null {
  const parts = new Set<SchemaObject>();
  const open = [...all].reverse();
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (schema === false) return null;
    if (schema === true || parts.has(schema)) continue;
    if (parts.size >= MAX_PARTS) break;
    budget.steps -= 1 + checker.weigh(schema);
    parts.add(schema);
    const target = checker.target(schema);
    const isLink = schema.$ref !== undefined && checker.refStandsAlone;
    if (!isLink) open.push(...toSchemas(schema.allOf).slice(0, MAX_PARTS).reverse());
    if (target !== undefined) open.push(target);
  }
  return [...parts].filter((part) => part.$ref === undefined || !checker.refStandsAlone);
}

/** How often these schemas already stand around the place: 1 is the first recursion. */
export function countRepeats(parts: readonly SchemaObject[], place: Place): number {
  let most = 0;
  for (const part of parts) {
    let repeats = 0;
    for (let path = place.path; path !== null; path = path.up) if (path.parts.has(part)) repeats++;
    most = Math.max(most, repeats);
  }
  return most;
}

export function isTooRecursive(schemas: readonly Schema[], place: Place, sampling: Sampling): boolean {
  const parts = toParts(schemas, sampling);
  return parts !== null && countRepeats(parts, place) >= MAX_REPEATS;
}

/** Deep down, within itself and when much has been filled already, only what is required is. */
export function isLean(parts: readonly SchemaObject[], place: Place, { budget }: Sampling): boolean {
  return place.depth >= FULL_DEPTH || budget.nodes < RESERVED_NODES || countRepeats(parts, place) >= MAX_REPEATS;
}

/** The place of a property or an item of the value at this one. */
export function toInner(place: Place, parts: readonly SchemaObject[], at: Partial<Place>): Place {
  return { ...place, depth: place.depth + 1, path: { parts: new Set(parts), up: place.path }, ...at };
}

/**
 * What is still to be decided before a value can be made: each choice is a list of options, each option what it adds.
 * `key` is what the choice was made of, so that it is made once.
 */
export interface Choice {
  key: object;
  options: readonly (readonly Schema[])[];
}

export function nextChoice(parts: readonly SchemaObject[], decided: ReadonlySet<object>): Choice | undefined {
  for (const part of parts) {
    for (const list of [part.anyOf, part.oneOf]) {
      if (Array.isArray(list) && !decided.has(list)) {
        return { key: list, options: toSchemas(list).map((option) => [option]) };
      }
    }
    const condition = part.if;
    if (typeof condition === "object" && condition !== null && isSchema(condition) && !decided.has(condition)) {
      const then = isSchema(part.then) ? [condition, part.then] : [condition];
      return { key: condition, options: [then, isSchema(part.else) ? [part.else] : []] };
    }
  }
  return undefined;
}
