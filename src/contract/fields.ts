import { z } from "@hono/zod-openapi";

/** Returns the schema of a whole number in a body. `unit` is the plural of what it counts, such as `seconds`. */
export function integer(min: number, max: number, unit?: string) {
  const rule = `must be a whole number${unit === undefined ? "" : ` of ${unit}`} from ${min} to ${max}`;
  return z.int(rule).min(min, rule).max(max, rule);
}

/** Returns the schema of a text that isn't empty. White space around it is removed. */
export function nonEmptyText(maxChars: number, emptyRule = "must not be empty") {
  return z.string().trim().min(1, emptyRule).max(maxChars, `must have at most ${maxChars} characters`);
}

export function dataResponse<Data extends z.ZodType>(name: string, data: Data) {
  return z.object({ success: z.literal(true), data }).openapi(name);
}

/** Returns the schema of a synchronous response of an extraction endpoint. */
export function resultResponse<Data extends z.ZodType, Meta extends z.ZodType>(name: string, data: Data, meta: Meta) {
  return z.object({ success: z.literal(true), data, meta, job_id: z.string() }).openapi(name);
}

export function dryRunResponse<Data extends z.ZodType>(name: string, data: Data) {
  const dry_run = z.literal(true).openapi({ description: "Always true. It distinguishes the response from a result." });
  return z.object({ success: z.literal(true), dry_run, data }).openapi(name);
}
