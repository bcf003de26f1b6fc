import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { createMiddleware } from "hono/factory";
import { openAccount } from "../../directory/accounts";
import type { Place } from "../../directory/sign-up-location";
import { tagRequestId } from "../../keys/errors";
import { now } from "../../lib/clock";
import type { Mode } from "../../model/api-key";
import { AppError } from "../../model/errors";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../model/limits";
import { hasRole, ROLE_LABELS } from "../../model/role";
import { prepareDenied } from "../../net/denied";
import type { DashboardContext, DashboardEnv, User } from "../ui/env";
import { readFormData, readFormFields, UNTRIMMED_FIELDS } from "../ui/form-data";
import { findRequiredRole } from "../ui/permissions";
import { ACCOUNT_FIELD, MODE_FIELD, PostForm } from "../ui/post-form";
import { getSession } from "./auth-client";
import { renderNoAccount } from "./no-account-page";
import { renderSignPage, toSignPath } from "./sign-page";

const MODE_COOKIE = "extraction.mode";
/** The id of the account that the user selected. It has an effect only if the user is a member of the account. */
const ACCOUNT_COOKIE = "extraction.account";
const ACCOUNT_COOKIE_MS = 365 * DAY_MS;
/** The path that a visitor opened before the sign-in. A link in an email doesn't know it. */
const RETURN_COOKIE = "extraction.to";
const RETURN_COOKIE_MS = 10 * MINUTE_MS;

/** Sets `user` if the request has a session. */
export const readSession = createMiddleware<DashboardEnv>(async (c, next) => {
  // Doesn't load better-auth without a session cookie.
  if (/(?:^|[;\s])(?:__Secure-)?extraction\.session_token=/.test(c.req.header("cookie") ?? "")) {
    const found = await getSession(c);
    if (found !== null) {
      const { id, email, name, emailVerified, twoFactorEnabled } = found.user;
      c.set("user", { id, email, name, emailVerified, twoFactorEnabled: twoFactorEnabled === true });
      c.set("sessionToken", found.session.token);
      c.set("signedInAt", found.session.createdAt.getTime());
    }
  }
  await next();
});

/** Stores the user's choice of an account in a cookie. */
export function setAccountCookie(c: DashboardContext, accountId: string): void {
  setDashboardCookie(c, ACCOUNT_COOKIE, accountId, { maxAge: ACCOUNT_COOKIE_MS / SECOND_MS });
}

/** Stores the mode of the shown data in a cookie, until the browser is closed. */
export function setModeCookie(c: DashboardContext, mode: Mode): void {
  setDashboardCookie(c, MODE_COOKIE, mode);
}

function setDashboardCookie(c: DashboardContext, name: string, value: string, more: { maxAge?: number } = {}): void {
  const secure = new URL(c.req.url).protocol === "https:";
  setCookie(c, name, value, { path: "/dashboard", httpOnly: true, sameSite: "Lax", secure, ...more });
}

/** Requires a signed-in user. Redirects other visitors to the sign-in page, which redirects back after the sign-in. */
export const requireUser = createMiddleware<DashboardEnv>(async (c, next) => {
  const { user } = c.var;
  if (user === null) {
    const url = new URL(c.req.url);
    const here = `${url.pathname}${url.search}`;
    if (c.req.method === "POST") return await renderSessionEnded(c, here);
    setDashboardCookie(c, RETURN_COOKIE, here, { maxAge: RETURN_COOKIE_MS / SECOND_MS });
    return c.redirect(toSignPath("sign-in", here), 303);
  }
  const { id, name, email, emailVerified } = user;
  const preferred = getCookie(c, ACCOUNT_COOKIE);
  const opener = { id, name: name || email, emailVerified, place: c.req.raw.cf as Place | undefined };
  const opened = await openAccount(c.env, opener, now(), { preferred });
  if (opened === null) return await renderNoAccount(c);
  c.set("account", opened.current.account);
  // The checks of URLs in forms use the deny lists that this call has loaded.
  if (c.req.method === "POST") await prepareDenied(c.env, (promise) => c.executionCtx.waitUntil(promise));
  tagRequestId(c, opened.current.account);
  c.set("role", opened.current.role);
  c.set("accounts", opened.all);
  c.set("mode", getCookie(c, MODE_COOKIE) === "test" ? "test" : "live");
  c.set("isAdmin", isAdmin(c.env, user));
  await next();
});

/** Returns true if the user's address is in ADMIN_EMAILS and verified. Anyone can sign up with any address. */
function isAdmin(env: Env, user: User): boolean {
  const admins = env.ADMIN_EMAILS.toLowerCase()
    .split(",")
    .map((address) => address.trim());
  return user.emailVerified && admins.includes(user.email.toLowerCase());
}

/** Renders the page after a form was sent without a session. It keeps the fields, unless one is a password. */
async function renderSessionEnded(c: DashboardContext, action: string): Promise<Response> {
  const fields = [...(await readFormData(c))].filter(([, value]) => typeof value === "string");
  const isKept = !fields.some(([name]) => UNTRIMMED_FIELDS.has(name));
  c.status(401);
  return await renderSignPage(
    c,
    {
      title: "Your session has ended",
      links: [["/dashboard/sign-in", isKept ? "Discard entries and sign in" : "Sign in"]],
    },
    <>
      <p role="alert">Nothing was changed. {isKept ? "This page has kept your entries." : null}</p>
      {isKept ? (
        <>
          <ol>
            <li>
              <a href="/dashboard/sign-in" target="_blank" rel="noopener">
                Open the sign-in page in a new tab
              </a>
            </li>
            <li>After you sign in, come back to this page and send the form again.</li>
          </ol>
          <PostForm action={action} wide submit="Send again">
            {fields.map(([name, value]) => (
              <input type="hidden" name={name} value={String(value)} />
            ))}
          </PostForm>
        </>
      ) : null}
    </>,
  );
}

/** Returns the path for the redirect after a sign-in with a link: the page that the visitor opened before. */
export function takeReturnPath(c: DashboardContext, otherwise: string): string {
  const to = getCookie(c, RETURN_COOKIE);
  deleteCookie(c, RETURN_COOKIE, { path: "/dashboard" });
  return to === undefined ? otherwise : chooseReturnPath(to);
}

/** Returns the path for the redirect after the sign-in. A path outside of the dashboard is replaced by the overview. */
export function chooseReturnPath(to: string): string {
  // Parses the path as a browser does. A string comparison would accept `//evil.example` or `/dashboard/../x`.
  const url = URL.parse(to, PLACEHOLDER_ORIGIN);
  if (url === null || url.origin !== PLACEHOLDER_ORIGIN || !/^\/dashboard(?:\/|$)/.test(url.pathname))
    return "/dashboard";
  return `${url.pathname}${url.search}`;
}

const PLACEHOLDER_ORIGIN = "http://dashboard.invalid";

/**
 * Refuses requests that the user's role in the account doesn't allow. A new action requires the role `member` unless
 * `ui/permissions.ts` has a rule for it. Also refuses a form if its page showed another account or mode than the selected
 * one.
 * Throws AppError `insufficient_scope` or `invalid_request`.
 */
export const requireRole = createMiddleware<DashboardEnv>(async (c, next) => {
  const { role, account, mode } = c.var;
  if (c.req.method === "POST") {
    const shown = await readFormFields(c, [ACCOUNT_FIELD, MODE_FIELD]);
    if (shown[ACCOUNT_FIELD] !== "" && shown[ACCOUNT_FIELD] !== account.id)
      throw new AppError(
        "invalid_request",
        `Nothing was changed, because this page is for another account. The account '${account.name}' is now selected. Either you selected it in another tab, or you no longer belong to the other account. Reload the page and try again.`,
      );
    if (shown[MODE_FIELD] !== "" && shown[MODE_FIELD] !== mode)
      throw new AppError(
        "invalid_request",
        `Nothing was changed, because you switched to ${mode} data in another tab. Reload the page and try again.`,
      );
  }
  const required = findRequiredRole(c.req.method, c.req.path);
  if (required !== null && !hasRole(role, required)) {
    const least = required === "owner" ? "Only an owner can do this" : "This requires the role member";
    throw new AppError(
      "insufficient_scope",
      `${least}. Your role in the account '${account.name}' is ${ROLE_LABELS[role]}. Ask an owner of the account.`,
    );
  }
  await next();
});
