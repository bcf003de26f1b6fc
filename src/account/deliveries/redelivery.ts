// Sends deliveries again. Each redelivery starts a new series of attempts, which is called a round.
import { ACCOUNT_ENDPOINT, REQUEST_ENDPOINT } from "../../model/delivery";
import type { JobKey } from "../../model/job";
import { EARLIER_ATTEMPTS_KEPT } from "../../model/limits";
import type { Transaction } from "../storage/transaction";
import { beginWaiting, DELIVERY_COLUMNS, type DeliveryRow, findDeliveryRow, toDelivery, toHost } from "./deliveries";
import { toInterrupted } from "./delivery-rules";
import type { RedeliverReply, RedeliveryCount, RedeliveryFilter } from "./delivery-types";
import { getWebhook } from "./webhook-settings";

const RESTARTED = "This attempt was interrupted because the delivery was restarted.";
/** Succeeded deliveries have no index by time. A query for them reads only this many of the newest deliveries. */
const MAX_SCANNED = 100_000;

interface Target {
  url: string;
  endpointId: string;
}

/**
 * Starts a new round of a delivery. `round` is the number of the last round. Has no effect if an earlier call has already
 * started the next round. The events are sent to `url`. If it is null, they are sent to the current URL of the delivery's
 * endpoint, or to the URL of the job's request.
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

/**
 * Starts a new round of the deliveries that match the filter, oldest first. The filter's `until` makes the call
 * idempotent, because a delivery that was redelivered at `until` or later doesn't match. An event that is already being
 * sent isn't sent again.
 */
export function redeliverAll(tx: Transaction, filter: RedeliveryFilter): RedeliveryCount {
  const rows = selectRows(tx, filter);
  const counts = { redelivered: 0, skipped: 0 };
  // The caller's clock, which was used for `until`, may be ahead of this Durable Object's clock.
  const at = Math.max(tx.now, filter.until);
  for (const row of rows.slice(0, filter.limit)) {
    const target = findTarget(tx, row, null);
    if (typeof target === "string") {
      tx.run("UPDATE deliveries SET redelivered_at = ?3 WHERE mode = ?1 AND id = ?2", row.mode, row.id, at);
      counts.skipped++;
    } else {
      restart(tx, row, { ...target, at });
      counts.redelivered++;
    }
  }
  beginWaiting(tx, "");
  return { ...counts, hasMore: rows.length > filter.limit };
}

const ABANDONED = "deliveries INDEXED BY deliveries_abandoned_by_time WHERE status = 'abandoned'";
const FAILED = [
  ABANDONED,
  "deliveries INDEXED BY deliveries_scheduled WHERE stage = 'scheduled' AND attempts <> '[]'",
  "deliveries INDEXED BY deliveries_waiting WHERE stage = 'waiting' AND attempts <> '[]'",
];
const SUCCEEDED = `(SELECT * FROM deliveries WHERE mode = ?1 ORDER BY id DESC LIMIT ${MAX_SCANNED}) WHERE status = 'succeeded'`;

/** For each status, the condition of the deliveries and the table or index that finds them. */
const SOURCES: Record<RedeliveryFilter["status"], string[]> = {
  abandoned: [ABANDONED],
  failed: FAILED,
  succeeded: [SUCCEEDED],
  all: [...FAILED, SUCCEEDED],
};

/** Returns the rows that match the filter, oldest first, and one more row than its limit if there are more. */
function selectRows(
  tx: Transaction,
  { mode, status, endpointId, since, until, limit }: RedeliveryFilter,
): DeliveryRow[] {
  const selects = SOURCES[status].map(
    (source) => `SELECT ${DELIVERY_COLUMNS} FROM ${source} AND mode = ?1 AND created_at >= ?2 AND created_at < ?3
      AND COALESCE(redelivered_at, created_at) < ?3 AND event <> 'webhook.test' AND (?4 IS NULL OR endpoint_id = ?4)`,
  );
  return tx.all<DeliveryRow>(
    `${selects.join(" UNION ALL ")} ORDER BY created_at, id LIMIT ?5`,
    ...[mode, since, until, endpointId, limit + 1],
  );
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
 * Makes a delivery wait for the first attempt of its next round. Logs an attempt that is being sent as interrupted. `at`
 * is the time of the redelivery (Unix ms).
 */
function restart(tx: Transaction, row: DeliveryRow, { url, endpointId, at }: Target & { at: number }): void {
  const cutShort = row.stage === "sending" && row.begun_at !== null ? [toInterrupted(row.begun_at, RESTARTED)] : [];
  const earlier = [...JSON.parse(row.earlier_attempts), ...JSON.parse(row.attempts), ...cutShort];
  tx.run(
    `UPDATE deliveries SET status = 'pending', stage = 'waiting', round = ?3, attempt = 0, token = NULL, attempts = '[]',
       earlier_attempts = ?4, next_attempt_at = ?5, due_at = NULL, unprepared_since = NULL, postponements = 0,
       url = ?6, host = ?7, endpoint_id = ?8, redelivered_at = ?9
     WHERE mode = ?1 AND id = ?2`,
    ...[row.mode, row.id, row.round + 1, JSON.stringify(earlier.slice(-EARLIER_ATTEMPTS_KEPT)), tx.now],
    ...[url, toHost(url), endpointId, at],
  );
}
