import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ErrorBody } from "../contract/common";
import type { AppEnv } from "../env";
import { AppError, ERRORS, type ErrorCode, type ErrorDetail } from "../errors";

interface Issue {
  path: PropertyKey[];
  code?: string | undefined;
  keys?: string[] | undefined;
  message: string;
}

/** A router whose validation failures become `invalid_request`, one detail a parameter. */
export function createRouter() {
  return new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (result.success) return;
      const details = result.error.issues.flatMap((issue) => toDetails(issue as Issue));
      const first = details[0];
      throw new AppError(
        "invalid_request",
        first === undefined ? "The request is not valid." : `The parameter '${first.path}' ${first.message}.`,
        { details },
      );
    },
  });
}

/** An unknown parameter is its own detail, under its own name. */
function toDetails(issue: Issue): ErrorDetail[] {
  const path = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys" && issue.keys !== undefined) {
    return issue.keys.map((key) => ({
      path: path === "" ? key : `${path}.${key}`,
      message: "is not a known parameter",
    }));
  }
  return [
    {
      path: path === "" ? "body" : path,
      message: issue.message
        .replace(/^Invalid option: expected one of /, "must be one of ")
        .replace(/^Invalid input: /, "is invalid: ")
        .replace(/\.$/, ""),
    },
  ];
}

/** 415 and `invalid_json` come before validation, which would take an unread body for an empty one. */
export const requireJson = createMiddleware<AppEnv>(async (c, next) => {
  const type = c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new AppError("unsupported_media_type", "The body must be sent with 'Content-Type: application/json'.");
  }
  let body: unknown;
  try {
    body = await c.req.json();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError("invalid_json", "The body is not valid JSON.", { cause });
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new AppError("invalid_request", "The body must be a JSON object.");
  }
  await next();
});

/** The one place that turns an error into HTTP. */
export function toErrorResponse(c: Context<AppEnv>, error: AppError): Response {
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
  return c.json(
    {
      success: false,
      error: {
        code: error.code,
        message: error.message,
        retryable: error.retryable,
        ...(error.details === undefined ? {} : { details: error.details }),
      },
      ...(error.jobId === undefined ? {} : { job_id: error.jobId }),
    },
    error.status as ContentfulStatusCode,
  );
}

/** The `responses` of a route's declaration: every status that these codes can have, with the codes named. */
export function errorResponses(...codes: ErrorCode[]) {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(ERRORS[code].status, [...(byStatus.get(ERRORS[code].status) ?? []), code]);
  return Object.fromEntries(
    [...byStatus].map(([status, named]) => [
      status,
      { description: named.join(", "), content: { "application/json": { schema: ErrorBody } } },
    ]),
  );
}

/** Where this service was reached, for the links that it makes. */
export function toOrigin(c: Context<AppEnv>): string {
  const url = URL.parse(c.env.PUBLIC_URL) ?? new URL(c.req.url);
  return url.origin;
}
