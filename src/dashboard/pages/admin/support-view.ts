import { createMiddleware } from "hono/factory";
import { now } from "../../../lib/clock";
import { AppError } from "../../../model/errors";
import { MINUTE_MS } from "../../../model/limits";
import { getAccount } from "../../../store/accounts";
import { insertAuditSince } from "../../../store/audit";
import { setModeCookie } from "../../auth/session";
import { type DashboardEnv, requireSignedIn } from "../../ui/env";
import { holdUntilChanged } from "../../ui/live";

/** The customer's pages that an admin can open. Other pages contain results, secrets or forms. */
export const VIEWED_PAGES = [
  "/jobs",
  "/jobs/:id",
  "/batches",
  "/batches/:id",
  "/keys",
  "/webhooks",
  "/webhooks/deliveries/:id",
  "/usage",
] as const;

const ID = "[0-9a-f-]{36}";
const VIEWED = VIEWED_PAGES.map((path) => new RegExp(`^/dashboard${path.replace(":id", ID)}$`));
/** The interval in which the audit log gets at most one entry for the same admin, account and page. */
const AUDIT_INTERVAL_MS = 60 * MINUTE_MS;

/** Returns the path of an account's page. The paths of the view begin with it. */
export function toAccountPath(accountId: string): string {
  return `/dashboard/admin/accounts/${encodeURIComponent(accountId)}`;
}

/** Returns the path in the view at `base` that shows this page of the customer. Null if the view lacks it. */
export function toViewedPath(href: string, base: string): string | null {
  const [path = ""] = href.split(/[?#]/);
  if (!VIEWED.some((pattern) => pattern.test(path))) return null;
  return base + href.slice("/dashboard".length);
}

/** Selects the customer's account of the path, the role `read_only`, and the mode in the query. */
export const openView = createMiddleware<DashboardEnv>(async (c, next) => {
  const id = c.req.param("customer") ?? "";
  const account = await getAccount(c.env.DB, id);
  if (account === null) return await c.notFound();
  const base = toAccountPath(id);
  c.set("support", { own: c.var.account, base });
  c.set("account", account);
  c.set("role", "read_only");
  const mode = c.req.query("mode");
  if (mode === "live" || mode === "test") {
    c.set("mode", mode);
    setModeCookie(c, mode);
  }
  await next();
  const location = c.res.headers.get("location");
  if (location !== null) c.header("location", toViewedPath(location, base) ?? location);
  else if (c.res.headers.get("content-type")?.startsWith("text/html")) c.res = rewriteLinks(c.res, base);
});

/** Refuses every method other than GET, and records the page in the audit log. */
export const recordView = createMiddleware<DashboardEnv>(async (c, next) => {
  const { account, support } = c.var;
  if (support === undefined) throw new Error("The request has no view.");
  if (c.req.method !== "GET" && c.req.method !== "HEAD")
    throw new AppError("insufficient_scope", "Nothing was changed, because this view of the account is read-only.");
  const page = c.req.path.slice(support.base.length);
  if (toViewedPath(`/dashboard${page}`, support.base) === null) return await c.notFound();
  const at = now();
  const entry = { actor: requireSignedIn(c).email, action: "account.view", accountId: account.id, at } as const;
  await insertAuditSince(c.env.DB, { ...entry, detail: { page } }, at - AUDIT_INTERVAL_MS);
  return await holdUntilChanged(c, next);
});

/**
 * Changes the links of the customer's page, so that they lead to the pages of the view. Removes links to other pages,
 * and forms, because the view would refuse them. Also removes images, because they belong to results.
 */
function rewriteLinks(response: Response, base: string): Response {
  const isOther = (href: string) => !href.startsWith("/dashboard") || href.startsWith("/dashboard/admin");
  return new HTMLRewriter()
    .on("main a[href]", {
      element(link) {
        const href = link.getAttribute("href") ?? "";
        const viewed = toViewedPath(href, base);
        if (viewed !== null) link.setAttribute("href", viewed);
        else if (isOther(href)) return;
        else if (link.getAttribute("class")?.includes("button")) link.remove();
        else link.removeAndKeepContent();
      },
    })
    .on("main [data-live]", {
      element(part) {
        part.setAttribute("data-live", toViewedPath(part.getAttribute("data-live") ?? "", base) ?? "");
      },
    })
    .on('main img[src^="/dashboard/jobs/"]', {
      element(image) {
        image.remove();
      },
    })
    .on("main form", {
      element(form) {
        const action = form.getAttribute("action") ?? "";
        const viewed = toViewedPath(action, base);
        if (form.getAttribute("method")?.toLowerCase() !== "post" && viewed !== null)
          form.setAttribute("action", viewed);
        else if (action !== "/dashboard/mode" && !action.startsWith(base)) form.remove();
      },
    })
    .transform(response);
}
