import { log } from "../../lib/log";
import { sendEmail, toEmailOrigin } from "../../net/email";
import { rateLimiter } from "../../store/namespaces";
import { toInvitationPath } from "./constants";
import texts from "./email-texts.json";
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

/** The fields of all kinds of emails. */
interface EmailFields {
  token?: string;
  invitation?: string | null;
  account?: string;
  isOn?: boolean;
  newEmail?: string;
  by?: string;
}

const TEXTS: Record<AuthEmail["kind"], { subject: string; text: string }> = texts;

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

/** Returns the subject and the text of an email. The texts in email-texts.json have the values' names in braces. */
function toContent(email: AuthEmail, dashboard: string): { subject: string; text: string } {
  const fields: EmailFields = email;
  const { token = "", invitation = null, account = "", isOn = false, newEmail, by } = fields;
  const values: Record<string, string | undefined> = {
    dashboard,
    token: encodeURIComponent(token),
    to: invitation === null ? "" : `?to=${encodeURIComponent(toInvitationPath(invitation))}`,
    invitation: invitation === null ? "" : `&invitation=${invitation}`,
    account: toPlainName(account),
    state: isOn ? "on" : "off",
    newEmail,
    by,
  };
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
  const { subject, text } = TEXTS[email.kind];
  return { subject: fill(subject), text: fill(text) };
}

/**
 * Returns an account's name for an email, with at most 40 characters. Users choose the name, and mail clients turn
 * URLs, domains and addresses into links, so only letters, digits, spaces, the characters `-&'’,` and dots at the end
 * of a word are kept. Invisible characters are deleted too, because some of them, such as U+3164, are letters.
 */
function toPlainName(name: string): string {
  const visible = name.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  const plain = visible.replace(/(?:(?!(?<=[\p{L}\p{M}\p{N}])\.(?: |$))[^\p{L}\p{M}\p{N}&'’,-])+/gu, " ");
  return [...plain.trim()].slice(0, MAX_NAME_CHARS).join("").trim() || "without a name";
}
