import { type Context, Hono } from "hono";
import { findUserOfLink } from "../../directory/links";
import type { DashboardEnv } from "../ui/env";
import { Problems } from "../ui/form";
import { askAuth, openAuth, readTokenEmail } from "./ask";
import { readForm } from "./form-data";
import { LinkForm, ResetForm, TakenOver, VerifyForm, VerifyRefused } from "./link-forms";
import { setStatus, toProblems } from "./problems";

/**
 * Where links lead: those in mails, and those that operators hand on. Opening one does nothing: scanners and previews open
 * links too. A button does it.
 */
export const linkPages = new Hono<DashboardEnv>();

linkPages.get("/link", (c) => c.render(<LinkForm token={c.req.query("token")} />, { title: "Sign in", bare: true }));

linkPages.post("/link", async (c) => {
  const { token } = await readForm(c, ["token"]);
  const user = await findUserOfLink(c.env.DB, token);
  const path = `/magic-link/verify?token=${encodeURIComponent(token)}`;
  const { problem, response } = await askAuth(c, await openAuth(c), { method: "GET", path });
  if (problem === null && response.status < 300) {
    // Whoever had signed up with the address hadn't proved it: better-auth has ended that password and those sessions.
    if (user?.email_verified === 0) return c.render(<TakenOver />, { title: "Signed in", bare: true });
    return c.redirect("/dashboard", 303);
  }
  if (problem === null) c.status(400);
  else setStatus(c, problem, 400);
  const problems =
    problem?.code === "RATE_LIMITED"
      ? toProblems(problem)
      : new Problems("This link was used already, or has run out. Ask for another.");
  return c.render(<LinkForm problems={problems} />, { title: "Sign in", bare: true });
});

linkPages.get("/reset", (c) =>
  c.render(<ResetForm token={c.req.query("token")} />, { title: "Choose a new password", bare: true }),
);

linkPages.post("/reset", async (c) => {
  const { token, password } = await readForm(c, ["token", "password"]);
  const body = { token, newPassword: password };
  const { problem } = await askAuth(c, await openAuth(c), { method: "POST", path: "/reset-password", body });
  if (problem === null) return c.redirect("/dashboard/sign-in?done=reset", 303);
  setStatus(c, problem, 400);
  // What is wrong with the password can be mended; what is wrong with the link can't.
  const isUseless = !/^(?:PASSWORD_|RATE_LIMITED)/.test(problem.code);
  const form = <ResetForm token={isUseless ? undefined : token} problems={toProblems(problem)} />;
  return c.render(form, { title: "Choose a new password", bare: true });
});

// The link alone doesn't confirm an address. A stranger may have signed up with it, and its owner may open the link without
// thinking. The session or the password shows that the same person signed up.
linkPages.get("/verify", async (c) => {
  const token = c.req.query("token") ?? "";
  const email = await readTokenEmail(c.env, token);
  const { user } = c.var;
  if (email === null || (user !== null && user.email !== email)) return await refuseToVerify(c);
  return await renderVerify(c, { token, email, asksPassword: user === null });
});

linkPages.post("/verify", async (c) => {
  const { token, password } = await readForm(c, ["token", "password"]);
  // The token is checked first. Otherwise, a stranger could try here whether the password of a sign-up was accepted.
  const email = await readTokenEmail(c.env, token);
  const { user } = c.var;
  if (email === null || (user !== null && user.email !== email)) return await refuseToVerify(c);
  if (user === null) {
    const signIn = { method: "POST", path: "/sign-in/email", body: { email, password } } as const;
    const { problem } = await askAuth(c, await openAuth(c, { verifiedOnly: false }), signIn);
    if (problem !== null) {
      setStatus(c, problem, 401);
      const problems = toProblems(problem, "That's not the password that you chose when you signed up.");
      return await renderVerify(c, { token, email, asksPassword: true, problems });
    }
  }
  const path = `/verify-email?token=${encodeURIComponent(token)}`;
  const { problem } = await askAuth(c, await openAuth(c), { method: "GET", path });
  if (problem !== null) return await refuseToVerify(c);
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
