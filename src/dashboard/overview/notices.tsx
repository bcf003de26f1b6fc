import type { User } from "../env";

const DONE: Record<string, string> = {
  welcome: "Welcome. Your account is on the free plan, with its first credits.",
  verified: "Your e-mail address is verified.",
};

interface NoticesProps {
  user: User;
  hasMail: boolean;
  done: string | undefined;
}

/** What has just been done, and what is still to be done about the user's address. */
export function Notices({ user, hasMail, done }: NoticesProps) {
  const words = done === "verified" && !user.emailVerified ? undefined : DONE[done ?? ""];
  return (
    <>
      {words === undefined ? null : (
        <div class="notice good" role="status">
          {words}
        </div>
      )}
      {hasMail && !user.emailVerified ? <VerifyNotice email={user.email} /> : null}
    </>
  );
}

/** Where mail can be sent: asks for the address to be verified, and sends the link again. */
function VerifyNotice({ email }: { email: string }) {
  return (
    <div class="notice row">
      <span>
        Confirm your address: a link was sent to <strong>{email}</strong>. It works for a day.
      </span>
      <form method="post" action="/dashboard/settings/verify" class="inline">
        <button type="submit" class="button small">
          Send it again
        </button>
      </form>
    </div>
  );
}
