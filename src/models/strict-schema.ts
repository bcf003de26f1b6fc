/** A JSON Schema of any draft. Boolean schemas aren't included. */
export type JsonSchema = Record<string, unknown>;

/** The part of JSON Schema that a provider's strict mode supports. */
export interface StrictSchemaRules {
  keywords: ReadonlySet<string>;
  formats: ReadonlySet<string>;
  /** True if every property must be required. */
  allRequired: boolean;
  recursion: boolean;
  maxMinItems: number;
  maxDepth: number;
  /**
   * The limits for a whole schema. `optional` counts properties that aren't required. `unions` counts schemas with
   * several types or with `anyOf`. `chars` counts the characters of names and values.
   */
  max: Readonly<Record<Counted, number>>;
}

type Counted = "properties" | "optional" | "unions" | "values" | "chars";

/** The keywords that the strict modes of all providers support. */
export const COMMON_KEYWORDS: readonly string[] = [
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "enum",
  "const",
  "anyOf",
  "title",
  "description",
  "$ref",
  "$defs",
  "minItems",
  "format",
];
/** The values of `format` that the strict modes of all providers support. */
export const COMMON_FORMATS: readonly string[] = [
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
];

/** Keywords that are removed, because they don't change which values are valid. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  "$schema",
  "$comment",
  "default",
  "deprecated",
  "examples",
  "readOnly",
  "writeOnly",
]);
const TYPES: ReadonlySet<unknown> = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);
/** Matches look-around, back-references and word boundaries, which the grammars of strict mode can't express. */
const BEYOND_REGULAR = /\(\?[^:]|\\[1-9bBkpP]/;

/**
 * Returns a schema for strict mode that accepts exactly the same values. Returns null if strict mode can't express the
 * schema.
 */
export function toStrictSchema(schema: JsonSchema, rules: StrictSchemaRules): JsonSchema | null {
  if (schema.type !== "object" || "anyOf" in schema || "$ref" in schema) return null;
  try {
    return new StrictSchemaReader(schema, rules).read(schema, 1);
  } catch (error) {
    if (error instanceof NotStrict) return null;
    throw error;
  }
}

class NotStrict extends Error {}

function need(condition: boolean): asserts condition {
  if (!condition) throw new NotStrict();
}

class StrictSchemaReader {
  readonly #root: JsonSchema;
  readonly #rules: StrictSchemaRules;
  readonly #counts: Record<Counted, number> = { properties: 0, optional: 0, unions: 0, values: 0, chars: 0 };
  /** The references that are known not to be recursive. */
  readonly #finite = new Set<string>();

  constructor(root: JsonSchema, rules: StrictSchemaRules) {
    this.#root = root;
    this.#rules = rules;
  }

  /** Returns the schema for strict mode. Throws NotStrict if strict mode can't express it. */
  read(schema: unknown, depth: number): JsonSchema {
    need(isObject(schema) && depth <= this.#rules.maxDepth);
    const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !ANNOTATIONS.has(keyword)));
    need(Object.keys(kept).every((keyword) => this.#rules.keywords.has(keyword)));
    if ("$ref" in kept) return this.#readRef(kept);
    this.#checkType(kept);
    this.#checkValues(kept);
    if ("properties" in kept || kept.type === "object") this.#readObject(kept, depth);
    if ("items" in kept) kept.items = this.read(kept.items, depth + 1);
    if ("anyOf" in kept) kept.anyOf = this.#readUnion(kept.anyOf, depth);
    for (const keyword of ["$defs", "definitions"]) {
      if (keyword in kept) kept[keyword] = this.#readMap(kept[keyword], depth);
    }
    return kept;
  }

  #readRef(schema: JsonSchema): JsonSchema {
    need(Object.keys(schema).length === 1 && typeof schema.$ref === "string");
    if (this.#rules.recursion) need(schema.$ref === "#" || definitionOf(schema.$ref, this.#root) !== undefined);
    else this.#needFinite(schema.$ref, []);
    return schema;
  }

  #needFinite(ref: string, within: readonly string[]): void {
    if (this.#finite.has(ref)) return;
    const definition = definitionOf(ref, this.#root);
    need(definition !== undefined && !within.includes(ref));
    for (const inner of refsIn(definition)) this.#needFinite(inner, [...within, ref]);
    this.#finite.add(ref);
  }

  #checkType(schema: JsonSchema): void {
    const types = Array.isArray(schema.type) ? schema.type : schema.type === undefined ? [] : [schema.type];
    need(types.every((type) => TYPES.has(type)) && (types.length > 0 || "anyOf" in schema));
    if (types.length > 1) {
      this.#count("unions", 1);
      // If one of several types is an object or an array, strict mode requires a separate schema for each type.
      need(!types.includes("object") && !types.includes("array"));
    }
    need(!("items" in schema) || schema.type === "array");
    need(schema.type !== "array" || "items" in schema);
  }

  #checkValues(schema: JsonSchema): void {
    const values = [...(Array.isArray(schema.enum) ? schema.enum : []), ...("const" in schema ? [schema.const] : [])];
    need(!("enum" in schema) || (Array.isArray(schema.enum) && schema.enum.length > 0));
    need(values.every((value) => typeof value !== "object" || value === null));
    this.#count("values", values.length);
    for (const value of values) this.#count("chars", String(value).length);
    need(!("format" in schema) || (typeof schema.format === "string" && this.#rules.formats.has(schema.format)));
    need(!("minItems" in schema) || Number(schema.minItems) <= this.#rules.maxMinItems);
    need(!("pattern" in schema) || (typeof schema.pattern === "string" && !BEYOND_REGULAR.test(schema.pattern)));
  }

  /** Replaces the properties of `schema`. */
  #readObject(schema: JsonSchema, depth: number): void {
    need(schema.type === "object" && schema.additionalProperties === false && isObject(schema.properties ?? {}));
    const names = Object.keys(schema.properties ?? {});
    const required: ReadonlySet<unknown> = new Set(Array.isArray(schema.required) ? schema.required : []);
    need([...required].every((name) => typeof name === "string" && names.includes(name)));
    need(!this.#rules.allRequired || required.size === names.length);
    this.#count("properties", names.length);
    this.#count("optional", names.length - required.size);
    schema.properties = this.#readMap(schema.properties ?? {}, depth);
    schema.required = [...required];
  }

  #readUnion(branches: unknown, depth: number): JsonSchema[] {
    need(Array.isArray(branches) && branches.length > 0);
    this.#count("unions", 1);
    return branches.map((branch) => this.read(branch, depth));
  }

  #readMap(schemas: unknown, depth: number): JsonSchema {
    need(isObject(schemas));
    return Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => {
        this.#count("chars", name.length);
        return [name, this.read(schema, depth + 1)];
      }),
    );
  }

  #count(what: Counted, by: number): void {
    this.#counts[what] += by;
    need(this.#counts[what] <= this.#rules.max[what]);
  }
}

const LOCAL_REF = /^#\/(\$defs|definitions)\/([\w.-]+)$/;

function definitionOf(ref: string, root: JsonSchema): unknown {
  const [, map = "", name = ""] = LOCAL_REF.exec(ref) ?? [];
  const definitions = Object.hasOwn(root, map) ? root[map] : undefined;
  return isObject(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
}

function refsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(refsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === "$ref" && typeof part === "string" ? [part] : refsIn(part),
  );
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
