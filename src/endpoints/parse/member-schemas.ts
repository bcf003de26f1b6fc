import { isObject, isSchema, memberOf, type Schema, type SchemaObject, toSchemas } from "../../json-schema/keywords";
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

/** Returns the schemas of a member of an object. */
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
