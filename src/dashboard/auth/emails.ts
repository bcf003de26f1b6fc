import { log } from "../../lib/log";
import { sendEmail, toEmailOrigin } from "../../net/email";
import { toUserKey } from "./sign-in-limiter";

/** Emails per minute to one address, from all callers together. */
const EMAILS_PER_MINUTE = 3;
/** Anyone can cause the email about a sign-up, so it has its own limit and can't hold back a reset link. */
const REGISTERED_EMAILS_PER_MINUTE = 1;

/** An email to a user. `registered` tells the owner of an address that someone tried to sign up with it. */
type AuthEmail = { to: string } & ({ kind: "verify" | "reset"; token: string } | { kind: "registered" });

export type SendAuthEmail = (email: AuthEmail) => Promise<void>;

/** Returns the function that sends better-auth's emails. Returns null if email isn't configured. */
export function createEmailSender(env: Env): SendAuthEmail | null {
  const origin = toEmailOrigin(env);
  if (origin === null) return null;
  return async (email) => {
    const { to, kind } = email;
    // The caller isn't told: the answer is the same whether the address is registered or not.
    if (!(await consumeEmailLimit(env, kind, to))) return log("warn", "email_held_back", { kind });
    await sendEmail(env, { to, ...toContent(email, `${origin}/dashboard`) });
  };
}

/** Counts the email. Returns false if the address has got too many emails of this kind. */
async function consumeEmailLimit(env: Env, kind: AuthEmail["kind"], address: string): Promise<boolean> {
  const [name, limit] =
    kind === "registered"
      ? (["emails-registered", REGISTERED_EMAILS_PER_MINUTE] as const)
      : (["emails", EMAILS_PER_MINUTE] as const);
  return (await env.RATE_LIMITER.getByName(`${name}:${toUserKey(address)}`).consume(limit)).allowed;
}

function toContent(email: AuthEmail, dashboard: string): { subject: string; text: string } {
  if (email.kind === "registered") {
    return {
      subject: "Someone tried to sign up with your email address",
      text: `Someone tried to sign up with this email address, which is already registered.\n\nIf it was you, sign in:\n\n${dashboard}/sign-in\n\nIf you don't know your password, choose a new one:\n\n${dashboard}/forgot\n\nIf it wasn't you, you don't need to do anything. Nothing has changed.\n`,
    };
  }
  const url = `${dashboard}/${email.kind}?token=${encodeURIComponent(email.token)}`;
  if (email.kind === "verify") {
    return {
      subject: "Confirm your address",
      text: `Confirm that this is your address. The link works for a day:\n\n${url}\n\nIf you didn't sign up, don't open it.\n`,
    };
  }
  return {
    subject: "Choose a new password",
    text: `Choose a new password. The link works for an hour:\n\n${url}\n\nIf you didn't ask for it, do nothing: your password stays as it is.\n`,
  };
}
