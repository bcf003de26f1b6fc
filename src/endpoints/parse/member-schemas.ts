import {
  isObject,
  isSchema,
  memberOf,
  type Path,
  type Schema,
  type SchemaObject,
  toSchemas,
} from "../../json-schema/keywords";
import { parsePointer, valueAt } from "../../json-schema/pointer";
import type { SchemaValidator } from "../../json-schema/validate";

/** Returns the schemas, and all schemas that they include with `$ref` and `allOf`. */
export function expandSchemas(schemas: readonly Schema[], validator: SchemaValidator | null): readonly SchemaObject[] {
  const found = new Set<SchemaObject>();
  const pending = [...schemas];
  for (let schema = pending.shift(); schema !== undefined; schema = pending.shift()) {
    if (!isObject(schema) || found.has(schema)) continue;
    found.add(schema);
    pending.push(...toSchemas(schema.allOf));
    const target = validator?.target(schema);
    if (target !== undefined) pending.push(target);
  }
  return [...found];
}

export function toMemberSchemas(schemas: readonly SchemaObject[], name: string): readonly Schema[] {
  return schemas.flatMap(({ properties, additionalProperties }) => {
    const member = memberOf(properties, name) ?? additionalProperties;
    return isSchema(member) ? [member] : [];
  });
}

/** Returns true if all schemas allow `null`. Without a validator, everything is allowed. */
export function admitsNull(schemas: readonly Schema[], validator: SchemaValidator | null): boolean {
  return validator === null || schemas.every((schema) => validator.isValid(schema, null) !== false);
}

/** A string, number or boolean in an answer. */
export interface Leaf {
  path: Path;
  /** The path with `*` instead of list indexes, so that a property has one shape in all items of a list. */
  shape: Path;
  value: string | number | boolean;
}

/** Yields the leaves of an answer in document order. Skips `null`. */
export function* leavesOf(value: unknown, path: Path = [], shape: Path = []): Generator<Leaf> {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    yield { path, shape, value };
  if (typeof value !== "object" || value === null) return;
  const isList = Array.isArray(value);
  for (const [name, inner] of Object.entries(value)) {
    yield* leavesOf(inner, [...path, name], [...shape, isList ? "*" : name]);
  }
}

/**
 * Returns the path to a leaf, or null if there is no leaf. Accepts variants that models write: fragments (`#/name`),
 * and pointers that start at the root of the answer (`/data/name`).
 */
export function toLeafPath(data: unknown, pointer: string): Path | null {
  const plain = pointer.trim().replace(/^#/, "");
  for (const spelling of [plain, plain.replace(/^\/data(?=\/)/, "")]) {
    const path = parsePointer(spelling);
    const value = path === null ? undefined : valueAt(data, path);
    if (path !== null && value !== undefined && value !== null && typeof value !== "object") return path;
  }
  return null;
}
