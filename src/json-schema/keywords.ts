/** A schema as it came: any keyword may hold anything, and what doesn't fit is as good as not there. */
export type SchemaObject = { readonly [keyword: string]: unknown };
export type Schema = SchemaObject | boolean;

export const TYPES = ["string", "integer", "number", "boolean", "object", "array", "null"] as const;
export type Type = (typeof TYPES)[number];

export function isObject(value: unknown): value is SchemaObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === "boolean" || isObject(value);
}

/** The member of a map, never one of its prototype's. */
export function memberOf(map: unknown, name: string): unknown {
  return isObject(map) && Object.hasOwn(map, name) ? map[name] : undefined;
}

export function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function toSchemas(value: unknown): readonly Schema[] {
  return toArray(value).filter(isSchema);
}

export function toStrings(value: unknown): readonly string[] {
  return toArray(value).filter((item) => typeof item === "string");
}

/** The members of a map that are schemas. */
export function toSchemaEntries(value: unknown): readonly (readonly [name: string, schema: Schema])[] {
  return isObject(value) ? Object.entries(value).filter((entry): entry is [string, Schema] => isSchema(entry[1])) : [];
}

/** The greatest number that a keyword has in any of the parts: all of them hold. */
export function greatest(parts: readonly SchemaObject[], keyword: string): number | undefined {
  const numbers = numbersOf(parts, keyword);
  return numbers.length === 0 ? undefined : Math.max(...numbers);
}

export function smallest(parts: readonly SchemaObject[], keyword: string): number | undefined {
  const numbers = numbersOf(parts, keyword);
  return numbers.length === 0 ? undefined : Math.min(...numbers);
}

export function numbersOf(parts: readonly SchemaObject[], keyword: string): readonly number[] {
  return parts.map((part) => part[keyword]).filter((value) => typeof value === "number");
}

export function stringsOf(parts: readonly SchemaObject[], keyword: string): readonly string[] {
  return parts.map((part) => part[keyword]).filter((value) => typeof value === "string");
}
