import type { z } from "@hono/zod-openapi";
import { ERRORS, type ErrorCode } from "../model/errors";
import { EXAMPLE_JOB_ID } from "./common";
import { ERROR_HELP, EXAMPLE_ORIGIN, toErrorHelp } from "./error-codes";
import { HEADERS, type HeaderName, headersOf } from "./headers";
import operations from "./operations.json";

/** A response in the form that zod-openapi takes. It refers to its schema by name, and contains no zod schema. */
type DeclaredResponse = {
  description: string;
  headers: Record<string, { $ref: string }>;
  content: {
    "application/json": { schema: { $ref: string }; examples: Record<string, { summary: string; value: unknown }> };
  };
};

export type OperationId = keyof typeof operations;

/** Returns the id, the texts and the tags of an operation, which are in operations.json. */
export function describeOperation<Id extends OperationId>(operationId: Id) {
  return { operationId, ...operations[operationId] };
}

/** Describes a successful response under /v1. */
export function describeResponse<Schema extends z.ZodType>(
  description: string,
  schema: Schema,
  { headers = [], example }: { headers?: HeaderName[]; example: object },
) {
  return { description, headers: headersOf(...headers), content: { "application/json": { schema, example } } };
}

/** Describes a successful response under /v1 with the fields `success` and `data`. `data` is the example. */
export function describeData<Schema extends z.ZodType<unknown, { success: true; data: unknown }>>(
  description: string,
  schema: Schema,
  data: object,
) {
  return describeResponse(description, schema, { example: { success: true, data } });
}

export function describeBody<Schema extends z.ZodType>(schema: Schema, examples: Record<string, object>) {
  return { required: true as const, content: { "application/json": { schema, examples } } };
}

/** Describes a JSON body that can be omitted. */
export function describeOptionalBody<Schema extends z.ZodType>(schema: Schema, examples: Record<string, object>) {
  return { ...describeBody(schema, examples), required: false as const };
}

/** Error responses that many operations share. Each is a component of the OpenAPI document, with its own headers. */
export const SHARED_ERRORS = {
  Unauthorized: {
    status: 401,
    codes: ["missing_api_key", "malformed_authorization", "invalid_api_key", "revoked_api_key", "expired_api_key"],
    headers: ["WWW-Authenticate"],
  },
  Forbidden: { status: 403, codes: ["insufficient_scope", "ip_not_allowed", "account_suspended"], headers: [] },
  PayloadTooLarge: { status: 413, codes: ["payload_too_large"], headers: [] },
  UnsupportedMediaType: { status: 415, codes: ["unsupported_media_type"], headers: [] },
  RateLimited: { status: 429, codes: ["rate_limited"], headers: ["Retry-After"] },
  InternalError: { status: 500, codes: ["internal_error"], headers: [] },
  Unavailable: { status: 503, codes: ["unavailable", "not_configured"], headers: ["Retry-After"] },
} as const satisfies Record<string, { status: number; codes: ErrorCode[]; headers: HeaderName[] }>;

/** The shared errors of every operation under /v1. */
const ALWAYS = ["Unauthorized", "Forbidden", "RateLimited", "InternalError", "Unavailable"] as const;
/** The shared errors of operations that take a body. */
const WITH_BODY = ["PayloadTooLarge", "UnsupportedMediaType"] as const;

/**
 * Describes the errors of an operation under /v1: the shared errors, the errors of an invalid request, and the
 * operation's own error codes by status (`own`). The return type has no keys, because handlers throw errors and never
 * return them.
 */
export function describeErrors(own: Record<number, ErrorCode[]> = {}): Record<never, never> {
  const codes = { ...own, 400: ["invalid_request" as const, ...(own[400] ?? [])] };
  return Object.fromEntries([
    ...ALWAYS.map(refer),
    ...Object.entries(codes).map(([status, each]) => [status, describeErrorResponse(Number(status), each)]),
  ]);
}

/** Describes the errors of an operation under /v1 that takes a body. */
export function describeErrorsWithBody(own: Record<number, ErrorCode[]> = {}): Record<never, never> {
  const errors = describeErrors({ ...own, 400: ["invalid_json", ...(own[400] ?? [])] });
  return { ...Object.fromEntries(WITH_BODY.map(refer)), ...errors };
}

function refer(name: keyof typeof SHARED_ERRORS) {
  return [SHARED_ERRORS[name].status, { $ref: `#/components/responses/${name}` }] as const;
}

/** Describes an error response of this status, with an example of each code. */
export function describeErrorResponse(
  status: number,
  codes: readonly ErrorCode[],
  headers: Record<string, { $ref: string }> = headersOf(),
): DeclaredResponse {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_HELP[code].meaning}`).join("\n\n"),
    headers,
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Error" },
        examples: Object.fromEntries(codes.map((code) => [code, toExample(status, code)])),
      },
    },
  };
}

function toExample(status: number, code: ErrorCode) {
  const { message } = ERROR_HELP[code];
  const entry: { status: number; retryable?: true } = ERRORS[code];
  const isOfJob = status === entry.status && JOB_STATUSES.has(status) && code !== "internal_error";
  return {
    summary: code,
    value: {
      success: false,
      // If the status isn't the code's usual one, the request was refused before a job existed. A retry would fail too.
      error: {
        code,
        message,
        retryable: status === entry.status && entry.retryable === true,
        ...toErrorHelp(EXAMPLE_ORIGIN, code),
        request_id: HEADERS["X-Request-Id"].example,
      },
      ...(isOfJob && { job_id: EXAMPLE_JOB_ID }),
    },
  };
}

/** A synchronous request reports a failed job with one of these statuses. */
const JOB_STATUSES: ReadonlySet<number> = new Set([422, 500, 502, 504]);
