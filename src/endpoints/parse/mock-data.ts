import { type AST, RegExpParser } from "@eslint-community/regexpp";
import {
  highest,
  isObject,
  isSchema,
  lowest,
  memberOf,
  type Schema,
  type SchemaObject,
  stringsOf,
  toArray,
  toSchemas,
  toTuple,
} from "../../json-schema/keywords";
import { toUnicodePattern } from "../../json-schema/patterns";
import { createValidator, type SchemaValidator } from "../../json-schema/validate";
import { MAX_PATTERN_CHARS } from "../../model/limits";

/** The maximum number of schemas to read for one result. Optional values can't use the last RESERVED_VISITS of them. */
const MAX_VISITS = 2_000;
const RESERVED_VISITS = 1_000;
const MAX_CHARS = 200_000;
const MAX_TEXT_CHARS = 10_000;
const MAX_DEPTH = 60;
/** A recursive schema is nested in itself at most this many times. */
const MAX_RECURSIONS = 2;
const USUAL_ITEMS = 2;

interface ValueContext {
  name: string;
  /** The index of the array item that contains the value. It makes the items of an array differ. */
  index: number;
  isOptional: boolean;
}

/**
 * Returns mock data for a schema. The same schema always gets the same data. A value is the first one in `const`,
 * `enum`, `default` or `examples`, otherwise a typical value of its type. The caller must validate the data, because
 * keywords such as `not`, `if` and `contains` are ignored. Returns undefined if the schema is too large.
 */
export function makeMockData(schema: Schema): unknown {
  const validator = createValidator(schema);
  if (validator === null) return undefined;
  // The root must be an object, even if the schema doesn't say so.
  const schemas = [validator.schema, { type: "object" }];
  return new MockDataMaker(validator).make(schemas, { name: "", index: 0, isOptional: false });
}

class MockDataMaker {
  readonly #validator: SchemaValidator;
  /** Maps each schema to its nesting depth: how many of the current value's ancestors it describes. */
  readonly #recursions = new Map<SchemaObject, number>();
  #depth = 0;
  #visitsLeft = MAX_VISITS;
  #charsLeft = MAX_CHARS;

  constructor(validator: SchemaValidator) {
    this.#validator = validator;
  }

  /** Returns a value for a combination of schemas. Undefined if there is none, or if it would exceed a limit. */
  make(schemas: readonly Schema[], context: ValueContext): unknown {
    this.#charsLeft -= context.name.length;
    const reserved = context.isOptional ? RESERVED_VISITS : 0;
    if (this.#visitsLeft <= reserved || this.#charsLeft < 0 || this.#depth > MAX_DEPTH) return undefined;
    const parts = this.#collectParts(schemas);
    if (parts === null || (context.isOptional && parts.some((part) => this.#isRecursive(part)))) return undefined;
    this.#visitsLeft -= Math.max(1, parts.length);

    const given = givenValues(parts);
    const type = chooseType(parts);
    if (given.length > 0 || (type !== "object" && type !== "array")) {
      const value = given.length > 0 ? given[context.index % given.length] : makeScalar(type, parts, context);
      this.#charsLeft -= JSON.stringify(value).length;
      return this.#charsLeft < 0 ? undefined : value;
    }
    this.#enter(parts, 1);
    const value = type === "object" ? this.#makeObject(parts, context) : this.#makeArray(parts, context);
    this.#enter(parts, -1);
    return value;
  }

  /** Returns the schemas and all that they include by reference or combination. Null if one of them is `false`. */
  #collectParts(schemas: readonly Schema[]): SchemaObject[] | null {
    const parts = new Set(schemas);
    // The loop also visits the schemas that it appends.
    for (const part of parts) {
      if (typeof part === "boolean") continue;
      const branches = [part.anyOf, part.oneOf].map((list) => this.#chooseBranch(toSchemas(list)));
      for (const added of toSchemas([this.#validator.target(part), ...toArray(part.allOf), ...branches])) {
        parts.add(added);
      }
    }
    return parts.has(false) ? null : [...parts].filter(isObject);
  }

  /** Returns the first branch that is neither null nor recursive, or else null before a recursive one. */
  #chooseBranch(branches: readonly Schema[]): Schema | undefined {
    const finite = branches.filter((branch) => isObject(branch) && !this.#isRecursive(branch));
    return finite.find((branch) => isObject(branch) && branch.type !== "null") ?? finite[0] ?? branches[0];
  }

  #isRecursive(schema: SchemaObject): boolean {
    const target = this.#validator.target(schema);
    return [schema, target].some((part) => isObject(part) && (this.#recursions.get(part) ?? 0) >= MAX_RECURSIONS);
  }

  #enter(parts: readonly SchemaObject[], step: 1 | -1): void {
    this.#depth += step;
    for (const part of parts) this.#recursions.set(part, (this.#recursions.get(part) ?? 0) + step);
  }

  #makeObject(parts: readonly SchemaObject[], { index }: ValueContext): Record<string, unknown> {
    const required = new Set(parts.flatMap((part) => toArray(part.required)));
    const declared = parts.flatMap((part) => (isObject(part.properties) ? Object.keys(part.properties) : []));
    const isMap = declared.length === 0 && parts.some((part) => isObject(part.additionalProperties));
    const added = Math.max(isMap ? 2 : 0, (highest(parts, "minProperties") ?? 0) - declared.length);
    const examples = Array.from({ length: Math.min(added, MAX_VISITS) }, (_, at) => `example_${at + 1}`);
    const members = new Map<unknown, unknown>();
    for (const name of new Set([...declared, ...examples, ...required])) {
      const schemas = parts.map((part) => memberOf(part.properties, String(name)) ?? part.additionalProperties);
      const inner = { name: String(name), index, isOptional: !required.has(name) };
      const value = this.make(schemas.filter(isSchema), inner);
      if (value !== undefined) members.set(name, value);
    }
    return Object.fromEntries(members);
  }

  #makeArray(parts: readonly SchemaObject[], { name }: ValueContext): unknown[] {
    const min = highest(parts, "minItems") ?? 0;
    const listed = Math.max(...parts.map((part) => toTuple(part).length));
    const length = Math.min(Math.max(min, listed, USUAL_ITEMS), lowest(parts, "maxItems") ?? Infinity);
    const isUnique = parts.some((part) => part.uniqueItems === true);
    const items = new Map<unknown, unknown>();
    for (let index = 0; index < length; index++) {
      const schemas = parts.map((part) => toTuple(part)[index] ?? part.items).filter(isSchema);
      const item = this.make(schemas, { name, index, isOptional: index >= min });
      if (item === undefined) break;
      items.set(isUnique ? JSON.stringify(item) : index, item);
    }
    return [...items.values()];
  }
}

/** Returns the example values in the schemas. Skips empty ones, because they aren't useful as mock data. */
function givenValues(parts: readonly SchemaObject[]): readonly unknown[] {
  const options = [
    parts.flatMap((part) => ("const" in part ? [part.const] : [])),
    parts.flatMap((part) => toArray(part.enum)).filter((value) => value !== null),
    parts.map((part) => part.default).filter((value) => !isEmpty(value)),
    parts.flatMap((part) => toArray(part.examples)).filter((value) => !isEmpty(value)),
  ];
  return options.find((values) => values.length > 0) ?? [];
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === "";
}

/** Returns the first type that all schemas allow, `null` last. Without a type, infers it from other keywords. */
function chooseType(parts: readonly SchemaObject[]): unknown {
  const [types, ...others] = parts.flatMap(({ type }) => (type === undefined ? [] : [[type].flat()]));
  if (types !== undefined) {
    return types.find((type) => type !== "null" && others.every((list) => list.includes(type))) ?? types[0];
  }
  const has = (...keywords: string[]) => parts.some((part) => keywords.some((keyword) => keyword in part));
  if (has("properties", "required", "additionalProperties")) return "object";
  if (has("items", "prefixItems", "minItems")) return "array";
  return has("minimum", "maximum", "multipleOf") ? "number" : "string";
}

function makeScalar(
  type: unknown,
  parts: readonly SchemaObject[],
  context: ValueContext,
): string | number | boolean | null {
  if (type === "integer") return makeNumber(parts, context.index + 1, 1);
  if (type === "number") return makeNumber(parts, context.index + 19.99, 0.01);
  if (type === "boolean") return context.index % 2 === 0;
  return type === "null" ? null : makeText(parts, context);
}

/** Returns the multiple of the step that is within the bounds and closest to the wanted number. */
function makeNumber(parts: readonly SchemaObject[], wanted: number, usualStep: number): number {
  const step = highest(parts, "multipleOf") ?? usualStep;
  const low = Math.max(
    highest(parts, "minimum") ?? -Infinity,
    (highest(parts, "exclusiveMinimum") ?? -Infinity) + step,
  );
  const high = Math.min(lowest(parts, "maximum") ?? Infinity, (lowest(parts, "exclusiveMaximum") ?? Infinity) - step);
  const steps = Math.min(Math.max(Math.round(wanted / step), Math.ceil(low / step)), Math.floor(high / step));
  // Removes rounding errors of the multiplication: 3 * 0.1 is 0.30000000000000004.
  const number = Number((steps * step).toPrecision(15));
  return Number.isFinite(number) ? number : wanted;
}

/** Sample values of the common formats of JSON Schema. N stands for a digit from 1 to 9. */
const FORMATS: ReadonlyMap<unknown, string> = new Map([
  ["date-time", "2026-03-1NT09:30:00Z"],
  ["date", "2026-03-1N"],
  ["time", "09:30:0NZ"],
  ["duration", "PND"],
  ["email", "jane.doe.N@example.com"],
  ["hostname", "host-N.example.com"],
  ["ipv4", "192.0.2.N"],
  ["ipv6", "2001:db8::N"],
  ["uri", "https://example.com/mock-N"],
  ["iri", "https://example.com/mock-N"],
  ["url", "https://example.com/mock-N"],
  ["uri-reference", "/mock-N"],
  ["uuid", "00000000-0000-4000-8000-00000000000N"],
]);

function makeText(parts: readonly SchemaObject[], { name, index }: ValueContext): string {
  const [format] = stringsOf(parts, "format");
  const [pattern] = stringsOf(parts, "pattern");
  const formatted = FORMATS.get(format)?.replace("N", String((index % 9) + 1));
  const exact = formatted ?? (pattern === undefined ? undefined : textForPattern(pattern, index));
  const plain = `Mock ${name || "text"}${index === 0 ? "" : ` ${index + 1}`}`;
  // Repeats the last character up to the minimum length. The text then still matches most formats and patterns.
  const filler = exact === undefined ? ` ${plain}` : exact.slice(-1);
  const min = Math.min(highest(parts, "minLength") ?? 0, MAX_TEXT_CHARS);
  return (exact ?? plain).padEnd(min, filler).slice(0, lowest(parts, "maxLength"));
}

/** Returns a string that usually matches the pattern. Ignores look-ahead and look-behind. */
function textForPattern(pattern: string, index: number): string {
  if (pattern.length > MAX_PATTERN_CHARS || toUnicodePattern(pattern) === null) return "";
  return writeAlternative(new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true }), index);
}

function writeAlternative({ alternatives }: { alternatives: readonly AST.Alternative[] }, index: number): string {
  return (alternatives[0]?.elements ?? []).map((element) => writeElement(element, index)).join("");
}

const CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890-_ .,:;@#/+éßαя中€😀";

function writeElement(element: AST.Element, index: number): string {
  if (element.type === "Group" || element.type === "CapturingGroup") return writeAlternative(element, index);
  if (element.type === "Character") return String.fromCodePoint(element.value);
  if (element.type === "CharacterSet" || element.type === "CharacterClass") {
    const regex = new RegExp(`^${element.raw}$`, "u");
    const matching = [...CHARACTERS, ...element.raw].filter((character) => regex.test(character));
    return matching[index % matching.length] ?? "";
  }
  if (element.type !== "Quantifier") return "";
  const text = writeElement(element.element, index);
  const rounds = Math.min(Math.max(element.min, 1), element.max, MAX_TEXT_CHARS);
  return text.repeat(rounds).slice(0, MAX_TEXT_CHARS);
}
