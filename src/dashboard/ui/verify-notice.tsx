import { hasMail } from "../../net/email";
import type { User } from "./env";
import { PostButton } from "./parts";

/** Asks the user to confirm the address, and offers to send the link again. Empty when mail isn't configured or it is done. */
export function VerifyNotice({ env, user }: { env: Env; user: User | null }) {
  if (user === null || user.emailVerified || !hasMail(env)) return null;
  return (
    <div class="notice row">
      <span>
        Confirm your email address to get your monthly credits and to create live keys. Open the link in the email that
        we sent to <strong>{user.email}</strong>. It works for a day.
      </span>
      <PostButton action="/dashboard/settings/verify" label="Send a new link" />
    </div>
  );
}
