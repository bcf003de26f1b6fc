import { z } from "@hono/zod-openapi";

export const text = z.string();
/** A whole number. */
export const int = z.number().int();
/** An ISO 8601 time in UTC. */
export const time = z.iso.datetime();
/** A field that is omitted instead of false. */
export const isTrue = z.literal(true);

/** Returns the schema of an object that has a name in the OpenAPI document. */
export function component<Shape extends z.ZodRawShape>(name: string, shape: Shape) {
  return z.object(shape).openapi(name);
}

/** Returns the schema of a named object that refuses unknown fields, such as the body of a request. */
export function strictComponent<Shape extends z.ZodRawShape>(name: string, shape: Shape) {
  return z.strictObject(shape).openapi(name);
}

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
  return component(name, { success: isTrue, data });
}

/** Returns the schema of a synchronous response of an extraction endpoint. */
export function resultResponse<Data extends z.ZodType, Meta extends z.ZodType>(name: string, data: Data, meta: Meta) {
  return component(name, { success: isTrue, data, meta, job_id: text });
}

export function dryRunResponse<Data extends z.ZodType>(name: string, data: Data) {
  const dry_run = isTrue.openapi({ description: "Always true. It distinguishes the response from a result." });
  return component(name, { success: isTrue, dry_run, data });
}
