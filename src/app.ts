import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { cors } from "hono/cors";
import { createMiddleware } from "hono/factory";
import { requestId } from "hono/request-id";
import { secureHeaders } from "hono/secure-headers";
import { DOORS } from "./doors/doors";
import { logRequests } from "./http/request-log";
import { toErrorResponse, toHandledError } from "./http/responses";
import { originOf } from "./http/router";
import { toPathError } from "./http/unknown-path";
import { authenticate } from "./keys/middleware";
import { now } from "./lib/clock";
import { newId } from "./lib/id";
import { lazyModule } from "./lib/lazy";
import { logAs } from "./lib/log";
import type { ApiKey } from "./model/api-key";
import type { AppEnv } from "./model/env";
import { AppError } from "./model/errors";
import { api } from "./routes/api";
import { mcp } from "./routes/mcp";
import { oauth } from "./routes/oauth";
import { requireRegion } from "./store/namespaces";
import { isForBrowser, respondWithErrorPage } from "./website/error-page";
import { listPaths, website } from "./website/website";

const loadDashboard = lazyModule(() => import("./dashboard/app"));
const loadAdmin = lazyModule(() => import("./routes/admin/admin"));

export const app = new OpenAPIHono<AppEnv>();

// Always generates the id, because a caller could send the id of another request.
app.use(requestId({ headerName: "", generator: newId }));
app.use(async (c, next) => {
  c.set("startedAt", now());
  const id = c.get("requestId");
  c.header("X-Request-Id", id);
  if (c.req.path !== "/health") requireRegion(c.env);
  await logAs({ request_id: id }, next);
  // The dashboard and the admin API are separate apps, so Hono doesn't add the header to their responses.
  if (!c.res.headers.has("X-Request-Id")) c.header("X-Request-Id", c.get("requestId"));
});
// The dashboard sets its own headers and error pages. It is loaded on its first request, so that API calls start
// faster.
app.all("/dashboard/*", async (c) => {
  const { dashboard } = await loadDashboard();
  return await dashboard.fetch(withRequestId(c), c.env, c.executionCtx);
});

app.use(
  secureHeaders({
    // Keeps headers that a handler has set.
    overwrite: false,
    // API responses don't need these headers, and each header makes every response slower.
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  }),
);
// The admin API logs its requests itself. It is rarely called, so it is loaded on its first request.
app.all("/admin/v1/*", async (c) => {
  const { admin } = await loadAdmin();
  return await admin.fetch(withRequestId(c), c.env, c.executionCtx);
});
app.use(logRequests((c) => toKey(c.get("caller"))));

const EXPOSED_HEADERS = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "Location",
  "Retry-After",
  "X-Cancelled-Jobs",
  "X-Request-Id",
  "WWW-Authenticate",
];

/**
 * Allows requests from every origin. This is safe, because browsers don't add the API key automatically. Without
 * `headers`, each header is allowed.
 */
function allowAnyOrigin(more: { methods: string[]; headers?: string[] }) {
  const preflight = cors({
    origin: "*",
    allowMethods: more.methods,
    allowHeaders: more.headers ? ["Authorization", "Content-Type", ...more.headers] : [],
    exposeHeaders: EXPOSED_HEADERS,
    maxAge: 86_400,
  });
  return createMiddleware<AppEnv>(async (c, next) => {
    if (c.req.method === "OPTIONS") return await preflight(c, next);
    await next();
    // Sets these headers after the response exists. Hono's `cors` sets them earlier, and Hono would then build the
    // response three times.
    c.res.headers.set("Access-Control-Allow-Origin", "*");
    c.res.headers.set("Access-Control-Expose-Headers", EXPOSED_HEADERS.join(","));
  });
}

// Responses contain keys and scraped data, which browsers and proxies must not cache. A route can set another value.
const keepPrivate = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", "no-store");
});
app.use(
  "/v1/*",
  keepPrivate,
  allowAnyOrigin({ methods: ["GET", "POST", "PUT", "PATCH", "DELETE"], headers: ["Idempotency-Key"] }),
  authenticate,
);
app.use(
  "/mcp",
  allowAnyOrigin({ methods: ["POST"], headers: ["Mcp-Protocol-Version", "Mcp-Session-Id", "Last-Event-ID"] }),
);

for (const [path, door] of DOORS) {
  // Jina's options are headers.
  app.use(`${path}/*`, keepPrivate, allowAnyOrigin({ methods: ["GET", "POST", "DELETE"] }));
  door.all("*", (c) => {
    throw findPathError(c);
  });
  app.route(path, door);
}

app.route("/", api);
app.route("/mcp", mcp);
app.route("/", oauth);
app.route("/", website);

app.notFound((c) =>
  respondWithError(
    c,
    isForBrowser(c) ? new AppError("not_found", "This service has no page at this address.") : findPathError(c),
  ),
);

app.onError((error, c) => respondWithError(c, toHandledError(c, error)));

/** Responds with the error as a page if a browser opens a path that isn't part of the API, otherwise as JSON. */
async function respondWithError(c: Context<AppEnv>, error: AppError): Promise<Response> {
  return isForBrowser(c) ? respondWithErrorPage(c, error, await listPaths(c.env)) : toErrorResponse(c, error);
}

function findPathError(c: Context<AppEnv>): AppError {
  const { method, path } = c.req;
  return toPathError({ method, path, origin: originOf(c) }, app.routes);
}

/** Returns the request with its id in the header X-Request-Id, for an app that is separate from this one. */
function withRequestId(c: Context<AppEnv>): Request {
  const request = new Request(c.req.raw);
  request.headers.set("X-Request-Id", c.get("requestId"));
  return request;
}

/** Returns the caller's key, account and mode for the log. They are undefined if the request has no verified key. */
function toKey(key: ApiKey | undefined) {
  return { keyId: key?.id, accountId: key?.account.id, mode: key?.mode };
}
