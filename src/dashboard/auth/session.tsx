import { getCookie } from "hono/cookie";
import { createMiddleware } from "hono/factory";
import { openAccount } from "../../directory/open";
import { now } from "../../lib/clock";
import type { DashboardEnv, User } from "../ui/env";
import { askAuth, openAuth } from "./ask";
import { readFormData } from "./form-data";
import { SessionEnded } from "./session-ended";

export const MODE_COOKIE = "extraction.mode";

/** Who is signed in, if anybody is. */
export const readSession = createMiddleware<DashboardEnv>(async (c, next) => {
  // Without a cookie there is nobody, and better-auth needn't be loaded.
  if (/(?:^|[;\s])(?:__Secure-)?extraction\.session_token=/.test(c.req.header("cookie") ?? "")) {
    const { body } = await askAuth(c, await openAuth(c), { method: "GET", path: "/get-session" });
    const { user, session } = body as { user?: User; session?: { token: string } };
    if (user !== undefined && session !== undefined) {
      const { id, email, name, emailVerified } = user;
      c.set("user", { id, email, name, emailVerified });
      c.set("sessionToken", session.token);
    }
  }
  await next();
});

/** Only for those who are signed in; all others are shown the sign-in, and come back here from it. */
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
  c.set("account", await openAccount(c.env, { id: user.id, name: user.name || user.email }, now()));
  c.set("mode", getCookie(c, MODE_COOKIE) === "test" ? "test" : "live");
  c.set("isAdmin", isAdmin(c.env, user));
  await next();
});

/** An address proves nothing until it is verified: anybody can sign up with one. */
function isAdmin(env: Env, user: User): boolean {
  const admins = env.ADMIN_EMAILS.toLowerCase()
    .split(",")
    .map((address) => address.trim());
  return user.emailVerified && admins.includes(user.email.toLowerCase());
}
