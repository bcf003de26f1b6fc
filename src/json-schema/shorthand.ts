import { suggest } from "../lib/suggest";
import { isObject, isSubschemaKeyword, type Schema, type SchemaObject, TYPES } from "./keywords";

/** Keywords that describe a value without a subschema. Annotations, such as `title`, are also common property names. */
const ASSERTIONS: ReadonlySet<string> = new Set([
  ...["type", "enum", "const", "required", "$ref", "$dynamicRef", "$recursiveRef", "dependentRequired"],
  ...["minProperties", "maxProperties", "minItems", "maxItems", "uniqueItems", "minLength", "maxLength", "pattern"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
]);
const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...["title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "format"],
  ...["contentEncoding", "contentMediaType", "contentSchema"],
]);

/** Names of types in other notations. */
const TYPE_NAMES: ReadonlyMap<string, SchemaObject> = new Map(
  Object.entries({
    ...Object.fromEntries(TYPES.map((type) => [type, { type }])),
    ...Object.fromEntries(["str", "text"].map((name) => [name, { type: "string" }])),
    ...Object.fromEntries(["float", "double", "decimal"].map((name) => [name, { type: "number" }])),
    int: { type: "integer" },
    bool: { type: "boolean" },
    list: { type: "array" },
    dict: { type: "object" },
    date: { type: "string", format: "date" },
    datetime: { type: "string", format: "date-time" },
    url: { type: "string", format: "uri" },
    email: { type: "string", format: "email" },
  }),
);

const MAX_DEPTH = 10;
/** The length of the longest schema that a message contains. */
const MAX_SUGGESTED_CHARS = 1_000;

/**
 * Returns the schema that a shorthand such as `{"name": "string"}` stands for, or null if the value is a JSON Schema.
 * A shorthand is an object without a keyword of JSON Schema that describes a value. A validator accepts it, but ignores
 * its members.
 */
export function expandShorthand(schema: Schema): SchemaObject | null {
  return isObject(schema) && isShorthand(schema) ? toObjectSchema(schema, 0) : null;
}

/** Returns a question with a corrected schema for a message, or null if the schema is long. */
export function toQuestion(corrected: Schema): string | null {
  const json = JSON.stringify(corrected);
  return json.length <= MAX_SUGGESTED_CHARS ? `Did you mean ${json}?` : null;
}

/** Returns the type that a misspelled type or a type of another notation stands for, or null. */
export function suggestType(type: string): string | null {
  const known = TYPE_NAMES.get(type.toLowerCase())?.type;
  return typeof known === "string" ? known : suggest(type, TYPES);
}

function isShorthand(schema: SchemaObject): boolean {
  const entries = Object.entries(schema);
  const isKeyword = (name: string) => ASSERTIONS.has(name) || isSubschemaKeyword(name) || name.startsWith("$");
  if (entries.length === 0 || entries.some(([name]) => isKeyword(name))) return false;
  // `{"title": "string"}` has only an annotation, whose value is the name of a type.
  return entries.some(
    ([name, value]) => !ANNOTATIONS.has(name) || (typeof value === "string" && TYPE_NAMES.has(value.toLowerCase())),
  );
}

function toObjectSchema(shorthand: SchemaObject, depth: number): SchemaObject {
  const properties = Object.entries(shorthand).map(([name, value]) => [name, toSchema(value, depth + 1)]);
  return { type: "object", properties: Object.fromEntries(properties) };
}

/** Returns the schema that a value in a shorthand stands for, such as `"string"` or `["string"]`. */
export function toSchema(value: unknown, depth = 0): Schema {
  if (depth > MAX_DEPTH || value === null) return {};
  if (typeof value === "string") return toStringSchema(value, depth);
  if (typeof value === "number" || typeof value === "boolean") return { type: typeof value };
  if (Array.isArray(value)) {
    return value.length === 0 ? { type: "array" } : { type: "array", items: toSchema(value[0], depth + 1) };
  }
  if (!isObject(value)) return {};
  return Object.keys(value).length === 0 || isShorthand(value) ? toObjectSchema(value, depth) : value;
}

/** Returns the schema of a type's name, such as `string` or `number[]`. Other texts describe a string. */
function toStringSchema(text: string, depth: number): SchemaObject {
  const [, item] = /^(.+)\[\]$/.exec(text) ?? [];
  if (item !== undefined) return { type: "array", items: toSchema(item, depth + 1) };
  return TYPE_NAMES.get(text.trim().toLowerCase()) ?? { type: "string", description: text };
}
