import { MAX_MATCH_STEPS, MAX_MATCHED_CHARS } from "../model/limits";
import {
  isObject,
  isSchema,
  memberOf,
  type Path,
  type Schema,
  type SchemaObject,
  toArray,
  toSchemaEntries,
} from "./keywords";
import type { PatternCompiler } from "./patterns";
import { measureSize } from "./size";

const MAX_NESTING = 200;
const MAX_FORMATTED_CHARS = 1_000;
const BEYOND_LATIN_1 = /[\u0100-\uffff]/;
const UNICODE_CLASS = /\\p/i;
/** The price of a matching step on a string beyond Latin-1, measured with V8. On a Latin-1 string, it is 1. */
const UNICODE_CLASS_PRICE = 25;
const WIDE_TEXT_PRICE = 4;
/** The cost of one match, in visits. The validator compiles the pattern again for each match. */
const VISITS_PER_PATTERN = 3;
const CHARS_PER_VISIT = 2_000;
const COMPARISONS_PER_VISIT = 20;
const COMPARED_CHARS_PER_VISIT = 20_000;

/** Keywords with a schema that applies to the value itself. */
const SAME_VALUE = ["not", "if", "then", "else"];
const SAME_VALUE_LISTS = ["allOf", "anyOf", "oneOf"];
const SAME_VALUE_MAPS = ["dependentSchemas", "dependencies"];
/** Keywords with a schema that applies to every member or every item. */
const EACH_MEMBER = ["additionalProperties", "unevaluatedProperties"];
const EACH_ITEM = ["items", "additionalItems", "contains", "unevaluatedItems"];
/** Keywords with a list of schemas. Each schema applies to the item at the same position. */
const LISTED_ITEMS = ["prefixItems", "items"];

/** Thrown if a validation would exceed the limit in the message. `path` leads to the value where it did. */
export class CostLimitExceeded extends Error {
  readonly path: Path;

  constructor(message: string, path: Path) {
    super(message);
    this.name = "CostLimitExceeded";
    this.path = path;
  }
}

export interface References {
  /** Returns the target of a part's `$ref`, or undefined if the target doesn't exist. */
  target(part: SchemaObject): Schema | undefined;
  /** True if keywords next to `$ref` are ignored. Drafts up to 7 require this. */
  readonly ignoresRefSiblings: boolean;
}

/**
 * Computes the cost of a validation before the validator runs, because the validator can't be stopped. A visit checks
 * one value against one part of the schema. A few references can cause millions of visits, and a pattern can block the
 * engine for a long time. The budget traverses the schema and the value like the validator. If the exact cost is
 * unknown, it assumes a higher one. All validations with the same budget share its limits.
 */
export class ValidationBudget {
  readonly #references: References;
  readonly #costs = new WeakMap<SchemaObject, number>();
  readonly #patterns: PatternCompiler;
  visitsLeft: number;
  #matchStepsLeft = MAX_MATCH_STEPS;
  /** The path of the current value. */
  #path: string[] = [];

  constructor(references: References, patterns: PatternCompiler, maxVisits: number) {
    this.visitsLeft = maxVisits;
    this.#patterns = patterns;
    this.#references = references;
  }

  /** Subtracts the cost of validating the value from the budget. Returns it, in visits. Throws CostLimitExceeded. */
  spend(schema: Schema, value: unknown): number {
    const before = this.visitsLeft;
    this.#path = [];
    this.#visit(schema, value, 0);
    return before - this.visitsLeft;
  }

  #take(visits: number): void {
    this.visitsLeft -= visits;
    if (this.visitsLeft <= 0) throw this.#exceeded("would take too long to check");
  }

  #exceeded(message: string): CostLimitExceeded {
    return new CostLimitExceeded(message, [...this.#path]);
  }

  #visit(schema: unknown, value: unknown, nesting: number): void {
    if (!isSchema(schema)) return;
    this.#take(1);
    if (typeof schema === "boolean") return;
    if (nesting > MAX_NESTING)
      throw this.#exceeded("is nested too deeply, or is under a reference that refers to itself");
    this.#take(this.#costOfKeywords(schema));

    const visit = (part: unknown, inner: unknown) => this.#visit(part, inner, nesting + 1);
    if (schema.$ref !== undefined) {
      const target = this.#references.target(schema);
      if (target === undefined) throw this.#exceeded("is under a reference without a target");
      visit(target, value);
      if (this.#references.ignoresRefSiblings) return;
    }
    for (const keyword of SAME_VALUE) visit(schema[keyword], value);
    for (const keyword of SAME_VALUE_LISTS) for (const part of toArray(schema[keyword])) visit(part, value);
    for (const keyword of SAME_VALUE_MAPS) for (const [, part] of toSchemaEntries(schema[keyword])) visit(part, value);
    if (typeof value === "string") this.#visitText(schema, value);
    else if (Array.isArray(value)) this.#visitItems(schema, value, visit);
    else if (isObject(value)) this.#visitMembers(schema, value, visit);
  }

  #visitMembers(schema: SchemaObject, value: SchemaObject, visit: (part: unknown, inner: unknown) => void): void {
    const patterns = toSchemaEntries(schema.patternProperties);
    for (const [name, member] of Object.entries(value)) {
      this.#take(1);
      this.#path.push(name);
      visit(schema.propertyNames, name);
      visit(memberOf(schema.properties, name), member);
      for (const [pattern, part] of patterns) {
        // The price of two matches is taken, because the validator matches the name again.
        if (this.#takeMatch(pattern, name, 2).test(name)) visit(part, member);
      }
      for (const keyword of EACH_MEMBER) visit(schema[keyword], member);
      this.#path.pop();
    }
  }

  #visitItems(schema: SchemaObject, items: readonly unknown[], visit: (part: unknown, inner: unknown) => void): void {
    const visitAt = (part: unknown, index: number) => {
      this.#path.push(String(index));
      visit(part, items[index]);
      this.#path.pop();
    };
    this.#take(items.length);
    if (schema.uniqueItems) this.#take(toComparisonVisits(items));
    for (const keyword of LISTED_ITEMS) {
      const listed = toArray(schema[keyword]).slice(0, items.length);
      for (const [index, part] of listed.entries()) visitAt(part, index);
    }
    for (const keyword of EACH_ITEM) {
      if (isSchema(schema[keyword])) for (const index of items.keys()) visitAt(schema[keyword], index);
    }
  }

  #visitText(schema: SchemaObject, text: string): void {
    this.#take(text.length / CHARS_PER_VISIT);
    if (typeof schema.pattern === "string") this.#takeMatch(schema.pattern, text);
    if (schema.format !== undefined && text.length > MAX_FORMATTED_CHARS) {
      throw this.#exceeded(`is too long to check against its format; the limit is ${MAX_FORMATTED_CHARS} characters`);
    }
  }

  /** Subtracts the cost of matching the string `times` times from the budget. Returns the compiled pattern. */
  #takeMatch(pattern: string, text: string, times = 1): RegExp {
    this.#take(VISITS_PER_PATTERN);
    const compiled = this.#patterns.compile(pattern);
    if (compiled === null) throw this.#exceeded("has a pattern that could take too long to match");
    if (text.length > MAX_MATCHED_CHARS) {
      throw this.#exceeded(`is too long to check against its pattern; the limit is ${MAX_MATCHED_CHARS} characters`);
    }
    this.#matchStepsLeft -= times * compiled.estimate(text.length) * toStepPrice(pattern, text);
    if (this.#matchStepsLeft <= 0) throw this.#exceeded("would take too long to match with its pattern");
    return compiled.regex;
  }

  /** Returns the cost, in visits, of reading a schema's own keywords, whose values are compared and quoted. */
  #costOfKeywords(schema: SchemaObject): number {
    const known = this.#costs.get(schema);
    if (known !== undefined) return known;
    let cost = 0;
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === "$defs" || keyword === "definitions") continue;
      if (keyword === "enum" || keyword === "const") {
        const size = measureSize(value);
        if (size !== null) cost += size.nodes / 10 + size.chars / CHARS_PER_VISIT;
      } else if (Array.isArray(value)) cost += value.length / 10;
      else if (isObject(value)) cost += Object.keys(value).length / 10;
    }
    this.#costs.set(schema, cost);
    return cost;
  }
}

/** Returns the price of a matching step. Beyond Latin-1, matching is slower, above all for classes such as `\p{L}`. */
function toStepPrice(pattern: string, text: string): number {
  if (!BEYOND_LATIN_1.test(text)) return 1;
  return UNICODE_CLASS.test(pattern) ? UNICODE_CLASS_PRICE : WIDE_TEXT_PRICE;
}

/** Returns the cost, in visits, of comparing all items with each other. */
function toComparisonVisits(items: readonly unknown[]): number {
  const size = measureSize(items);
  if (size === null) return Infinity;
  const { nodes, chars } = size;
  return (items.length * nodes) / COMPARISONS_PER_VISIT + (items.length * chars) / COMPARED_CHARS_PER_VISIT;
}
