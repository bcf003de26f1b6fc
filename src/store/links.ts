import { toIso } from "../lib/clock";
import { newId } from "../lib/id";

/** Writes down a link as better-auth's `verification` has it. */
export async function insertLink(
  db: D1Database,
  { identifier, value, expiresAt, now }: { identifier: string; value: string; expiresAt: number; now: number },
): Promise<void> {
  await db
    .prepare(
      `INSERT INTO verifications (id, identifier, value, expires_at, created_at, updated_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?5)`,
    )
    .bind(newId(), identifier, value, toIso(expiresAt), toIso(now))
    .run();
}
