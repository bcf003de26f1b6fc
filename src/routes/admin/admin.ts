// The API of operators, which `npm run account` and `npm run jobs` call. It isn't part of the public API's reference.
import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { toErrorResponse } from "../../http/responses";
import { readCallerAddress } from "../../keys/caller-address";
import { rateLimited } from "../../keys/errors";
import { now } from "../../lib/clock";
import { toText } from "../../lib/env";
import { toCallerNetwork } from "../../lib/ip-ranges";
import { log, toLogged } from "../../lib/log";
import type { AppEnv } from "../../model/env";
import { AppError } from "../../model/errors";
import { FAILURES_PER_MINUTE } from "../../model/plan";
import { requireSchema } from "../../store/schema-version";
import { accounts } from "./accounts";
import { events } from "./events";
import { transfers } from "./transfers";

const BEARER = /^Bearer +(\S+)$/i;

/**
 * Lets in a caller with the admin token. Without a configured token there is no admin API. A wrong token counts as a failed
 * authentication of the caller's network.
 */
const authenticateAdmin = createMiddleware<AppEnv>(async (c, next) => {
  const token = toText(c.env.ADMIN_TOKEN);
  if (token === null) throw new AppError("not_found", `There is nothing at ${c.req.path}.`);
  const [, given = ""] = BEARER.exec(c.req.header("authorization") ?? "") ?? [];
  if (!(await isSame(given, token))) {
    const network = toCallerNetwork(readCallerAddress(c.env, c.req.raw.headers));
    const rate = await c.env.RATE_LIMITER.getByName(network).consume(FAILURES_PER_MINUTE);
    if (!rate.allowed) throw rateLimited(rate, "Too many failed authentications came from this address.", now());
    throw new AppError("invalid_api_key", "This admin token is not valid.", {
      headers: { "WWW-Authenticate": "Bearer" },
    });
  }
  await requireSchema(c.env.DB);
  await next();
  if (!c.res.headers.has("Cache-Control")) c.header("Cache-Control", "no-store");
});

/** Compares two texts in a time that doesn't depend on where they differ. */
async function isSame(given: string, expected: string): Promise<boolean> {
  const encoder = new TextEncoder();
  const [a, b] = await Promise.all(
    [given, expected].map((text) => crypto.subtle.digest("SHA-256", encoder.encode(text))),
  );
  return a !== undefined && b !== undefined && crypto.subtle.timingSafeEqual(a, b);
}

export const admin = new Hono<AppEnv>().basePath("/admin/v1");

admin.use(authenticateAdmin);
admin.route("/", accounts);
admin.route("/", transfers);
admin.route("/", events);

admin.notFound((c) => toErrorResponse(c, new AppError("not_found", `There is nothing at ${c.req.path}.`)));

admin.onError((error, c) => {
  if (error instanceof AppError) return toErrorResponse(c, error);
  log("error", "request_failed", { route: c.req.routePath, ...toLogged(error) });
  return toErrorResponse(c, new AppError("internal_error", "Internal error.", { cause: error }));
});
