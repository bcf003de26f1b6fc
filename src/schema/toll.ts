import { isObject, isSchema, memberOf, type Schema, type SchemaObject, toArray, toSchemaEntries } from "./keywords";
import type { Patterns } from "./patterns";
import { measure } from "./size";

const MAX_NESTING = 200;
const MAX_FORMATTED_CHARS = 1_000;
/** The validator compiles a pattern each time. */
const VISITS_A_PATTERN = 3;
const VISITS_AN_ERROR = 300;
const CHARS_A_VISIT = 2_000;
const UNLIMITED = { nodes: Infinity, chars: Infinity, depth: Infinity, pathChars: Infinity };

const HERE = ["not", "if", "then", "else"];
const HERE_EACH = ["allOf", "anyOf", "oneOf"];
const HERE_NAMED = ["dependentSchemas", "dependencies"];
const EVERY_MEMBER = ["additionalProperties", "unevaluatedProperties"];
const EVERY_ITEM = ["items", "additionalItems", "contains", "unevaluatedItems"];
const LISTED_ITEMS = ["prefixItems", "items"];

export interface Toll {
  /** Takes what the check would cost; false, and it mustn't be made, when that is too much. */
  pay(schema: Schema, value: unknown): boolean;
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

/** One for all: a stack of calls would cost more than the rest, and nobody reads it. */
const TOO_COSTLY = new Error("Too costly.");

/**
 * Goes beforehand where the validator will go, and counts: two lines of `$ref` can mean a million visits, and a pattern
 * can keep the engine busy for a year. Rather too many are counted than too few.
 */
export function createToll({ target, patterns, refStandsAlone }: TollOptions, limits: TollLimits): Toll {
  let left = limits.visits;
  let limit = 0;
  const weights = new WeakMap<object, number>();

  function spend(visits: number): void {
    left = Math.max(limit, left - visits);
    if (left === limit) throw TOO_COSTLY;
  }

  function visit(schema: unknown, value: unknown, nesting: number): void {
    if (!isSchema(schema)) return;
    spend(1);
    if (typeof schema === "boolean") return;
    if (nesting > MAX_NESTING) throw TOO_COSTLY;
    spend(weigh(schema));

    const next = (part: unknown, of: unknown) => visit(part, of, nesting + 1);
    if (schema.$ref !== undefined || schema.$recursiveRef !== undefined) {
      const found = target(schema);
      if (found === undefined) throw TOO_COSTLY;
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
      next(schema.propertyNames, name);
      next(memberOf(schema.properties, name), member);
      for (const [pattern, part] of patterned) if (match(pattern, name)) next(part, member);
      for (const keyword of EVERY_MEMBER) next(schema[keyword], member);
    }
  }

  function visitItems(
    schema: SchemaObject,
    items: readonly unknown[],
    next: (part: unknown, of: unknown) => void,
  ): void {
    spend(items.length);
    if (schema.uniqueItems) spend(items.length ** 2 / 20);
    for (const keyword of LISTED_ITEMS) {
      const listed = toArray(schema[keyword]).slice(0, items.length);
      for (const [index, part] of listed.entries()) next(part, items[index]);
    }
    for (const keyword of EVERY_ITEM) {
      if (isSchema(schema[keyword])) for (const item of items) next(schema[keyword], item);
    }
  }

  function readText(schema: SchemaObject, text: string): void {
    spend(text.length / CHARS_A_VISIT);
    if (typeof schema.pattern === "string") {
      spend(VISITS_A_PATTERN);
      match(schema.pattern, text);
    }
    if (schema.format === undefined) return;
    // The library's expression for `url` goes back and forth without end over long names.
    const isSlow = schema.format === "url" && !text.startsWith("https://example.com");
    if (isSlow || text.length > MAX_FORMATTED_CHARS) throw TOO_COSTLY;
  }

  function match(pattern: string, text: string): boolean {
    const found = patterns.hasMatch(pattern, text);
    if (found === null) throw TOO_COSTLY;
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
      try {
        visit(schema, value, 0);
        return true;
      } catch (error) {
        if (error === TOO_COSTLY) return false;
        throw error;
      }
    },
  };
}
