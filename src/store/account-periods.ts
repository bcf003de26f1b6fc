import { addCounts, type Counts, PERIOD_MS, type PeriodCounts } from "../model/service-counts";
import type { AccountSummary } from "../model/summary";

/** The account id of the row with the service's own counts. */
const SERVICE = "service";
/** The maximum age of a period. Older counts are ignored, because their hour may be added up already. */
const ACCEPTED_MS = 12 * PERIOD_MS;
/** The time for which rows are kept. An hour can then still be added up while its counts can change. */
const KEPT_MS = 20 * PERIOD_MS;
/** The maximum number of accounts per statement. D1's parameters have up to 2 MB, and an account's counts 90 KB. */
const ACCOUNTS_PER_STATEMENT = 15;

/** Stores the counts of summaries. Ignores counts that are older than the stored ones. */
export async function putPeriods(db: D1Database, summaries: readonly AccountSummary[], now: number): Promise<void> {
  const sent = summaries.filter(({ periods = [] }) => periods.length > 0);
  for (let i = 0; i < sent.length; i += ACCOUNTS_PER_STATEMENT) {
    const part = sent
      .slice(i, i + ACCOUNTS_PER_STATEMENT)
      .map(({ accountId, at, periods }) => ({ accountId, at, periods }));
    await db
      .prepare(
        `INSERT INTO account_periods (start, account_id, counts, updated_at)
         SELECT p.value ->> 'start', a.id, p.value -> 'counts', s.value ->> 'at'
         FROM json_each(?1) s JOIN json_each(s.value, '$.periods') p JOIN accounts a ON a.id = s.value ->> 'accountId'
         WHERE a.erased_at IS NULL AND p.value ->> 'start' >= ?2
         ORDER BY s.value ->> 'at'
         ON CONFLICT (start, account_id) DO UPDATE SET counts = excluded.counts, updated_at = excluded.updated_at
         WHERE excluded.updated_at >= updated_at`,
      )
      .bind(JSON.stringify(part), now - ACCEPTED_MS)
      .run();
  }
}

/** Adds the service's counts to different periods. Only the cron calls it, so no calls change the same row. */
export async function addServiceCounts(db: D1Database, periods: readonly PeriodCounts[], now: number): Promise<void> {
  const { results } = await db
    .prepare("SELECT start, counts FROM account_periods WHERE account_id = ?1 AND start >= ?2")
    .bind(SERVICE, Math.min(...periods.map(({ start }) => start)))
    .all<{ start: number; counts: string }>();
  const stored = new Map(results.map(({ start, counts }) => [start, JSON.parse(counts) as Counts]));
  const put = db.prepare(
    `INSERT INTO account_periods (start, account_id, counts, updated_at) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT (start, account_id) DO UPDATE SET counts = excluded.counts, updated_at = excluded.updated_at`,
  );
  await db.batch(
    periods.map(({ start, counts }) =>
      put.bind(start, SERVICE, JSON.stringify(addCounts(stored.get(start) ?? {}, counts)), now),
    ),
  );
}

/** Returns the sums of all rows of the table that began at or after `since` (Unix ms). */
export async function sumCounts(
  db: D1Database,
  table: "account_periods" | "service_hours",
  since: number,
): Promise<Counts> {
  const { results } = await db
    .prepare(
      `SELECT c.key AS name, SUM(c.value) AS count FROM ${table} t JOIN json_each(t.counts) c
       WHERE t.start >= ?1 GROUP BY c.key`,
    )
    .bind(since)
    .all<{ name: string; count: number }>();
  return Object.fromEntries(results.map(({ name, count }) => [name, count]));
}

/** Returns the counts of each account since `since` (Unix ms), without the service's own counts. */
export async function listAccountCounts(
  db: D1Database,
  { since, names }: { since: number; names: string },
): Promise<{ accountId: string; name: string; count: number }[]> {
  const { results } = await db
    .prepare(
      `SELECT p.account_id AS accountId, c.key AS name, SUM(c.value) AS count
       FROM account_periods p JOIN json_each(p.counts) c
       WHERE p.start >= ?1 AND p.account_id <> ?2 AND c.key LIKE ?3 GROUP BY p.account_id, c.key`,
    )
    .bind(since, SERVICE, names)
    .all<{ accountId: string; name: string; count: number }>();
  return results;
}

export async function deleteOldPeriods(db: D1Database, now: number): Promise<number> {
  const { meta } = await db
    .prepare("DELETE FROM account_periods WHERE start < ?1")
    .bind(now - KEPT_MS)
    .run();
  return meta.changes;
}
