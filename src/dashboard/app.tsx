import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { csrf } from "hono/csrf";
import { HTTPException } from "hono/http-exception";
import { jsxRenderer } from "hono/jsx-renderer";
import { requestId } from "hono/request-id";
import { secureHeaders } from "hono/secure-headers";
import { logRequests, toRoute } from "../http/request-log";
import { toMediaType } from "../http/router";
import { limitFileForm } from "../http/upload";
import { readCallerAddress } from "../keys/errors";
import { withTimeout } from "../lib/async";
import { toOrigin } from "../lib/env";
import { log, toLogged } from "../lib/log";
import type { Mode } from "../model/api-key";
import { AppError } from "../model/errors";
import { SECOND_MS } from "../model/limits";
import { nameOperator, toLogoSource } from "../model/operator";
import { AUTHORIZE_PATH } from "../oauth/server";
import type { Account } from "../store/accounts";
import { readSchemaVersion } from "../store/schema-version";
import { invitationRoutes } from "./auth/invitation-page";
import { linkRoutes } from "./auth/link-pages";
import { noAccountRoutes } from "./auth/no-account-page";
import { readSession, requireRole, requireUser } from "./auth/session";
import { signInRoutes } from "./auth/sign-in-page";
import { toTurnstileSource } from "./auth/turnstile";
import { twoFactorRoutes } from "./auth/two-factor-step";
import { account } from "./pages/account/account-page";
import { admin } from "./pages/admin/admin-pages";
import { batchDownloads } from "./pages/batches/batch-downloads";
import { batches } from "./pages/batches/batches-page";
import { comparisons } from "./pages/jobs/compare-page";
import { jobs } from "./pages/jobs/jobs-page";
import { downloads } from "./pages/jobs/result-downloads";
import { authorization } from "./pages/keys/authorize-page";
import { keyPages } from "./pages/keys/keys-page";
import { overview } from "./pages/overview/overview-page";
import { plan } from "./pages/plan/plan-page";
import { playground } from "./pages/playground/playground-page";
import { settings } from "./pages/settings/settings-page";
import { usagePages } from "./pages/usage/usage-page";
import { webhookEndpointPages } from "./pages/webhooks/webhook-endpoint-page";
import { webhookPages } from "./pages/webhooks/webhooks-page";
import { ErrorPage } from "./ui/components";
import type { DashboardContext, DashboardEnv } from "./ui/env";
import { Layout } from "./ui/layout";
import { holdUntilChanged } from "./ui/live";

/** The maximum size of a form. It is large, because the playground's form can contain a page of HTML. */
const MAX_FORM_BYTES = 6 * 1024 * 1024;

const DATABASE_TIMEOUT_MS = 2 * SECOND_MS;

/** The message for Hono's own exceptions. Only its CSRF check throws one. */
const CROSS_ORIGIN_MESSAGE = "This form was sent from another site. Open the form in this dashboard and send it again.";

/** The titles of error pages by status. The other errors are refused forms. */
const TITLES: Record<number, string> = { 404: "Not found", 503: "Temporarily unavailable" };

/**
 * Returns true if the origin is the request's own and its host is a loopback name, which can differ from PUBLIC_URL.
 * Other host names aren't accepted, because an attacker can point a domain to this service (DNS rebinding).
 */
function isOwnLoopback(origin: string, requestUrl: string): boolean {
  const { hostname } = new URL(requestUrl);
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname) && origin === new URL(requestUrl).origin;
}

export const dashboard = new Hono<DashboardEnv>().basePath("/dashboard");

// Uses the id that `src/app.ts` has set in the request's header.
dashboard.use(requestId());
dashboard.use(
  logRequests<DashboardEnv>((c) => ({
    userId: c.get("user")?.id,
    // Undefined on pages that don't require a session.
    accountId: (c.get("account") as Account | undefined)?.id,
    mode: c.get("mode") as Mode | undefined,
  })),
);
dashboard.use(
  secureHeaders({
    // Allows no inline code and no other origins. Injected scripts then don't run, even if content isn't escaped by
    // mistake.
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'", (c) => toTurnstileSource((c as Context<DashboardEnv>).env, c.req.path)],
      frameSrc: [(c) => toTurnstileSource((c as Context<DashboardEnv>).env, c.req.path) || "'none'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", "data:", (c) => toLogoSource((c as Context<DashboardEnv>).env)],
      connectSrc: ["'self'"],
      formAction: ["'self'", "https://github.com", ({ req }) => toFormTarget(req.url)],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
    },
    xFrameOptions: "DENY",
    referrerPolicy: "same-origin",
  }),
);
dashboard.use(async (c, next) => {
  c.set("user", null);
  c.set("address", readCallerAddress(c.env, c.req.raw.headers));
  // Pages contain personal data, so they must not be cached.
  c.header("Cache-Control", "no-store");
  await next();
});
// Must precede the middleware that can refuse a request, because a refusal is rendered as a page.
dashboard.use(jsxRenderer(Layout, { docType: true, stream: false }));
dashboard.use(
  csrf({ origin: (origin, c) => origin === toOrigin(c.env, c.req.url) || isOwnLoopback(origin, c.req.url) }),
);
// Without a CORS preflight, another site can send only forms and plain text. The CSRF check covers forms. Plain text is
// refused here.
dashboard.use(async (c, next) => {
  const isForm = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(
    c.req.header("content-type") ?? "",
  );
  if (!isForm && c.req.method !== "GET" && c.req.method !== "HEAD")
    throw new AppError("unsupported_media_type", "The dashboard accepts only forms. Send other requests to the API.");
  await next();
});
const limitForm = bodyLimit({
  maxSize: MAX_FORM_BYTES,
  onError: () => {
    throw new AppError(
      "payload_too_large",
      `The form is larger than the limit of ${MAX_FORM_BYTES} bytes. Shorten its content.`,
    );
  },
});
// Only the bodies of forms are read. For a GET request with the header Transfer-Encoding, Hono's limit throws an error.
// The forms of the playground can contain a file, so they are read only after the user is known.
dashboard.use(async (c, next) => (c.req.method === "POST" && !isFileForm(c) ? await limitForm(c, next) : await next()));
dashboard.use(readSession);

for (const pages of [signInRoutes, twoFactorRoutes, linkRoutes, invitationRoutes, noAccountRoutes])
  dashboard.route("/", pages);
dashboard.use(requireUser);
dashboard.use(async (c, next) => (isFileForm(c) ? await limitFileForm(c, next) : await next()));
dashboard.use(requireRole);
dashboard.use(holdUntilChanged);
// `comparisons` must precede `jobs`, because /jobs/:id also matches its path.
for (const pages of [overview, usagePages, plan, account, settings, comparisons, jobs, downloads])
  dashboard.route("/", pages);
for (const pages of [batches, batchDownloads, authorization, keyPages]) dashboard.route("/", pages);
for (const pages of [webhookPages, webhookEndpointPages, playground, admin]) dashboard.route("/", pages);

/** Returns the sites to which a form may lead. Browsers also check redirects, and applications redirect further. */
function toFormTarget(url: string): string {
  const { pathname, searchParams } = new URL(url);
  if (pathname !== AUTHORIZE_PATH) return "'self'";
  const [scheme = "https:"] = /^[a-z][a-z0-9+.-]*:/i.exec(searchParams.get("redirect_uri") ?? "") ?? [];
  return `* ${scheme}`;
}

function isFileForm(c: DashboardContext): boolean {
  return c.req.method === "POST" && c.req.path === "/dashboard/playground" && toMediaType(c) === "multipart/form-data";
}

dashboard.notFound((c) => {
  const url = new URL(c.req.url);
  if (c.req.method === "GET" && url.pathname.endsWith("/"))
    return c.redirect(`${url.pathname.replace(/(?<!\/)\/+$/, "")}${url.search}`, 303);
  const formPage = c.req.method === "GET" ? findPageOfForm(url.pathname) : null;
  if (formPage !== null) return c.redirect(formPage, 303);
  c.status(404);
  return c.render(<ErrorPage title="Page not found" message="Check the URL, or go to the overview." />, {
    title: "Not found",
  });
});

/**
 * Returns the page above a path that accepts only POST, or null. A form with errors is rendered at the path of its
 * POST. If the user opens this URL again or signs in there, the browser requests it with GET.
 */
function findPageOfForm(path: string): string | null {
  if (hasRoute("GET", path) || !hasRoute("POST", path)) return null;
  let page = path;
  do page = page.slice(0, page.lastIndexOf("/"));
  while (!hasRoute("GET", page) && page !== "");
  return page;
}

function hasRoute(method: string, path: string): boolean {
  const [handlers] = dashboard.router.match(method, path);
  return handlers.some(([[, route]]) => route.method === method);
}

dashboard.onError(async (thrown, c) => {
  const error = isAccountGone(thrown) ? notReady("Your account") : thrown;
  const expected = error instanceof AppError || error instanceof HTTPException ? error : null;
  if (expected === null) log("error", "dashboard_failed", { route: toRoute(c), ...toLogged(error) });
  const known = expected ?? ((await isDatabaseDown(c.env.DB)) ? notReady("The dashboard") : null);
  if (!(known instanceof HTTPException)) c.set("errorCode", known?.code ?? "internal_error");
  c.status((known?.status ?? 500) as 500);
  const message =
    (known instanceof HTTPException ? CROSS_ORIGIN_MESSAGE : known?.message) ??
    `An unexpected error occurred. Try again. If the error persists, contact the operator of this service and include the request ID ${c.var.requestId}.`;
  const retryAfter = known instanceof AppError ? known.headers["Retry-After"] : undefined;
  if (retryAfter !== undefined) c.header("Retry-After", retryAfter);
  const knownTitle = TITLES[known?.status ?? 0] ?? "Request refused";
  return c.render(
    <ErrorPage title={known === null ? "Internal error" : knownTitle} message={nameOperator(message, c.env)} />,
    {
      title: "Error",
    },
  );
});

/** Returns true if the account's Durable Object has no data. `callAccount` uses the code of an unknown key for this. */
function isAccountGone(error: unknown): boolean {
  return error instanceof AppError && error.code === "invalid_api_key";
}

/** Returns true if the database doesn't respond. An error of a page doesn't show if the database is the cause. */
async function isDatabaseDown(db: D1Database): Promise<boolean> {
  try {
    await withTimeout(DATABASE_TIMEOUT_MS, readSchemaVersion(db));
    return false;
  } catch {
    return true;
  }
}

/**
 * Returns the error for a part that isn't available: the dashboard without the database, or a new account whose Durable
 * Object isn't open yet. The next page request opens it.
 */
function notReady(part: string): AppError {
  return new AppError("unavailable", `${part} isn't available at the moment. Reload the page in a minute.`, {
    headers: { "Retry-After": "60" },
  });
}
