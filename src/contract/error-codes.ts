import { z } from "@hono/zod-openapi";
import { ACCOUNT_SUSPENDED_MESSAGE } from "../model/account";
import texts from "../model/error-help.json";
import { ERROR_HINTS } from "../model/error-hints";
import { ERRORS, type ErrorDetail, type ErrorCode as KnownCode } from "../model/errors";
import { JOB_TIMEOUT_MS, MAX_BODY_BYTES, MINUTE_MS, SECOND_MS } from "../model/limits";
import { FETCH_TIMEOUT_MS, MAX_REDIRECTS, RENDER_TIMEOUT_MS, WAIT_FOR_TIMEOUT_MS } from "../model/page-limits";
import { component, text } from "./fields";

interface Help {
  /** The cause of the error, and the fix if the caller can fix it. */
  meaning: string;
  /** An example of a message, exactly as the API sends it. */
  message: string;
}

/** The values that the texts in error-help.json contain in braces. */
const VALUES: Record<string, string | number> = {
  account_suspended: ACCOUNT_SUSPENDED_MESSAGE,
  max_body_bytes: MAX_BODY_BYTES,
  max_redirects: MAX_REDIRECTS,
  fetch_seconds: FETCH_TIMEOUT_MS / SECOND_MS,
  render_seconds: RENDER_TIMEOUT_MS / SECOND_MS,
  job_minutes: JOB_TIMEOUT_MS / MINUTE_MS,
  wait_for_seconds: WAIT_FOR_TIMEOUT_MS / SECOND_MS,
};

const TEXTS: Record<KnownCode, Help> = texts;

export const ERROR_HELP = Object.fromEntries(
  Object.entries(TEXTS).map(([code, { meaning, message }]) => [
    code,
    { meaning: fill(meaning), message: fill(message) },
  ]),
) as Record<KnownCode, Help>;

function fill(text: string): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(VALUES[name]));
}

/** The origin of the service in examples. */
export const EXAMPLE_ORIGIN = "https://api.example.com";

/** The path of the API reference. It has an anchor per operation, such as `#tag/extraction/POST/v1/scrape`. */
export const REFERENCE_PATH = "/docs/reference";

/** The path of the error reference. It has one anchor per code. */
export const ERROR_REFERENCE_PATH = "/docs/errors";

export function toErrorUrl(origin: string, code: KnownCode): string {
  return `${origin}${ERROR_REFERENCE_PATH}#${code}`;
}

/** Returns the next step after an error, and the URL of the code's section in the error reference. */
export function toErrorHelp(origin: string, code: KnownCode): { hint: string; doc_url: string } {
  return { hint: ERROR_HINTS[code], doc_url: toErrorUrl(origin, code) };
}

/** Returns the error of a failed job, as in job records and webhook events. `origin` is the origin of this service. */
export function toErrorRecord(
  { code, message, details }: { code: KnownCode; message: string; details?: ErrorDetail[] | undefined },
  origin: string,
) {
  return { code, message, ...toErrorHelp(origin, code), ...(details && { details }) };
}

const CODES = Object.keys(ERRORS) as [KnownCode, ...KnownCode[]];

/** The values of the job list's filter `code`. */
export const KnownErrorCode = z.enum(CODES);

/** A known error code, or any other string, because later versions may add codes. */
export const ErrorCode = z
  .union([z.enum(CODES), text])
  .openapi("ErrorCode", { description: toDescription(), example: "invalid_request" });

export const JobError = component("JobError", {
  code: ErrorCode,
  message: text,
  hint: text.optional().openapi({ description: "The next step: what to change, or when to retry." }),
  doc_url: text
    .optional()
    .openapi({ description: "The URL of the error reference, which explains the code.", format: "uri" }),
  details: z
    .array(z.object({ path: text, message: text }))
    .optional()
    .openapi({
      description:
        "The parameters that caused the error, such as an action that failed. With `payment_required`, the price in `crawler-price`.",
    }),
});

function toDescription(): string {
  const rows = CODES.map((code) => `| \`${code}\` | ${ERRORS[code].status} | ${ERROR_HELP[code].meaning} |`);
  const head = [
    "A machine-readable error code. Later versions may add codes: handle an unknown code by its status and `retryable`.",
    "",
    "| code | status | meaning |",
    "|---|---|---|",
  ];
  return [...head, ...rows].join("\n");
}
