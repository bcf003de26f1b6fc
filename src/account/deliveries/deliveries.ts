// Reads webhook deliveries and applies the send limits. A delivery waits while a limit is reached. See
// new-deliveries.ts for new deliveries, and delivery-attempts.ts for attempts.
import type { Mode } from "../../model/api-key";
import type { Delivery, DeliveryEvent, DeliveryStatus } from "../../model/delivery";
import type { Job, JobKey } from "../../model/job";
import { DAY_MS, EVENTS_PER_HOUR, MINUTE_MS, UNVERIFIED_EVENTS_PER_HOUR } from "../../model/limits";
import { readJob } from "../storage/job-row";
import type { Transaction } from "../storage/transaction";
import {
  type InFlight,
  isFailing,
  mayReceive,
  maySend,
  type PlannedHour,
  planEvent,
  resendDelay,
} from "./delivery-rules";
import type { DeliveryFilter, DeliveryPage } from "./delivery-types";

export type DeliveryRow = {
  mode: Mode;
  id: string;
  job_id: string | null;
  event: DeliveryEvent;
  endpoint_id: string;
  payload: string | null;
  url: string;
  host: string;
  origin: string;
  status: DeliveryStatus;
  stage: "scheduled" | "waiting" | "held" | "sending" | null;
  round: number;
  attempt: number;
  token: string | null;
  begun_at: number | null;
  resends: number;
  unprepared_since: number | null;
  postponements: number;
  attempts: string;
  earlier_attempts: string;
  next_attempt_at: number | null;
  created_at: number;
};

export const DELIVERY_COLUMNS = `mode, id, job_id, event, endpoint_id, payload, url, host, origin, status, stage, round, attempt,
  token, begun_at, resends, unprepared_since, postponements, attempts, earlier_attempts, next_attempt_at, created_at`;

export function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    mode: row.mode,
    jobId: row.job_id,
    event: row.event,
    endpointId: row.endpoint_id,
    payload: row.payload,
    url: row.url,
    origin: row.origin,
    status: row.status,
    round: row.round,
    attempts: JSON.parse(row.attempts),
    earlierAttempts: JSON.parse(row.earlier_attempts),
    nextAttemptAt: row.next_attempt_at,
    delayedBy: row.stage === "held" ? "failing_receiver" : isAboveLimit(row) ? "hourly_limit" : null,
    createdAt: row.created_at,
  };
}

/** Only a delivery above the hourly limit is scheduled before its first attempt, unless preparing its event failed. */
function isAboveLimit({ stage, attempts, unprepared_since }: DeliveryRow): boolean {
  return stage === "scheduled" && attempts === "[]" && unprepared_since === null;
}

export function findDeliveryRow(tx: Transaction, { mode, id }: JobKey): DeliveryRow | null {
  return tx.first<DeliveryRow>(`SELECT ${DELIVERY_COLUMNS} FROM deliveries WHERE mode = ?1 AND id = ?2`, mode, id);
}

/** Returns the host of a URL, by which the send limits count deliveries. */
export function toHost(url: string): string {
  return URL.parse(url)?.host ?? url;
}

/** Plans the first attempt of a round within the account's limit of events per hour. Writes nothing. */
export function planRound(tx: Transaction, mode: Mode): PlannedHour {
  const isTrusted = mode === "live" && tx.state.settings.grantsEnabled;
  const limit = isTrusted ? EVENTS_PER_HOUR : UNVERIFIED_EVENTS_PER_HOUR;
  const last = tx.first<{ hour: number; events: number }>(
    "SELECT hour, events FROM delivery_hours WHERE mode = ?1",
    mode,
  );
  return planEvent(last, { limit, now: tx.now });
}

/** Stores the plan of a round that was inserted or restarted. */
export function storePlan(tx: Transaction, mode: Mode, { hour, events }: PlannedHour): void {
  tx.run("INSERT OR REPLACE INTO delivery_hours (mode, hour, events) VALUES (?1, ?2, ?3)", mode, hour, events);
  if (hour > tx.now) tx.wakeAt(hour);
}

/** Starts the delivery's next attempt, or makes the delivery wait if the send limits are reached. */
export function beginOrWait(tx: Transaction, row: DeliveryRow): void {
  const isRowHeld = isHeld(tx, row.host);
  if (!isRowHeld && mayBegin(tx, row.host)) {
    begin(tx, row);
    return;
  }
  const stage = isRowHeld ? "held" : "waiting";
  tx.run("UPDATE deliveries SET stage = ?3, due_at = NULL WHERE mode = ?1 AND id = ?2", row.mode, row.id, stage);
  if (isRowHeld) scheduleHeld(tx, row.host);
}

/** Starts the next attempt: stores its number, and sends its queue message after the commit. */
function begin(tx: Transaction, { mode, id, round, attempts }: DeliveryRow): void {
  const attempt = JSON.parse(attempts).length + 1;
  const dueAt = tx.now + resendDelay(0);
  tx.run(
    `UPDATE deliveries SET stage = 'sending', attempt = ?3, token = NULL, begun_at = NULL, resends = 0, due_at = ?4
     WHERE mode = ?1 AND id = ?2`,
    ...[mode, id, attempt, dueAt],
  );
  tx.wakeAt(dueAt);
  tx.deliveries.push({ kind: "delivery", account: tx.state.account, mode, delivery: id, round, attempt });
}

/**
 * Starts attempts of waiting deliveries until a send limit is reached. The receivers take turns in alphabetical order.
 * The first turn goes to the receiver after `host`, because `host` has just freed a slot.
 */
export function beginWaiting(tx: Transaction, host: string): void {
  const inFlight = readInFlight(tx);
  const blocked = new Set<string>();
  let current = host;
  // The loop ends when the account's send limit is reached, or when all waiting receivers were skipped one after the
  // other. A receiver is skipped only while it has an event in flight, so the number of skipped receivers is limited.
  for (let skipped = 0; maySend(inFlight) && skipped <= blocked.size; ) {
    const next = nextWaitingHost(tx, current);
    if (next === null) return;
    current = next;
    const { timeouts, failures } = readReceiver(tx, next);
    if (isFailing(failures)) {
      moveStage(tx, next, { from: "waiting", to: "held" });
      scheduleHeld(tx, next);
      blocked.add(next);
      skipped++;
    } else if (mayReceive(inFlight, next, timeouts)) {
      const row = tx.first<DeliveryRow>(
        `SELECT ${DELIVERY_COLUMNS} FROM deliveries WHERE stage = 'waiting' AND host = ?1
         ORDER BY next_attempt_at LIMIT 1`,
        next,
      );
      if (row === null) return;
      begin(tx, row);
      inFlight.set(next, (inFlight.get(next) ?? 0) + 1);
      skipped = 0;
    } else {
      blocked.add(next);
      skipped++;
    }
  }
}

/**
 * Returns the first host after `after`, in alphabetical order, that has waiting deliveries. If there is none, returns
 * the first host that has waiting deliveries. Returns null if no delivery waits.
 */
function nextWaitingHost(tx: Transaction, after: string): string | null {
  const query = "SELECT host FROM deliveries WHERE stage = 'waiting' AND host > ?1 ORDER BY host LIMIT 1";
  return (tx.first<{ host: string }>(query, after) ?? tx.first<{ host: string }>(query, ""))?.host ?? null;
}

/** Returns true if the send limits allow an attempt to this host. */
export function mayBegin(tx: Transaction, host: string): boolean {
  const inFlight = readInFlight(tx);
  return maySend(inFlight) && mayReceive(inFlight, host, readReceiver(tx, host).timeouts);
}

function readInFlight(tx: Transaction): Map<string, number> & InFlight {
  const rows = tx.all<{ host: string; n: number }>(
    "SELECT host, COUNT(*) AS n FROM deliveries WHERE stage = 'sending' GROUP BY host",
  );
  return new Map(rows.map(({ host, n }) => [host, n]));
}

function readReceiver(tx: Transaction, host: string): { timeouts: number; failures: number } {
  const row = tx.first<{ timeouts: number; failures: number }>(
    "SELECT timeouts, failures FROM failing_receivers WHERE host = ?1",
    host,
  );
  return row ?? { timeouts: 0, failures: 0 };
}

/** Returns true if the host has failed so often in a row that its deliveries are held. */
export function isHeld(tx: Transaction, host: string): boolean {
  return isFailing(readReceiver(tx, host).failures);
}

/** Counts a receiver's failures and timeouts in a row. A success ends both, and releases the held deliveries. */
export function recordOutcome(
  tx: Transaction,
  host: string,
  { hasFailed, timedOut }: { hasFailed: boolean; timedOut: boolean },
): void {
  const { failures, timeouts } = readReceiver(tx, host);
  if (!hasFailed) {
    if (isFailing(failures)) {
      tx.run("UPDATE failing_receivers SET failures = 0, timeouts = 0, due_at = ?2 WHERE host = ?1", host, tx.now);
      tx.wakeAt(tx.now);
    } else if (failures > 0) {
      tx.run("DELETE FROM failing_receivers WHERE host = ?1 AND due_at IS NULL", host);
      // The alarm deletes the row after it has released the last delivery.
      tx.run("UPDATE failing_receivers SET failures = 0, timeouts = 0 WHERE host = ?1", host);
    }
    return;
  }
  // Deletes the old rows of other receivers. A receiver that gets no more events would otherwise keep its row forever.
  if (failures === 0) tx.run("DELETE FROM failing_receivers WHERE failed_at < ?1 AND due_at IS NULL", tx.now - DAY_MS);
  tx.run(
    `INSERT INTO failing_receivers (host, timeouts, failures, failed_at) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT DO UPDATE SET timeouts = excluded.timeouts, failures = excluded.failures, failed_at = excluded.failed_at`,
    ...[host, timedOut ? timeouts + 1 : 0, failures + 1, tx.now],
  );
}

/** Makes the alarm start the next held delivery of a failing receiver, a minute after the last failure. */
export function scheduleHeld(tx: Transaction, host: string): void {
  const row = tx.first<{ due_at: number }>(
    `UPDATE failing_receivers SET due_at = COALESCE(due_at, MAX(?2, failed_at + ?3)) WHERE host = ?1 RETURNING due_at`,
    ...[host, tx.now, MINUTE_MS],
  );
  if (row !== null) tx.wakeAt(row.due_at);
}

/** Moves up to `MAX_MOVED` deliveries of a host to another stage. Returns their number. */
function moveStage(tx: Transaction, host: string, { from, to }: { from: "waiting" | "held"; to: string }): number {
  const moved = tx.all(
    `UPDATE deliveries SET stage = ?2 WHERE (mode, id) IN
       (SELECT mode, id FROM deliveries WHERE stage = '${from}' AND host = ?1 ORDER BY next_attempt_at LIMIT ?3)
     RETURNING id`,
    ...[host, to, MAX_MOVED],
  );
  return moved.length;
}

/** Starts one held delivery of each failing receiver that is due. Releases those of receivers that have succeeded. */
export function recoverReceivers(tx: Transaction): void {
  const due = tx.all<{ host: string; failures: number }>(
    "SELECT host, failures FROM failing_receivers WHERE due_at <= ?1 LIMIT ?2",
    ...[tx.now, MAX_MOVED],
  );
  for (const { host, failures } of due) {
    if (!isFailing(failures)) {
      if (moveStage(tx, host, { from: "held", to: "waiting" }) === MAX_MOVED) continue;
      tx.run("UPDATE failing_receivers SET due_at = NULL WHERE host = ?1", host);
      tx.run("DELETE FROM failing_receivers WHERE host = ?1 AND failures = 0", host);
      continue;
    }
    const row = tx.first<DeliveryRow>(
      `SELECT ${DELIVERY_COLUMNS} FROM deliveries WHERE stage = 'held' AND host = ?1 ORDER BY next_attempt_at LIMIT 1`,
      host,
    );
    const dueAt = row === null ? null : tx.now + MINUTE_MS;
    tx.run("UPDATE failing_receivers SET due_at = ?2 WHERE host = ?1", host, dueAt);
    if (dueAt !== null) tx.wakeAt(dueAt);
    if (row !== null && mayBegin(tx, host)) begin(tx, row);
  }
}

/** One transaction moves at most this many deliveries of a receiver. */
const MAX_MOVED = 100;
const MAX_COUNT = 10_000;
/** The status `succeeded` has no index. A query for it therefore reads only this many of the newest deliveries. */
const MAX_SCANNED = 100_000;

/**
 * For each status, the query for the delivery ids of a mode (?1). Without `INDEXED BY`, SQLite would choose the primary
 * key and read all rows of the mode.
 */
const IDS_BY_STATUS: Record<DeliveryStatus | "any", string> = {
  any: "SELECT id FROM deliveries WHERE mode = ?1",
  pending: (["scheduled", "waiting", "held", "sending"] as const)
    .map((stage) => `SELECT id FROM deliveries INDEXED BY deliveries_${stage} WHERE stage = '${stage}' AND mode = ?1`)
    .join(" UNION ALL "),
  abandoned: "SELECT id FROM deliveries INDEXED BY deliveries_abandoned WHERE mode = ?1 AND status = 'abandoned'",
  succeeded: `SELECT id FROM (SELECT id, status FROM deliveries WHERE mode = ?1 ORDER BY id DESC LIMIT ${MAX_SCANNED})
    WHERE status = 'succeeded'`,
};

/**
 * Returns a delivery with all its attempts, and its job. The job is null if the event isn't about a job, or if the job
 * no longer exists. Returns null if the delivery doesn't exist.
 */
export function getDelivery(tx: Transaction, key: JobKey): { delivery: Delivery; job: Job | null } | null {
  const row = findDeliveryRow(tx, key);
  if (row === null) return null;
  return {
    delivery: toDelivery(row),
    job: row.job_id === null ? null : readJob(tx, { mode: key.mode, id: row.job_id }),
  };
}

/** Lists deliveries, newest first. */
export function listDeliveries(tx: Transaction, { mode, status, jobId, limit, offset }: DeliveryFilter): DeliveryPage {
  if (jobId !== undefined) {
    const found = listDeliveriesOf(tx, { mode, id: jobId }).filter((row) => (status ?? row.status) === row.status);
    const page = found.slice(offset, offset + limit);
    return { deliveries: page.map(toDelivery), total: found.length, totalIsEstimate: false };
  }
  const ids = IDS_BY_STATUS[status ?? "any"];
  const rows = tx.all<DeliveryRow>(
    `SELECT ${DELIVERY_COLUMNS} FROM deliveries
     WHERE mode = ?1 AND id IN (SELECT id FROM (${ids}) ORDER BY id DESC LIMIT ?2 OFFSET ?3) ORDER BY id DESC`,
    ...[mode, limit, offset],
  );
  const count = tx.first<{ n: number }>(`SELECT COUNT(*) AS n FROM (SELECT 1 FROM (${ids}) LIMIT ${MAX_COUNT})`, mode);
  const total = Math.max(count?.n ?? 0, rows.length === 0 ? 0 : offset + rows.length);
  return { deliveries: rows.map(toDelivery), total, totalIsEstimate: total >= MAX_COUNT };
}

/** Returns the rows of a job's deliveries, newest first. A job has one delivery for each endpoint. */
function listDeliveriesOf(tx: Transaction, { mode, id }: JobKey): DeliveryRow[] {
  const first = findDeliveryRow(tx, { mode, id });
  const further = tx.all<DeliveryRow>(
    `SELECT ${DELIVERY_COLUMNS} FROM deliveries INDEXED BY deliveries_by_job
     WHERE mode = ?1 AND job_id = ?2 AND job_id <> id ORDER BY id DESC`,
    ...[mode, id],
  );
  return first === null || first.job_id !== id ? further : [...further, first];
}
