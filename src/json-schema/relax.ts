import { isObject, isSchema, type Schema, type SchemaObject, toArray } from "./keywords";
import { toLocal } from "./local";
import { mapInner } from "./places";

/** What a part of a page can't be held to, or what would turn into the opposite when the rest is loosened. */
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
 * The schema for one part of a page: nothing is required, and any property may be `null`, so that nobody has to invent what
 * another part says. Whatever is valid against the schema is valid against this one. A schema that can't be loosened place
 * by place, because a reference leads into what is dropped, becomes "an object".
 */
export function relaxed(schema: SchemaObject): SchemaObject {
  const local = toLocal(schema);
  if (local === null) return { type: "object" };
  // What `if` has looked at counts as evaluated: without it, these two would forbid more than before.
  const dropped = hasConditions(local) ? [...DROPPED, "unevaluatedProperties", "unevaluatedItems"] : DROPPED;
  return toLocal(relax(local, new Set(dropped))) ?? { type: "object" };
}

function hasConditions(schema: SchemaObject): boolean {
  return JSON.stringify(schema).includes('"if":');
}

function relax(schema: SchemaObject, dropped: ReadonlySet<string>): SchemaObject {
  const inner = mapInner(schema, (part, [keyword]) => {
    const loose = isObject(part) ? relax(part, dropped) : part;
    return keyword === "properties" ? nullable(loose) : loose;
  });
  const kept = Object.fromEntries(Object.entries(inner).filter(([keyword]) => !dropped.has(keyword)));
  const { oneOf, dependencies, ...rest } = kept;
  return {
    ...rest,
    ...(isObject(dependencies) ? { dependencies: withoutLists(dependencies) } : {}),
    // Loosened, more than one may fit.
    ...(oneOf === undefined ? {} : rest.anyOf === undefined ? { anyOf: oneOf } : both(rest, oneOf)),
  };
}

function both(rest: SchemaObject, oneOf: unknown): SchemaObject {
  return { allOf: [...toArray(rest.allOf), { anyOf: oneOf }] };
}

function withoutLists(dependencies: SchemaObject): SchemaObject {
  return Object.fromEntries(Object.entries(dependencies).filter(([, value]) => isSchema(value)));
}

/** Also `null`, in as plain words as possible: they are read by models. */
function nullable(schema: Schema): Schema {
  if (!isObject(schema)) return schema;
  const types = schema.type === undefined ? null : [schema.type].flat();
  const isPlain = ["$ref", "const", "allOf", "anyOf"].every((keyword) => schema[keyword] === undefined);
  if (types === null || !isPlain) return { anyOf: [schema, { type: "null" }] };
  const values = Array.isArray(schema.enum) ? { enum: [...new Set([...schema.enum, null])] } : {};
  return { ...schema, type: [...new Set([...types, "null"])], ...values };
}
