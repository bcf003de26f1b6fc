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
import { modeSwitch } from "./pages/mode";
import { overview } from "./pages/overview/routes";
import { plan } from "./pages/plan/routes";
import { playground } from "./pages/playground/routes";
import { settings } from "./pages/settings/routes";
import { webhookPages } from "./pages/webhooks/routes";
import { ErrorPage } from "./ui/components";
import type { DashboardEnv } from "./ui/env";
import { Layout } from "./ui/layout";

/** No form of the dashboard holds more than a page of HTML for the playground. */
const MAX_FORM_BYTES = 6 * 1024 * 1024;

/** Of Hono's exceptions only the one about a form's origin comes this far. */
const FOREIGN_FORM = "This form was sent from another site. Open the page here, and send it again.";

/**
 * A service on this machine may be opened as localhost although PUBLIC_URL says 127.0.0.1. Other names could be an attacker's, which
 * lead here by DNS rebinding.
 */
function isOwnLoopback(origin: string, requestUrl: string): boolean {
  const { hostname } = new URL(requestUrl);
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname) && origin === new URL(requestUrl).origin;
}

export const dashboard = new Hono<DashboardEnv>().basePath("/dashboard");

// The one that the entry gave the request.
dashboard.use(requestId());
dashboard.use(
  logRequests<DashboardEnv>((c) => ({
    userId: c.get("user")?.id,
    // Whose dashboard it is isn't known on the pages that need no session.
    accountId: (c.get("account") as Account | undefined)?.id,
    mode: c.get("mode") as Mode | undefined,
  })),
);
dashboard.use(
  secureHeaders({
    // Nothing inline, nothing from elsewhere: what comes out of pages can do nothing, should it ever get through unescaped.
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
  // Each page is somebody's own.
  c.header("Cache-Control", "no-store");
  await next();
});
// Before all that may refuse: a refusal is a page as well.
dashboard.use(jsxRenderer(Layout, { docType: true, stream: false }));
dashboard.use(
  csrf({ origin: (origin, c) => origin === toOrigin(c.env, c.req.url) || isOwnLoopback(origin, c.req.url) }),
);
// What another site's page may send without being asked first is a form or plain text: the one was checked, nothing else
// is taken.
dashboard.use(async (c, next) => {
  const isForm = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(
    c.req.header("content-type") ?? "",
  );
  if (!isForm && c.req.method !== "GET" && c.req.method !== "HEAD")
    throw new AppError(
      "unsupported_media_type",
      "The dashboard takes forms alone. There is an API for everything else.",
    );
  await next();
});
// Where forms are read, and nowhere else: a GET may bring bytes too.
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
    <ErrorPage title="There is nothing here" message="The address may be mistyped, or what it showed is gone." />,
    {
      title: "Not found",
    },
  );
});

dashboard.onError((error, c) => {
  const known = error instanceof AppError || error instanceof HTTPException ? error : null;
  if (known === null) log("error", "dashboard_failed", { route: toRoute(c), ...toLogged(error) });
  if (!(known instanceof HTTPException)) c.set("errorCode", known?.code ?? "internal_error");
  c.status((known?.status ?? 500) as 500);
  const message =
    (known instanceof HTTPException ? FOREIGN_FORM : known?.message) ??
    `Something went wrong on our side. If it goes on, tell us this number: ${c.var.requestId}`;
  return c.render(<ErrorPage title={known === null ? "That did not work" : "That can't be done"} message={message} />, {
    title: "Error",
  });
});
