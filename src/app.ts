import { OpenAPIHono } from "@hono/zod-openapi";
import { cors } from "hono/cors";
import { createMiddleware } from "hono/factory";
import { HTTPException } from "hono/http-exception";
import { requestId } from "hono/request-id";
import { secureHeaders } from "hono/secure-headers";
import { logRequests, toRoute } from "./http/request-log";
import { toErrorResponse } from "./http/responses";
import { authenticate } from "./keys/middleware";
import { now } from "./lib/clock";
import { log, logAs, toLogged } from "./lib/log";
import type { ApiKey } from "./model/api-key";
import type { AppEnv } from "./model/env";
import { AppError } from "./model/errors";
import { api } from "./routes/api";
import { docs } from "./routes/docs/docs";
import { mcp } from "./routes/mcp";

export const app = new OpenAPIHono<AppEnv>();

// A caller's own identifier isn't taken over: it could be anybody's.
app.use(requestId({ headerName: "" }));
app.use(async (c, next) => {
  c.set("startedAt", now());
  const id = c.get("requestId");
  c.header("X-Request-Id", id);
  await logAs({ request_id: id }, next);
});
// The dashboard has headers and errors of its own. It's loaded when it is first asked for: an API call starts without it.
app.all("/dashboard/*", async (c) => {
  const { dashboard } = await import("./dashboard/app");
  const request = new Request(c.req.raw);
  request.headers.set("X-Request-Id", c.var.requestId);
  return await dashboard.fetch(request, c.env, c.executionCtx);
});

app.use(logRequests((c) => toKey(c.get("caller"))));
app.use(
  secureHeaders({
    // What an answer says of itself stays as it is.
    overwrite: false,
    // For Flash, Internet Explorer and pages with links to others: each header costs, in each answer.
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  }),
);

const EXPOSED_HEADERS = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "Location",
  "Retry-After",
  "X-Request-Id",
];

/** For callers in any page: keys are sent by hand, so there is nothing that a browser would add by itself. */
function allowAnyOrigin(more: { methods: string[]; headers: string[] }) {
  const preflight = cors({
    origin: "*",
    allowMethods: more.methods,
    allowHeaders: ["Authorization", "Content-Type", ...more.headers],
    exposeHeaders: EXPOSED_HEADERS,
    maxAge: 86_400,
  });
  return createMiddleware<AppEnv>(async (c, next) => {
    if (c.req.method === "OPTIONS") return await preflight(c, next);
    await next();
    // hono's own sets them before there is an answer, which is then put together three times.
    c.res.headers.set("Access-Control-Allow-Origin", "*");
    c.res.headers.set("Access-Control-Expose-Headers", EXPOSED_HEADERS.join(","));
  });
}

// Answers hold keys and scraped data, which a browser or a proxy must not cache. A route may set another value.
app.use("/v1/*", async (c, next) => {
  await next();
  if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", "no-store");
});
app.use(
  "/v1/*",
  allowAnyOrigin({ methods: ["GET", "POST", "PUT", "DELETE"], headers: ["Idempotency-Key"] }),
  authenticate,
);
app.use(
  "/mcp",
  allowAnyOrigin({ methods: ["POST"], headers: ["Mcp-Protocol-Version", "Mcp-Session-Id", "Last-Event-ID"] }),
);

app.route("/", api);
app.route("/", docs);
app.route("/mcp", mcp);
// Operators call it from the command line. It is loaded when it is first called.
app.all("/admin/v1/*", async (c) => {
  const { admin } = await import("./routes/admin/admin");
  return await admin.fetch(c.req.raw, c.env, c.executionCtx);
});

app.notFound((c) => {
  const allowed = allowedMethods(c.req.path);
  if (allowed.length > 0 && !allowed.includes(c.req.method)) {
    const message = `${c.req.method} is not allowed here; ${allowed.join(" and ")} ${allowed.length > 1 ? "are" : "is"}.`;
    return toErrorResponse(c, new AppError("method_not_allowed", message, { headers: { Allow: allowed.join(", ") } }));
  }
  return toErrorResponse(c, new AppError("not_found", `There is nothing at ${c.req.path}.`));
});

app.onError((error, c) => {
  if (error instanceof AppError) return toErrorResponse(c, error);
  if (error instanceof HTTPException && error.status === 400) {
    return toErrorResponse(c, new AppError("invalid_json", "The body is not valid JSON.", { cause: error }));
  }
  log("error", "request_failed", { route: toRoute(c), ...toLogged(error) });
  return toErrorResponse(c, new AppError("internal_error", "Internal error.", { cause: error }));
});

/** What the log says of a key; there is none before it was looked at. */
function toKey(key: ApiKey | undefined) {
  return { keyId: key?.id, accountId: key?.account.id, mode: key?.mode };
}

/** The methods that some route has for this path. */
function allowedMethods(path: string): string[] {
  const methods = app.routes
    .filter((route) => route.method !== "ALL" && toPattern(route.path).test(path))
    .flatMap((route) => (route.method === "GET" ? ["GET", "HEAD"] : [route.method]));
  return [...new Set(methods)];
}

function toPattern(routePath: string): RegExp {
  return new RegExp(`^${routePath.replace(/:[^/]+/g, "[^/]+").replace(/\*/g, ".*")}$`);
}
