import { type Context, Hono } from "hono";
import { findUserOfLink } from "../../accounts/links";
import { Problems } from "../components/form";
import type { DashboardEnv } from "../env";
import { askAuth, openAuth } from "./ask";
import { readForm } from "./form-data";
import { LinkForm, ResetForm, TakenOver, VerifyForm } from "./link-forms";
import { setStatus, toProblems } from "./problems";
import { readTokenEmail } from "./verification";

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

// An address is verified by who reads its mail and has signed up with it: were the mail enough, a stranger who signed up
// with somebody's address would only have to wait until its owner opens the link.
linkPages.get("/verify", (c) => {
  const token = c.req.query("token") ?? "";
  const { user } = c.var;
  if (user === null) {
    const here = `/dashboard/verify?token=${encodeURIComponent(token)}`;
    return c.redirect(`/dashboard/sign-in?done=verify&to=${encodeURIComponent(here)}`, 303);
  }
  if (readTokenEmail(token) !== user.email) return refuseToVerify(c, user.email);
  return c.render(<VerifyForm {...{ token, email: user.email }} />, { title: "Confirm your address", bare: true });
});

linkPages.post("/verify", async (c) => {
  const { token } = await readForm(c, ["token"]);
  const { user } = c.var;
  if (user === null) return c.redirect("/dashboard/sign-in?done=verify", 303);
  if (readTokenEmail(token) !== user.email) return await refuseToVerify(c, user.email);
  const path = `/verify-email?token=${encodeURIComponent(token)}`;
  const { problem } = await askAuth(c, await openAuth(c), { method: "GET", path });
  if (problem !== null) return await refuseToVerify(c, user.email);
  return c.redirect("/dashboard?done=verified", 303);
});

async function refuseToVerify(c: Context<DashboardEnv>, email: string): Promise<Response> {
  c.status(400);
  const problems = new Problems(
    "This link has run out, or is for another address. Have another one sent in the settings.",
  );
  return await c.render(<VerifyForm {...{ email, problems }} />, { title: "Confirm your address", bare: true });
}
