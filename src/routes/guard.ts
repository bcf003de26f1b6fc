import type { MiddlewareHandler } from "hono";
import { limitBody, requireJson } from "../http/router";
import { requireScope } from "../keys/middleware";
import type { Scope } from "../model/api-key";
import type { AppEnv } from "../model/env";

/** As long as it is: zod-openapi reads from each what it adds to the context. */
type Chain =
  | [MiddlewareHandler<AppEnv>]
  | [MiddlewareHandler<AppEnv>, MiddlewareHandler<AppEnv>, MiddlewareHandler<AppEnv>];

/** Of a declaration: the scope that the caller's key needs, for the middleware and for the reference. */
export function guard(scope: Scope) {
  return { security: [{ bearer: [scope] }], middleware: [requireScope(scope)] satisfies Chain };
}

/** The same for an operation that takes a body. */
export function guardWithBody(scope: Scope) {
  return { security: [{ bearer: [scope] }], middleware: [requireScope(scope), limitBody, requireJson] satisfies Chain };
}
