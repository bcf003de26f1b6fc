import { type Context, Hono } from "hono";
import { AppError } from "../../../model/errors";
import { hasMail } from "../../../net/email";
import { type AuthResult, callAuth, openAuth, setPassword, toFormErrors } from "../../auth/auth-client";
import type { DashboardEnv } from "../../ui/env";
import { FormErrors } from "../../ui/form";
import { readFormFields } from "../../ui/form-data";
import { PasswordForm, Profile, Sessions } from "./parts";
import { listSessions, listWaysIn } from "./sessions";

export const settings = new Hono<DashboardEnv>();

const DONE: Record<string, string> = {
  sent: "A link is on its way to you. It works for a day.",
  password: "Your password is changed. Wherever else you were signed in, you are signed out.",
  session: "That session is signed out.",
  others: "All other sessions are signed out.",
};

settings.get("/settings", (c) => render(c));

settings.post("/settings/verify", async (c) => {
  const body = { email: c.var.user?.email };
  if (c.var.user?.emailVerified) return c.redirect("/dashboard/settings", 303);
  const answer = await callAuth(c, await openAuth(c), { method: "POST", path: "/send-verification-email", body });
  if (answer.error === null) return c.redirect("/dashboard/settings?done=sent", 303);
  return await refuse(c, answer.error, { notice: toFormErrors(answer.error).message });
});

settings.post("/settings/password", async (c) => {
  const { current, password } = await readFormFields(c, ["current", "password"]);
  const auth = await openAuth(c);
  const hasPassword = (await listWaysIn(c, auth)).includes("credential");
  const body = { currentPassword: current, newPassword: password, revokeOtherSessions: true };
  const { error } = hasPassword
    ? await callAuth(c, auth, { method: "POST", path: "/change-password", body })
    : await setPassword(c, auth, password);
  if (error !== null) return await refuse(c, error, { errors: atField(error) });
  // A change has ended the others already.
  if (!hasPassword) await callAuth(c, auth, { method: "POST", path: "/revoke-other-sessions", body: {} });
  return c.redirect("/dashboard/settings?done=password", 303);
});

settings.post("/settings/sessions/sign-out-others", async (c) => {
  await callAuth(c, await openAuth(c), { method: "POST", path: "/revoke-other-sessions", body: {} });
  return c.redirect("/dashboard/settings?done=others", 303);
});

settings.post("/settings/sessions/sign-out-all", async (c) => {
  const auth = await openAuth(c);
  await callAuth(c, auth, { method: "POST", path: "/revoke-sessions", body: {} });
  // This browser's cookie goes too.
  await callAuth(c, auth, { method: "POST", path: "/sign-out", body: {} });
  return c.redirect("/dashboard/sign-in?done=everywhere", 303);
});

settings.post("/settings/sessions/:id/sign-out", async (c) => {
  const auth = await openAuth(c);
  const session = (await listSessions(c, auth)).find(({ id }) => id === c.req.param("id"));
  if (session === undefined) throw new AppError("not_found", "This session has ended already.");
  await callAuth(c, auth, { method: "POST", path: "/revoke-session", body: { token: session.token } });
  return c.redirect("/dashboard/settings?done=session", 303);
});

// What was refused stands at the address of its form: a reload of that leads back here.
settings.get("/settings/*", (c) => c.redirect("/dashboard/settings", 303));

interface Said {
  /** What is wrong with the password form. */
  errors?: FormErrors;
  /** What could not be done elsewhere on the page. */
  notice?: string | null;
}

async function refuse(c: Context<DashboardEnv>, { code }: NonNullable<AuthResult["error"]>, said: Said) {
  c.status(code === "RATE_LIMITED" ? 429 : 400);
  return await render(c, said);
}

async function render(c: Context<DashboardEnv>, { errors, notice }: Said = {}) {
  const { user } = c.var;
  if (user === null) throw new Error("The settings are for those who are signed in.");
  const auth = await openAuth(c);
  const [sessions, waysIn] = await Promise.all([listSessions(c, auth), listWaysIn(c, auth)]);
  const done = DONE[c.req.query("done") ?? ""];
  return c.render(
    <>
      {done === undefined ? null : (
        <div class="notice good" role="status">
          {done}
        </div>
      )}
      {notice == null ? null : (
        <div class="notice bad" role="alert">
          {notice}
        </div>
      )}
      <div class="grid two even">
        <Profile user={user} hasMail={hasMail(c.env)} waysIn={waysIn} />
        <PasswordForm hasPassword={waysIn.includes("credential")} errors={errors} />
      </div>
      <Sessions sessions={sessions} />
    </>,
    { title: "Settings", section: "settings" },
  );
}

/** Beside the field that it is about; the rest stands over the form. */
function atField(error: NonNullable<AuthResult["error"]>): FormErrors {
  const errors = toFormErrors(error);
  const path = error.code === "INVALID_PASSWORD" ? "current" : /^PASSWORD_TOO_/.test(error.code) ? "password" : null;
  const message = errors.message ?? "";
  return path === null ? errors : new FormErrors(null, [{ path, message }]);
}
