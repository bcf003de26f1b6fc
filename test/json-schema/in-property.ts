import type { SchemaObject } from "../../src/json-schema/keywords";

/** A schema of one property, `a`, that is held to this one. */
export function inProperty(schema: unknown): SchemaObject {
  return { type: "object", properties: { a: schema } };
}
