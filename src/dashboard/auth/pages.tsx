import { Hono } from "hono";
import { isEmail } from "../../accounts/email";
import { hasMail } from "../../upstream/mail";
import type { DashboardEnv } from "../env";
import { askAuth, hasGitHub, isSignUpOpen, openAuth } from "./ask";
import { readForm, toReturnPath } from "./form-data";
import { ForgotForm, SignInForm, SignUpForm } from "./forms";
import { setStatus, toProblems } from "./problems";
import { AUTH_PATH, GITHUB_FAILED_PATH } from "./protocol";

/** The pages that need no session: signing up, signing in, and asking for a way back in. */
export const signPages = new Hono<DashboardEnv>();

signPages.get("/sign-in", (c) => {
  const { to, done, error } = c.req.query();
  if (c.var.user !== null) return c.redirect(toReturnPath(to ?? ""), 303);
  const form = <SignInForm to={to} done={done} refusal={error} {...offers(c.env)} />;
  return c.render(form, { title: "Sign in", bare: true });
});

signPages.post("/sign-in", async (c) => {
  const { email, password, to } = await readForm(c, ["email", "password", "to"]);
  const auth = await openAuth(c);
  const { problem } = await askAuth(c, auth, { method: "POST", path: "/sign-in/email", body: { email, password } });
  if (problem === null) return c.redirect(toReturnPath(to), 303);
  setStatus(c, problem, 401);
  const problems = toProblems(problem, "No user has this address and this password.");
  return c.render(<SignInForm {...{ email, to, problems }} {...offers(c.env)} />, { title: "Sign in", bare: true });
});

signPages.get("/sign-up", (c) => {
  if (c.var.user !== null) return c.redirect("/dashboard", 303);
  return c.render(<SignUpForm {...offers(c.env)} />, { title: "Sign up", bare: true });
});

signPages.post("/sign-up", async (c) => {
  const { email, password } = await readForm(c, ["email", "password"]);
  const [name = email] = email.split("@");
  const problem = isEmail(email)
    ? (await askAuth(c, await openAuth(c), { method: "POST", path: "/sign-up/email", body: { email, password, name } }))
        .problem
    : { code: "INVALID_EMAIL", message: "", retryAfterSeconds: null };
  if (problem === null) return c.redirect("/dashboard?done=welcome", 303);
  setStatus(c, problem, 400);
  const form = <SignUpForm email={email} problems={toProblems(problem)} {...offers(c.env)} />;
  return c.render(form, { title: "Sign up", bare: true });
});

signPages.post("/sign-in/github", async (c) => {
  const { to } = await readForm(c, ["to"]);
  const body = { provider: "github", callbackURL: toReturnPath(to), errorCallbackURL: GITHUB_FAILED_PATH };
  const answer = await askAuth(c, await openAuth(c), { method: "POST", path: "/sign-in/social", body });
  const url = answer.body.url;
  return c.redirect(typeof url === "string" ? url : GITHUB_FAILED_PATH, 303);
});

// What GitHub sends its users back to: better-auth makes a session of it, and says where to go on.
signPages.get("/auth/callback/github", async (c) => {
  const url = new URL(c.req.url);
  const path = `${url.pathname.slice(AUTH_PATH.length)}${url.search}`;
  const { response } = await askAuth(c, await openAuth(c), { method: "GET", path });
  const location = URL.parse(response.headers.get("location") ?? GITHUB_FAILED_PATH, url.origin);
  return c.redirect(toReturnPath(location === null ? "" : `${location.pathname}${location.search}`), 303);
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
  if (!hasMail(c.env)) return c.redirect("/dashboard/forgot", 303);
  // Whether there is such a user isn't told.
  const asked = { method: "POST", path: "/request-password-reset", body: { email } } as const;
  const { problem } = await askAuth(c, await openAuth(c), asked);
  if (problem !== null) setStatus(c, problem, 400);
  const state =
    problem === null ? { sentTo: email } : { email, problems: toProblems(problem, "This is not an e-mail address.") };
  return c.render(<ForgotForm hasMail {...state} />, { title: "Forgot your password?", bare: true });
});

function offers(env: Env) {
  return { signUp: isSignUpOpen(env), github: hasGitHub(env) };
}
