import { z } from "@hono/zod-openapi";
import { MAX_URL_CHARS } from "../limits";

export const Endpoint = z.enum(["scrape", "parse", "serp"]);
export type Endpoint = z.infer<typeof Endpoint>;

export const JobStatus = z.enum(["queued", "processing", "completed", "failed"]);
export type JobStatus = z.infer<typeof JobStatus>;

/** An absolute http(s) address without credentials. Whether it may be asked is the egress policy's question. */
export const TargetUrl = z
  .string()
  .max(MAX_URL_CHARS, `must have at most ${MAX_URL_CHARS} characters`)
  .superRefine((text, context) => {
    const url = URL.parse(text);
    if (url === null || !/^https?:\/\//i.test(text.trim())) {
      context.addIssue({ code: "custom", message: "must be an absolute URL that begins with http:// or https://" });
    } else if (url.username !== "" || url.password !== "") {
      context.addIssue({ code: "custom", message: "must not carry credentials" });
    }
  })
  .openapi({ format: "uri", example: "https://example.com/article" });

/** Where the result is pushed: HTTPS, public, without credentials. */
export const WebhookUrl = z
  .string()
  .max(MAX_URL_CHARS, `must have at most ${MAX_URL_CHARS} characters`)
  .superRefine((text, context) => {
    const url = URL.parse(text);
    if (url === null || !/^https:\/\//i.test(text.trim())) {
      context.addIssue({ code: "custom", message: "must be an absolute URL that begins with https://" });
    } else if (url.username !== "" || url.password !== "") {
      context.addIssue({ code: "custom", message: "must not carry credentials" });
    }
  })
  .transform((text) => URL.parse(text)?.href ?? text)
  .openapi({ format: "uri", example: "https://example.org/hooks/extraction" });

/** `wait` is `true` or `false`, nothing that merely looks like it. */
export const WaitQuery = z.strictObject({
  wait: z
    .enum(["true", "false"], { error: "must be 'true' or 'false'" })
    .optional()
    .openapi({ description: "true: hold the answer until the result is ready, for at most 60 seconds." }),
});

export const IdempotencyHeader = z.object({
  "idempotency-key": z.string().optional().openapi({
    description: "Up to 255 characters: for 24 hours, a repeat with the same body gets the same job.",
  }),
});

export const Pagination = z.object({
  total: z.number().int(),
  limit: z.number().int(),
  offset: z.number().int(),
  has_more: z.boolean(),
});

/** A query parameter that must be a whole number; texts such as "1e1" or " 5" are refused. */
export function wholeNumber(min: number, max: number) {
  const message =
    max === Number.MAX_SAFE_INTEGER
      ? `must be a whole number from ${min} up`
      : `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .pipe(z.number().min(min, message).max(max, message));
}

export const ErrorBody = z
  .object({
    success: z.literal(false),
    error: z.object({
      code: z.string().openapi({ example: "invalid_request" }),
      message: z.string(),
      retryable: z.boolean(),
      details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    }),
    job_id: z.string().optional(),
  })
  .openapi("Error");

export const JobMeta = z.object({
  processing_time_ms: z.number().int(),
  credits_used: z.number().int(),
});

/** The 202 of every extraction endpoint. */
export const Accepted = z
  .object({
    success: z.literal(true),
    job_id: z.string(),
    status: JobStatus,
    meta: JobMeta.extend({ credits_reserved: z.number().int() }),
  })
  .openapi("Accepted");
