// What the sweep finds: jobs that somebody should look after, and what has had its time.
import { FIRST_WAKE_MS, IDEMPOTENCY_MS, MAX_WAKE_BACKOFF_MS } from "../limits";

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
       WHERE id IN (SELECT id FROM jobs WHERE wake_at <= ?1 ORDER BY wake_at LIMIT ?2)
       RETURNING id, rendered`,
    )
    .bind(now, limit)
    .all<{ id: string; rendered: number }>();
  return results.map((row) => ({ id: row.id, rendered: row.rendered === 1 }));
}

/** Results that are older than `before` (Unix ms) leave their rows; the jobs stay listed. Returns those whose parts lie in R2. */
export async function expireResults(
  db: D1Database,
  before: number,
  limit: number,
): Promise<{ id: string; run: number }[]> {
  const { results } = await db
    .prepare(
      `UPDATE jobs SET result = NULL, result_stored = 0, meta = json_remove(meta, '$.evidence', '$.unverified'), request = NULL, expired = 1
       WHERE id IN (SELECT id FROM jobs WHERE expired = 0 AND ended_at <= ?1 ORDER BY ended_at LIMIT ?2)
       RETURNING id, run`,
    )
    .bind(before, limit)
    .all<{ id: string; run: number }>();
  return results;
}

/** Idempotency keys that stand for nothing any more; returns how many. */
export async function deleteOldIdempotencyKeys(db: D1Database, now: number): Promise<number> {
  const { meta } = await db
    .prepare("DELETE FROM idempotency_keys WHERE created_at <= ?1")
    .bind(now - IDEMPOTENCY_MS)
    .run();
  return meta.changes;
}
