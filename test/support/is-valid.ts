import { createChecker } from "../../src/json-schema/check";
import type { Schema } from "../../src/json-schema/keywords";

/** Whether the value is valid; false too when finding out would take too long, as with schemas made for that. */
export function isValid(schema: Schema, value: unknown): boolean {
  const checker = createChecker(schema);
  return checker !== null && checker.check(checker.schema, value) === true;
}
