// The admin API, which `npm run admin` calls. It isn't part of the public API reference.

import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { requestId } from "hono/request-id";
import { z } from "zod";
import { addDenied, listDeniedOf, removeDenied } from "../../directory/deny-list";
import { logRequests } from "../../http/request-log";
import { toErrorResponse } from "../../http/responses";
import { rateLimited, readCallerAddress } from "../../keys/errors";
import { now, toIso } from "../../lib/clock";
import { toText } from "../../lib/env";
import { toCallerNetwork } from "../../lib/ip-ranges";
import { log, toLogged } from "../../lib/log";
import type { AppEnv } from "../../model/env";
import { AppError } from "../../model/errors";
import { FAILURES_PER_MINUTE } from "../../model/plan";
import { getAccount } from "../../store/accounts";
import { rateLimiter } from "../../store/namespaces";
import { requireSchema } from "../../store/schema-version";
import { accounts } from "./accounts";
import { health } from "./health";
import { OPERATOR, readBody, readQuery } from "./input";
import { transfers } from "./transfers";

/** These paths work while the database is down. */
const HEALTH_PATHS = ["/admin/v1/health", "/admin/v1/metrics"];
const BEARER = /^Bearer +(\S+)$/i;

/** Accepts only the admin token. Without ADMIN_TOKEN, responds with 404. A wrong one is a failed authentication. */
const authenticateAdmin = createMiddleware<AppEnv>(async (c, next) => {
  const token = toText(c.env.ADMIN_TOKEN);
  if (token === null) throw pathNotFound(c.req.path);
  const [, given = ""] = BEARER.exec(c.req.header("authorization") ?? "") ?? [];
  if (!(await isSame(given, token))) {
    const network = toCallerNetwork(readCallerAddress(c.env, c.req.raw.headers));
    const rate = await rateLimiter(c.env, network).consume(FAILURES_PER_MINUTE);
    if (!rate.allowed)
      throw rateLimited(rate, "There were too many failed authentications from this IP address.", now());
    throw new AppError("invalid_api_key", "The admin token is not valid. Send the value of ADMIN_TOKEN.", {
      headers: { "WWW-Authenticate": "Bearer" },
    });
  }
  if (!HEALTH_PATHS.includes(c.req.path)) await requireSchema(c.env.DB);
  await next();
  if (!c.res.headers.has("Cache-Control")) c.header("Cache-Control", "no-store");
});

/** Compares two strings in constant time, so that the response time doesn't reveal how much of a token is right. */
async function isSame(given: string, expected: string): Promise<boolean> {
  const encoder = new TextEncoder();
  const [a, b] = await Promise.all(
    [given, expected].map((text) => crypto.subtle.digest("SHA-256", encoder.encode(text))),
  );
  return a !== undefined && b !== undefined && crypto.subtle.timingSafeEqual(a, b);
}

export const admin = new Hono<AppEnv>().basePath("/admin/v1");

// Uses the id that `src/app.ts` has set in the request's header.
admin.use(requestId());
admin.use(logRequests(() => ({})));
admin.use(authenticateAdmin);
admin.route("/", accounts);
admin.route("/", transfers);
admin.route("/", health);

admin.notFound((c) => toErrorResponse(c, pathNotFound(c.req.path)));

admin.onError((error, c) => {
  if (error instanceof AppError) return toErrorResponse(c, error);
  log("error", "request_failed", { route: c.req.routePath, ...toLogged(error) });
  return toErrorResponse(c, new AppError("internal_error", "Internal error.", { cause: error }));
});

function pathNotFound(path: string): AppError {
  return new AppError("not_found", `The path '${path}' doesn't exist.`);
}

const account = z.string().min(1).optional();
const ListQuery = z.strictObject({ account });
const Entry = z.strictObject({ account, target: z.string().trim().min(1).max(300), note: z.string().default("") });
const RemovedEntry = Entry.omit({ note: true });

admin.get("/deny-list", async (c) => {
  const query = readQuery(c, ListQuery);
  return c.json({ success: true, data: await list(c.env, await readAccountId(c.env, query.account)) });
});

admin.post("/deny-list", async (c) => {
  const { account: id, target, note } = await readBody(c, Entry);
  const accountId = await readAccountId(c.env, id);
  const added = await addDenied(c.env, { accountId, target, note, actor: OPERATOR, now: now() });
  return c.json({ success: true, data: { target: added } }, 201);
});

admin.post("/deny-list/remove", async (c) => {
  const { account: id, target } = await readBody(c, RemovedEntry);
  const accountId = await readAccountId(c.env, id);
  await removeDenied(c.env, { accountId, target, actor: OPERATOR, now: now() });
  return c.json({ success: true, data: await list(c.env, accountId) });
});

async function list(env: Env, accountId: string | null) {
  return (await listDeniedOf(env, accountId)).map(({ target, note, createdBy, createdAt }) => ({
    target,
    note,
    created_by: createdBy,
    created_at: toIso(createdAt),
  }));
}

/** Returns the account's id, or null if none is given. Throws AppError `not_found` if it doesn't exist. */
async function readAccountId(env: Env, id: string | undefined): Promise<string | null> {
  if (id === undefined) return null;
  if ((await getAccount(env.DB, id)) === null) throw new AppError("not_found", `There is no account '${id}'.`);
  return id;
}
