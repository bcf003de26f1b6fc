import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { checkIsObject, toInvalidRequest } from "../contract/invalid-request";
import { requireScope } from "../keys/middleware";
import { toOrigin } from "../lib/env";
import type { Scope } from "../model/api-key";
import type { AppEnv } from "../model/env";
import { AppError } from "../model/errors";
import { MAX_BODY_BYTES } from "../model/limits";

/** Creates a router that turns validation errors into `invalid_request`, with one detail per parameter. */
export function createRouter() {
  return new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (!result.success) throw toInvalidRequest(result.error.issues);
    },
  });
}

/** Refuses a body that is too large with 413. Used only where a body is read. */
export const limitBody = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: () => {
    throw new AppError("payload_too_large", `The body is larger than ${MAX_BODY_BYTES} bytes.`);
  },
});

/** A content type that the validation accepts unchanged. Copying the request for another one costs time. */
const PLAIN_JSON = /^application\/json(?:; ?charset=utf-8)?$/i;

/** Refuses other media types with 415, and invalid JSON. Must run before validation, which treats an unread body as empty. */
const requireJson = createMiddleware<AppEnv>(async (c, next) => {
  const sent = c.req.header("content-type") ?? "";
  const type = sent.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new AppError("unsupported_media_type", "The body must be sent with 'Content-Type: application/json'.");
  }
  if (!PLAIN_JSON.test(sent)) {
    // The validation refuses ` ;` and a trailing `;`, which RFC 9110 (5.6.6) allows.
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

/** Returns the origin under which the caller reached this service. */
export function originOf(c: Context<AppEnv>): string {
  return toOrigin(c.env, c.req.url);
}

/** The exact tuples: zod-openapi derives the context of a handler from each middleware. */
type MiddlewareChain =
  | [MiddlewareHandler<AppEnv>]
  | [MiddlewareHandler<AppEnv>, MiddlewareHandler<AppEnv>, MiddlewareHandler<AppEnv>];

/** Declares the scope that the caller's key needs, for the middleware and the API reference. */
export function guard(scope: Scope) {
  return { security: [{ bearer: [scope] }], middleware: [requireScope(scope)] satisfies MiddlewareChain };
}

/** Declares the scope, and the limits of the body, for an operation that takes one. */
export function guardWithBody(scope: Scope) {
  return {
    security: [{ bearer: [scope] }],
    middleware: [requireScope(scope), limitBody, requireJson] satisfies MiddlewareChain,
  };
}
