import { Hono } from "hono";
import type { DashboardContext, DashboardEnv } from "../ui/env";
import { FormErrors, TextField } from "../ui/form";
import { readFormFields } from "../ui/form-data";
import { PostForm } from "../ui/post-form";
import { type AuthResult, callAuth, refuseAuth } from "./auth-client";
import { LOCKED_MINUTES } from "./constants";
import { chooseReturnPath } from "./session";
import { renderSignPage } from "./sign-page";

/** The methods of the second step: the authenticator app and backup codes. */
const METHODS = {
  app: { path: "/sign-in/code", authPath: "/two-factor/verify-totp" },
  backup: { path: "/sign-in/backup-code", authPath: "/two-factor/verify-backup-code" },
} as const;
type Method = keyof typeof METHODS;

/** The second step of the sign-in. A signed cookie proves that the password was right. */
export const twoFactorRoutes = new Hono<DashboardEnv>();

for (const method of ["app", "backup"] as const) {
  twoFactorRoutes.get(METHODS[method].path, async (c) => {
    const to = chooseReturnPath(c.req.query("to") ?? "");
    return c.var.user === null ? await renderForm(c, method, to) : c.redirect(to, 303);
  });

  twoFactorRoutes.post(METHODS[method].path, async (c) => {
    const { code, to } = await readFormFields(c, ["code", "to"]);
    const body = { code: method === "app" ? toCode(code) : code };
    const path = METHODS[method].authPath;
    const { error, body: reply } = await callAuth(c, path, body);
    if (error === null) return c.redirect(chooseReturnPath(to), 303);
    const isOver = ["INVALID_TWO_FACTOR_COOKIE", "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE"].includes(error.code);
    if (isOver) return c.redirect("/dashboard/sign-in?done=second-step", 303);
    const isLocked = reply.code === "ACCOUNT_TEMPORARILY_LOCKED";
    const refusal = isLocked ? { ...error, retryAfterSeconds: LOCKED_MINUTES * 60 } : error;
    const errors = refuseAuth(c, refusal, { status: 401 });
    const shown = refusal.code === "RATE_LIMITED" ? errors : FormErrors.ofField("code", WRONG_CODES[method]);
    return await renderForm(c, method, chooseReturnPath(to), shown);
  });
}

/** Returns true if the password was right and a code is necessary to complete the sign-in. */
export function needsSecondStep({ body }: AuthResult): boolean {
  return body.twoFactorRedirect === true;
}

/** Returns the path of the second step. `to` is the path for the redirect after the sign-in. */
export function toSecondStep(to: string): string {
  return `/dashboard${METHODS.app.path}?to=${encodeURIComponent(chooseReturnPath(to))}`;
}

/** Removes the white space that some apps show in the middle of a code. */
export function toCode(text: string): string {
  return text.replace(/\s/g, "");
}

const WRONG_CODES: Record<Method, string> = {
  app: "This code is wrong, has expired or was already used. Wait until the app shows a new code, and enter that code.",
  backup: "This backup code is wrong or was already used.",
};

/** Renders the form for a code. `to` is the path for the redirect after the sign-in. */
async function renderForm(c: DashboardContext, method: Method, to: string, errors?: FormErrors): Promise<Response> {
  const isApp = method === "app";
  const other = `/dashboard${METHODS[isApp ? "backup" : "app"].path}?to=${encodeURIComponent(to)}`;
  return await renderSignPage(
    c,
    {
      title: "Two-factor sign-in",
      errors,
      links: [
        [other, isApp ? "Use a backup code" : "Use the authenticator app"],
        ["/dashboard/sign-in", "Start again"],
      ],
    },
    <PostForm action={`/dashboard${METHODS[method].path}`} hidden={{ to }} wide submit="Sign in">
      {isApp ? (
        <CodeField />
      ) : (
        <TextField
          name="code"
          label="Backup code"
          required
          autocomplete="off"
          maxlength={20}
          hint="Each backup code works only once."
        />
      )}
    </PostForm>,
  );
}

export function CodeField() {
  return (
    <TextField
      name="code"
      label="Code"
      required
      autocomplete="one-time-code"
      inputmode="numeric"
      maxlength={10}
      hint="6 digits."
    />
  );
}
