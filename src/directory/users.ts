import { z } from "zod";
import { newNonce, sha256Hex } from "../lib/crypto";
import { AppError } from "../model/errors";
import { MAX_EMAIL_CHARS, SIGN_IN_LINK_MS } from "../model/limits";
import type { AuditEntry } from "../store/audit";
import { getUserOfLink, insertLink, type UserRow } from "../store/users";

/** A link that signs a user in, or one that lets a user choose a new password. Each works once. */
export type Link = { kind: "sign-in"; email: string; name: string } | { kind: "reset"; userId: string };

/** Returns the identifier of a link in the database. The link itself isn't stored. */
export async function toLinkIdentifier(identifier: string): Promise<string> {
  return await sha256Hex(identifier);
}

/** Stores a new link and its audit entry. Returns the URL on the dashboard at `origin`. */
async function insertNewLink(
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

/** Returns the user of the sign-in link with this token, or null if there is no such user or link. */
export async function findUserOfLink(db: D1Database, token: string): Promise<UserRow | null> {
  return await getUserOfLink(db, await toLinkIdentifier(toSignInIdentifier(token)));
}

function toSignInIdentifier(token: string): string {
  return `magic-link:${token}`;
}

const Email = z.email().max(MAX_EMAIL_CHARS);

/** Returns true if a user may have this email address. The rule is that of better-auth. */
export function isEmail(text: string): boolean {
  return Email.safeParse(text).success;
}

/**
 * Creates a link that an admin hands to a user. It works once, within a day. `accountId` is the user's account, or null if
 * there is none yet. Throws AppError for an invalid email address.
 */
export async function createLink(
  env: Env,
  {
    link,
    origin,
    accountId,
    actor,
    now,
  }: {
    link: Link;
    origin: string;
    accountId: string | null;
    actor: string;
    now: number;
  },
): Promise<string> {
  if (link.kind === "sign-in" && !isEmail(link.email)) {
    const message = "must be an email address";
    throw new AppError("invalid_request", `'${link.email}' is not an email address.`, {
      details: [{ path: "email", message }],
    });
  }
  const detail =
    link.kind === "sign-in" ? { kind: link.kind, email: link.email } : { kind: link.kind, user: link.userId };
  const audit = { actor, action: "link.create" as const, accountId, detail, at: now };
  return await insertNewLink(env.DB, { link, origin, now, audit });
}
