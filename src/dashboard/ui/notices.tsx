import { canSendEmail } from "../../net/email";
import { PostButton } from "./components";
import type { User } from "./env";

/** The confirmation of an action. `word` is the value of `?done=`, which the redirect after the action sets. */
export function DoneNotice({ word, texts }: { word: string | undefined; texts: Record<string, string> }) {
  const text = word !== undefined && Object.hasOwn(texts, word) ? texts[word] : undefined;
  if (text === undefined) return null;
  return (
    <p class="notice" role="status">
      {text}
    </p>
  );
}

/** The notice to verify the email address. Empty if it is verified or if the service doesn't send emails. */
export function VerifyNotice({ env, user }: { env: Env; user: User | null }) {
  if (user === null || user.emailVerified || !canSendEmail(env)) return null;
  return (
    <div class="notice row">
      <span>
        Verify your email address to get your monthly credits and to create live keys. Open the link in the email that
        we sent to <strong>{user.email}</strong>. The link expires in 24 hours.
      </span>
      <PostButton action="/dashboard/settings/verify" label="Send new link" />
    </div>
  );
}
