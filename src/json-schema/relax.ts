import { isObject, isSchema, mapSubschemas, type Path, type Schema, type SchemaObject, toArray } from "./keywords";
import { toPointer } from "./pointer";
import { createValidator } from "./validate";

/**
 * Keywords that a relaxed schema leaves out. The values from one part of a page may violate some of them. Others, such
 * as `not`, contain schemas. Relaxing these inner schemas would make the whole schema stricter.
 */
const DROPPED =
  "required dependentRequired minItems minProperties contains minContains maxContains not if then else".split(" ");

/**
 * Returns the schema for the answer to one part of a page. No property is required, and every property may be `null`.
 * Otherwise, the model could invent values that are missing from its part. A value that is valid against the schema is
 * also valid against the relaxed schema. Returns `{ type: "object" }` if a reference points into a removed keyword.
 */
export function relaxSchema(schema: SchemaObject): SchemaObject {
  const local = localizeReferences(schema);
  if (local === null) return { type: "object" };
  // `if` marks properties as evaluated. Without `if`, the two `unevaluated` keywords would forbid more properties than
  // before.
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
    // A value can match several relaxed branches, so `oneOf` becomes `anyOf`.
    ...(oneOf === undefined ? {} : rest.anyOf === undefined ? { anyOf: oneOf } : addAnyOf(rest, oneOf)),
  };
}

function addAnyOf(rest: SchemaObject, oneOf: unknown): SchemaObject {
  return { allOf: [...toArray(rest.allOf), { anyOf: oneOf }] };
}

function dropNameLists(dependencies: SchemaObject): SchemaObject {
  return Object.fromEntries(Object.entries(dependencies).filter(([, value]) => isSchema(value)));
}

/** Allows `null` in the simplest possible way, because models read the schema. */
function toNullable(schema: Schema): Schema {
  if (!isObject(schema)) return schema;
  const types = schema.type === undefined ? null : [schema.type].flat();
  const isPlain = ["$ref", "const", "allOf", "anyOf"].every((keyword) => schema[keyword] === undefined);
  if (types === null || !isPlain) return { anyOf: [schema, { type: "null" }] };
  const values = Array.isArray(schema.enum) ? { enum: [...new Set([...schema.enum, null])] } : {};
  return { ...schema, type: [...new Set([...types, "null"])], ...values };
}

/**
 * Returns the schema with all references in the form of JSON Pointers (`#/$defs/price`), without `$id` and `$anchor`.
 * Such a schema can be nested in another schema. Models and servers that resolve only pointers support it, too. Returns
 * null if a reference has no target.
 */
export function localizeReferences(schema: SchemaObject): SchemaObject | null {
  const validator = createValidator(schema);
  if (validator === null || !isObject(validator.schema)) return null;
  const paths = new Map<unknown, Path>();
  collectPaths(validator.schema, [], paths);
  let isComplete = true;

  const copy = (part: Schema): Schema => {
    if (!isObject(part)) return part;
    const { $id: _, $anchor: __, ...plain } = mapSubschemas(part, copy);
    if (part.$ref === undefined) return plain;
    const { $ref: ___, ...rest } = plain;
    const target = validator.target(part);
    // `paths` contains only objects. A boolean schema therefore replaces the reference to it.
    if (typeof target === "boolean") return target && !validator.ignoresRefSiblings ? rest : target;
    const path = paths.get(target);
    isComplete &&= path !== undefined;
    return { ...rest, $ref: `#${encodeURI(toPointer(path ?? []))}` };
  };

  const local = copy(validator.schema);
  return isComplete && isObject(local) ? local : null;
}

function collectPaths(value: unknown, path: Path, paths: Map<unknown, Path>): void {
  if (typeof value !== "object" || value === null) return;
  paths.set(value, path);
  for (const [name, inner] of Object.entries(value)) collectPaths(inner, [...path, name], paths);
}
