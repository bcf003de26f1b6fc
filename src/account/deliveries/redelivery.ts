// Sends deliveries again. Each redelivery starts a new series of attempts, which is called a round.
import { ACCOUNT_ENDPOINT, REQUEST_ENDPOINT } from "../../model/delivery";
import type { JobKey } from "../../model/job";
import { EARLIER_ATTEMPTS_KEPT } from "../../model/limits";
import type { Transaction } from "../storage/transaction";
import {
  beginWaiting,
  DELIVERY_COLUMNS,
  type DeliveryRow,
  findDeliveryRow,
  reserveHour,
  toDelivery,
  toHost,
} from "./deliveries";
import { toInterrupted } from "./delivery-rules";
import type { RedeliverReply, RedeliveryCount, RedeliveryFilter } from "./delivery-types";
import { getWebhook } from "./webhook-settings";

const RESTARTED = "This attempt was interrupted because the delivery was restarted.";
/** One transaction starts at most this many rounds. */
const MAX_RESTARTED = 20;
/** Succeeded deliveries have no index by time. One transaction reads this many deliveries to find them. */
const WINDOW_ROWS = 2_500;

interface Target {
  url: string;
  endpointId: string;
}

/**
 * Starts a new round of a delivery. `round` is the number of the last round. Has no effect if an earlier call has
 * already started the next round. The events are sent to `url`. If it is null, they are sent to the current URL of the
 * delivery's endpoint, or to the URL of the job's request.
 */
export function redeliver(tx: Transaction, key: JobKey, round: number, url: string | null = null): RedeliverReply {
  const row = findDeliveryRow(tx, key);
  if (row === null) return { kind: "missing" };
  if (row.round === round) {
    const target = findTarget(tx, row, url);
    if (typeof target === "string") return { kind: target };
    restart(tx, row, { ...target, at: tx.now });
    // The restart may have freed a slot. If the restarted delivery can't start yet, a delivery to another receiver can.
    beginWaiting(tx, row.host);
  }
  return { kind: "restarted", delivery: toDelivery(findDeliveryRow(tx, key) ?? row) };
}

export interface RedeliveryPosition {
  /** False while the call reads the failed deliveries, which it does first. */
  isSucceeded: boolean;
  /** The last id that was read of the deliveries that may have succeeded. */
  after: string;
}

/** The outcome of one transaction of a bulk redelivery. */
export interface RedeliveryPart extends RedeliveryCount {
  kind: "part";
  /** The position of the next transaction. Null if no other delivery can match. */
  next: RedeliveryPosition | null;
}

/** Returns the position at which the bulk redelivery of deliveries with this status starts. */
export function toRedeliveryStart(status: RedeliveryFilter["status"]): RedeliveryPosition {
  return { isSucceeded: status === "succeeded", after: "" };
}

/**
 * Starts a new round of some deliveries that match the filter, the failed ones first, and each kind oldest first. The
 * filter's `until` makes the call idempotent, because a delivery that was redelivered at `until` or later doesn't
 * match. An event that is already being sent isn't sent again.
 */
export function redeliverPart(tx: Transaction, filter: RedeliveryFilter, at: RedeliveryPosition): RedeliveryPart {
  const limit = Math.min(filter.limit, MAX_RESTARTED);
  const { rows, end } = at.isSucceeded
    ? selectSucceeded(tx, filter, at.after)
    : { rows: selectFailed(tx, { ...filter, limit: limit + 1 }), end: null };
  const counts = { redelivered: 0, skipped: 0 };
  // The caller's clock, which was used for `until`, may be ahead of this Durable Object's clock.
  const redeliveredAt = Math.max(tx.now, filter.until);
  for (const row of rows.slice(0, limit)) {
    const target = findTarget(tx, row, null);
    if (typeof target === "string") {
      tx.run("UPDATE deliveries SET redelivered_at = ?3 WHERE mode = ?1 AND id = ?2", row.mode, row.id, redeliveredAt);
      counts.skipped++;
    } else {
      restart(tx, row, { ...target, at: redeliveredAt });
      counts.redelivered++;
    }
  }
  beginWaiting(tx, "");
  // Redelivered rows no longer match, so the next transaction can start at the same position.
  if (rows.length > limit) return { kind: "part", ...counts, hasMore: true, next: at };
  const next = at.isSucceeded ? end : filter.status === "all" ? toRedeliveryStart("succeeded") : null;
  return {
    kind: "part",
    ...counts,
    hasMore: false,
    next: next === null ? null : { isSucceeded: true, after: next.after },
  };
}

const ABANDONED = "deliveries INDEXED BY deliveries_abandoned_by_time WHERE status = 'abandoned'";
const FAILED = [
  ABANDONED,
  "deliveries INDEXED BY deliveries_scheduled WHERE stage = 'scheduled' AND attempts <> '[]'",
  "deliveries INDEXED BY deliveries_waiting WHERE stage = 'waiting' AND attempts <> '[]'",
];
/** The condition of the deliveries that match a filter. */
const MATCHES = `mode = ?1 AND created_at >= ?2 AND created_at < ?3 AND COALESCE(redelivered_at, created_at) < ?3
  AND event <> 'webhook.test' AND (?4 IS NULL OR endpoint_id = ?4)`;

/** Returns failed deliveries that match the filter, oldest first. */
function selectFailed(
  tx: Transaction,
  { mode, status, endpointId, since, until, limit }: RedeliveryFilter,
): DeliveryRow[] {
  // Reads each source in the order of its index, and only as far as necessary.
  const selects = (status === "abandoned" ? [ABANDONED] : FAILED).map(
    (source) =>
      `SELECT * FROM (SELECT ${DELIVERY_COLUMNS} FROM ${source} AND ${MATCHES} ORDER BY created_at, id LIMIT ?5)`,
  );
  return tx.all<DeliveryRow>(
    `${selects.join(" UNION ALL ")} ORDER BY created_at, id LIMIT ?5`,
    ...[mode, since, until, endpointId, limit],
  );
}

/**
 * Reads a window of deliveries after an id. Returns the succeeded ones that match the filter, and the end of the
 * window, which is null if it contains the last delivery.
 */
function selectSucceeded(
  tx: Transaction,
  { mode, endpointId, since, until }: RedeliveryFilter,
  after: string,
): { rows: DeliveryRow[]; end: { after: string } | null } {
  const last = tx.first<{ id: string }>(
    "SELECT id FROM deliveries WHERE mode = ?1 AND id > ?2 ORDER BY id LIMIT 1 OFFSET ?3",
    ...[mode, after, WINDOW_ROWS - 1],
  );
  const rows = tx.all<DeliveryRow>(
    `SELECT ${DELIVERY_COLUMNS} FROM deliveries
     WHERE ${MATCHES} AND status = 'succeeded' AND id > ?5 AND (?6 IS NULL OR id <= ?6) ORDER BY id LIMIT ?7`,
    ...[mode, since, until, endpointId, after, last?.id ?? null, MAX_RESTARTED + 1],
  );
  return { rows, end: last === null ? null : { after: last.id } };
}

/** Returns the URL and the endpoint of a delivery's next round, or the reason why it can't be sent. */
function findTarget(tx: Transaction, row: DeliveryRow, url: string | null): Target | "no_url" | "no_endpoint" {
  const { endpoint_id: endpointId } = row;
  const webhook = getWebhook(tx, { mode: row.mode, id: endpointId });
  // The secret of a deleted endpoint is gone, so the account's secret signs.
  if (url !== null) {
    const isDeleted = webhook === null && endpointId !== ACCOUNT_ENDPOINT;
    return { url, endpointId: isDeleted ? REQUEST_ENDPOINT : endpointId };
  }
  if (endpointId === REQUEST_ENDPOINT) return { url: row.url, endpointId };
  if (webhook === null && endpointId !== ACCOUNT_ENDPOINT) return "no_endpoint";
  return webhook === null || webhook.url === null ? "no_url" : { url: webhook.url, endpointId };
}

/**
 * Makes a delivery wait for the first attempt of its next round, which counts as another event. If an attempt is being
 * sent, its log entry says that it was interrupted. `at` is the time of the redelivery (Unix ms).
 */
function restart(tx: Transaction, row: DeliveryRow, { url, endpointId, at }: Target & { at: number }): void {
  const cutShort = row.stage === "sending" && row.begun_at !== null ? [toInterrupted(row.begun_at, RESTARTED)] : [];
  const hour = reserveHour(tx, row.mode);
  const dueAt = hour > tx.now ? hour : null;
  if (dueAt !== null) tx.wakeAt(dueAt);
  const earlier = [...JSON.parse(row.earlier_attempts), ...JSON.parse(row.attempts), ...cutShort];
  tx.run(
    `UPDATE deliveries SET status = 'pending', stage = ?10, round = ?3, attempt = 0, token = NULL, attempts = '[]',
       earlier_attempts = ?4, next_attempt_at = ?5, due_at = ?11, unprepared_since = NULL, postponements = 0,
       url = ?6, host = ?7, endpoint_id = ?8, redelivered_at = ?9
     WHERE mode = ?1 AND id = ?2`,
    ...[row.mode, row.id, row.round + 1, JSON.stringify(earlier.slice(-EARLIER_ATTEMPTS_KEPT)), hour],
    ...[url, toHost(url), endpointId, at, dueAt === null ? "waiting" : "scheduled", dueAt],
  );
}
