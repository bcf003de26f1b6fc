import { CodeField } from "../../auth/two-factor-forms";
import { Card, CodeBlock } from "../../ui/components";
import { CurrentPasswordField, FormErrorNotice, type FormErrors } from "../../ui/form";
import { QrCode } from "../../ui/qr-code";
import { PasswordFirst } from "./change-email";

/** The status of two-factor sign-in, on the page of the settings. */
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
        <a class="button" href="/dashboard/settings/two-factor">
          {isOn ? "Manage" : "Turn on"}
          <span class="visually-hidden"> two-factor sign-in</span>
        </a>
      </p>
    </Card>
  );
}

/** The form that starts the setup. */
export function TurnOnCard({ hasPassword, errors }: { hasPassword: boolean; errors: FormErrors | undefined }) {
  return (
    <Card>
      <p>
        After your password, you also enter a code of an authenticator app, such as 1Password, Google Authenticator or
        Aegis. Sign-in with GitHub and links from the operator don't ask for a code.
      </p>
      <FormErrorNotice errors={errors} />
      {hasPassword ? (
        <form method="post" action="/dashboard/settings/two-factor/setup" class="fields">
          <CurrentPasswordField errors={errors} />
          <div class="row">
            <button class="button primary" type="submit">
              Continue
            </button>
            <a class="button quiet" href="/dashboard/settings">
              Cancel
            </a>
          </div>
        </form>
      ) : (
        <PasswordFirst />
      )}
    </Card>
  );
}

/** The QR code for the authenticator app, and the form for the app's first code. `uri` is an `otpauth:` URI. */
export function SetupCard({ uri, errors }: { uri: string; errors?: FormErrors }) {
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
      <FormErrorNotice errors={errors} />
      <form method="post" action="/dashboard/settings/two-factor/verify" class="fields">
        <input type="hidden" name="uri" value={uri} />
        <CodeField errors={errors} />
        <div class="row">
          <button class="button primary" type="submit">
            Turn on
          </button>
          <a class="button quiet" href="/dashboard/settings">
            Cancel
          </a>
        </div>
      </form>
    </Card>
  );
}

/** The backup codes. They can't be shown again. */
export function BackupCodesCard({ codes, isNew }: { codes: readonly string[]; isNew: boolean }) {
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
        <a class="button primary" href="/dashboard/settings">
          I saved the codes
        </a>
      </p>
    </Card>
  );
}

/** The form that creates new backup codes or turns two-factor sign-in off. */
export function TurnOffCard({ errors }: { errors: FormErrors | undefined }) {
  return (
    <Card>
      <p>
        <span class="status good">on</span> You sign in with your password and a code of your authenticator app.
      </p>
      <FormErrorNotice errors={errors} />
      <form method="post" action="/dashboard/settings/two-factor/backup-codes" class="fields">
        <CurrentPasswordField errors={errors} />
        <div class="row">
          <button class="button" type="submit">
            Create new backup codes
          </button>
          <button class="button danger" type="submit" formaction="/dashboard/settings/two-factor/disable">
            Turn off two-factor sign-in
          </button>
        </div>
      </form>
    </Card>
  );
}
