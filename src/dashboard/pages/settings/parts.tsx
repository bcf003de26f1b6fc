import { MIN_PASSWORD_CHARS } from "../../../model/limits";
import { Card, PostButton, Time } from "../../ui/components";
import type { User } from "../../ui/env";
import { FormErrorNotice, type FormErrors, NewPasswordField, TextField } from "../../ui/form";
import { toDevice } from "./device";
import type { Session } from "./sessions";

const SESSIONS_SHOWN = 50;
const MAX_PASSWORD_CHARS = 128;

const WAYS_IN: Record<string, string> = { credential: "password", github: "GitHub" };

export function Profile({ user, hasMail, waysIn }: { user: User; hasMail: boolean; waysIn: string[] }) {
  const names = waysIn.map((way) => WAYS_IN[way] ?? way);
  return (
    <Card title="You">
      <dl class="limits">
        <div>
          <dt>Email</dt>
          <dd>{user.email}</dd>
        </div>
        <div>
          <dt>
            Address
            <span class="note small muted">{toAddressNote(user, hasMail)}</span>
          </dt>
          <dd>
            <Verified user={user} hasMail={hasMail} />
          </dd>
        </div>
        <div>
          <dt>You sign in with</dt>
          <dd>{names.length === 0 ? "a link" : names.join(" or ")}</dd>
        </div>
      </dl>
    </Card>
  );
}

function Verified({ user, hasMail }: { user: User; hasMail: boolean }) {
  if (user.emailVerified) return <span class="status good">verified</span>;
  return (
    <span class="row end">
      <span class="status busy">not verified</span>
      {hasMail ? <PostButton action="/dashboard/settings/verify" label="Send a new link" /> : null}
    </span>
  );
}

function toAddressNote(user: User, hasMail: boolean): string {
  if (user.emailVerified) return "It is yours: links for a lost password go there.";
  return hasMail
    ? "Open the link in the email that we sent you. Live keys and monthly credits need a verified address."
    : "This service doesn't send email. If you lose your password, ask the operator for a link.";
}

export function PasswordForm({ hasPassword, errors }: { hasPassword: boolean; errors: FormErrors | undefined }) {
  return (
    <Card title={hasPassword ? "Change your password" : "Set a password"}>
      {hasPassword ? null : <p class="muted">You have none yet: with one you can sign in by your email address too.</p>}
      <FormErrorNotice errors={errors} />
      <form method="post" action="/dashboard/settings/password" class="fields">
        {hasPassword ? (
          <TextField
            name="current"
            label="Current password"
            type="password"
            required
            autocomplete="current-password"
            maxlength={MAX_PASSWORD_CHARS}
            errors={errors}
          />
        ) : null}
        <NewPasswordField
          hint={`${MIN_PASSWORD_CHARS} characters or more. Wherever else you are signed in, you will be signed out.`}
          errors={errors}
        />
        <div>
          <button class="button primary" type="submit">
            {hasPassword ? "Change the password" : "Set the password"}
          </button>
        </div>
      </form>
    </Card>
  );
}

export function Sessions({ sessions }: { sessions: Session[] }) {
  const shown = sessions.slice(0, SESSIONS_SHOWN);
  const hasOthers = sessions.length > 1;
  return (
    <Card title="Where you are signed in">
      <ul class="sessions">
        {shown.map((session) => (
          <SessionLine {...session} />
        ))}
      </ul>
      {sessions.length > shown.length ? (
        <p class="small muted">And {(sessions.length - shown.length).toLocaleString("en")} older ones.</p>
      ) : null}
      <div class="row">
        {hasOthers ? (
          <PostButton action="/dashboard/settings/sessions/sign-out-others" label="Sign out all others" small={false} />
        ) : null}
        <PostButton
          action="/dashboard/settings/sessions/sign-out-all"
          label="Sign out everywhere"
          tone="danger"
          small={false}
        />
      </div>
      <p class="small muted">API keys aren't touched by it: they are revoked on their own page.</p>
    </Card>
  );
}

function SessionLine({ id, address, userAgent, since, isThis }: Session) {
  const device = toDevice(userAgent);
  return (
    <li>
      <div class="what">
        <strong title={userAgent}>{device}</strong> {isThis ? <span class="status good">this one</span> : null}
        <div class="small muted">
          {address ?? "unknown address"} · since <Time at={since} />
        </div>
      </div>
      {isThis ? null : (
        <PostButton
          action={`/dashboard/settings/sessions/${id}/sign-out`}
          label={
            <>
              Sign out<span class="visually-hidden"> {device}</span>
            </>
          }
        />
      )}
    </li>
  );
}
