// What the sweep finds of signing in: sessions and links that have run out, and counts that count no more.
import { toIso } from "../lib/clock";
import { DAY_MS } from "../model/limits";

/** Sessions that ended by themselves; returns how many. */
export async function deleteEndedSessions(db: D1Database, now: number, limit: number): Promise<number> {
  return await deleteSome(db, "sessions", "expires_at <= ?1", [toIso(now), limit]);
}

/** Links that nobody used in time; returns how many. */
export async function deleteOldLinks(db: D1Database, now: number, limit: number): Promise<number> {
  return await deleteSome(db, "verifications", "expires_at <= ?1", [toIso(now), limit]);
}

/** Counts of tries whose longest window is over; returns how many. */
export async function deleteOldAttempts(db: D1Database, now: number, limit: number): Promise<number> {
  return await deleteSome(db, "sign_in_attempts", "last_request <= ?1", [now - DAY_MS, limit]);
}

async function deleteSome(
  db: D1Database,
  table: "sessions" | "verifications" | "sign_in_attempts",
  condition: string,
  values: [before: string | number, limit: number],
): Promise<number> {
  const { meta } = await db
    .prepare(`DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE ${condition} LIMIT ?2)`)
    .bind(...values)
    .run();
  return meta.changes;
}
