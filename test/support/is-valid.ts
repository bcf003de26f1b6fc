import type { Schema } from "../../src/json-schema/keywords";
import { createValidator } from "../../src/json-schema/validate";

/** Returns true if the value is valid. Returns false if the validation exceeds its cost limit. */
export function isValid(schema: Schema, value: unknown): boolean {
  const validator = createValidator(schema);
  return validator !== null && validator.isValid(validator.schema, value) === true;
}
