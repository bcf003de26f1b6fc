import { Hono } from "hono";
import { hasMail } from "../../upstream/mail";
import { Problems } from "../components/form";
import type { DashboardEnv } from "../env";
import { askAuth, hasGitHub, isSignUpOpen, openAuth } from "./ask";
import { readForm, toReturnPath } from "./form-data";
import { ForgotForm, LinkForm, ResetForm, SignInForm, SignUpForm } from "./forms";
import { toProblems } from "./problems";
import { AUTH_PATH } from "./protocol";

/** The pages that need no session: signing up, signing in, and the ways back in. */
export const signPages = new Hono<DashboardEnv>();

signPages.get("/sign-in", (c) => {
  if (c.var.user !== null) return c.redirect("/dashboard", 303);
  const form = <SignInForm to={c.req.query("to")} done={c.req.query("done")} {...offers(c.env)} />;
  return c.render(form, { title: "Sign in", bare: true });
});

signPages.post("/sign-in", async (c) => {
  const { email, password, to } = await readForm(c, ["email", "password", "to"]);
  const auth = await openAuth(c);
  const { problem } = await askAuth(c, auth, { method: "POST", path: "/sign-in/email", body: { email, password } });
  if (problem === null) return c.redirect(toReturnPath(to), 303);
  c.status(problem.code === "RATE_LIMITED" ? 429 : 401);
  const problems = toProblems(problem, "No user has this address and this password.");
  return c.render(<SignInForm {...{ email, to, problems }} {...offers(c.env)} />, { title: "Sign in", bare: true });
});

signPages.get("/sign-up", (c) => {
  if (c.var.user !== null) return c.redirect("/dashboard", 303);
  return c.render(<SignUpForm {...offers(c.env)} />, { title: "Sign up", bare: true });
});

signPages.post("/sign-up", async (c) => {
  const { email, password } = await readForm(c, ["email", "password"]);
  const auth = await openAuth(c);
  const name = email.split("@")[0] ?? email;
  const body = { email, password, name, callbackURL: "/dashboard?done=verified" };
  const { problem } = await askAuth(c, auth, { method: "POST", path: "/sign-up/email", body });
  if (problem === null) return c.redirect("/dashboard?done=welcome", 303);
  c.status(problem.code === "RATE_LIMITED" ? 429 : 400);
  const form = <SignUpForm email={email} problems={toProblems(problem)} {...offers(c.env)} />;
  return c.render(form, { title: "Sign up", bare: true });
});

signPages.post("/sign-in/github", async (c) => {
  const body = { provider: "github", callbackURL: "/dashboard", errorCallbackURL: "/dashboard/sign-in?done=github" };
  const answer = await askAuth(c, await openAuth(c), { method: "POST", path: "/sign-in/social", body });
  const url = answer.body.url;
  return c.redirect(typeof url === "string" ? url : "/dashboard/sign-in?done=github", 303);
});

signPages.post("/sign-out", async (c) => {
  await askAuth(c, await openAuth(c), { method: "POST", path: "/sign-out", body: {} });
  return c.redirect("/dashboard/sign-in?done=out", 303);
});

signPages.get("/forgot", (c) =>
  c.render(<ForgotForm hasMail={hasMail(c.env)} />, { title: "Forgot your password?", bare: true }),
);

signPages.post("/forgot", async (c) => {
  const { email } = await readForm(c, ["email"]);
  const answer = await askAuth(c, await openAuth(c), {
    method: "POST",
    path: "/request-password-reset",
    body: { email, redirectTo: "/dashboard/reset" },
  });
  // Whether there is such a user isn't told.
  const problems = answer.problem?.code === "RATE_LIMITED" ? toProblems(answer.problem) : undefined;
  if (problems !== undefined) c.status(429);
  const form = (
    <ForgotForm hasMail={hasMail(c.env)} sentTo={problems === undefined ? email : undefined} {...{ email, problems }} />
  );
  return c.render(form, { title: "Forgot your password?", bare: true });
});

signPages.get("/reset", (c) =>
  c.render(<ResetForm token={c.req.query("token")} />, { title: "Choose a new password", bare: true }),
);

signPages.post("/reset", async (c) => {
  const { token, password } = await readForm(c, ["token", "password"]);
  const body = { token, newPassword: password };
  const { problem } = await askAuth(c, await openAuth(c), { method: "POST", path: "/reset-password", body });
  if (problem === null) return c.redirect("/dashboard/sign-in?done=reset", 303);
  c.status(400);
  const form = <ResetForm token={token} problems={toProblems(problem)} />;
  return c.render(form, { title: "Choose a new password", bare: true });
});

// A link is used by a button: mail scanners and previews open links, and this one works once.
signPages.get("/link", (c) => c.render(<LinkForm token={c.req.query("token")} />, { title: "Sign in", bare: true }));

signPages.post("/link", async (c) => {
  const { token } = await readForm(c, ["token"]);
  const path = `/magic-link/verify?token=${encodeURIComponent(token)}`;
  const { problem, response } = await askAuth(c, await openAuth(c), { method: "GET", path });
  if (problem === null && response.status < 300) return c.redirect("/dashboard", 303);
  c.status(problem?.code === "RATE_LIMITED" ? 429 : 400);
  const problems = new Problems("This link was used already, or has run out. Ask for another.");
  return c.render(<LinkForm problems={problems} />, { title: "Sign in", bare: true });
});

// What comes from elsewhere: GitHub's answer, and the links in mails.
signPages.get("/auth/callback/:provider", handOver);
signPages.get("/auth/verify-email", handOver);
signPages.get("/auth/reset-password/:token", handOver);

async function handOver(c: Parameters<typeof openAuth>[0]): Promise<Response> {
  const url = new URL(c.req.url);
  const path = `${url.pathname.slice(AUTH_PATH.length)}${url.search}`;
  return (await askAuth(c, await openAuth(c), { method: "GET", path })).response;
}

function offers(env: Env) {
  return { signUp: isSignUpOpen(env), github: hasGitHub(env) };
}
