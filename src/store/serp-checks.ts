import type { EngineName } from "../model/engine";

/** An hourly check of a search engine. Times are Unix ms. */
export interface SerpCheck {
  engine: EngineName;
  /** `results`, `no_results` or an error code. Null until the check ends. */
  outcome: string | null;
  source: string | null;
  results: number;
  /** The number of results that only one way to read the page found. 0 if the two ways agree on most of them. */
  disputed: number;
  durationMs: number | null;
  checkedAt: number;
}

/** Inserts a check and returns its id. Returns null if the engine already has a check after `since` (Unix ms). */
export async function claimSerpCheck(
  db: D1Database,
  { engine, now, since }: { engine: EngineName; now: number; since: number },
): Promise<number | null> {
  return await db
    .prepare(
      `INSERT INTO serp_checks (engine, checked_at)
       SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM serp_checks WHERE engine = ?1 AND checked_at > ?3)
       RETURNING id`,
    )
    .bind(engine, now, since)
    .first<number>("id");
}

/** Stores the outcome of a check. */
export async function finishSerpCheck(
  db: D1Database,
  id: number,
  { outcome, source, results, disputed, durationMs }: Omit<SerpCheck, "engine" | "checkedAt">,
): Promise<void> {
  await db
    .prepare(
      "UPDATE serp_checks SET outcome = ?2, source = ?3, results = ?4, disputed = ?5, duration_ms = ?6 WHERE id = ?1",
    )
    .bind(id, outcome, source, results, disputed, durationMs)
    .run();
}

/** Returns the checks after `since` (Unix ms), newest first. */
export async function listSerpChecks(db: D1Database, since: number): Promise<SerpCheck[]> {
  const { results } = await db
    .prepare(
      `SELECT engine, outcome, source, results, disputed, duration_ms AS durationMs, checked_at AS checkedAt
       FROM serp_checks WHERE checked_at > ?1 ORDER BY checked_at DESC, id DESC`,
    )
    .bind(since)
    .all<SerpCheck>();
  return results;
}

/** Deletes the checks that were made at or before `before` (Unix ms). Returns the number of deleted checks. */
export async function deleteOldSerpChecks(db: D1Database, before: number): Promise<number> {
  const { meta } = await db.prepare("DELETE FROM serp_checks WHERE checked_at <= ?1").bind(before).run();
  return meta.changes;
}
