import { createMiddleware } from "hono/factory";
import { callAccount } from "../../account/client";
import { LIVE_WAIT_MS } from "../../model/limits";
import type { DashboardEnv } from "./env";

const VERSION_HEADER = "X-Live-Version";

/**
 * Holds the refresh requests of a page until the account's data has changed, for at most 20 seconds. The script sends
 * the version of the previous response. The first request has no version and gets an immediate response.
 */
export const holdUntilChanged = createMiddleware<DashboardEnv>(async (c, next) => {
  // The admin's view of another account calls this middleware again with the viewed account.
  const isForAdmins = c.req.path.startsWith("/dashboard/admin/") && c.var.support === undefined;
  if (!isForAdmins && c.req.method === "GET" && c.req.header("X-Requested-With") === "fetch") {
    const seen = c.req.header(VERSION_HEADER) ?? null;
    const reply = await callAccount(c.env, c.var.account, (stub) => stub.watch(seen, LIVE_WAIT_MS));
    c.header(VERSION_HEADER, reply.version);
  }
  await next();
});
