import { getCookie } from "hono/cookie";
import { createMiddleware } from "hono/factory";
import { openAccount } from "../../directory/accounts";
import type { CallerPlace } from "../../directory/location";
import { now } from "../../lib/clock";
import type { DashboardEnv, User } from "../ui/env";
import { readFormData, UNTRIMMED_FIELDS } from "../ui/form-data";
import { callAuth, openAuth } from "./auth-client";

export const MODE_COOKIE = "extraction.mode";

/** Sets `user` if the request has a session. */
export const readSession = createMiddleware<DashboardEnv>(async (c, next) => {
  // Without the cookie there is no session, so better-auth isn't loaded.
  if (/(?:^|[;\s])(?:__Secure-)?extraction\.session_token=/.test(c.req.header("cookie") ?? "")) {
    const { body } = await callAuth(c, await openAuth(c), { method: "GET", path: "/get-session" });
    const { user, session } = body as { user?: User; session?: { token: string } };
    if (user !== undefined && session !== undefined) {
      const { id, email, name, emailVerified } = user;
      c.set("user", { id, email, name, emailVerified });
      c.set("sessionToken", session.token);
    }
  }
  await next();
});

/** Lets only signed-in users pass. Others are sent to the sign-in page, which leads back here. */
export const requireUser = createMiddleware<DashboardEnv>(async (c, next) => {
  const { user } = c.var;
  if (user === null) {
    const url = new URL(c.req.url);
    const here = `${url.pathname}${url.search}`;
    if (c.req.method !== "POST") return c.redirect(`/dashboard/sign-in?to=${encodeURIComponent(here)}`, 303);
    const fields = [...(await readFormData(c))].flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value] as const] : [],
    );
    c.status(401);
    return await c.render(<SessionEnded action={here} fields={fields} />, {
      title: "Your session has ended",
      bare: true,
    });
  }
  const { id, name, email, emailVerified } = user;
  const caller = (c.req.raw.cf ?? {}) as CallerPlace;
  c.set("account", await openAccount(c.env, { id, name: name || email, emailVerified }, now(), caller));
  c.set("mode", getCookie(c, MODE_COOKIE) === "test" ? "test" : "live");
  c.set("isAdmin", isAdmin(c.env, user));
  await next();
});

/** Returns true for a verified address in ADMIN_EMAILS. Anyone can sign up with an unverified one. */
function isAdmin(env: Env, user: User): boolean {
  const admins = env.ADMIN_EMAILS.toLowerCase()
    .split(",")
    .map((address) => address.trim());
  return user.emailVerified && admins.includes(user.email.toLowerCase());
}

interface SessionEndedProps {
  /** The path that the form was sent to. */
  action: string;
  /** The fields that were sent, so that the user needn't enter them again. */
  fields: readonly (readonly [name: string, value: string])[];
}

/** The answer to a form whose session has ended. A form with a password isn't kept. */
function SessionEnded({ action, fields }: SessionEndedProps) {
  const isKept = !fields.some(([name]) => UNTRIMMED_FIELDS.has(name));
  return (
    <section class="card sign">
      <h1>Your session has ended</h1>
      <p role="alert">Nothing was changed. {isKept ? "Your entries are kept on this page." : null}</p>
      {isKept ? (
        <>
          <ol>
            <li>
              <a href="/dashboard/sign-in" target="_blank" rel="noopener">
                Sign in in another tab
              </a>
            </li>
            <li>Come back to this page and send the form again.</li>
          </ol>
          <form method="post" action={action}>
            {fields.map(([name, value]) => (
              <input type="hidden" name={name} value={value} />
            ))}
            <button class="button primary wide" type="submit">
              Send again
            </button>
          </form>
        </>
      ) : null}
      <p class="alternatives">
        <a href="/dashboard/sign-in">{isKept ? "Sign in and discard" : "Sign in"}</a>
      </p>
    </section>
  );
}

/** Returns the path to go to after signing in. Anything that isn't a page of the dashboard becomes the overview. */
export function toReturnPath(to: string): string {
  // Parsed as a browser would. Otherwise `//evil.example` and `/dashboard/../x` would pass.
  const url = URL.parse(to, PLACEHOLDER_ORIGIN);
  if (url === null || url.origin !== PLACEHOLDER_ORIGIN || !/^\/dashboard(?:\/|$)/.test(url.pathname))
    return "/dashboard";
  return `${url.pathname}${url.search}`;
}

const PLACEHOLDER_ORIGIN = "http://dashboard.invalid";
