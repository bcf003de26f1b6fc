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
  /** JSON: see `Delivery.hook`. */
  hook: string | null;
  url: string;
  host: string;
  origin: string;
  status: DeliveryStatus;
  stage: "scheduled" | "waiting" | "sending" | null;
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
  due_at: number | null;
  created_at: number;
};

export const DELIVERY_COLUMNS = `mode, id, job_id, event, endpoint_id, payload, hook, url, host, origin, status, stage, round, attempt,
  token, begun_at, resends, unprepared_since, postponements, attempts, earlier_attempts, next_attempt_at, due_at, created_at`;

export function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    mode: row.mode,
    jobId: row.job_id,
    event: row.event,
    endpointId: row.endpoint_id,
    payload: row.payload,
    hook: row.hook === null ? null : JSON.parse(row.hook),
    url: row.url,
    origin: row.origin,
    status: row.status,
    round: row.round,
    attempts: JSON.parse(row.attempts),
    earlierAttempts: JSON.parse(row.earlier_attempts),
    nextAttemptAt: isHeld(row) ? row.due_at : row.next_attempt_at,
    delayedBy: isHeld(row) ? "failing_receiver" : isAboveLimit(row) ? "hourly_limit" : null,
    createdAt: row.created_at,
  };
}

/** Returns true if the next attempt waits for its turn, because the receiver is failing. */
function isHeld({ stage, due_at, next_attempt_at }: DeliveryRow): boolean {
  return stage === "scheduled" && due_at !== null && next_attempt_at !== null && due_at > next_attempt_at;
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

/** Counts the first attempt of a round. Returns the time at which the account's limit of events per hour allows it. */
export function reserveHour(tx: Transaction, mode: Mode): number {
  const isTrusted = mode === "live" && tx.state.settings.grantsEnabled;
  const limit = isTrusted ? EVENTS_PER_HOUR : UNVERIFIED_EVENTS_PER_HOUR;
  const last = tx.first<PlannedHour>("SELECT hour, events FROM delivery_hours WHERE mode = ?1", mode);
  const { hour, events } = planEvent(last, { limit, now: tx.now });
  tx.insert("delivery_hours", { mode, hour, events }, "REPLACE");
  return Math.max(hour, tx.now);
}

/** Starts the live events that wait for a later hour, because the account's limit was raised. */
export function releaseEvents(tx: Transaction): void {
  tx.run("DELETE FROM delivery_hours WHERE mode = 'live'");
  tx.run(
    `UPDATE deliveries INDEXED BY deliveries_scheduled SET next_attempt_at = ?1, due_at = ?1
     WHERE stage = 'scheduled' AND mode = 'live' AND attempts = '[]' AND unprepared_since IS NULL AND next_attempt_at > ?1`,
    tx.now,
  );
  tx.wakeAt(tx.now);
}

/** The deliveries to a host (?1) that wait for their turn. */
const HELD =
  "deliveries INDEXED BY deliveries_held WHERE stage = 'scheduled' AND due_at > next_attempt_at AND host = ?1";

/** Returns the time at which the next attempt to the host may start. Reserves a minute of a failing host. */
function reserveTurn(tx: Transaction, host: string): number {
  const receiver = tx.first<{ failures: number; next_at: number }>(
    "SELECT failures, next_at FROM failing_receivers WHERE host = ?1",
    host,
  );
  if (receiver === null || !isFailing(receiver.failures)) return tx.now;
  const turn = Math.max(receiver.next_at, tx.now);
  tx.run("UPDATE failing_receivers SET next_at = ?2 WHERE host = ?1", host, turn + MINUTE_MS);
  return turn;
}

/** The stage of a pending delivery, and the time at which the alarm must check it. */
type Step = Pick<DeliveryRow, "due_at"> & { stage: "scheduled" | "waiting" | "sending" };

/** Chooses what a delivery does now whose next attempt may start at `turn`. */
export function chooseStep(tx: Transaction, host: string, turn = reserveTurn(tx, host)): Step {
  if (turn <= tx.now && !mayBegin(tx, host)) return { stage: "waiting", due_at: null };
  const step: Step =
    turn > tx.now ? { stage: "scheduled", due_at: turn } : { stage: "sending", due_at: tx.now + resendDelay(0) };
  tx.wakeAt(step.due_at ?? Infinity);
  return step;
}

/** Starts the delivery's next attempt, or makes the delivery wait for its turn or for the send limits. */
export function beginOrWait(tx: Transaction, row: DeliveryRow): void {
  const { stage, due_at } = chooseStep(tx, row.host, isHeld(row) ? tx.now : undefined);
  if (stage !== "sending") {
    tx.update("deliveries", row, { stage, due_at });
    return;
  }
  const attempt = JSON.parse(row.attempts).length + 1;
  tx.update("deliveries", row, { stage, attempt, token: null, begun_at: null, resends: 0, due_at });
  sendMessage(tx, { ...row, attempt });
}

/** Sends the queue message of an attempt after the commit. */
export function sendMessage(
  tx: Transaction,
  { mode, id, round, attempt }: Pick<DeliveryRow, "mode" | "id" | "round" | "attempt">,
): void {
  tx.deliveries.push({ kind: "delivery", account: tx.state.account, mode, delivery: id, round, attempt });
}

/**
 * Starts attempts of waiting deliveries until a send limit is reached. The receivers take turns in alphabetical order.
 * The first turn goes to the receiver after `host`, because `host` has just freed a slot.
 */
export function beginWaiting(tx: Transaction, host: string): void {
  const blocked = new Set<string>();
  let current = host;
  // The loop ends when the account's send limit is reached, or when all waiting receivers were skipped one after the
  // other. A receiver is skipped only while it has an event in flight, so the number of skipped receivers is limited. A
  // delivery to a failing receiver gets a turn, and isn't waiting after it.
  for (let skipped = 0, moved = 0; skipped <= blocked.size && moved < MAX_MOVED; ) {
    const inFlight = readInFlight(tx);
    const next = maySend(inFlight) ? nextWaitingHost(tx, current) : null;
    if (next === null) return;
    current = next;
    if (!mayReceive(inFlight, next, readTimeouts(tx, next))) {
      blocked.add(next);
      skipped++;
      continue;
    }
    const row = tx.first<DeliveryRow>(
      `SELECT ${DELIVERY_COLUMNS} FROM deliveries WHERE stage = 'waiting' AND host = ?1
       ORDER BY next_attempt_at LIMIT 1`,
      next,
    );
    if (row === null) return;
    beginOrWait(tx, row);
    moved++;
    skipped = 0;
  }
}

/**
 * Returns the first host after `after`, in alphabetical order, that has waiting deliveries. If there is none, returns
 * the first host that has waiting deliveries. Returns null if no delivery waits.
 */
function nextWaitingHost(tx: Transaction, after: string): string | null {
  const query = "SELECT host FROM deliveries WHERE stage = 'waiting' AND host > ?1 ORDER BY host LIMIT 1";
  return tx.value<string>(query, after) ?? tx.value<string>(query, "");
}

/** Returns true if the send limits allow an attempt to this host. */
function mayBegin(tx: Transaction, host: string): boolean {
  const inFlight = readInFlight(tx);
  return maySend(inFlight) && mayReceive(inFlight, host, readTimeouts(tx, host));
}

function readInFlight(tx: Transaction): Map<string, number> & InFlight {
  const rows = tx.all<{ host: string; n: number }>(
    "SELECT host, COUNT(*) AS n FROM deliveries WHERE stage = 'sending' GROUP BY host",
  );
  return new Map(rows.map(({ host, n }) => [host, n]));
}

function readTimeouts(tx: Transaction, host: string): number {
  return tx.value<number>("SELECT timeouts FROM failing_receivers WHERE host = ?1", host) ?? 0;
}

/**
 * Counts a receiver's failures and timeouts in a row. A success ends both. It also releases deliveries that wait for
 * their turn. Each of them releases more when it succeeds.
 */
export function recordOutcome(
  tx: Transaction,
  host: string,
  { hasFailed, timedOut }: { hasFailed: boolean; timedOut: boolean },
): void {
  if (!hasFailed) {
    tx.run("DELETE FROM failing_receivers WHERE host = ?1", host);
    tx.run(
      `UPDATE deliveries SET stage = 'waiting', due_at = NULL WHERE (mode, id) IN
         (SELECT mode, id FROM ${HELD} ORDER BY due_at LIMIT ?2)`,
      ...[host, MAX_MOVED],
    );
    return;
  }
  // Deliveries that an earlier success hasn't released yet keep their minutes.
  const last = tx.value<number | null>(`SELECT MAX(due_at) FROM ${HELD}`, host);
  const failures = tx.value<number>(
    `INSERT INTO failing_receivers (host, timeouts, failures, next_at) VALUES (?1, ?2, 1, MAX(?3, ?4))
     ON CONFLICT DO UPDATE SET timeouts = (timeouts + 1) * ?2, failures = failures + 1, next_at = MAX(next_at, ?3)
     RETURNING failures`,
    ...[host, timedOut ? 1 : 0, tx.now + MINUTE_MS, (last ?? 0) + MINUTE_MS],
  );
  // Deletes the old rows of other receivers. A receiver that gets no more events would otherwise keep its row forever.
  if (failures === 1) tx.run("DELETE FROM failing_receivers WHERE next_at < ?1", tx.now + MINUTE_MS - DAY_MS);
}

/** One transaction moves at most this many deliveries. */
const MAX_MOVED = 100;
const MAX_COUNT = 10_000;
/** The status `succeeded` has no index. A query for it therefore reads only this many of the newest deliveries. */
const MAX_SCANNED = 100_000;

/** The queries for the delivery ids of a mode (?1), by status. Without `INDEXED BY`, SQLite would read all rows. */
const IDS_BY_STATUS: Record<DeliveryStatus | "any", string> = {
  any: "SELECT id FROM deliveries WHERE mode = ?1",
  pending: (["scheduled", "waiting", "sending"] as const)
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
  const count = tx.value<number>(`SELECT COUNT(*) FROM (SELECT 1 FROM (${ids}) LIMIT ${MAX_COUNT})`, mode);
  const total = Math.max(count ?? 0, rows.length === 0 ? 0 : offset + rows.length);
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
