// Converts a JSON Schema to the rows of the schema builder and back. Keywords that the builder doesn't show are kept.

export type JsonObject = Record<string, unknown>;

/** The types that the builder offers, with their labels. */
export const PROPERTY_TYPES = {
  string: "Text",
  number: "Number",
  integer: "Whole number",
  boolean: "True or false",
  object: "Object",
  "string[]": "List of texts",
  "number[]": "List of numbers",
  "object[]": "List of objects",
} as const;
type KnownType = keyof typeof PROPERTY_TYPES;

/** `other` is a schema that the builder can't change, such as `anyOf` or an `enum` without a type. */
export type PropertyType = KnownType | "other";

/** A property of an object schema, as one row of the builder. */
export interface Property {
  name: string;
  type: PropertyType;
  description: string;
  required: boolean;
  /** The properties of an object, or of the objects in a list. Empty for other types. */
  properties: Property[];
  /** The schema that the property was read from. A new property has none. */
  origin: unknown;
}

/** Returns a new, empty property. */
export function newProperty(): Property {
  return { name: "", type: "string", description: "", required: false, properties: [], origin: {} };
}

/** Reads the properties of an object schema. */
export function readProperties(schema: JsonObject): Property[] {
  const { properties, required } = schema;
  const names: unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(isObject(properties) ? properties : {}).map(([name, origin]) => {
    const type = toType(origin);
    return {
      name,
      type,
      description: isObject(origin) && typeof origin.description === "string" ? origin.description : "",
      required: names.includes(name),
      properties: readProperties(toNested(type, origin)),
      origin,
    };
  });
}

/**
 * Returns the object schema with these properties. Omits properties without a name. If two properties have the same
 * name, the last one is used.
 */
export function writeProperties(schema: JsonObject, properties: readonly Property[]): JsonObject {
  const named = properties.filter(({ name }) => name !== "");
  const before = new Set(readProperties(schema).map(({ name }) => name));
  const required = Array.isArray(schema.required) ? schema.required : [];
  const names = new Set<unknown>([
    ...named.filter((property) => property.required).map(({ name }) => name),
    // Keeps the names of properties that aren't declared.
    ...required.filter((name) => !before.has(name)),
  ]);
  const written: JsonObject = {
    ...schema,
    type: "object",
    properties: Object.fromEntries(named.map((property) => [property.name, toSchema(property)])),
    required: [...names],
  };
  if (names.size === 0) delete written.required;
  return written;
}

function toSchema({ type, description, properties, origin }: Property): unknown {
  // `true` and `false` are schemas, too. They have no description.
  if (type === "other" && !isObject(origin)) return origin;
  const base: JsonObject = type === toType(origin) && isObject(origin) ? { ...origin } : toTypeSchema(type);
  const described: JsonObject = { ...base, description };
  if (description === "") delete described.description;
  if (type === "object") return writeProperties(described, properties);
  if (type === "object[]") return { ...described, items: writeProperties(toNested(type, described), properties) };
  return described;
}

/** Returns the schema of a type, without other keywords. */
function toTypeSchema(type: PropertyType): JsonObject {
  if (type === "other") return {};
  const [item = "", list] = type.split("[");
  return list === undefined ? { type } : { type: "array", items: { type: item } };
}

function toType(schema: unknown): PropertyType {
  if (!isObject(schema)) return "other";
  const { type, items, properties } = schema;
  if (["$ref", "anyOf", "oneOf", "allOf", "not"].some((keyword) => schema[keyword] !== undefined)) return "other";
  if (type === "array") return isObject(items) ? toListType(items) : "other";
  if (type === undefined && properties !== undefined) return "object";
  return isKnown(type) && !type.endsWith("[]") ? type : "other";
}

function toListType(items: JsonObject): PropertyType {
  const type = `${toType(items)}[]`;
  return isKnown(type) ? type : "other";
}

/** Returns the object schema inside a property's schema. */
function toNested(type: PropertyType, schema: unknown): JsonObject {
  const nested = type === "object" ? schema : type === "object[]" && isObject(schema) ? schema.items : {};
  return isObject(nested) ? nested : {};
}

function isKnown(type: unknown): type is KnownType {
  return typeof type === "string" && Object.hasOwn(PROPERTY_TYPES, type);
}

/** Returns true for a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
