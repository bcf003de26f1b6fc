import { Hono } from "hono";
import { z } from "zod";
import { deleteSessions } from "../../../store/users";
import { callAuth, checkPassword, openAuth, setErrorStatus, toFormErrors } from "../../auth/auth-client";
import { createEmailSender } from "../../auth/emails";
import { toCode } from "../../auth/two-factor-routes";
import { type DashboardContext, type DashboardEnv, requireSignedIn } from "../../ui/env";
import { FormErrors } from "../../ui/form";
import { readFormFields } from "../../ui/form-data";
import { listSessions, listSignInMethods } from "./sessions";
import { BackupCodesCard, SetupCard, TurnOffCard, TurnOnCard } from "./two-factor-cards";

const PATH = "/settings/two-factor";
const HEAD = { title: "Two-factor sign-in", section: "settings" } as const;

/** The pages that turn two-factor sign-in on and off. */
export const twoFactor = new Hono<DashboardEnv>();

twoFactor.get(PATH, (c) => renderPage(c));

const Setup = z.object({ totpURI: z.string() });

// Starts the setup. Two-factor sign-in is on after the first right code.
twoFactor.post(`${PATH}/setup`, async (c) => {
  const { current } = await readFormFields(c, ["current"]);
  const auth = await openAuth(c);
  const wrong = await checkPassword(c, auth, current);
  if (wrong !== null) return await renderPage(c, wrong);
  const body = { password: current };
  const result = await callAuth(c, auth, { method: "POST", path: "/two-factor/enable", body });
  if (result.error !== null) return await refuse(c, result.error);
  return await c.render(<SetupCard uri={Setup.parse(result.body).totpURI} />, HEAD);
});

twoFactor.post(`${PATH}/verify`, async (c) => {
  const { code, uri } = await readFormFields(c, ["code", "uri"]);
  const user = requireSignedIn(c);
  // The reply contains the backup codes. They must not be readable without the password after the setup.
  if (user.twoFactorEnabled) return c.redirect(`/dashboard${PATH}`, 303);
  const auth = await openAuth(c);
  const sessions = await listSessions(c, auth);
  const body = { code: toCode(code) };
  const { error } = await callAuth(c, auth, { method: "POST", path: "/two-factor/verify-totp", body });
  if (error !== null) {
    if (!uri.startsWith("otpauth://totp/")) return await refuse(c, error);
    setErrorStatus(c, error, 400);
    const errors =
      error.code === "INVALID_CODE" ? atCode("Enter the code that the app shows now.") : toFormErrors(error);
    return await c.render(<SetupCard uri={uri} errors={errors} />, HEAD);
  }
  // Ends the sessions that began without a code. better-auth has already replaced the current session.
  await deleteSessions(c.env.DB, { userId: user.id, ids: sessions.map(({ id }) => id) });
  inform(c, user.email, true);
  const { backupCodes } = await auth.api.viewBackupCodes({ body: { userId: user.id } });
  return await c.render(<BackupCodesCard codes={backupCodes} isNew />, HEAD);
});

const Generated = z.object({ backupCodes: z.array(z.string()) });

twoFactor.post(`${PATH}/backup-codes`, async (c) => {
  const { current } = await readFormFields(c, ["current"]);
  const auth = await openAuth(c);
  const wrong = await checkPassword(c, auth, current);
  if (wrong !== null) return await renderPage(c, wrong);
  const body = { password: current };
  const result = await callAuth(c, auth, { method: "POST", path: "/two-factor/generate-backup-codes", body });
  if (result.error !== null) return await refuse(c, result.error);
  return await c.render(<BackupCodesCard codes={Generated.parse(result.body).backupCodes} isNew={false} />, HEAD);
});

twoFactor.post(`${PATH}/disable`, async (c) => {
  const { current } = await readFormFields(c, ["current"]);
  const user = requireSignedIn(c);
  const auth = await openAuth(c);
  const wrong = await checkPassword(c, auth, current);
  if (wrong !== null) return await renderPage(c, wrong);
  const body = { password: current };
  const { error } = await callAuth(c, auth, { method: "POST", path: "/two-factor/disable", body });
  if (error !== null) return await refuse(c, error);
  inform(c, user.email, false);
  return c.redirect("/dashboard/settings?done=two-factor-off", 303);
});

// A form with errors is rendered at the path of its POST. If the user opens that URL again, the browser requests it
// with GET, so it redirects to the page with the form.
twoFactor.get(`${PATH}/*`, (c) => c.redirect(`/dashboard${PATH}`, 303));

/** Informs the user by email, because a stranger with a session and the password could make the change. */
function inform(c: DashboardContext, to: string, isOn: boolean): void {
  const send = createEmailSender(c.env);
  if (send !== null) c.executionCtx.waitUntil(send({ to, kind: "two-factor", isOn }));
}

function atCode(message: string): FormErrors {
  return new FormErrors(null, [{ path: "code", message }]);
}

async function refuse(c: DashboardContext, error: Parameters<typeof toFormErrors>[0]) {
  setErrorStatus(c, error, 400);
  return await renderPage(c, toFormErrors(error));
}

async function renderPage(c: DashboardContext, errors?: FormErrors) {
  const isOn = requireSignedIn(c).twoFactorEnabled;
  const hasPassword = (await listSignInMethods(c, await openAuth(c))).includes("credential");
  return await c.render(isOn ? <TurnOffCard errors={errors} /> : <TurnOnCard {...{ hasPassword, errors }} />, HEAD);
}
