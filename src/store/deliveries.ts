import type { Mode } from "../model/api-key";
import type { Attempt, Delivery, DeliveryEvent, DeliveryStatus } from "../model/delivery";
import { DELIVERY_WAKE_MS, EARLIER_ATTEMPTS_KEPT, MAX_WAKE_BACKOFF_MS } from "../model/limits";
import { dueOf, toShares } from "./sql";

interface DeliveryRow {
  id: string;
  account_id: string;
  mode: Mode;
  job_id: string | null;
  event: DeliveryEvent;
  url: string;
  origin: string;
  status: DeliveryStatus;
  round: number;
  attempts: string;
  earlier_attempts: string;
  next_attempt_at: number | null;
  created_at: number;
}

const COLUMNS = `id, account_id, mode, job_id, event, url, origin, status, round, attempts, earlier_attempts,
  next_attempt_at, created_at`;

function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    accountId: row.account_id,
    mode: row.mode,
    jobId: row.job_id,
    event: row.event,
    url: row.url,
    origin: row.origin,
    status: row.status,
    round: row.round,
    attempts: JSON.parse(row.attempts),
    earlierAttempts: JSON.parse(row.earlier_attempts),
    nextAttemptAt: row.next_attempt_at,
    createdAt: row.created_at,
  };
}

export async function getDelivery(db: D1Database, id: string): Promise<Delivery | null> {
  const row = await db.prepare(`SELECT ${COLUMNS} FROM deliveries WHERE id = ?1`).bind(id).first<DeliveryRow>();
  return row === null ? null : toDelivery(row);
}

/** A test event. Those of jobs are written by the trigger that ends them. */
export async function insertTestDelivery(
  db: D1Database,
  { id, accountId, mode, url, origin, createdAt }: NewDelivery,
): Promise<Delivery> {
  const row = await db
    .prepare(
      `INSERT INTO deliveries (id, account_id, mode, event, url, origin, next_attempt_at, wake_at, created_at)
       VALUES (?1, ?2, ?3, 'webhook.test', ?4, ?5, ?6, ?6 + ${DELIVERY_WAKE_MS}, ?6) RETURNING ${COLUMNS}`,
    )
    .bind(id, accountId, mode, url, origin, createdAt)
    .first<DeliveryRow>();
  if (row === null) throw new Error(`The delivery ${id} was not inserted.`);
  return toDelivery(row);
}

type NewDelivery = Pick<Delivery, "id" | "accountId" | "mode" | "url" | "origin" | "createdAt">;

/** How a round stands, as its object tells it. */
export interface Progress {
  id: string;
  round: number;
  status: DeliveryStatus;
  attempts: Attempt[];
  nextAttemptAt: number | null;
}

/**
 * Writes down how a round stands. May be repeated, and arrive late: what is known is never replaced by less, nor anything
 * written of a round that was started over.
 */
export async function recordProgress(db: D1Database, progress: Progress): Promise<void> {
  const { nextAttemptAt } = progress;
  await db
    .prepare(
      `UPDATE deliveries SET status = ?3, attempts = ?4, next_attempt_at = ?5, wake_at = ?6, looks = 0
       WHERE id = ?1 AND round = ?2 AND status = 'pending' AND json_array_length(attempts) <= json_array_length(?4)`,
    )
    .bind(
      progress.id,
      progress.round,
      progress.status,
      JSON.stringify(progress.attempts),
      nextAttemptAt,
      nextAttemptAt === null ? null : nextAttemptAt + DELIVERY_WAKE_MS,
    )
    .run();
}

/** The earlier attempts and this round's, the last few, in their order. */
const ALL_ATTEMPTS = `(SELECT json_group_array(json(value)) FROM (
  SELECT value FROM (
    SELECT 0 AS part, key, value FROM json_each(deliveries.earlier_attempts)
    UNION ALL SELECT 1, key, value FROM json_each(deliveries.attempts)
    ORDER BY part DESC, key DESC LIMIT ${EARLIER_ATTEMPTS_KEPT})
  ORDER BY part, key))`;

/** Adds an attempt that was cut short because its round was started over. */
export async function recordEarlierAttempt(db: D1Database, id: string, attempt: Attempt): Promise<void> {
  await db
    .prepare("UPDATE deliveries SET earlier_attempts = json_insert(earlier_attempts, '$[#]', json(?2)) WHERE id = ?1")
    .bind(id, JSON.stringify(attempt))
    .run();
}

/** Begins a new round of the delivery; what its object does for the present one counts no more. Returns it as it is then. */
export async function restartDelivery(db: D1Database, delivery: Delivery, now: number): Promise<Delivery | null> {
  await db
    .prepare(
      `UPDATE deliveries SET round = round + 1, status = 'pending', attempts = '[]', earlier_attempts = ${ALL_ATTEMPTS},
         next_attempt_at = ?3, wake_at = ?3 + ${DELIVERY_WAKE_MS}, looks = 0
       WHERE id = ?1 AND round = ?2`,
    )
    .bind(delivery.id, delivery.round, now)
    .run();
  // Of two at once, one began it: the round runs anew for both.
  return await getDelivery(db, delivery.id);
}

export interface DeliveryFilter {
  accountId: string;
  mode: Mode;
  status: DeliveryStatus | undefined;
  jobId: string | undefined;
  limit: number;
  offset: number;
  /** No more than so many are counted; undefined: all. */
  countTo?: number;
}

/** Newest first, with the number of all that match. */
export async function listDeliveries(
  db: D1Database,
  filter: DeliveryFilter,
): Promise<{ deliveries: Delivery[]; total: number }> {
  const conditions = ["account_id = ?1", "mode = ?2"];
  const values: (string | number)[] = [filter.accountId, filter.mode];
  // A condition that isn't asked for isn't there, so that each combination has its index.
  if (filter.status !== undefined) conditions.push(`status = ?${values.push(filter.status)}`);
  if (filter.jobId !== undefined) {
    const place = `?${values.push(filter.jobId)}`;
    conditions.push(`id = ${place} AND job_id = ${place}`);
  }
  const where = conditions.join(" AND ");
  const [limit, offset] = [`?${values.length + 1}`, `?${values.length + 2}`];
  const [page, count] = await db.batch<DeliveryRow | { total: number }>([
    db
      .prepare(
        `SELECT ${COLUMNS} FROM deliveries WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`,
      )
      .bind(...values, filter.limit, filter.offset),
    db
      .prepare(`SELECT COUNT(*) AS total FROM (SELECT 1 FROM deliveries WHERE ${where} LIMIT ${limit})`)
      .bind(...values, filter.countTo ?? -1),
  ]);
  const counted = count?.results[0] as { total: number } | undefined;
  return { deliveries: ((page?.results ?? []) as DeliveryRow[]).map(toDelivery), total: counted?.total ?? 0 };
}

export interface DueDelivery {
  id: string;
  round: number;
}

/** Deliveries whose objects somebody should have heard of by now, each put off to its next look, ever later. */
export async function takeDueDeliveries(db: D1Database, now: number, limit: number): Promise<DueDelivery[]> {
  const { results } = await db
    .prepare(
      `UPDATE deliveries SET looks = looks + 1,
         wake_at = ?1 + MIN(${DELIVERY_WAKE_MS} << MIN(looks, 10), ${MAX_WAKE_BACKOFF_MS})
       WHERE id IN (${dueOf("deliveries")})
       RETURNING id, round`,
    )
    .bind(now, ...toShares(limit))
    .all<DueDelivery>();
  return results;
}

/** Deliveries from before `before` (Unix ms) that have ended leave the database; returns how many. */
export async function deleteOldDeliveries(db: D1Database, before: number, limit: number): Promise<number> {
  const { meta } = await db
    .prepare(
      `DELETE FROM deliveries WHERE id IN
         (SELECT id FROM deliveries WHERE created_at <= ?1 AND wake_at IS NULL ORDER BY created_at LIMIT ?2)`,
    )
    .bind(before, limit)
    .run();
  return meta.changes;
}
