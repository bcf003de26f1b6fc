// What the cron finds: jobs that somebody should look after, and what has had its time.
import { FIRST_WAKE_MS, IDEMPOTENCY_MS, MAX_WAKE_BACKOFF_MS } from "../model/limits";
import { dueOf, toShares } from "./sql";

export interface DueJob {
  id: string;
  rendered: boolean;
}

/**
 * Jobs that somebody should have looked after by now, each put off to its next look: twice as late each time, so that
 * a backlog isn't sent again every minute.
 */
export async function takeDueJobs(db: D1Database, now: number, limit: number): Promise<DueJob[]> {
  const { results } = await db
    .prepare(
      `UPDATE jobs SET looks = looks + 1, wake_at = ?1 + MIN(${FIRST_WAKE_MS} << MIN(looks, 10), ${MAX_WAKE_BACKOFF_MS})
       WHERE id IN (${dueOf("jobs")})
       RETURNING id, rendered`,
    )
    .bind(now, ...toShares(limit))
    .all<{ id: string; rendered: number }>();
  return results.map((row) => ({ id: row.id, rendered: row.rendered === 1 }));
}

/** Jobs that ended before `before` (Unix ms) and still have what was kept of them. */
export async function listExpiring(
  db: D1Database,
  before: number,
  limit: number,
): Promise<{ id: string; run: number }[]> {
  const { results } = await db
    .prepare("SELECT id, run FROM jobs WHERE expired = 0 AND ended_at <= ?1 ORDER BY ended_at LIMIT ?2")
    .bind(before, limit)
    .all<{ id: string; run: number }>();
  return results;
}

/** Requests and results leave the rows of these jobs, which stay listed. */
export async function expireJobs(db: D1Database, ids: string[]): Promise<void> {
  await db
    .prepare(
      `UPDATE jobs SET result = NULL, result_stored = 0, meta = json_remove(meta, '$.evidence', '$.unverified'), request = NULL, expired = 1
       WHERE id IN (SELECT value FROM json_each(?1))`,
    )
    .bind(JSON.stringify(ids))
    .run();
}

/** Those of these ids that no job has. */
export async function listUnknownIds(db: D1Database, ids: string[]): Promise<string[]> {
  const { results } = await db
    .prepare("SELECT value AS id FROM json_each(?1) WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE id = value)")
    .bind(JSON.stringify(ids))
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

/** Idempotency keys that stand for nothing any more; returns how many. */
export async function deleteOldIdempotencyKeys(db: D1Database, now: number, limit: number): Promise<number> {
  const { meta } = await db
    .prepare(
      `DELETE FROM idempotency_keys WHERE rowid IN
         (SELECT rowid FROM idempotency_keys WHERE created_at <= ?1 ORDER BY created_at LIMIT ?2)`,
    )
    .bind(now - IDEMPOTENCY_MS, limit)
    .run();
  return meta.changes;
}
