import { canSendEmail } from "../../net/email";
import { PostButton } from "./components";
import type { User } from "./env";

/** Confirms an action. The redirect after the action sets `?done=` to a key of `texts`; an unknown key shows nothing. */
export function DoneNotice({ word, texts }: { word: string | undefined; texts: Record<string, string> }) {
  const text = word !== undefined && Object.hasOwn(texts, word) ? texts[word] : undefined;
  if (text === undefined) return null;
  return (
    <p class="notice" role="status">
      {text}
    </p>
  );
}

/** Asks the user to confirm the email address. Empty if it is confirmed or if email isn't configured. */
export function VerifyNotice({ env, user }: { env: Env; user: User | null }) {
  if (user === null || user.emailVerified || !canSendEmail(env)) return null;
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
