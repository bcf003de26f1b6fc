import type { SchemaObject } from "../../src/json-schema/keywords";

/** Returns the schema of an object whose property `a` has the given schema. */
export function inProperty(schema: unknown): SchemaObject {
  return { type: "object", properties: { a: schema } };
}
