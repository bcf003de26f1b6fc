import { z } from "zod";
import { newNonce, sha256Hex } from "../lib/crypto";
import { AppError } from "../model/errors";
import { MAX_EMAIL_CHARS, SIGN_IN_LINK_MS } from "../model/limits";
import type { AuditEntry } from "../store/audit";
import { getUserOfLink, insertLink, type UserRow } from "../store/users";

/** A link to sign in or to set a new password. Each link works once. */
export type Link = { kind: "sign-in"; email: string; name: string } | { kind: "reset"; userId: string };

/** Returns the identifier of a link in the database. It is a hash, so the database doesn't contain usable links. */
export async function toLinkIdentifier(identifier: string): Promise<string> {
  return await sha256Hex(identifier);
}

/** Stores a new link and its audit entry. Returns the link's URL. `origin` is the dashboard's origin. */
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

/** Returns true if the text is a valid email address by better-auth's rule. */
export function isEmail(text: string): boolean {
  return Email.safeParse(text).success;
}

/**
 * Creates a link that an admin sends to a user. It works once, within a day. `accountId` is null if the user has no
 * account yet. Throws AppError if the email address is invalid.
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
    throw new AppError("invalid_request", `'${link.email}' is not an email address. Use the form name@example.com.`, {
      details: [{ path: "email", message }],
    });
  }
  const detail =
    link.kind === "sign-in" ? { kind: link.kind, email: link.email } : { kind: link.kind, user: link.userId };
  const audit = { actor, action: "link.create" as const, accountId, detail, at: now };
  return await insertNewLink(env.DB, { link, origin, now, audit });
}
