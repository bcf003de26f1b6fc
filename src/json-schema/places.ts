import { isObject, isSchema, type Schema, type SchemaObject } from "./keywords";

/** Where a schema holds other schemas: as the keyword's value, in a list, by names. `items` was a list once, too. */
const ONE = [
  "additionalItems",
  "unevaluatedItems",
  "items",
  "contains",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
];
const LISTED = ["prefixItems", "items", "allOf", "anyOf", "oneOf"];
const NAMED = ["$defs", "definitions", "properties", "patternProperties", "dependentSchemas", "dependencies"];

export type Path = readonly string[];

/** The schemas directly in a schema, each with its path from there. */
export function* innerSchemas(schema: SchemaObject): Generator<readonly [path: Path, inner: Schema]> {
  for (const [keyword, value] of Object.entries(schema)) {
    if (ONE.includes(keyword) && isSchema(value)) yield [[keyword], value];
    else if (LISTED.includes(keyword) && Array.isArray(value)) {
      for (const [index, inner] of value.entries()) if (isSchema(inner)) yield [[keyword, String(index)], inner];
    } else if (NAMED.includes(keyword) && isObject(value)) {
      for (const [name, inner] of Object.entries(value)) if (isSchema(inner)) yield [[keyword, name], inner];
    }
  }
}

/** A copy with every schema that stands directly in it replaced; what else is in it is shared with the original. */
export function mapInner(schema: SchemaObject, map: (inner: Schema, path: Path) => Schema): SchemaObject {
  const mapValue = (inner: unknown, path: Path) => (isSchema(inner) ? map(inner, path) : inner);
  return mapMembers(schema, (keyword, value) => {
    if (ONE.includes(keyword) && isSchema(value)) return map(value, [keyword]);
    if (LISTED.includes(keyword) && Array.isArray(value)) {
      return value.map((inner, index) => mapValue(inner, [keyword, String(index)]));
    }
    if (NAMED.includes(keyword) && isObject(value)) {
      return mapMembers(value, (name, inner) => mapValue(inner, [keyword, name]));
    }
    return value;
  });
}

/** `Object.fromEntries` defines, so that a member called `__proto__` stays one. */
function mapMembers(map: SchemaObject, change: (name: string, value: unknown) => unknown): SchemaObject {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(name, value)]));
}

/** RFC 6901. */
export function toPointer(path: Path): string {
  return path.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Null for what is no pointer. */
export function parsePointer(pointer: string): Path | null {
  if (pointer === "") return [];
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return null;
  return pointer
    .slice(1)
    .split("/")
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** What stands at a path, own members alone; undefined when nothing does. */
export function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return undefined;
    if (Array.isArray(at) && !/^(0|[1-9]\d*)$/.test(name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}
