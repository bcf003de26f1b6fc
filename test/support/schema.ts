import { isObject } from "./is-object.ts";

type Json = Record<string, unknown>;

/**
 * Replaces each `$ref` with its target. The OpenAPI document must not have circular references. Throws if a target is
 * missing.
 */
export function resolve(document: unknown): unknown {
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (!isObject(value)) return value;
    if (typeof value.$ref === "string") return inline(find(document, value.$ref));
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inline(member)]));
  };
  return inline(document);
}

/**
 * Returns a copy of the schema whose objects allow only documented members. A schema inside `allOf`, `anyOf` or `oneOf`
 * describes only some members of an object. Therefore `unevaluatedProperties` is set next to these keywords.
 */
export function closeSchema(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const inner = closeSubschemas(schema);
  return describesObject(schema) ? { ...inner, unevaluatedProperties: false } : inner;
}

function closeSubschemas(schema: Json): Json {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === "properties" && isObject(value)) {
        return [
          keyword,
          Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closeSchema(member)])),
        ];
      }
      if (keyword === "items" || keyword === "additionalProperties") return [keyword, closeSchema(value)];
      if (isCombination(keyword) && Array.isArray(value)) {
        return [keyword, value.map((part) => (isObject(part) ? closeSubschemas(part) : part))];
      }
      return [keyword, value];
    }),
  );
}

function describesObject(schema: Json): boolean {
  const parts = Object.entries(schema).flatMap(([keyword, value]) =>
    isCombination(keyword) && Array.isArray(value) ? value.filter(isObject) : [],
  );
  return schema.properties !== undefined || parts.some(describesObject);
}

function isCombination(keyword: string): boolean {
  return keyword === "allOf" || keyword === "anyOf" || keyword === "oneOf";
}

function find(document: unknown, ref: string): unknown {
  const found = ref
    .slice(2)
    .split("/")
    .reduce((value, name) => (isObject(value) ? value[name] : undefined), document);
  if (found === undefined) throw new Error(`The document has no ${ref}.`);
  return found;
}
