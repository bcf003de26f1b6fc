import { isObject } from "../json-schema/keywords";

/** A JSON Schema of any draft. Boolean schemas aren't included. */
export type JsonSchema = Record<string, unknown>;

/** The part of JSON Schema that a provider's strict mode supports. */
export interface StrictSchemaRules {
  keywords: ReadonlySet<string>;
  formats: ReadonlySet<string>;
  /** True if every property must be required. */
  allRequired: boolean;
}

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
/** Matches look-around, back-references and word boundaries, which the grammars of strict mode can't express. */
const BEYOND_REGULAR = /\(\?[^:]|\\[1-9bBkpP]/;

/**
 * Returns a schema for strict mode that accepts exactly the same values. Returns null if strict mode can't express the
 * schema. Checks only the rules that schemas often break. The provider refuses a schema that breaks another rule, such as
 * a limit of its size, and the request is then sent in the next format.
 */
export function findStrictSchema(schema: JsonSchema, rules: StrictSchemaRules): JsonSchema | null {
  if (schema.type !== "object" || "anyOf" in schema || "$ref" in schema) return null;
  try {
    return readSchema(schema, rules);
  } catch (error) {
    if (error instanceof NotStrict) return null;
    throw error;
  }
}

class NotStrict extends Error {}

function need(condition: boolean): asserts condition {
  if (!condition) throw new NotStrict();
}

/** Returns the schema without its annotations. Throws NotStrict if strict mode can't express it. */
function readSchema(schema: unknown, rules: StrictSchemaRules): JsonSchema {
  need(isObject(schema));
  const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !ANNOTATIONS.has(keyword)));
  need(Object.keys(kept).every((keyword) => rules.keywords.has(keyword)));
  need(["type", "anyOf", "$ref"].some((keyword) => keyword in kept));
  need(!("format" in kept) || (typeof kept.format === "string" && rules.formats.has(kept.format)));
  need(!("pattern" in kept) || (typeof kept.pattern === "string" && !BEYOND_REGULAR.test(kept.pattern)));
  need(kept.type !== "array" || "items" in kept);
  if (kept.type === "object") checkObject(kept, rules);
  if ("items" in kept) kept.items = readSchema(kept.items, rules);
  if (Array.isArray(kept.anyOf)) kept.anyOf = kept.anyOf.map((branch) => readSchema(branch, rules));
  for (const keyword of ["properties", "$defs", "definitions"]) {
    const schemas = kept[keyword];
    if (!isObject(schemas)) continue;
    kept[keyword] = Object.fromEntries(
      Object.entries(schemas).map(([name, inner]) => [name, readSchema(inner, rules)]),
    );
  }
  return kept;
}

/** Strict mode supports only objects without other properties. */
function checkObject({ properties = {}, required = [], additionalProperties }: JsonSchema, rules: StrictSchemaRules) {
  need(additionalProperties === false && isObject(properties) && Array.isArray(required));
  need(required.every((name) => Object.hasOwn(properties, String(name))));
  need(!rules.allRequired || required.length === Object.keys(properties).length);
}
