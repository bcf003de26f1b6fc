import { toIso } from "../lib/clock";
import { newId } from "../lib/id";
import { DAY_MS } from "../model/limits";
import { type AuditEntry, auditIfChanged } from "./audit";

/** A user of the dashboard. */
export interface UserRow {
  id: string;
  email: string;
  name: string;
  email_verified: number;
  created_at: string;
}

const COLUMNS = "u.id, u.email, u.name, u.email_verified, u.created_at";

export async function getUser(db: D1Database, id: string): Promise<UserRow | null> {
  return await db.prepare(`SELECT ${COLUMNS} FROM users u WHERE u.id = ?1`).bind(id).first<UserRow>();
}

/** Returns the user with this address, or null. `account_id` is the user's oldest account, or null. */
export async function findUser(
  db: D1Database,
  email: string,
): Promise<{ id: string; account_id: string | null } | null> {
  return await db
    .prepare(
      `SELECT u.id, (SELECT account_id FROM memberships WHERE user_id = u.id ORDER BY created_at LIMIT 1) AS account_id
       FROM users u WHERE u.email = lower(?1)`,
    )
    .bind(email)
    .first<{ id: string; account_id: string | null }>();
}

/** Inserts a link as a row of better-auth's model `verification`, and the audit entry of its creator. */
export async function insertLink(
  db: D1Database,
  { identifier, value, expiresAt, now }: { identifier: string; value: string; expiresAt: number; now: number },
  audit: AuditEntry,
): Promise<void> {
  await db.batch([
    db
      .prepare(
        `INSERT INTO verifications (id, identifier, value, expires_at, created_at, updated_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?5)`,
      )
      .bind(newId(), identifier, value, toIso(expiresAt), toIso(now)),
    auditIfChanged(db, audit),
  ]);
}

/** Returns the user of a sign-in link. Returns null if the link or the user doesn't exist. */
export async function getUserOfLink(db: D1Database, identifier: string): Promise<UserRow | null> {
  return await db
    .prepare(
      `SELECT u.id, u.email, u.name, u.email_verified, u.created_at
       FROM verifications v JOIN users u ON u.email = json_extract(v.value, '$.email') WHERE v.identifier = ?1`,
    )
    .bind(identifier)
    .first<UserRow>();
}

/** Deletes the user's links that reset the password. The address that they were sent to may no longer be the user's. */
export async function deleteLinksOfUser(db: D1Database, userId: string): Promise<void> {
  await db.prepare("DELETE FROM verifications WHERE value = ?1").bind(userId).run();
}

/** Sets a user's address without a confirmation, as not verified. Returns false if another user has it. */
export async function setEmail(
  db: D1Database,
  { userId, email, now }: { userId: string; email: string; now: number },
): Promise<boolean> {
  const { meta } = await db
    .prepare("UPDATE OR IGNORE users SET email = lower(?2), email_verified = 0, updated_at = ?3 WHERE id = ?1")
    .bind(userId, email, toIso(now))
    .run();
  return meta.changes === 1;
}

/** Deletes a user who belongs to no account. Returns false if the user belongs to an account. */
export async function deleteUserWithoutAccount(db: D1Database, userId: string): Promise<boolean> {
  const { meta } = await db
    .prepare("DELETE FROM users WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM memberships WHERE user_id = ?1)")
    .bind(userId)
    .run();
  return meta.changes > 0;
}

/** Deletes the sessions with these ids if they belong to the user. */
export async function deleteSessions(
  db: D1Database,
  { userId, ids }: { userId: string; ids: string[] },
): Promise<void> {
  await db
    .prepare("DELETE FROM sessions WHERE user_id = ?1 AND id IN (SELECT value FROM json_each(?2))")
    .bind(userId, JSON.stringify(ids))
    .run();
}

/** Deletes expired sessions. Returns the number of deleted sessions. */
export async function deleteEndedSessions(db: D1Database, now: number, limit: number): Promise<number> {
  return await deleteSome(db, "sessions", "expires_at <= ?1", [toIso(now), limit]);
}

/** Deletes expired links. Returns the number of deleted links. */
export async function deleteOldLinks(db: D1Database, now: number, limit: number): Promise<number> {
  return await deleteSome(db, "verifications", "expires_at <= ?1", [toIso(now), limit]);
}

/** Deletes counters of sign-in attempts after a day, their longest window. Returns their number. */
export async function deleteOldAttempts(db: D1Database, now: number, limit: number): Promise<number> {
  return await deleteSome(db, "sign_in_attempts", "last_request <= ?1", [now - DAY_MS, limit]);
}

/** Deletes up to `limit` rows that match a condition on ?1. Returns the number of deleted rows. */
export async function deleteSome(
  db: D1Database,
  table: "invitations" | "sessions" | "verifications" | "sign_in_attempts",
  condition: string,
  values: [before: string | number, limit: number],
): Promise<number> {
  const { meta } = await db
    .prepare(`DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE ${condition} LIMIT ?2)`)
    .bind(...values)
    .run();
  return meta.changes;
}
