import { z } from "@hono/zod-openapi";
import { suggest } from "../lib/suggest";
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
import { component, int, isTrue, text } from "./fields";
import { Receipt } from "./price-options";

export const Endpoint = z.enum(ENDPOINT_NAMES).openapi("Endpoint");
export type Endpoint = z.infer<typeof Endpoint>;

export const JobStatus = z
  .enum(JOB_STATUSES)
  .openapi("JobStatus", { description: "`completed` and `failed` are final." });
export type JobStatus = z.infer<typeof JobStatus>;

/** Returns the schema of an absolute URL without credentials. `prefix` names the allowed beginnings of the URL. */
function absoluteUrl(prefix: "http:// or https://" | "https://") {
  return text.max(MAX_URL_CHARS, `must have at most ${MAX_URL_CHARS} characters`).superRefine((text, context) => {
    const problem = urlProblem(text, prefix) ?? credentialsProblem(text);
    if (problem !== null) context.addIssue({ code: "custom", message: problem });
  });
}

/** An absolute http(s) URL without credentials. The egress policy decides later whether the service may request it. */
export const TargetUrl = absoluteUrl("http:// or https://").openapi({
  // JSON Schema's `format: uri` isn't declared, because it excludes URLs that browsers accept, such as those with
  // characters outside ASCII.
  description: "An absolute http or https URL. It must be public and have no user name or password.",
  example: "https://example.com/article",
});

/**
 * The URL to which the result is sent. It must be public and have no credentials. `checkReceiver` refuses http, except
 * for local receivers under `npm start`.
 */
export const WebhookUrl = absoluteUrl("https://")
  .transform((text) => URL.parse(text)?.href ?? text)
  .openapi({
    description:
      "The URL to which the result is sent. It must use https, be public, and have no user name or password. A service that `npm start` runs also accepts an http URL if its host is in `ALLOWED_PRIVATE_HOSTS`.",
    format: "uri",
    pattern: "^\\s*https?://",
    example: "https://example.org/hooks/extraction",
  });

/** The query of a synchronous request. Values of `wait` other than `true` and `false` are refused. */
export const WaitQuery = z.strictObject({
  wait: z
    .enum(["true", "false"], { error: "must be 'true' or 'false'" })
    .optional()
    .openapi({
      description: `If \`true\`, the response waits for the result, for at most ${SYNC_WAIT_MS / SECOND_MS} seconds. If the job takes longer, the response is a 202 and the job continues.`,
    }),
});

/** Describes the header for the OpenAPI document only. The code that reads the header also validates it. */
export const IDEMPOTENCY_HEADER = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Makes it safe to retry the request. For 24 hours, a request with the same key and the same body returns the same job.",
  schema: { type: "string", minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_CHARS },
} as const;

/** The query of an operation without parameters. Unknown parameters are refused, as in every operation. */
export const NoQuery = z.strictObject({});

export const Pagination = component("Pagination", {
  total: int.openapi({ description: "The number of all items." }),
  total_is_estimate: isTrue
    .optional()
    .openapi({ description: "If true, there are at least `total` items, because counting stopped there." }),
  limit: int,
  offset: int,
  has_more: z.boolean(),
  next_cursor: text.optional().openapi({
    description:
      "Pass this value as `cursor` to get the next page. Absent on the last page, and in lists without a `cursor`.",
  }),
});

export function listResponse<Item extends z.ZodType>(name: string, item: Item) {
  return component(name, { success: isTrue, data: z.array(item), pagination: Pagination });
}

/**
 * Returns the schema of a query parameter that must be a whole number. Strings such as "1e1" or " 5" are refused. The
 * error message ends with `hint`.
 */
export function wholeNumber(min: number, max: number, hint = "") {
  const message = `must be a whole number from ${min} to ${max}${hint}`;
  return text
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .pipe(z.number().min(min, message).max(max, message))
    .openapi({ type: "integer", minimum: min, maximum: max });
}

const INSTANT_RULE = "must be an ISO 8601 date, or a date and time with a time zone, such as 2026-11-21T09:00:00Z";

/** An ISO 8601 date, or date and time. The seconds are optional. */
export const Instant = z.union(
  [z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 }), z.iso.date()],
  {
    // In a query, a plus sign stands for a space.
    error: ({ input }) =>
      / \d\d:\d\d$/.test(String(input)) ? `${INSTANT_RULE}. Write + as %2B in a URL` : INSTANT_RULE,
  },
);

/** The largest number of 15 digits. No list is that long. */
export const POSITION_MAX = 999_999_999_999_999;

/** The query parameters of every list. */
export const PAGE = {
  limit: wholeNumber(1, LIST_LIMIT_MAX)
    .default(LIST_LIMIT_DEFAULT)
    .openapi({ default: LIST_LIMIT_DEFAULT, description: "The number of items to return." }),
  offset: wholeNumber(0, POSITION_MAX).default(0).openapi({ default: 0, description: "The number of items to skip." }),
};

export const ErrorBody = component("Error", {
  success: z.literal(false),
  error: z.object({
    code: ErrorCode,
    message: text.openapi({ description: "A message for people. It names the field and the rule." }),
    retryable: z.boolean().openapi({ description: "True if the same request may succeed later." }),
    details: z
      .array(z.object({ path: text.openapi({ example: "formats.0" }), message: text }))
      .optional()
      .openapi({ description: "The path of each invalid parameter, and the rule that it breaks." }),
    hint: text.optional().openapi({ description: "The next step: what to change, or when to try again." }),
    doc_url: text
      .optional()
      .openapi({ description: "The URL of the error reference, which explains the code.", format: "uri" }),
    request_id: text
      .optional()
      .openapi({ description: "The id of this request, as in `X-Request-Id`. Include it when you contact support." }),
  }),
  job_id: text.optional().openapi({ description: "The id of the job that ended with this error." }),
});

export const JobMeta = component("JobMeta", {
  processing_time_ms: int,
  credits_used: int.openapi({ description: "The credits charged. Failed jobs and jobs of test keys are free." }),
  receipt: Receipt.optional().openapi({ description: "The parts of `credits_used`. Present after the job has ended." }),
});

/** The job id that all examples of the API reference use. */
export const EXAMPLE_JOB_ID = "0199b2c0-7a51-7c3e-9d0a-3f1e5b7c9d11";

export const JobId = text.openapi({ description: "The id of the job, a UUIDv7.", example: EXAMPLE_JOB_ID });

/** The body of the 202 response of every extraction endpoint. */
export const Accepted = component("Accepted", {
  success: isTrue,
  job_id: JobId,
  status: JobStatus,
  meta: JobMeta.extend({
    credits_reserved: int.openapi({
      description: "The credits reserved for the job. They are charged if it completes and released if it fails.",
    }),
  }),
});

/** A longer URL isn't repeated in a message. */
const MAX_SUGGESTED_CHARS = 100;
const SCHEME = /^([a-z][a-z0-9+.-]*):(?!\d)(\/\/)?/i;

/**
 * Returns the rule that a text breaks if it isn't an absolute http or https URL, otherwise null. If the scheme is
 * missing or misspelled, the text ends with a corrected URL. `prefix` names the allowed beginnings of the URL.
 */
export function urlProblem(text: string, prefix: "http:// or https://" | "https://"): string | null {
  const trimmed = text.trim();
  const isHttp = /^https?:\/\//i.test(trimmed);
  if (isHttp) return URL.parse(trimmed) === null ? `must be a valid URL: ${describeInvalid(trimmed)}` : null;
  const [, scheme] = SCHEME.exec(trimmed) ?? [];
  const rule = `must be an absolute URL that begins with ${prefix}`;
  const corrected = correct(trimmed);
  if (corrected !== null) return `${rule}. Did you mean '${corrected}'?`;
  return scheme !== undefined && trimmed.includes("://") ? `${rule}, not ${scheme.toLowerCase()}://` : rule;
}

function describeInvalid(url: string): string {
  const [authority = ""] = url.replace(/^https?:\/\//i, "").split(/[/?#]/);
  if (authority === "") return "it has no host name";
  return /\s/.test(authority) ? "its host name contains a space" : "its host name or port isn't valid";
}

/** Returns the text as an https or http URL, or null if the intended URL isn't obvious. */
function correct(text: string): string | null {
  const [match = "", scheme] = SCHEME.exec(text) ?? [];
  const known = scheme === undefined ? "https" : suggest(scheme, ["http", "https"]);
  if (known === null) return null;
  const rest = text.slice(match.length).replace(/^[:/\\]+/, "");
  const candidate = `${known}://${rest}`;
  const host = URL.parse(candidate)?.hostname ?? "";
  // A text with `@` can contain a password, which a message must not repeat.
  const isUsable = /^[^\s@]+$/.test(rest) && candidate.length <= MAX_SUGGESTED_CHARS;
  return isUsable && (host.includes(".") || host === "localhost") ? candidate : null;
}

/** Returns the rule that a URL with a user name or a password breaks, otherwise null. */
function credentialsProblem(text: string): string | null {
  const url = URL.parse(text);
  const hasCredentials = url !== null && (url.username !== "" || url.password !== "");
  return hasCredentials ? "must not contain a user name or password" : null;
}
