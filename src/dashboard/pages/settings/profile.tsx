import { MIN_PASSWORD_CHARS } from "../../../model/limits";
import { Card, PostButton } from "../../ui/components";
import type { User } from "../../ui/env";
import { CurrentPasswordField, FormErrorNotice, type FormErrors, NewPasswordField } from "../../ui/form";

const SIGN_IN_METHOD_LABELS: Record<string, string> = { credential: "password", github: "GitHub" };

/** The user's email address and sign-in methods. */
export function ProfileCard({
  user,
  canSendEmail,
  signInMethods,
}: {
  user: User;
  canSendEmail: boolean;
  signInMethods: string[];
}) {
  const names = signInMethods.map((method) => SIGN_IN_METHOD_LABELS[method] ?? method);
  return (
    <Card title="Profile">
      <dl class="limits">
        <div>
          <dt>Email</dt>
          <dd>
            {user.email}{" "}
            <a class="button quiet small" href="/dashboard/settings/email">
              Change<span class="visually-hidden"> email address</span>
            </a>
          </dd>
        </div>
        <div>
          <dt>
            Email verification
            <span class="note small muted">{toAddressNote(user, canSendEmail)}</span>
          </dt>
          <dd>
            <VerificationStatus user={user} canSendEmail={canSendEmail} />
          </dd>
        </div>
        <div>
          <dt>Sign-in methods</dt>
          <dd>{names.length === 0 ? "sign-in link" : names.join(" or ")}</dd>
        </div>
      </dl>
    </Card>
  );
}

function VerificationStatus({ user, canSendEmail }: { user: User; canSendEmail: boolean }) {
  if (user.emailVerified) return <span class="status good">verified</span>;
  return (
    <span class="row end">
      <span class="status busy">not verified</span>
      {canSendEmail ? <PostButton action="/dashboard/settings/verify" label="Send new link" /> : null}
    </span>
  );
}

function toAddressNote(user: User, canSendEmail: boolean): string {
  if (user.emailVerified) return "We send password reset links to this address.";
  return canSendEmail
    ? "Open the link in the email that we sent you. Live keys and monthly credits require a verified email address."
    : "This service doesn't send emails. If you forget your password, ask its operator for a password reset link.";
}

/** The form that sets or changes the password. */
export function PasswordCard({ hasPassword, errors }: { hasPassword: boolean; errors: FormErrors | undefined }) {
  return (
    <Card title={hasPassword ? "Change your password" : "Set a password"}>
      {hasPassword ? null : <p class="muted">With a password, you can also sign in with your email address.</p>}
      <FormErrorNotice errors={errors} />
      <form method="post" action="/dashboard/settings/password" class="fields">
        {hasPassword ? <CurrentPasswordField errors={errors} /> : null}
        <NewPasswordField
          hint={`At least ${MIN_PASSWORD_CHARS} characters. All your other sessions will be signed out.`}
          errors={errors}
        />
        <div>
          <button class="button primary" type="submit">
            {hasPassword ? "Change password" : "Set password"}
          </button>
        </div>
      </form>
    </Card>
  );
}
