import { z } from "@hono/zod-openapi";
import { ENDPOINT_NAMES } from "../model/endpoint";
import { JOB_STATUSES } from "../model/job";
import {
  LIST_LIMIT_DEFAULT,
  LIST_LIMIT_MAX,
  MAX_IDEMPOTENCY_KEY_CHARS,
  MAX_URL_CHARS,
  SECOND_MS,
  SYNC_WAIT_MS,
} from "../model/limits";
import { ErrorCode } from "./error-codes";

export const Endpoint = z.enum(ENDPOINT_NAMES).openapi("Endpoint");
export type Endpoint = z.infer<typeof Endpoint>;

export const JobStatus = z
  .enum(JOB_STATUSES)
  .openapi("JobStatus", { description: "`completed` and `failed` are final." });
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
  .openapi({
    // No `format: uri`: what browsers take for an address (characters beyond ASCII, say) is taken here too.
    description: "An absolute http(s) address, public, without credentials.",
    example: "https://example.com/article",
  });

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
  .openapi({
    description: "Where the result is pushed: https, public, without credentials.",
    example: "https://example.org/hooks/extraction",
  });

/** `wait` is `true` or `false`, nothing that merely looks like it. */
export const WaitQuery = z.strictObject({
  wait: z
    .enum(["true", "false"], { error: "must be 'true' or 'false'" })
    .optional()
    .openapi({
      description: `\`true\`: the answer is held until the result is ready, for at most ${SYNC_WAIT_MS / SECOND_MS} seconds; a job that takes longer is answered with 202 and goes on.`,
    }),
});

/** Only told of here: what its value may be is looked at where it is read, and no other header is. */
export const IDEMPOTENCY_HEADER = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "Makes a repetition safe: for 24 hours the same key with the same body gets the same job.",
  schema: { type: "string", minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_CHARS },
} as const;

/** An operation without query parameters refuses them, as every other does those that it doesn't know. */
export const NoQuery = z.strictObject({});

export const Pagination = z
  .object({
    total: z.number().int().openapi({ description: "How many there are in all." }),
    total_is_estimate: z.literal(true).optional().openapi({ description: "Counting stopped: `total` is the least." }),
    limit: z.number().int(),
    offset: z.number().int(),
    has_more: z.boolean(),
    next_cursor: z.string().optional().openapi({
      description: "The `cursor` of the next page, in lists that have this parameter. Absent on the last page.",
    }),
  })
  .openapi("Pagination");

/** A query parameter that must be a whole number; texts such as "1e1" or " 5" are refused with a message that ends with `hint`. */
export function wholeNumber(min: number, max: number, hint = "") {
  const message =
    max === Number.MAX_SAFE_INTEGER
      ? `must be a whole number from ${min} up`
      : `must be a whole number from ${min} to ${max}${hint}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .pipe(z.number().min(min, message).max(max, message))
    .openapi({ type: "integer", minimum: min, ...(max < Number.MAX_SAFE_INTEGER && { maximum: max }) });
}

/** The query parameters of every list. */
export const PAGE = {
  limit: wholeNumber(1, LIST_LIMIT_MAX)
    .default(LIST_LIMIT_DEFAULT)
    .openapi({ default: LIST_LIMIT_DEFAULT, description: "How many to return." }),
  offset: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0).openapi({ default: 0, description: "How many to skip." }),
};

export const ErrorBody = z
  .object({
    success: z.literal(false),
    error: z.object({
      code: ErrorCode,
      message: z.string().openapi({ description: "For people: names the field and the rule." }),
      retryable: z.boolean().openapi({ description: "Whether the same request may succeed later." }),
      details: z
        .array(z.object({ path: z.string().openapi({ example: "formats.0" }), message: z.string() }))
        .optional()
        .openapi({ description: "Each invalid parameter: where it is, and what would be right." }),
    }),
    job_id: z.string().optional().openapi({ description: "The job that ended with this error." }),
  })
  .openapi("Error");

export const JobMeta = z
  .object({
    processing_time_ms: z.number().int(),
    credits_used: z.number().int().openapi({ description: "What was charged: 0 for a failure, and for test keys." }),
  })
  .openapi("JobMeta");

/** The job that the reference tells of. */
export const EXAMPLE_JOB_ID = "0199b2c0-7a51-7c3e-9d0a-3f1e5b7c9d11";

export const JobId = z.string().openapi({ description: "UUIDv7.", example: EXAMPLE_JOB_ID });

/** The 202 of every extraction endpoint. */
export const Accepted = z
  .object({
    success: z.literal(true),
    job_id: JobId,
    status: JobStatus,
    meta: JobMeta.extend({
      credits_reserved: z.number().int().openapi({ description: "Charged when the job completes, given back else." }),
    }),
  })
  .openapi("Accepted");
