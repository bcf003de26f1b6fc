import { isObject, memberOf, type Path, type Schema, type SchemaObject, toArray } from "../../json-schema/keywords";
import { parsePointer, valueAt } from "../../json-schema/pointer";
import { relaxSchema } from "../../json-schema/relax";
import { createValidator, findProblems, type SchemaValidator } from "../../json-schema/validate";
import { admitsNull, expandSchemas, toMemberSchemas } from "./member-schemas";

/** The keywords of an object's schema that allow to request only some of its properties. */
const DIVISIBLE = new Set([
  ...["$schema", "$defs", "definitions", "$comment", "type", "properties", "required", "additionalProperties"],
  ...["title", "description", "examples", "default", "deprecated", "readOnly", "writeOnly"],
]);
/** Matches a reference to a part of the schema that may be missing once the schema is divided. */
const OTHER_REFERENCE = /"\$(?:dynamicRef|recursiveRef|ref)":"(?!#\/(?:\$defs|definitions)\/)/;
/** The number of rounds in which invalid values are removed. One round reports only the first problems. */
const MAX_ROUNDS = 20;

/**
 * Returns the data without the properties that aren't valid. An object keeps its valid properties, even if it lacks
 * required ones. A list with an invalid item is removed.
 */
export function keepValid(schema: SchemaObject, data: SchemaObject): SchemaObject {
  const relaxed = relaxSchema(schema);
  let kept = data;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const invalid = new Set([
      ...namesOf(findProblems(relaxed, kept)),
      ...namesOf(findProblems(schema, kept).filter(({ path }) => isInList(kept, parsePointer(path) ?? []))),
    ]);
    if (invalid.size === 0) return kept;
    kept = Object.fromEntries(Object.entries(kept).filter(([name]) => !invalid.has(name)));
  }
  return {};
}

function namesOf(problems: readonly { path: string }[]): string[] {
  return problems.flatMap(({ path }) => parsePointer(path)?.[0] ?? []);
}

function isInList(data: SchemaObject, path: Path): boolean {
  return path.some((_, at) => Array.isArray(valueAt(data, path.slice(0, at + 1))));
}

/** Returns the data with `null` for missing properties that may be `null`, at all levels, in the schema's order. */
export function fillWithNull(schema: SchemaObject, data: SchemaObject): SchemaObject {
  const validator = createValidator(schema);
  if (validator === null) return data;
  const filled = fill(data, [validator.schema], validator);
  return isObject(filled) ? filled : data;
}

function fill(value: unknown, schemas: readonly Schema[], validator: SchemaValidator): unknown {
  const all = expandSchemas(schemas, validator);
  if (Array.isArray(value)) {
    const items = all.flatMap(({ items }) => (isObject(items) ? [items] : []));
    return items.length === 0 ? value : value.map((item) => fill(item, items, validator));
  }
  if (!isObject(value)) return value;
  const members = new Map<string, unknown>();
  for (const name of new Set([...all.flatMap(propertiesOf), ...Object.keys(value)])) {
    const direct = toMemberSchemas(all, name);
    if (Object.hasOwn(value, name)) members.set(name, fill(value[name], direct, validator));
    else if (admitsNull(direct, validator)) members.set(name, null);
  }
  return Object.fromEntries(members);
}

function propertiesOf({ properties }: SchemaObject): string[] {
  return isObject(properties) ? Object.keys(properties) : [];
}

/** Returns the schema of the properties that the data lacks, at all levels. Null if it can't be divided. */
export function toOpenSchema(schema: SchemaObject, data: SchemaObject): SchemaObject | null {
  if (OTHER_REFERENCE.test(JSON.stringify(schema))) return null;
  return divide(schema, data);
}

function divide(schema: SchemaObject, data: SchemaObject): SchemaObject | null {
  const { properties } = schema;
  if (!isObject(properties) || Object.keys(schema).some((keyword) => !DIVISIBLE.has(keyword))) return null;
  const open = Object.entries(properties).flatMap(([name, property]) => {
    if (!Object.hasOwn(data, name)) return [[name, property] as const];
    const value = data[name];
    const inner = isObject(property) && isObject(value) ? divide(property, value) : null;
    return inner === null || propertiesOf(inner).length === 0 ? [] : [[name, inner] as const];
  });
  const names = new Set(open.map(([name]) => name));
  const required = toArray(schema.required).filter((name) => typeof name === "string" && names.has(name));
  return { ...schema, properties: Object.fromEntries(open), required };
}

/** Returns the known data with the properties of the answer that it lacks, in the order of the schema. */
export function addToKnown(schema: Schema | undefined, known: SchemaObject, answer: SchemaObject): SchemaObject {
  const properties = isObject(schema) ? schema.properties : undefined;
  const given = new Set([...Object.keys(known), ...Object.keys(answer)]);
  const ordered = isObject(properties) ? Object.keys(properties).filter((name) => given.has(name)) : [];
  const members = [...new Set([...ordered, ...given])].map((name) => {
    const [first, second] = [known[name], answer[name]];
    if (!Object.hasOwn(known, name)) return [name, second] as const;
    if (!isObject(first) || !isObject(second)) return [name, first] as const;
    const inner = memberOf(properties, name);
    return [name, addToKnown(isObject(inner) ? inner : undefined, first, second)] as const;
  });
  return Object.fromEntries(members);
}
