import { DAY_MS, HOUR_MS } from "../model/limits";
import { addCounts, type PeriodCounts } from "../model/service-counts";

/** The time for which hours and days are kept. */
const KEPT_MS = 91 * DAY_MS;

/**
 * Adds up the periods of all accounts to the hours that began at or after `since` (Unix ms). Replaces the stored sums,
 * so a repeated call has no additional effect. Returns the number of written hours.
 */
export async function sumHours(db: D1Database, since: number): Promise<number> {
  const { meta } = await db
    .prepare(
      `INSERT INTO service_hours (start, counts)
       SELECT hour, json_group_object(name, count) FROM (
         SELECT p.start - p.start % ?2 AS hour, c.key AS name, SUM(c.value) AS count
         FROM account_periods p JOIN json_each(p.counts) c WHERE p.start >= ?1 GROUP BY 1, 2)
       WHERE true GROUP BY hour
       ON CONFLICT (start) DO UPDATE SET counts = excluded.counts WHERE counts <> excluded.counts`,
    )
    .bind(since - (since % HOUR_MS), HOUR_MS)
    .run();
  return meta.changes;
}

/** Adds counts to the sums of earlier hours, which `sumHours` doesn't update. */
export async function addToHours(db: D1Database, periods: readonly PeriodCounts[]): Promise<void> {
  for (const { start, counts } of periods) {
    const hour = start - (start % HOUR_MS);
    const [stored] = await listServiceHours(db, hour, hour + HOUR_MS);
    await db
      .prepare(
        `INSERT INTO service_hours (start, counts) VALUES (?1, ?2)
         ON CONFLICT (start) DO UPDATE SET counts = excluded.counts`,
      )
      .bind(hour, JSON.stringify(addCounts(stored?.counts ?? {}, counts)))
      .run();
  }
}

/** Returns the hours that began in a range (Unix ms), oldest first. */
export async function listServiceHours(db: D1Database, since: number, until: number): Promise<PeriodCounts[]> {
  const { results } = await db
    .prepare("SELECT start, counts FROM service_hours WHERE start >= ?1 AND start < ?2 ORDER BY start")
    .bind(since, until)
    .all<{ start: number; counts: string }>();
  return results.map(({ start, counts }) => ({ start, counts: JSON.parse(counts) }));
}

/** A day of the status page: the number of hours by part and state. */
interface ServiceDay {
  start: number;
  parts: Record<string, Record<string, number>>;
}

export async function putServiceDay(db: D1Database, { start, parts }: ServiceDay): Promise<void> {
  await db
    .prepare(
      `INSERT INTO service_days (start, parts) VALUES (?1, ?2)
       ON CONFLICT (start) DO UPDATE SET parts = excluded.parts WHERE parts <> excluded.parts`,
    )
    .bind(start, JSON.stringify(parts))
    .run();
}

/** Returns the days that began at or after `since` (Unix ms), oldest first. */
export async function listServiceDays(db: D1Database, since: number): Promise<ServiceDay[]> {
  const { results } = await db
    .prepare("SELECT start, parts FROM service_days WHERE start >= ?1 ORDER BY start")
    .bind(since)
    .all<{ start: number; parts: string }>();
  return results.map(({ start, parts }) => ({ start, parts: JSON.parse(parts) }));
}

/** Deletes hours and days that are older than the status page shows. Returns the number of deleted rows. */
export async function deleteOldHours(db: D1Database, now: number): Promise<number> {
  const results = await db.batch([
    db.prepare("DELETE FROM service_hours WHERE start < ?1").bind(now - KEPT_MS),
    db.prepare("DELETE FROM service_days WHERE start < ?1").bind(now - KEPT_MS),
  ]);
  return results.reduce((sum, { meta }) => sum + meta.changes, 0);
}

/** Returns a stored value, or null. */
export async function readServiceState<Value>(db: D1Database, name: string): Promise<Value | null> {
  const text = await db.prepare("SELECT value FROM service_state WHERE name = ?1").bind(name).first<string>("value");
  return text === null ? null : JSON.parse(text);
}

export async function putServiceState(db: D1Database, name: string, value: unknown): Promise<void> {
  await db
    .prepare(
      `INSERT INTO service_state (name, value) VALUES (?1, ?2)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE value <> excluded.value`,
    )
    .bind(name, JSON.stringify(value))
    .run();
}
