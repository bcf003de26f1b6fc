import { type Context, Hono } from "hono";
import { findUserOfLink } from "../../directory/users";
import type { DashboardEnv } from "../ui/env";
import { FormErrors } from "../ui/form";
import { readFormFields } from "../ui/form-data";
import { callAuth, openAuth, readTokenEmail, setErrorStatus, toFormErrors } from "./auth-client";
import { AccountRecovered, LinkForm, ResetForm, VerifyForm, VerifyRefused } from "./link-forms";

/**
 * The pages of links in emails and of links that operators create. Opening a link does nothing, because mail scanners and
 * previews open links too. The button on the page does it.
 */
export const linkRoutes = new Hono<DashboardEnv>();

linkRoutes.get("/link", (c) => c.render(<LinkForm token={c.req.query("token")} />, { title: "Sign in", bare: true }));

linkRoutes.post("/link", async (c) => {
  const { token } = await readFormFields(c, ["token"]);
  const user = await findUserOfLink(c.env.DB, token);
  const path = `/magic-link/verify?token=${encodeURIComponent(token)}`;
  const { error, response } = await callAuth(c, await openAuth(c), { method: "GET", path });
  if (error === null && response.status < 300) {
    // The person who signed up hadn't verified the address. better-auth has removed that password and ended those sessions.
    if (user?.email_verified === 0) return c.render(<AccountRecovered />, { title: "Signed in", bare: true });
    return c.redirect("/dashboard", 303);
  }
  if (error === null) c.status(400);
  else setErrorStatus(c, error, 400);
  const errors =
    error?.code === "RATE_LIMITED"
      ? toFormErrors(error)
      : new FormErrors("This link was already used or has expired. Request a new one.");
  return c.render(<LinkForm errors={errors} />, { title: "Sign in", bare: true });
});

linkRoutes.get("/reset", (c) =>
  c.render(<ResetForm token={c.req.query("token")} />, { title: "Choose a new password", bare: true }),
);

linkRoutes.post("/reset", async (c) => {
  const { token, password } = await readFormFields(c, ["token", "password"]);
  const body = { token, newPassword: password };
  const { error } = await callAuth(c, await openAuth(c), { method: "POST", path: "/reset-password", body });
  if (error === null) return c.redirect("/dashboard/sign-in?done=reset", 303);
  setErrorStatus(c, error, 400);
  // A refused password can be corrected. An invalid link can't.
  const isLinkInvalid = !/^(?:PASSWORD_|RATE_LIMITED)/.test(error.code);
  const form = <ResetForm token={isLinkInvalid ? undefined : token} errors={toFormErrors(error)} />;
  return c.render(form, { title: "Choose a new password", bare: true });
});

// The link alone doesn't confirm an address. A stranger may have signed up with it, and its owner may open the link without
// thinking. The session or the password shows that the same person signed up.
linkRoutes.get("/verify", async (c) => {
  const token = c.req.query("token") ?? "";
  const email = await readTokenEmail(c.env, token);
  const { user } = c.var;
  if (email === null || (user !== null && user.email !== email)) return await refuseToVerify(c);
  return await renderVerify(c, { token, email, asksPassword: user === null });
});

linkRoutes.post("/verify", async (c) => {
  const { token, password } = await readFormFields(c, ["token", "password"]);
  // The token is checked first. Otherwise, a stranger could try here whether the password of a sign-up was accepted.
  const email = await readTokenEmail(c.env, token);
  const { user } = c.var;
  if (email === null || (user !== null && user.email !== email)) return await refuseToVerify(c);
  if (user === null) {
    const signIn = { method: "POST", path: "/sign-in/email", body: { email, password } } as const;
    const { error } = await callAuth(c, await openAuth(c, { verifiedOnly: false }), signIn);
    if (error !== null) {
      setErrorStatus(c, error, 401);
      const errors = toFormErrors(error, "That's not the password that you chose when you signed up.");
      return await renderVerify(c, { token, email, asksPassword: true, errors });
    }
  }
  const path = `/verify-email?token=${encodeURIComponent(token)}`;
  const { error } = await callAuth(c, await openAuth(c), { method: "GET", path });
  if (error !== null) return await refuseToVerify(c);
  return c.redirect("/dashboard?done=verified", 303);
});

async function renderVerify(c: Context<DashboardEnv>, form: Parameters<typeof VerifyForm>[0]): Promise<Response> {
  return await c.render(<VerifyForm {...form} />, { title: "Confirm your address", bare: true });
}

async function refuseToVerify(c: Context<DashboardEnv>): Promise<Response> {
  c.status(400);
  const page = <VerifyRefused email={c.var.user?.email ?? null} />;
  return await c.render(page, { title: "Confirm your address", bare: true });
}
