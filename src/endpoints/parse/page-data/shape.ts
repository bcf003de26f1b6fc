import {
  isObject,
  isSchema,
  memberOf,
  type Schema,
  stringsOf,
  TYPES,
  toArray,
  toSchemas,
} from "../../../json-schema/keywords";
import type { SchemaValidator } from "../../../json-schema/validate";

export type Type = (typeof TYPES)[number];

/** The facts that a schema gives about a value, after its references and combinations are resolved. */
export interface Shape {
  /** The part of the schema that a value is validated against. */
  schema: Schema;
  /** The allowed types without `null`. It is empty if the schema can't be read. */
  types: ReadonlySet<Type>;
  format: string;
  /** The texts that say what the value is. */
  description: string;
  /** The allowed values, if the schema lists them. */
  options: readonly unknown[] | null;
  properties: ReadonlyMap<string, Schema>;
  required: ReadonlySet<string>;
  items: Schema | null;
  maxItems: number;
}

const MAX_PARTS = 50;

/** Reads a part of a schema. Follows `$ref` and `allOf`, and `anyOf` and `oneOf` if they only allow `null` in addition. */
export function toShape(schema: Schema, validator: SchemaValidator): Shape {
  const parts: Record<string, unknown>[] = [];
  const isReadable = collect(schema, validator, parts);
  const options = parts.flatMap((part) =>
    "const" in part ? [[part.const]] : "enum" in part ? [toArray(part.enum)] : [],
  );
  const properties = new Map<string, Schema>();
  for (const part of parts) {
    for (const name of Object.keys(isObject(part.properties) ? part.properties : {})) {
      const member = memberOf(part.properties, name);
      if (isSchema(member) && !properties.has(name)) properties.set(name, member);
    }
  }
  const items = parts.map((part) => part.items).find(isSchema) ?? null;
  return {
    schema,
    types: isReadable ? typesOf(parts, { hasProperties: properties.size > 0, hasItems: items !== null }) : new Set(),
    format: stringsOf(parts, "format")[0] ?? "",
    description: [...stringsOf(parts, "title"), ...stringsOf(parts, "description")].join(". "),
    options: options[0] ?? null,
    properties,
    required: new Set(parts.flatMap(({ required }) => toArray(required).filter((name) => typeof name === "string"))),
    items,
    maxItems: Math.min(Infinity, ...parts.map((part) => part.maxItems).filter((value) => typeof value === "number")),
  };
}

/** Collects the schema and the schemas that it includes. Returns false if it has alternatives that can't be combined. */
function collect(schema: Schema, validator: SchemaValidator, parts: Record<string, unknown>[]): boolean {
  if (!isObject(schema)) return schema;
  if (parts.length >= MAX_PARTS) return false;
  parts.push(schema);
  if ("not" in schema || "if" in schema) return false;
  const target = validator.target(schema);
  const included = [...toSchemas(schema.allOf), ...(target === undefined ? [] : [target])];
  for (const list of [schema.anyOf, schema.oneOf]) {
    if (list === undefined) continue;
    const filled = toSchemas(list).filter((one) => !isNull(one));
    const [only, ...others] = filled;
    if (only === undefined || (others.length > 0 && !filled.every(isScalar))) return false;
    if (others.length === 0) included.push(only);
    else parts.push({ type: filled.flatMap((one) => (isObject(one) ? [one.type].flat() : [])) });
  }
  return included.every((one) => collect(one, validator, parts));
}

function isNull(schema: Schema): boolean {
  return isObject(schema) && (schema.type === "null" || schema.const === null);
}

function isScalar(schema: Schema): boolean {
  const types = isObject(schema) ? [schema.type].flat() : [];
  return types.length > 0 && types.every((type) => type !== "object" && type !== "array" && typeof type === "string");
}

function typesOf(
  parts: readonly Record<string, unknown>[],
  { hasProperties, hasItems }: { hasProperties: boolean; hasItems: boolean },
): ReadonlySet<Type> {
  const declared = parts.flatMap(({ type }) => (type === undefined ? [] : [new Set([type].flat())]));
  const allowed = TYPES.filter(
    (type) =>
      type !== "null" && declared.every((types) => types.has(type) || (type === "integer" && types.has("number"))),
  );
  if (declared.length > 0) return new Set(allowed);
  if (hasProperties) return new Set(["object"]);
  return new Set(hasItems ? ["array"] : ["string", "number", "boolean"]);
}

const MAX_NAME_CHARS = 200;

/**
 * Returns the words of a property's name, joined by spaces: in lower case, without diacritics, and with
 * English words in the singular. `prepTime`, `prep_time` and `Prep Times` have the same key.
 */
export function toKey(name: string): string {
  return wordsOf(name.slice(0, MAX_NAME_CHARS)).map(toSingular).join(" ");
}

/** Returns the words of a name in lower case and without diacritics. */
export function wordsOf(name: string): string[] {
  return (
    name
      .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

export function toSingular(word: string): string {
  if (word.length < 4 || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:[sxz]|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}
