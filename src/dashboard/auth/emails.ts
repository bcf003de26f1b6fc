import { log } from "../../lib/log";
import { sendEmail, toEmailOrigin } from "../../net/email";
import { rateLimiter } from "../../store/namespaces";
import { toInvitationPath } from "./constants";
import { toUserKey } from "./sign-in-limiter";

type AuthEmail = { to: string } & (
  | { kind: "reset"; token: string }
  /** `invitation` is the token of an invitation that the user accepts together with the sign-up, or null. */
  | { kind: "verify"; token: string; invitation: string | null }
  /** Contains the link with which the new address confirms a change of email. */
  | { kind: "change"; token: string }
  /** Informs the owner of an address about a sign-up with that address. */
  | { kind: "registered"; invitation: string | null }
  /** Informs the old address after a change of email. */
  | { kind: "changed"; newEmail: string }
  | { kind: "deleted"; account: string }
  | { kind: "invitation"; token: string; account: string; by: string }
  /** Informs the user that two-factor sign-in was turned on or off. */
  | { kind: "two-factor"; isOn: boolean }
);

const MAX_NAME_CHARS = 40;

export type SendAuthEmail = (email: AuthEmail) => Promise<void>;

/**
 * The maximum number of emails per minute to one address, for all callers together. Emails with the same limit are
 * counted together. The limit of `registered` is separate, because strangers can cause these emails and must not use up
 * the limit for reset links. Notices have their own limit, so that links can't suppress them.
 */
const LIMITS: Record<AuthEmail["kind"], readonly [name: string, perMinute: number]> = {
  verify: ["emails", 3],
  reset: ["emails", 3],
  change: ["emails", 3],
  registered: ["emails-registered", 1],
  changed: ["emails-notices", 10],
  deleted: ["emails-notices", 10],
  invitation: ["emails-invitations", 2],
  "two-factor": ["emails-notices", 10],
};

/** Returns the function that sends emails to users, or null if email isn't configured. */
export function createEmailSender(env: Env): SendAuthEmail | null {
  const origin = toEmailOrigin(env);
  if (origin === null) return null;
  return async (email) => {
    const { to, kind } = email;
    const [name, perMinute] = LIMITS[kind];
    const { allowed } = await rateLimiter(env, `${name}:${toUserKey(to)}`).consume(perMinute);
    // Doesn't throw, because the response must not reveal if the address is registered.
    if (!allowed) return log("warn", "email_held_back", { kind });
    await sendEmail(env, { to, ...toContent(email, `${origin}/dashboard`) });
  };
}

function toContent(email: AuthEmail, dashboard: string): { subject: string; text: string } {
  const toUrl = (path: string, token: string) => `${dashboard}/${path}?token=${encodeURIComponent(token)}`;
  switch (email.kind) {
    case "registered": {
      const to = email.invitation === null ? "" : `?to=${encodeURIComponent(toInvitationPath(email.invitation))}`;
      return {
        subject: "Someone tried to sign up with your email address",
        text: `Someone tried to sign up with this email address, which is already registered.\n\nIf it was you, sign in:\n\n${dashboard}/sign-in${to}\n\nIf you forgot your password, reset it:\n\n${dashboard}/forgot\n\nIf it wasn't you, ignore this email. Your account has not changed.\n`,
      };
    }
    case "verify": {
      const invitation = email.invitation === null ? "" : `&invitation=${email.invitation}`;
      return {
        subject: "Verify your email address",
        text: `Open this link to verify your email address:\n\n${toUrl("verify", email.token)}${invitation}\n\nThe link expires in 24 hours. If you didn't sign up, ignore this email.\n`,
      };
    }
    case "reset":
      return {
        subject: "Reset your password",
        text: `Open this link to reset your password:\n\n${toUrl("reset", email.token)}\n\nThe link expires in 1 hour. If you didn't request it, ignore this email. Your password has not changed.\n`,
      };
    case "change":
      return {
        subject: "Confirm your new email address",
        text: `Open this link to use this email address for your sign-in:\n\n${toUrl("verify", email.token)}\n\nThe link expires in 24 hours. If you didn't request the change, ignore this email.\n`,
      };
    case "changed":
      return {
        subject: "Your email address was changed",
        text: `The email address of your sign-in was changed to ${email.newEmail}. You can no longer sign in with this address.\n\nIf you didn't make this change, contact the operator of ${dashboard} immediately.\n`,
      };
    case "two-factor": {
      const state = email.isOn ? "on" : "off";
      return {
        subject: `Two-factor sign-in was turned ${state}`,
        text: `Two-factor sign-in was turned ${state} for this email address.\n\nIf you didn't make this change, reset your password:\n\n${dashboard}/forgot\n`,
      };
    }
    case "invitation":
      return {
        subject: `${email.by} invites you to an account`,
        text: `${email.by} invites you to the account "${toPlainName(email.account)}". Open this link to join it:\n\n${toUrl("invitation", email.token)}\n\nThe link works once and expires in 7 days. If you don't know the sender, ignore this email.\n`,
      };
    case "deleted": {
      const name = toPlainName(email.account);
      return {
        subject: `The account ${name} was deleted`,
        text: `An owner deleted the account ${name}. Its API keys no longer work, and its data is being deleted. If you belong to no other account, your sign-in was deleted too.\n\nIf this wasn't intended, contact the operator of ${dashboard} immediately.\n`,
      };
    }
  }
}

/**
 * Returns an account's name for an email, with at most 40 characters. Keeps only letters, digits, spaces, the characters
 * `-&'’,`, and a dot at the end of a word, because users choose the name, and mail clients make links of URLs, domains
 * and addresses. Unicode's other forms of dots and slashes and line breaks are omitted too. Invisible characters are
 * deleted, such as marks that change the direction of text. Some of them, such as U+3164, are letters.
 */
function toPlainName(name: string): string {
  const visible = name.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  const plain = visible.replace(/(?:(?!(?<=[\p{L}\p{M}\p{N}])\.(?: |$))[^\p{L}\p{M}\p{N}&'’,-])+/gu, " ");
  return [...plain.trim()].slice(0, MAX_NAME_CHARS).join("").trim() || "without a name";
}
