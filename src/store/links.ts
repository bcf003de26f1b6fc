import { toIso } from "../lib/clock";
import { newId } from "../lib/id";
import { type AuditEntry, auditIfChanged } from "./audit";
import type { UserRow } from "./users";

/** Writes down a link as better-auth's `verification` has it, and who made it. */
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

/** The user whom a sign-in link is for; null when there is none yet, or no such link. */
export async function getUserOfLink(db: D1Database, identifier: string): Promise<UserRow | null> {
  return await db
    .prepare(
      `SELECT u.id, u.email, u.name, u.email_verified, u.created_at
       FROM verifications v JOIN users u ON u.email = json_extract(v.value, '$.email') WHERE v.identifier = ?1`,
    )
    .bind(identifier)
    .first<UserRow>();
}
