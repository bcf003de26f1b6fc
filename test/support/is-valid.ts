import type { Schema } from "../../src/json-schema/keywords";
import { createValidator } from "../../src/json-schema/validate";

/** Tells whether the value is valid. Returns false too if that would take too long, as with schemas made for that. */
export function isValid(schema: Schema, value: unknown): boolean {
  const validator = createValidator(schema);
  return validator !== null && validator.isValid(validator.schema, value) === true;
}
