import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { checkIsObject, toInvalidRequest } from "../contract/invalid-request";
import type { AppEnv } from "../model/env";
import { AppError } from "../model/errors";
import { MAX_BODY_BYTES } from "../model/limits";
import { toOrigin } from "./origin";

/** A router whose validation failures become `invalid_request`, one detail a parameter. */
export function createRouter() {
  return new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (!result.success) throw toInvalidRequest(result.error.issues);
    },
  });
}

/** 413. It stands only where a body is read: the bytes of another one are nobody's concern, and a GET may bring some. */
export const limitBody = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: () => {
    throw new AppError("payload_too_large", `The body is larger than ${MAX_BODY_BYTES} bytes.`);
  },
});

/** What the validation takes as it is: making a request anew is felt in what an admission costs. */
const PLAIN_JSON = /^application\/json(?:; ?charset=utf-8)?$/i;

/** 415 and `invalid_json` come before validation, which would take an unread body for an empty one. */
export const requireJson = createMiddleware<AppEnv>(async (c, next) => {
  const sent = c.req.header("content-type") ?? "";
  const type = sent.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new AppError("unsupported_media_type", "The body must be sent with 'Content-Type: application/json'.");
  }
  if (!PLAIN_JSON.test(sent)) {
    // The validation would refuse ` ;` and a `;` at the end, which RFC 9110 (5.6.6) has both.
    const headers = new Headers(c.req.raw.headers);
    headers.set("content-type", type);
    c.req.raw = new Request(c.req.raw, { headers });
  }
  let body: unknown;
  try {
    body = await c.req.json();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError("invalid_json", "The body is not valid JSON.", { cause });
  }
  checkIsObject(body);
  await next();
});

/** The one place that turns an error into HTTP. */
export function toErrorResponse(c: Context<AppEnv>, error: AppError): Response {
  c.set("errorCode", error.code);
  if (error.jobId !== undefined) c.set("jobId", error.jobId);
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

/** Where this service was reached, for the links that it makes. */
export function originOf(c: Context<AppEnv>): string {
  return toOrigin(c.env, c.req.url);
}
