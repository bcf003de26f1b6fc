import { isObject, isSchema, memberOf, type Schema, type SchemaObject, toArray, toSchemaEntries } from "./keywords";
import type { Patterns } from "./patterns";
import { measure } from "./size";

const MAX_NESTING = 200;
const MAX_FORMATTED_CHARS = 1_000;
/** The validator compiles a pattern each time. */
const VISITS_A_PATTERN = 3;
const VISITS_AN_ERROR = 300;
const CHARS_A_VISIT = 2_000;
const COMPARISONS_A_VISIT = 20;
const CHARS_COMPARED_A_VISIT = 20_000;
const UNLIMITED = { nodes: Infinity, chars: Infinity, depth: Infinity, pathChars: Infinity };

const HERE = ["not", "if", "then", "else"];
const HERE_EACH = ["allOf", "anyOf", "oneOf"];
const HERE_NAMED = ["dependentSchemas", "dependencies"];
const EVERY_MEMBER = ["additionalProperties", "unevaluatedProperties"];
const EVERY_ITEM = ["items", "additionalItems", "contains", "unevaluatedItems"];
const LISTED_ITEMS = ["prefixItems", "items"];

/** Why a check mustn't be made, and where in the value that came up. */
export interface Obstacle {
  path: readonly string[];
  message: string;
}

export interface Toll {
  /** Takes what the check will cost, in visits; when that is too much it mustn't be made, and what is in the way comes back. */
  pay(schema: Schema, value: unknown): number | Obstacle;
  /** Takes what a check cost that ended with an exception. */
  payForError(): void;
  weigh(schema: SchemaObject): number;
}

export interface TollLimits {
  visits: number;
  visitsACheck: number;
}

interface TollOptions {
  target(part: SchemaObject): Schema | undefined;
  patterns: Patterns;
  refStandsAlone: boolean;
}

/** One for each: a stack of calls would cost more than the rest, and nobody reads it. */
const TOO_COSTLY = new Error("would take too long to check");
const TOO_DEEP = new Error("lies too deep, or in references that lead back to themselves");
const UNRESOLVED = new Error("is under a reference that leads nowhere");
const TOO_LONG_TO_MATCH = new Error("could not be matched with the pattern in time");
const TOO_LONG_FOR_FORMAT = new Error(`is too long for its format: at most ${MAX_FORMATTED_CHARS} characters`);
const OBSTACLES: readonly unknown[] = [TOO_COSTLY, TOO_DEEP, UNRESOLVED, TOO_LONG_TO_MATCH, TOO_LONG_FOR_FORMAT];

/**
 * Goes beforehand where the validator will go, and counts: two lines of `$ref` can mean a million visits, and a pattern
 * can keep the engine busy for a year. Rather too many are counted than too few.
 */
export function createToll({ target, patterns, refStandsAlone }: TollOptions, limits: TollLimits): Toll {
  let left = limits.visits;
  let limit = 0;
  let trail: string[] = [];
  const weights = new WeakMap<object, number>();

  function spend(visits: number): void {
    left = Math.max(limit, left - visits);
    if (left === limit) throw TOO_COSTLY;
  }

  function visit(schema: unknown, value: unknown, nesting: number): void {
    if (!isSchema(schema)) return;
    spend(1);
    if (typeof schema === "boolean") return;
    if (nesting > MAX_NESTING) throw TOO_DEEP;
    spend(weigh(schema));

    const next = (part: unknown, of: unknown) => visit(part, of, nesting + 1);
    if (schema.$ref !== undefined) {
      const found = target(schema);
      if (found === undefined) throw UNRESOLVED;
      next(found, value);
      if (refStandsAlone) return;
    }
    for (const keyword of HERE) next(schema[keyword], value);
    for (const keyword of HERE_EACH) for (const part of toArray(schema[keyword])) next(part, value);
    for (const keyword of HERE_NAMED) for (const [, part] of toSchemaEntries(schema[keyword])) next(part, value);
    if (typeof value === "string") readText(schema, value);
    else if (Array.isArray(value)) visitItems(schema, value, next);
    else if (isObject(value)) visitMembers(schema, value, next);
  }

  function visitMembers(schema: SchemaObject, value: SchemaObject, next: (part: unknown, of: unknown) => void): void {
    const patterned = toSchemaEntries(schema.patternProperties);
    spend(patterned.length * VISITS_A_PATTERN);
    for (const [name, member] of Object.entries(value)) {
      spend(1);
      trail.push(name);
      next(schema.propertyNames, name);
      next(memberOf(schema.properties, name), member);
      for (const [pattern, part] of patterned) if (match(pattern, name)) next(part, member);
      for (const keyword of EVERY_MEMBER) next(schema[keyword], member);
      trail.pop();
    }
  }

  function visitItems(
    schema: SchemaObject,
    items: readonly unknown[],
    next: (part: unknown, of: unknown) => void,
  ): void {
    const nextAt = (part: unknown, index: number) => {
      trail.push(String(index));
      next(part, items[index]);
      trail.pop();
    };
    spend(items.length);
    if (schema.uniqueItems) spend(comparisons(items));
    for (const keyword of LISTED_ITEMS) {
      const listed = toArray(schema[keyword]).slice(0, items.length);
      for (const [index, part] of listed.entries()) nextAt(part, index);
    }
    for (const keyword of EVERY_ITEM) {
      if (isSchema(schema[keyword])) for (const index of items.keys()) nextAt(schema[keyword], index);
    }
  }

  /** Each item is compared with each, member by member as long as they are the same. */
  function comparisons(items: readonly unknown[]): number {
    const size = measure(items, UNLIMITED);
    if (size === null) return Infinity;
    return (items.length * size.nodes) / COMPARISONS_A_VISIT + (items.length * size.chars) / CHARS_COMPARED_A_VISIT;
  }

  function readText(schema: SchemaObject, text: string): void {
    spend(text.length / CHARS_A_VISIT);
    if (typeof schema.pattern === "string") {
      spend(VISITS_A_PATTERN);
      match(schema.pattern, text);
    }
    if (schema.format !== undefined && text.length > MAX_FORMATTED_CHARS) throw TOO_LONG_FOR_FORMAT;
  }

  function match(pattern: string, text: string): boolean {
    const found = patterns.hasMatch(pattern, text);
    if (found === null) throw TOO_LONG_TO_MATCH;
    return found;
  }

  /** What the schema's own keywords cost, once a visit: they are walked through, compared with and quoted in errors. */
  function weigh(schema: SchemaObject): number {
    const known = weights.get(schema);
    if (known !== undefined) return known;
    let weight = 0;
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === "$defs" || keyword === "definitions") continue;
      if (keyword === "enum" || keyword === "const") {
        // The schema as a whole has been measured before.
        const size = measure(value, UNLIMITED);
        if (size !== null) weight += size.nodes / 10 + size.chars / CHARS_A_VISIT;
      } else if (Array.isArray(value)) weight += value.length / 10;
      else if (isObject(value)) weight += Object.keys(value).length / 10;
    }
    weights.set(schema, weight);
    return weight;
  }

  return {
    weigh,
    payForError() {
      left -= VISITS_AN_ERROR;
    },
    pay(schema, value) {
      limit = Math.max(0, left - limits.visitsACheck);
      trail = [];
      const before = left;
      try {
        visit(schema, value, 0);
        return before - left;
      } catch (error) {
        if (error instanceof Error && OBSTACLES.includes(error)) return { path: trail, message: error.message };
        throw error;
      }
    },
  };
}
