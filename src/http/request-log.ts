import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { matchedRoutes } from "hono/route";
import { now } from "../lib/clock";
import { log, writeDataPoint } from "../lib/log";
import type { AppEnv } from "../model/env";

/** Who asked, as far as that is known. */
interface Asker {
  keyId?: string | undefined;
  userId?: string | undefined;
  accountId?: string | undefined;
  mode?: string | undefined;
}

/**
 * One line and one data point a request, with the pattern of its route: paths hold ids, queries hold tokens. The time is
 * until the answer begins; a large result is on its way then.
 */
export function logRequests<E extends AppEnv>(toAsker: (c: Context<E>) => Asker) {
  return createMiddleware<E>(async (c, next) => {
    const startedAt = now();
    await next();
    const { keyId, userId, accountId, mode } = toAsker(c);
    // Not `c.var`: each look at that makes an object of all there is.
    const code = c.get("errorCode");
    const { method } = c.req;
    const { status } = c.res;
    const route = toRoute(c);
    const ms = now() - startedAt;
    log("info", "request", {
      method,
      route,
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

/** The pattern of the route that was asked for; of nothing that is there, the widest that covers it. */
export function toRoute(c: Context): string {
  const matched = matchedRoutes(c);
  return (matched.findLast(({ method }) => method !== "ALL") ?? matched.at(-1))?.path ?? "";
}
