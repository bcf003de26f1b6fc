import { log } from "../../lib/log";
import { sendEmail, toEmailOrigin } from "../../net/email";
import { rateLimiter } from "../../store/namespaces";
import { toUserKey } from "./sign-in-limiter";

/** The maximum number of emails per minute to one address, for all callers together. */
const EMAILS_PER_MINUTE = 3;
/**
 * The maximum number of emails per minute that tell the owner of an address about a sign-up. The limit is separate,
 * because strangers can cause these emails and must not use up the limit for reset links.
 */
const REGISTERED_EMAILS_PER_MINUTE = 1;

/** An email to a user. The kind `registered` informs the owner of an address about a sign-up with that address. */
type AuthEmail = { to: string } & ({ kind: "verify" | "reset"; token: string } | { kind: "registered" });

export type SendAuthEmail = (email: AuthEmail) => Promise<void>;

/** Returns the function that sends better-auth's emails, or null if email isn't configured. */
export function createEmailSender(env: Env): SendAuthEmail | null {
  const origin = toEmailOrigin(env);
  if (origin === null) return null;
  return async (email) => {
    const { to, kind } = email;
    // Doesn't throw, because the response must not reveal if the address is registered.
    if (!(await consumeEmailLimit(env, kind, to))) return log("warn", "email_held_back", { kind });
    await sendEmail(env, { to, ...toContent(email, `${origin}/dashboard`) });
  };
}

/** Counts the email. Returns false if the address has received too many emails of this kind. */
async function consumeEmailLimit(env: Env, kind: AuthEmail["kind"], address: string): Promise<boolean> {
  const [name, limit] =
    kind === "registered"
      ? (["emails-registered", REGISTERED_EMAILS_PER_MINUTE] as const)
      : (["emails", EMAILS_PER_MINUTE] as const);
  return (await rateLimiter(env, `${name}:${toUserKey(address)}`).consume(limit)).allowed;
}

function toContent(email: AuthEmail, dashboard: string): { subject: string; text: string } {
  if (email.kind === "registered") {
    return {
      subject: "Someone tried to sign up with your email address",
      text: `Someone tried to sign up with this email address, which is already registered.\n\nIf it was you, sign in:\n\n${dashboard}/sign-in\n\nIf you forgot your password, reset it:\n\n${dashboard}/forgot\n\nIf it wasn't you, ignore this email. Your account has not changed.\n`,
    };
  }
  const url = `${dashboard}/${email.kind}?token=${encodeURIComponent(email.token)}`;
  if (email.kind === "verify") {
    return {
      subject: "Verify your email address",
      text: `Open this link to verify your email address:\n\n${url}\n\nThe link expires in 24 hours. If you didn't sign up, ignore this email.\n`,
    };
  }
  return {
    subject: "Reset your password",
    text: `Open this link to reset your password:\n\n${url}\n\nThe link expires in 1 hour. If you didn't request it, ignore this email. Your password has not changed.\n`,
  };
}
