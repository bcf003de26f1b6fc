import table from "./ready-schemas.json";
import { type ReadySchema, SCHEMA_NAMES, type SchemaName } from "./schema-library";

/** Returns a ready-made schema. In the schemas, `null` is a valid value of every property that pages often lack. */
export function readySchema(name: SchemaName): ReadySchema {
  return { name, ...table[name] };
}

/** All ready-made schemas. */
export const READY_SCHEMAS: readonly ReadySchema[] = SCHEMA_NAMES.map(readySchema);
