import { isObject } from "./is-object.ts";

type Json = Record<string, unknown>;

/** A document with everything in the place that refers to it: there are no circles in ours. */
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
 * The schema with every object held to the members that are documented. What several schemas say together of one value
 * (`allOf`, `anyOf`, `oneOf`) counts together, hence `unevaluatedProperties` around them.
 */
export function closed(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const inner = withClosedMembers(schema);
  return saysMembers(schema) ? { ...inner, unevaluatedProperties: false } : inner;
}

function withClosedMembers(schema: Json): Json {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === "properties" && isObject(value)) {
        return [keyword, Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closed(member)]))];
      }
      if (keyword === "items" || keyword === "additionalProperties") return [keyword, closed(value)];
      if (isCombination(keyword) && Array.isArray(value)) {
        return [keyword, value.map((part) => (isObject(part) ? withClosedMembers(part) : part))];
      }
      return [keyword, value];
    }),
  );
}

function saysMembers(schema: Json): boolean {
  const parts = Object.entries(schema).flatMap(([keyword, value]) =>
    isCombination(keyword) && Array.isArray(value) ? value.filter(isObject) : [],
  );
  return schema.properties !== undefined || parts.some(saysMembers);
}

function isCombination(keyword: string): boolean {
  return keyword === "allOf" || keyword === "anyOf" || keyword === "oneOf";
}

function find(document: unknown, ref: string): unknown {
  const found = ref
    .slice(2)
    .split("/")
    .reduce((value, name) => (isObject(value) ? value[name] : undefined), document);
  if (found === undefined) throw new Error(`There is nothing at ${ref}.`);
  return found;
}
