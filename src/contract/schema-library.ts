import { z } from "@hono/zod-openapi";
import { component, dataResponse, text } from "./fields";
import table from "./ready-schemas.json";

export const SCHEMA_NAMES = [
  "product",
  "article",
  "recipe",
  "job_posting",
  "event",
  "organization",
  "listing",
] as const;
export const SchemaName = z.enum(SCHEMA_NAMES).openapi("SchemaName");
export type SchemaName = z.infer<typeof SchemaName>;

const about = {
  name: SchemaName,
  title: text,
  description: text,
};

/** A ready-made schema, with the prompt that describes it. */
export const ReadySchema = component("ReadySchema", {
  ...about,
  prompt: text.openapi({ description: "A prompt for a parse with this schema." }),
  schema: z
    .record(text, z.unknown())
    .openapi({ description: "A JSON Schema. Use it as `schema` of a parse, and change it as you like." }),
});
export type ReadySchema = z.infer<typeof ReadySchema>;

export const ReadySchemaSummary = component("ReadySchemaSummary", about);
export type ReadySchemaSummary = z.infer<typeof ReadySchemaSummary>;

export const ReadySchemaResponse = dataResponse("ReadySchemaResponse", ReadySchema);

export const ReadySchemaList = dataResponse("ReadySchemaList", z.array(ReadySchemaSummary));

/** Returns a ready-made schema. In the schemas, `null` is a valid value of every property that pages often lack. */
export function readySchema(name: SchemaName): ReadySchema {
  return { name, ...table[name] };
}

export const READY_SCHEMAS: readonly ReadySchema[] = SCHEMA_NAMES.map(readySchema);
