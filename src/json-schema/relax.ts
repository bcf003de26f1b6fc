import { isObject, isSchema, mapSubschemas, type Path, type Schema, type SchemaObject, toArray } from "./keywords";
import { toPointer } from "./pointer";
import { createValidator } from "./validate";

/** A part of a page can't meet these keywords, or they would mean the opposite once the rest is relaxed. */
const DROPPED = [
  "required",
  "dependentRequired",
  "minItems",
  "minProperties",
  "contains",
  "minContains",
  "maxContains",
  "not",
  "if",
  "then",
  "else",
];

/**
 * Returns the schema for one part of a page. Nothing is required, and any property may be `null`, so that the model doesn't
 * have to invent what another part says. Any value that is valid against the schema is valid against the relaxed one. If a
 * reference leads into a dropped keyword, the result is `{ type: "object" }`.
 */
export function relaxSchema(schema: SchemaObject): SchemaObject {
  const local = localizeReferences(schema);
  if (local === null) return { type: "object" };
  // Properties that `if` has evaluated count as evaluated. Without `if`, these two would forbid more than before.
  const dropped = hasConditions(local) ? [...DROPPED, "unevaluatedProperties", "unevaluatedItems"] : DROPPED;
  return localizeReferences(relax(local, new Set(dropped))) ?? { type: "object" };
}

function hasConditions(schema: SchemaObject): boolean {
  return JSON.stringify(schema).includes('"if":');
}

function relax(schema: SchemaObject, dropped: ReadonlySet<string>): SchemaObject {
  const inner = mapSubschemas(schema, (part, [keyword]) => {
    const relaxed = isObject(part) ? relax(part, dropped) : part;
    return keyword === "properties" ? toNullable(relaxed) : relaxed;
  });
  const kept = Object.fromEntries(Object.entries(inner).filter(([keyword]) => !dropped.has(keyword)));
  const { oneOf, dependencies, ...rest } = kept;
  return {
    ...rest,
    ...(isObject(dependencies) ? { dependencies: dropNameLists(dependencies) } : {}),
    // Several relaxed branches can match.
    ...(oneOf === undefined ? {} : rest.anyOf === undefined ? { anyOf: oneOf } : addAnyOf(rest, oneOf)),
  };
}

function addAnyOf(rest: SchemaObject, oneOf: unknown): SchemaObject {
  return { allOf: [...toArray(rest.allOf), { anyOf: oneOf }] };
}

function dropNameLists(dependencies: SchemaObject): SchemaObject {
  return Object.fromEntries(Object.entries(dependencies).filter(([, value]) => isSchema(value)));
}

/** Allows `null` in as plain a way as possible, because models read the schema. */
function toNullable(schema: Schema): Schema {
  if (!isObject(schema)) return schema;
  const types = schema.type === undefined ? null : [schema.type].flat();
  const isPlain = ["$ref", "const", "allOf", "anyOf"].every((keyword) => schema[keyword] === undefined);
  if (types === null || !isPlain) return { anyOf: [schema, { type: "null" }] };
  const values = Array.isArray(schema.enum) ? { enum: [...new Set([...schema.enum, null])] } : {};
  return { ...schema, type: [...new Set([...types, "null"])], ...values };
}

/**
 * Returns the schema with each reference as a plain pointer (`#/$defs/price`), without identifiers and anchors. So it can
 * be moved into another schema, and be read by models and servers that support only pointers. Returns null if a reference
 * leads nowhere.
 */
export function localizeReferences(schema: SchemaObject): SchemaObject | null {
  const validator = createValidator(schema);
  if (validator === null || !isObject(validator.schema)) return null;
  const places = new Map<unknown, Path>();
  collectPlaces(validator.schema, [], places);
  let isComplete = true;

  const copy = (part: Schema): Schema => {
    if (!isObject(part)) return part;
    const { $id: _, $anchor: __, ...plain } = mapSubschemas(part, copy);
    if (part.$ref === undefined) return plain;
    const { $ref: ___, ...rest } = plain;
    const target = validator.target(part);
    // The same boolean stands in many places, and is as short as a reference.
    if (typeof target === "boolean") return target && !validator.refStandsAlone ? rest : target;
    const place = places.get(target);
    isComplete &&= place !== undefined;
    return { ...rest, $ref: `#${encodeURI(toPointer(place ?? []))}` };
  };

  const local = copy(validator.schema);
  return isComplete && isObject(local) ? local : null;
}

function collectPlaces(value: unknown, path: Path, places: Map<unknown, Path>): void {
  if (typeof value !== "object" || value === null) return;
  places.set(value, path);
  for (const [name, inner] of Object.entries(value)) collectPlaces(inner, [...path, name], places);
}
