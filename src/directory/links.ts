import { newNonce, sha256Hex } from "../lib/crypto";
import { SIGN_IN_LINK_MS } from "../model/limits";
import type { AuditEntry } from "../store/audit";
import { getUserOfLink, insertLink } from "../store/links";
import type { UserRow } from "../store/users";

/** What a link does: signs its owner in, or lets a user choose a new password. Each works once. */
export type Link = { kind: "sign-in"; email: string; name: string } | { kind: "reset"; userId: string };

/** Under which identifier a link lies in the database: the link itself stands nowhere. */
export async function toLinkIdentifier(identifier: string): Promise<string> {
  return await sha256Hex(identifier);
}

/**
 * Makes a link for a user, whose operator hands it on: the way in where no mail can be sent, and the proof that an address
 * is the user's. `origin` is where the dashboard is reached; `audit` is written with it.
 */
export async function createLink(
  db: D1Database,
  { link, origin, now, audit }: { link: Link; origin: string; now: number; audit: AuditEntry },
): Promise<string> {
  const token = newNonce() + newNonce();
  const [identifier, value, path] =
    link.kind === "sign-in"
      ? [
          toSignInIdentifier(token),
          JSON.stringify({ type: "magic-link", email: link.email.toLowerCase(), name: link.name }),
          "link",
        ]
      : [`reset-password:${token}`, link.userId, "reset"];
  const expiresAt = now + SIGN_IN_LINK_MS;
  await insertLink(db, { identifier: await toLinkIdentifier(identifier), value, expiresAt, now }, audit);
  return `${origin}/dashboard/${path}?token=${token}`;
}

/** The user whom the sign-in link with this token is for; null when there is none yet, or no such link. */
export async function findUserOfLink(db: D1Database, token: string): Promise<UserRow | null> {
  return await getUserOfLink(db, await toLinkIdentifier(toSignInIdentifier(token)));
}

function toSignInIdentifier(token: string): string {
  return `magic-link:${token}`;
}
