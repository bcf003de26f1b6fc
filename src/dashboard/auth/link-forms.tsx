import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from "../../model/limits";
import { FormErrorNotice, type FormErrors, NewPasswordField, TextField } from "../ui/form";

export function ResetForm({ token, errors }: { token?: string | undefined; errors?: FormErrors | undefined }) {
  return (
    <section class="card sign">
      <h1>Choose a new password</h1>
      <FormErrorNotice errors={errors} />
      {token === undefined ? (
        <NoToken shown={errors === undefined} />
      ) : (
        <form method="post" action="/dashboard/reset">
          <input type="hidden" name="token" value={token} />
          <NewPasswordField
            hint={`${MIN_PASSWORD_CHARS} to ${MAX_PASSWORD_CHARS} characters. You will be signed out everywhere.`}
          />
          <button class="button primary wide" type="submit">
            Change the password
          </button>
        </form>
      )}
      <p class="alternatives">
        <a href="/dashboard/sign-in">Sign in</a>
        {token === undefined ? <a href="/dashboard/forgot">Ask for another link</a> : null}
      </p>
    </section>
  );
}

export function LinkForm({ token, errors }: { token?: string | undefined; errors?: FormErrors }) {
  return (
    <section class="card sign">
      <h1>Sign in with a link</h1>
      <FormErrorNotice errors={errors} />
      {token === undefined ? (
        <NoToken shown={errors === undefined} />
      ) : (
        <form method="post" action="/dashboard/link">
          <input type="hidden" name="token" value={token} />
          <p>This link signs you in once.</p>
          <button class="button primary wide" type="submit">
            Sign in
          </button>
        </form>
      )}
      <p class="alternatives">
        <a href="/dashboard/sign-in">Sign in with a password</a>
      </p>
    </section>
  );
}

function NoToken({ shown }: { shown: boolean }) {
  return shown ? <p>This link isn't whole. Copy all of it into the address bar.</p> : null;
}

/** After a link signed in to a user whom somebody had made before, without proof of the address. */
export function TakenOver() {
  return (
    <section class="card sign">
      <h1>You are signed in</h1>
      <p>
        Somebody had signed up with this address before, without proving that it is theirs. That password doesn't work
        any more, and those sessions have ended.
      </p>
      <p>
        If it wasn't you: API keys and webhooks stay as they are. Revoke the keys that you don't know, and look at where
        the webhooks go.
      </p>
      <a class="button primary wide" href="/dashboard/keys">
        Look at the keys
      </a>
      <p class="alternatives">
        <a href="/dashboard/webhooks">Look at the webhooks</a>
        <a href="/dashboard">To the overview</a>
      </p>
    </section>
  );
}

interface Verify {
  token: string;
  email: string;
  /** True: nobody is signed in, so the password has to show who signed up. */
  asksPassword: boolean;
  errors?: FormErrors | undefined;
}

export function VerifyForm({ token, email, asksPassword, errors }: Verify) {
  return (
    <section class="card sign">
      <h1>Confirm your address</h1>
      <FormErrorNotice errors={errors} />
      <form method="post" action="/dashboard/verify">
        <input type="hidden" name="token" value={token} />
        {asksPassword ? (
          <>
            <p>
              To confirm <strong>{email}</strong>, enter the password that you chose when you signed up.
            </p>
            <TextField name="password" label="Password" type="password" required autocomplete="current-password" />
          </>
        ) : (
          <p>
            Is <strong>{email}</strong> your address, and did you sign up with it here?
          </p>
        )}
        <button class="button primary wide" type="submit">
          Confirm address
        </button>
      </form>
      <p class="alternatives">
        {asksPassword ? (
          <a href="/dashboard/forgot">Forgot your password?</a>
        ) : (
          <a href="/dashboard">To the overview</a>
        )}
      </p>
    </section>
  );
}

/** `email`: the signed-in user's address, or null. */
export function VerifyRefused({ email }: { email: string | null }) {
  return (
    <section class="card sign">
      <h1>Confirm your address</h1>
      <div class="notice bad" role="alert">
        This link has expired, or is for another address.{" "}
        {email === null ? "Sign in to get a new link." : "Send a new link from the settings."}
      </div>
      {email === null ? null : <p>You are signed in as {email}.</p>}
      <p class="alternatives">
        {email === null ? <a href="/dashboard/sign-in">Sign in</a> : <a href="/dashboard/settings">Settings</a>}
      </p>
    </section>
  );
}
