import { Hono } from "hono";
import { encode } from "uqr";
import { z } from "zod";
import { deleteSessions } from "../../../store/users";
import {
  callAuth,
  checkPassword,
  hasPassword,
  listSessions,
  refuseAuth,
  viewBackupCodes,
} from "../../auth/auth-client";
import { createEmailSender } from "../../auth/emails";
import { CodeField, toCode } from "../../auth/two-factor-step";
import { Card, CodeBlock, LinkButton, SubmitButton } from "../../ui/components";
import { type DashboardContext, type DashboardEnv, requireSignedIn } from "../../ui/env";
import { CurrentPasswordField, FormErrors } from "../../ui/form";
import { readFormFields } from "../../ui/form-data";
import { PostForm } from "../../ui/post-form";
import { PasswordForm } from "./password-form";

const PATH = "/settings/two-factor";
const HEAD = { title: "Two-factor sign-in", section: "settings" } as const;

/** The pages that turn two-factor sign-in on and off. */
export const twoFactor = new Hono<DashboardEnv>();

twoFactor.get(PATH, (c) => renderPage(c));

const Setup = z.object({ totpURI: z.string() });

// Starts the setup. Two-factor sign-in is on after the first right code.
twoFactor.post(`${PATH}/setup`, async (c) => {
  const { body, refused } = await callWithPassword(c, "/two-factor/enable");
  return refused ?? (await c.render(<SetupCard uri={Setup.parse(body).totpURI} />, HEAD));
});

twoFactor.post(`${PATH}/verify`, async (c) => {
  const { code, uri } = await readFormFields(c, ["code", "uri"]);
  const user = requireSignedIn(c);
  // The reply contains the backup codes. They must not be readable without the password after the setup.
  if (user.twoFactorEnabled) return c.redirect(`/dashboard${PATH}`, 303);
  const sessions = await listSessions(c);
  const { error } = await callAuth(c, "/two-factor/verify-totp", { code: toCode(code) });
  if (error !== null) {
    const refused = refuseAuth(c, error);
    if (!uri.startsWith("otpauth://totp/")) return await renderPage(c, refused);
    const errors =
      error.code === "INVALID_CODE" ? FormErrors.ofField("code", "Enter the code that the app shows now.") : refused;
    return await c.render(<SetupCard uri={uri} errors={errors} />, HEAD);
  }
  // Ends the sessions that began without a code. better-auth has already replaced the current session.
  await deleteSessions(c.env.DB, { userId: user.id, ids: sessions.map(({ id }) => id) });
  inform(c, user.email, true);
  return await c.render(<BackupCodesCard codes={await viewBackupCodes(c, user.id)} isNew />, HEAD);
});

const Generated = z.object({ backupCodes: z.array(z.string()) });

twoFactor.post(`${PATH}/backup-codes`, async (c) => {
  const { body, refused } = await callWithPassword(c, "/two-factor/generate-backup-codes");
  return refused ?? (await c.render(<BackupCodesCard codes={Generated.parse(body).backupCodes} isNew={false} />, HEAD));
});

twoFactor.post(`${PATH}/disable`, async (c) => {
  const { refused } = await callWithPassword(c, "/two-factor/disable");
  if (refused !== null) return refused;
  inform(c, requireSignedIn(c).email, false);
  return c.redirect("/dashboard/settings?done=two-factor-off", 303);
});

interface PasswordCall {
  body: unknown;
  /** The page with the errors of the form. Null if the call succeeded. */
  refused: Response | null;
}

/** Checks the password of the submitted form, and calls the path of better-auth with it. */
async function callWithPassword(c: DashboardContext, path: string): Promise<PasswordCall> {
  const { current } = await readFormFields(c, ["current"]);
  const wrong = await checkPassword(c, current);
  if (wrong !== null) return { body: null, refused: await renderPage(c, wrong) };
  const { body, error } = await callAuth(c, path, { password: current });
  return { body, refused: error === null ? null : await renderPage(c, refuseAuth(c, error)) };
}

/** Informs the user by email, because a stranger with a session and the password could make the change. */
function inform(c: DashboardContext, to: string, isOn: boolean): void {
  const send = createEmailSender(c.env);
  if (send !== null) c.executionCtx.waitUntil(send({ to, kind: "two-factor", isOn }));
}

async function renderPage(c: DashboardContext, errors?: FormErrors) {
  const isOn = requireSignedIn(c).twoFactorEnabled;
  if (isOn) return await c.render(<TurnOffCard errors={errors} />, HEAD);
  return await c.render(<TurnOnCard hasPassword={await hasPassword(c)} errors={errors} />, HEAD);
}

export function TwoFactorCard({ isOn }: { isOn: boolean }) {
  return (
    <Card title="Two-factor sign-in">
      <p>
        {isOn ? <span class="status good">on</span> : <span class="status muted">off</span>}{" "}
        {isOn
          ? "You sign in with your password and a code of your authenticator app."
          : "Protect your sign-in with a code of an authenticator app, in addition to your password."}
      </p>
      <p>
        <LinkButton
          href="/dashboard/settings/two-factor"
          label={isOn ? "Manage" : "Turn on"}
          about="two-factor sign-in"
        />
      </p>
    </Card>
  );
}

/** The form that starts the setup. */
function TurnOnCard({ hasPassword, errors }: { hasPassword: boolean; errors: FormErrors | undefined }) {
  return (
    <Card>
      <p>
        After your password, you also enter a code of an authenticator app, such as 1Password, Google Authenticator or
        Aegis. Sign-in with GitHub and links from the operator don't ask for a code.
      </p>
      <PasswordForm
        action="/dashboard/settings/two-factor/setup"
        hasPassword={hasPassword}
        errors={errors}
        submit="Continue"
        cancel="/dashboard/settings"
      />
    </Card>
  );
}

/** The QR code for the authenticator app, and the form for the app's first code. `uri` is an `otpauth:` URI. */
function SetupCard({ uri, errors }: { uri: string; errors?: FormErrors }) {
  const secret = URL.parse(uri)?.searchParams.get("secret") ?? "";
  return (
    <Card>
      <ol class="points">
        <li>
          Scan this QR code with your authenticator app.
          <QrCode text={uri} label="The QR code with the secret for the authenticator app" />
          <details>
            <summary>Enter the secret instead</summary>
            <CodeBlock id="two-factor-secret" label="Secret" wrap>
              {secret}
            </CodeBlock>
          </details>
        </li>
        <li>Enter the code that the app shows.</li>
      </ol>
      <PostForm
        action="/dashboard/settings/two-factor/verify"
        class="fields"
        errors={errors}
        hidden={{ uri }}
        submit="Turn on"
        cancel="/dashboard/settings"
      >
        <CodeField />
      </PostForm>
    </Card>
  );
}

/** The backup codes. They can't be shown again. */
function BackupCodesCard({ codes, isNew }: { codes: readonly string[]; isNew: boolean }) {
  return (
    <Card title="Your backup codes">
      <div class="notice good" role="status">
        {isNew ? "Two-factor sign-in is on." : "Your earlier backup codes no longer work."} Save the new backup codes
        now. They aren't shown again.
      </div>
      <p>If you lose your authenticator app, each of these codes signs you in once.</p>
      <CodeBlock id="backup-codes" label="Backup codes">
        {codes.join("\n")}
      </CodeBlock>
      <p>
        <LinkButton href="/dashboard/settings" tone="primary" label="I saved the codes" />
      </p>
    </Card>
  );
}

/** The form that creates new backup codes or turns two-factor sign-in off. */
function TurnOffCard({ errors }: { errors: FormErrors | undefined }) {
  return (
    <Card>
      <p>
        <span class="status good">on</span> You sign in with your password and a code of your authenticator app.
      </p>
      <PostForm action="/dashboard/settings/two-factor/backup-codes" class="fields" errors={errors}>
        <CurrentPasswordField />
        <div class="row">
          <SubmitButton tone="plain" label="Create new backup codes" />
          <SubmitButton
            tone="danger"
            formaction="/dashboard/settings/two-factor/disable"
            label="Turn off two-factor sign-in"
          />
        </div>
      </PostForm>
    </Card>
  );
}

/** A QR code as an SVG. `label` describes it for screen readers. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: "M", border: 2 });
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={data.map(toPath).join("")} fill="#000" />
    </svg>
  );
}

/** Returns the SVG path of a row: one rectangle for each run of dark modules. */
function toPath(row: boolean[], y: number): string {
  const text = row.map((isDark) => (isDark ? "1" : "0")).join("");
  return [...text.matchAll(/1+/g)]
    .map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`)
    .join("");
}
