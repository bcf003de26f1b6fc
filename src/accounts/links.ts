import { newNonce, sha256Hex } from "../lib/crypto";
import { SIGN_IN_LINK_MS } from "../limits";
import { insertLink } from "../store/links";

/** What a link does: signs its owner in, or lets a user choose a new password. Each works once. */
export type Link = { kind: "sign-in"; email: string; name: string } | { kind: "reset"; userId: string };

/** Under which identifier a link lies in the database: the link itself stands nowhere. */
export async function toLinkIdentifier(identifier: string): Promise<string> {
  return await sha256Hex(identifier);
}

/**
 * Makes a link for a user, whose operator hands it on: the way in where no mail can be sent, and the proof that an address
 * is the user's. `origin` is where the dashboard is reached.
 */
export async function createLink(db: D1Database, link: Link, origin: string, now: number): Promise<string> {
  const token = newNonce() + newNonce();
  const [identifier, value, path] =
    link.kind === "sign-in"
      ? [
          `magic-link:${token}`,
          JSON.stringify({ type: "magic-link", email: link.email.toLowerCase(), name: link.name }),
          "link",
        ]
      : [`reset-password:${token}`, link.userId, "reset"];
  await insertLink(db, {
    identifier: await toLinkIdentifier(identifier),
    value,
    expiresAt: now + SIGN_IN_LINK_MS,
    now,
  });
  return `${origin}/dashboard/${path}?token=${token}`;
}
