/** A schema as the caller wrote it. Any keyword can have any value. A value of the wrong type counts as missing. */
export type SchemaObject = { readonly [keyword: string]: unknown };
export type Schema = SchemaObject | boolean;

export const TYPES = ["string", "integer", "number", "boolean", "object", "array", "null"] as const;

/** Returns true if the value is an object, but not null or an array. */
export function isObject(value: unknown): value is SchemaObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === "boolean" || isObject(value);
}

/** Returns a property of a map. Ignores properties of the prototype. */
export function memberOf(map: unknown, name: string): unknown {
  return isObject(map) && Object.hasOwn(map, name) ? map[name] : undefined;
}

export function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the schemas of the first array items: `prefixItems`, or a list in `items` before draft 2020-12. */
export function toTuple(part: SchemaObject): readonly unknown[] {
  return toArray(Array.isArray(part.items) ? part.items : part.prefixItems);
}

export function toSchemas(value: unknown): readonly Schema[] {
  return toArray(value).filter(isSchema);
}

export function toSchemaEntries(value: unknown): readonly (readonly [name: string, schema: Schema])[] {
  return isObject(value) ? Object.entries(value).filter((entry): entry is [string, Schema] => isSchema(entry[1])) : [];
}

/** Returns the highest value of a keyword in the schemas. Ignores values that aren't numbers. */
export function highest(schemas: readonly SchemaObject[], keyword: string): number | undefined {
  return numbersOf(schemas, keyword).toSorted((left, right) => right - left)[0];
}

/** Returns the lowest value of a keyword in the schemas. Ignores values that aren't numbers. */
export function lowest(schemas: readonly SchemaObject[], keyword: string): number | undefined {
  return numbersOf(schemas, keyword).toSorted((left, right) => left - right)[0];
}

function numbersOf(schemas: readonly SchemaObject[], keyword: string): number[] {
  return schemas.map((schema) => schema[keyword]).filter((value) => typeof value === "number");
}

/** Returns the values of a keyword in the schemas. Ignores values that aren't strings. */
export function stringsOf(schemas: readonly SchemaObject[], keyword: string): string[] {
  return schemas.map((schema) => schema[keyword]).filter((value) => typeof value === "string");
}

/** Keywords whose value is a schema. Up to draft 2019-09, `items` can also be a list. */
const SCHEMA_KEYWORDS =
  "additionalItems unevaluatedItems items contains additionalProperties unevaluatedProperties propertyNames not if then else".split(
    " ",
  );
/** Keywords whose value is a list of schemas. */
const LIST_KEYWORDS = ["prefixItems", "items", "allOf", "anyOf", "oneOf"];
/** Keywords whose value is an object that contains schemas. */
const MAP_KEYWORDS = ["$defs", "definitions", "properties", "patternProperties", "dependentSchemas", "dependencies"];

/** The property names and indexes that lead from the root to a value. */
export type Path = readonly string[];

/** Yields the direct subschemas of a schema. Each path starts at that schema. */
export function* subschemas(schema: SchemaObject): Generator<readonly [path: Path, inner: Schema]> {
  for (const [keyword, value] of Object.entries(schema)) {
    if (SCHEMA_KEYWORDS.includes(keyword) && isSchema(value)) yield [[keyword], value];
    else if (LIST_KEYWORDS.includes(keyword) && Array.isArray(value)) {
      for (const [index, inner] of value.entries()) if (isSchema(inner)) yield [[keyword, String(index)], inner];
    } else if (MAP_KEYWORDS.includes(keyword) && isObject(value)) {
      for (const [name, inner] of Object.entries(value)) if (isSchema(inner)) yield [[keyword, name], inner];
    }
  }
}

export function isSubschemaKeyword(keyword: string): boolean {
  return [SCHEMA_KEYWORDS, LIST_KEYWORDS, MAP_KEYWORDS].some((keywords) => keywords.includes(keyword));
}

/** Returns a copy in which `map` has replaced each direct subschema. Other values are shared. */
export function mapSubschemas(schema: SchemaObject, map: (inner: Schema, path: Path) => Schema): SchemaObject {
  const mapValue = (inner: unknown, path: Path) => (isSchema(inner) ? map(inner, path) : inner);
  return mapMembers(schema, (keyword, value) => {
    if (SCHEMA_KEYWORDS.includes(keyword) && isSchema(value)) return map(value, [keyword]);
    if (LIST_KEYWORDS.includes(keyword) && Array.isArray(value)) {
      return value.map((inner, index) => mapValue(inner, [keyword, String(index)]));
    }
    if (MAP_KEYWORDS.includes(keyword) && isObject(value)) {
      return mapMembers(value, (name, inner) => mapValue(inner, [keyword, name]));
    }
    return value;
  });
}

/** Changes the values of a map. `Object.fromEntries` preserves a property named `__proto__`. */
function mapMembers(map: SchemaObject, change: (name: string, value: unknown) => unknown): SchemaObject {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(name, value)]));
}
