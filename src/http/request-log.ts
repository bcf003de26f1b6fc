import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { matchedRoutes } from "hono/route";
import { now } from "../lib/clock";
import { isStartedLocally } from "../lib/env";
import { log, writeDataPoint } from "../lib/log";
import { redactSecrets } from "../lib/redact";
import type { AppEnv } from "../model/env";

const MAX_PATH_CHARS = 100;

/** The caller's identity. A field is undefined if it isn't known. */
interface Caller {
  keyId?: string | undefined;
  userId?: string | undefined;
  accountId?: string | undefined;
  mode?: string | undefined;
}

/**
 * Writes one log line and one data point per request. Both contain the route's pattern instead of the URL, because
 * paths contain ids and query strings contain tokens. The duration ends when the response begins.
 */
export function logRequests<E extends AppEnv>(toCaller: (c: Context<E>) => Caller) {
  return createMiddleware<E>(async (c, next) => {
    const startedAt = now();
    await next();
    const { keyId, userId, accountId, mode } = toCaller(c);
    // Uses `c.get`, because `c.var` creates an object with all variables on every access.
    const code = c.get("errorCode");
    const { method } = c.req;
    const { status } = c.res;
    const route = toRoute(c);
    const ms = now() - startedAt;
    log("info", "request", {
      method,
      route,
      path: isStartedLocally(c.env) && route.endsWith("*") ? toShownPath(c.req.url) : undefined,
      status,
      code,
      ms,
      key_id: keyId,
      user_id: userId,
      account_id: accountId,
      mode,
      job_id: c.get("jobId"),
    });
    writeDataPoint(c.env, {
      account: accountId,
      blobs: ["request", method, route, String(status), code, mode],
      doubles: [ms],
    });
  });
}

/** Returns the start of the URL's path, percent-encoded. Only `npm start` logs it, if the route has no exact pattern. */
function toShownPath(url: string): string {
  return redactSecrets(new URL(url).pathname).slice(0, MAX_PATH_CHARS);
}

/** Returns the pattern of the matched route, or that of the last middleware (`/v1/*`) for an unknown path. */
export function toRoute(c: Context): string {
  const matched = matchedRoutes(c);
  return (matched.findLast(({ method }) => method !== "ALL") ?? matched.at(-1))?.path ?? "";
}
