import {
  highest,
  isObject,
  isSchema,
  lowest,
  memberOf,
  type Schema,
  type SchemaObject,
  TYPES,
  type Type,
  toArray,
  toSchemas,
} from "../../json-schema/keywords";
import { measureSize } from "../../json-schema/size";
import { createValidator, type SchemaValidator } from "../../json-schema/validate";
import { numberFor, textsFor } from "./mock-values";

/** Limits the validations while a sample is made: about 50 ms. */
const MAX_VISITS = 50_000;
/** Limits the values that are made, and their characters. Candidates that aren't used count too. */
const MAX_VALUES = 2_000;
const MAX_CHARS = 200_000;
const MAX_DEPTH = 60;
/** Deeper values have only what is required. */
const MAX_FULL_DEPTH = 10;
/** A schema may contain itself so many times. */
const MAX_RECURSIONS = 2;
const MAX_CANDIDATES = 20;
const USUAL_ITEMS = 2;

/** The place of a value in the sample. */
interface Place {
  /** The property that the value is in. */
  name: string;
  /** The index of the array item that the value is in, by which items differ. */
  index: number;
  /** The schemas of the surrounding values, from the root. */
  parents: readonly (readonly SchemaObject[])[];
}

interface Sample {
  value: unknown;
  isValid: boolean;
}

/**
 * Returns a value for a schema, always the same one. Each value in it is the first valid one of these: the schema's `const`,
 * `enum`, `examples` and `default`, then a value of the schema's type. Combinations are tried branch by branch. A property
 * without a valid value is left out if it is optional. If it is required it has the first candidate, so the caller must
 * validate the result. Size, depth and time are limited. Returns null for a schema that can't be read.
 */
export function sampleSchema(schema: Schema): unknown {
  const validator = createValidator(schema, MAX_VISITS);
  if (validator === null) return null;
  // The root must be an object, even if the schema doesn't say so.
  return new Sampler(validator).sample([{ type: "object" }, validator.schema], { name: "", index: 0, parents: [] })
    .value;
}

class Sampler {
  readonly #validator: SchemaValidator;
  #valuesLeft = MAX_VALUES;
  #charsLeft = MAX_CHARS;

  constructor(validator: SchemaValidator) {
    this.#validator = validator;
  }

  /** Returns a value for which all of the schemas hold. */
  sample(schemas: readonly Schema[], place: Place): Sample {
    const parts = this.#resolve(schemas);
    let first: Sample = { value: null, isValid: false };
    if (parts === null || this.#valuesLeft <= 0 || place.parents.length > MAX_DEPTH) return first;
    let count = 0;
    for (const candidate of this.#candidates(parts, place, new Set())) {
      if (++count > MAX_CANDIDATES || --this.#valuesLeft < 0) break;
      const isValid =
        candidate.isValid && schemas.every((schema) => this.#validator.isValid(schema, candidate.value) !== false);
      if (isValid) return candidate;
      if (count === 1) first = { value: candidate.value, isValid };
    }
    return first;
  }

  /** Returns the schemas with what `$ref` and `allOf` add, or null if one of them is `false`. */
  #resolve(schemas: readonly Schema[]): SchemaObject[] | null {
    const found = new Set<SchemaObject>();
    const pending = [...schemas];
    for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
      if (schema === false) return null;
      if (schema === true || found.has(schema)) continue;
      found.add(schema);
      const target = this.#validator.target(schema);
      if (target !== undefined) pending.push(target);
      if (schema.$ref === undefined || !this.#validator.refStandsAlone) pending.push(...toSchemas(schema.allOf));
    }
    return [...found].filter(({ $ref }) => $ref === undefined || !this.#validator.refStandsAlone).reverse();
  }

  *#candidates(parts: readonly SchemaObject[], place: Place, decided: ReadonlySet<unknown>): Generator<Sample> {
    const fixed = parts.flatMap((part) => ("const" in part ? [part.const] : toArray(part.enum)));
    const given = parts.flatMap((part) => [...toArray(part.examples), part.example, part.default]);
    yield* this.#given(rotate(nullLast(fixed), place.index));
    if (fixed.length > 0) return;
    yield* this.#given(rotate(given.filter(isTelling), place.index));
    const branches = parts
      .flatMap((part) => [part.anyOf, part.oneOf])
      .find((list) => Array.isArray(list) && !decided.has(list));
    if (branches !== undefined) {
      const options = toSchemas(branches)
        .slice(0, MAX_CANDIDATES)
        .flatMap((branch) => {
          const option = this.#resolve([...parts, branch]);
          return option === null
            ? []
            : [{ option, rank: Number(isRecursive(option, place)) + Number(isNullable(branch)) }];
        });
      // A branch that ends a recursion comes before one that continues it, and `null` is the last resort.
      const sorted = options.toSorted((left, right) => left.rank - right.rank);
      for (const { option } of sorted) yield* this.#candidates(option, place, new Set([...decided, branches]));
      return;
    }
    for (const type of toTypes(parts)) {
      if (this.#valuesLeft > 0) yield* this.#valuesOf(type, parts, place);
    }
  }

  /** Yields the values that a schema has in it, as far as there is room. */
  *#given(values: readonly unknown[]): Generator<Sample> {
    for (const value of values.slice(0, MAX_CANDIDATES)) {
      const size = measureSize(value, { nodes: this.#valuesLeft, chars: this.#charsLeft, depth: MAX_DEPTH });
      if (size === null) continue;
      this.#valuesLeft -= size.nodes - 1;
      this.#charsLeft -= size.chars;
      yield { value, isValid: true };
    }
  }

  *#valuesOf(type: Type, parts: readonly SchemaObject[], place: Place): Generator<Sample> {
    const isMinimal = place.parents.length > MAX_FULL_DEPTH || isRecursive(parts, place);
    switch (type) {
      case "object":
        if (!isMinimal) yield this.#makeObject(parts, place, true);
        return yield this.#makeObject(parts, place, false);
      case "array":
        if (!isMinimal) yield this.#makeArray(parts, place, true);
        return yield this.#makeArray(parts, place, false);
      case "string":
        for (const text of textsFor(parts, place, this.#charsLeft)) {
          this.#charsLeft -= text.length;
          yield { value: text, isValid: true };
        }
        return;
      case "integer":
      case "number":
        return yield* numbersFor(parts, place, type).map((value) => ({ value, isValid: true }));
      case "boolean":
        return yield* [place.index % 2 === 0, place.index % 2 !== 0].map((value) => ({ value, isValid: true }));
      case "null":
        yield { value: null, isValid: true };
    }
  }

  #makeObject(parts: readonly SchemaObject[], place: Place, isFull: boolean): Sample {
    const required = new Set(parts.flatMap((part) => toArray(part.required)));
    const declared = parts.flatMap((part) => (isObject(part.properties) ? Object.keys(part.properties) : []));
    const isMap = isFull && declared.length === 0 && parts.some((part) => isObject(part.additionalProperties));
    const names = isMap ? ["example_1", "example_2"] : declared.filter((name) => isFull || required.has(name));
    const object = new Map<string, unknown>();
    let isValid = true;
    for (const name of new Set([...names, ...required])) {
      if (typeof name !== "string" || this.#valuesLeft <= 0) continue;
      const schemas = parts
        .map((part) => memberOf(part.properties, name) ?? part.additionalProperties)
        .filter(isSchema);
      const inner = { ...place, name, parents: [...place.parents, parts] };
      if (!required.has(name) && this.#isRecursive(schemas, inner)) continue;
      const member = this.sample(schemas, inner);
      if (member.isValid || required.has(name)) object.set(name, member.value);
      isValid &&= member.isValid || !required.has(name);
    }
    return { value: Object.fromEntries(object), isValid };
  }

  #makeArray(parts: readonly SchemaObject[], place: Place, isFull: boolean): Sample {
    const min = highest(parts, "minItems") ?? 0;
    const listed = Math.max(0, ...parts.map((part) => toListedItems(part).length));
    const length = isFull ? Math.min(Math.max(min, listed, USUAL_ITEMS), lowest(parts, "maxItems") ?? Infinity) : min;
    const items: unknown[] = [];
    let isValid = true;
    while (items.length < length && this.#valuesLeft > 0) {
      const index = items.length;
      const schemas = parts.flatMap((part) => toItemSchemas(part, index));
      const inner = { name: place.name, index, parents: [...place.parents, parts] };
      if (index >= min && this.#isRecursive(schemas, inner)) break;
      const item = this.sample(schemas, inner);
      if (!item.isValid && index >= min) break;
      isValid &&= item.isValid;
      items.push(item.value);
    }
    return { value: items, isValid };
  }

  #isRecursive(schemas: readonly Schema[], place: Place): boolean {
    return isRecursive(this.#resolve(schemas) ?? [], place);
  }
}

/** Tells whether one of the schemas surrounds the place too many times already. */
function isRecursive(parts: readonly SchemaObject[], { parents }: Place): boolean {
  return parts.some((part) => parents.filter((parent) => parent.includes(part)).length >= MAX_RECURSIONS);
}

function isNullable(schema: Schema): boolean {
  return isObject(schema) && (schema.type === "null" || schema.const === null);
}

/** Tells whether a default or an example has something to show. */
function isTelling(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== "";
}

function nullLast(values: readonly unknown[]): readonly unknown[] {
  return [...values.filter((value) => value !== null), ...values.filter((value) => value === null)];
}

function rotate<Item>(items: readonly Item[], by: number): readonly Item[] {
  const at = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

/** Returns the types that all parts allow, `null` last. Without a type, the keywords tell which one comes first. */
function toTypes(parts: readonly SchemaObject[]): readonly Type[] {
  const lists = parts.flatMap(({ type }) => (type === undefined ? [] : [[type].flat()]));
  const allowed = TYPES.filter((type) =>
    lists.every((list) => list.includes(type) || (type === "integer" && list.includes("number"))),
  );
  const has = (...keywords: string[]) => parts.some((part) => keywords.some((keyword) => keyword in part));
  const order: readonly unknown[] = lists[0] ?? [
    ...(has("properties", "required", "additionalProperties") ? ["object"] : []),
    ...(has("items", "prefixItems", "minItems") ? ["array"] : []),
    ...(has("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf") ? ["number"] : []),
  ];
  const rankOf = (type: Type) =>
    type === "null" ? Infinity : order.includes(type) ? order.indexOf(type) : TYPES.length;
  return allowed.toSorted((left, right) => rankOf(left) - rankOf(right));
}

/** Returns `prefixItems`, which is `items` as a list before 2020-12. */
function toListedItems(part: SchemaObject): readonly unknown[] {
  return Array.isArray(part.items) ? part.items : toArray(part.prefixItems);
}

function toItemSchemas(part: SchemaObject, index: number): readonly Schema[] {
  const listed = toListedItems(part);
  const schema = index < listed.length ? listed[index] : Array.isArray(part.items) ? part.additionalItems : part.items;
  return isSchema(schema) ? [schema] : [];
}

/** Returns the usual number for the place, then numbers near the bounds, each as a multiple of `multipleOf`. */
function numbersFor(parts: readonly SchemaObject[], { name, index }: Place, type: "integer" | "number"): number[] {
  const low = Math.max(highest(parts, "minimum") ?? -Infinity, highest(parts, "exclusiveMinimum") ?? -Infinity);
  const high = Math.min(lowest(parts, "maximum") ?? Infinity, lowest(parts, "exclusiveMaximum") ?? Infinity);
  const step = highest(parts, "multipleOf") ?? (type === "integer" ? 1 : 0);
  const unit = step || 1;
  const wanted = [
    numberFor(name, index),
    low + (index + 1) * unit,
    high - (index + 1) * unit,
    (low + high) / 2,
    low,
    high,
    0,
  ];
  const numbers = wanted.flatMap((value) =>
    step === 0 ? [value] : [Math.floor(value / step) * step, Math.ceil(value / step) * step],
  );
  // Multiplication leaves errors in the last digits: 3 * 0.1 is 0.30000000000000004.
  return numbers.filter(Number.isFinite).map((value) => Number(value.toPrecision(15)));
}
