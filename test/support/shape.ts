import { z } from "@hono/zod-openapi";

interface Json {
  type?: string | string[];
  const?: unknown;
  enum?: string[];
  format?: string;
  anyOf?: Json[];
  oneOf?: Json[];
  items?: Json;
  properties?: Record<string, Json>;
  required?: string[];
  additionalProperties?: Json | boolean;
}

/**
 * Describes the values of a schema in a short text, for example `{ id: string, name?: string | null, tags: string[] }`.
 */
export function toShape(schema: z.ZodType): string {
  return describe(z.toJSONSchema(schema, { unrepresentable: "any", reused: "inline" }) as Json);
}

function describe(schema: Json): string {
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return options.map(describe).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.items !== undefined) {
    const item = describe(schema.items);
    return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
  }
  if (schema.properties !== undefined) {
    const members = Object.entries(schema.properties).map(
      ([name, value]) => `${name}${schema.required?.includes(name) ? "" : "?"}: ${describe(value)}`,
    );
    return `{ ${members.join(", ")} }`;
  }
  if (typeof schema.additionalProperties === "object") return `{ [name]: ${describe(schema.additionalProperties)} }`;
  return schema.format ?? [schema.type ?? "any"].flat().join(" | ");
}
