import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { csrf } from "hono/csrf";
import { HTTPException } from "hono/http-exception";
import { jsxRenderer } from "hono/jsx-renderer";
import { requestId } from "hono/request-id";
import { secureHeaders } from "hono/secure-headers";
import { logRequests, toRoute } from "../http/request-log";
import { readCallerAddress } from "../keys/caller-address";
import { toOrigin } from "../lib/env";
import { log, toLogged } from "../lib/log";
import type { Mode } from "../model/api-key";
import { AppError } from "../model/errors";
import type { Account } from "../store/accounts";
import { linkRoutes } from "./auth/link-routes";
import { readSession, requireUser } from "./auth/session";
import { signInRoutes } from "./auth/sign-in-routes";
import { admin } from "./pages/admin/routes";
import { jobs } from "./pages/jobs/routes";
import { keyPages } from "./pages/keys/routes";
import { modeSwitch } from "./pages/mode-switch";
import { overview } from "./pages/overview/routes";
import { plan } from "./pages/plan/routes";
import { playground } from "./pages/playground/routes";
import { settings } from "./pages/settings/routes";
import { webhookPages } from "./pages/webhooks/routes";
import { ErrorPage } from "./ui/components";
import type { DashboardEnv } from "./ui/env";
import { Layout } from "./ui/layout";
import { holdUntilChanged } from "./ui/live";

/** The largest form is a page of HTML in the playground. */
const MAX_FORM_BYTES = 6 * 1024 * 1024;

/** The message for Hono's own exceptions. Only the one about a form's origin gets here. */
const CROSS_ORIGIN_MESSAGE = "This form was sent from another site. Open the page here and send the form again.";

/**
 * Returns true if a local service is opened under another loopback name than in PUBLIC_URL. Other names aren't accepted,
 * because DNS rebinding can point an attacker's name to this service.
 */
function isOwnLoopback(origin: string, requestUrl: string): boolean {
  const { hostname } = new URL(requestUrl);
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname) && origin === new URL(requestUrl).origin;
}

export const dashboard = new Hono<DashboardEnv>().basePath("/dashboard");

// Keeps the id that the entry gave the request.
dashboard.use(requestId());
dashboard.use(
  logRequests<DashboardEnv>((c) => ({
    userId: c.get("user")?.id,
    // Pages that need no session have no account.
    accountId: (c.get("account") as Account | undefined)?.id,
    mode: c.get("mode") as Mode | undefined,
  })),
);
dashboard.use(
  secureHeaders({
    // Allows nothing inline and nothing from other origins. Page content that isn't escaped by mistake can't do anything.
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", "data:"],
      connectSrc: ["'self'"],
      formAction: ["'self'", "https://github.com"],
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
  // Every page is personal.
  c.header("Cache-Control", "no-store");
  await next();
});
// Comes before everything that can refuse a request, because a refusal is a page too.
dashboard.use(jsxRenderer(Layout, { docType: true, stream: false }));
dashboard.use(
  csrf({ origin: (origin, c) => origin === toOrigin(c.env, c.req.url) || isOwnLoopback(origin, c.req.url) }),
);
// Without a CORS preflight, another site can send only forms and plain text. Forms were checked above, anything else is
// refused.
dashboard.use(async (c, next) => {
  const isForm = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(
    c.req.header("content-type") ?? "",
  );
  if (!isForm && c.req.method !== "GET" && c.req.method !== "HEAD")
    throw new AppError("unsupported_media_type", "The dashboard accepts only forms. Use the API for other requests.");
  await next();
});
// Only POST requests are read, so the body of a GET has no limit.
dashboard.post(
  "*",
  bodyLimit({
    maxSize: MAX_FORM_BYTES,
    onError: () => {
      throw new AppError("payload_too_large", `This form is larger than ${MAX_FORM_BYTES} bytes.`);
    },
  }),
);
dashboard.use(readSession);

dashboard.route("/", signInRoutes);
dashboard.route("/", linkRoutes);
dashboard.use(requireUser);
dashboard.use(holdUntilChanged);
dashboard.route("/", overview);
dashboard.route("/", modeSwitch);
dashboard.route("/", plan);
dashboard.route("/", settings);
dashboard.route("/", jobs);
dashboard.route("/", keyPages);
dashboard.route("/", webhookPages);
dashboard.route("/", playground);
dashboard.route("/", admin);

dashboard.notFound((c) => {
  const url = new URL(c.req.url);
  if (c.req.method === "GET" && url.pathname.endsWith("/"))
    return c.redirect(`${url.pathname.replace(/\/+$/, "")}${url.search}`, 303);
  c.status(404);
  return c.render(
    <ErrorPage title="Page not found" message="The address may be mistyped, or the page was removed." />,
    {
      title: "Not found",
    },
  );
});

dashboard.onError((thrown, c) => {
  const error = isAccountGone(thrown) ? notReady() : thrown;
  const known = error instanceof AppError || error instanceof HTTPException ? error : null;
  if (known === null) log("error", "dashboard_failed", { route: toRoute(c), ...toLogged(error) });
  if (!(known instanceof HTTPException)) c.set("errorCode", known?.code ?? "internal_error");
  c.status((known?.status ?? 500) as 500);
  const message =
    (known instanceof HTTPException ? CROSS_ORIGIN_MESSAGE : known?.message) ??
    `Something went wrong on our side. If this continues, contact the operator with this request id: ${c.var.requestId}`;
  const retryAfter = known instanceof AppError ? known.headers["Retry-After"] : undefined;
  if (retryAfter !== undefined) c.header("Retry-After", retryAfter);
  const refused = known?.status === 503 ? "Temporarily unavailable" : "Request refused";
  return c.render(<ErrorPage title={known === null ? "Internal error" : refused} message={message} />, {
    title: "Error",
  });
});

/** Returns true if the account's object has no account. The API answers then as if the key were unknown. */
function isAccountGone(error: unknown): boolean {
  return error instanceof AppError && error.code === "invalid_api_key";
}

/** A new account's object may not be open yet. The next page opens it. */
function notReady(): AppError {
  return new AppError("unavailable", "Your account isn't available at the moment. Reload the page in a minute.", {
    headers: { "Retry-After": "60" },
  });
}
