// Tells the account's owner about abandoned deliveries. Each alert counts the abandoned deliveries to one endpoint since
// the last email. The alarm sends a message for each alert that is due, and a Worker sends the email.
import type { Mode } from "../../model/api-key";
import type { Delivery } from "../../model/delivery";
import { WEBHOOK_ALERT_INTERVAL_MS } from "../../model/limits";
import { PERIOD_MS, toPeriod } from "../../model/service-counts";
import type { Transaction } from "../storage/transaction";
import { type DeliveryRow, findDeliveryRow, toDelivery } from "./deliveries";
import { resendDelay } from "./delivery-rules";
import type { EndpointKey } from "./webhook-settings";

/** An alert is dropped after this many messages without a report. They take about five hours. */
const MAX_TRIES = 10;

/** The numbers of abandoned deliveries are kept for this time, for the summary. */
const COUNTED_MS = 6 * PERIOD_MS;

/** The content of an email about abandoned deliveries. */
export interface WebhookAlert {
  /** The number of deliveries that were abandoned since the last email. */
  abandoned: number;
  /** The latest of these deliveries. Null if it was deleted. */
  latest: Delivery | null;
}

/** Counts an abandoned delivery. Test events don't count, because the user who sends one sees its outcome. */
export function recordAbandoned(tx: Transaction, { mode, id, endpoint_id, event }: DeliveryRow): void {
  if (event === "webhook.test") return;
  if (mode === "live") countAbandoned(tx);
  const row = tx.first<{ due_at: number }>(
    `INSERT INTO webhook_alerts (mode, endpoint_id, abandoned, delivery_id, due_at) VALUES (?1, ?2, 1, ?3, ?4)
     ON CONFLICT (mode, endpoint_id) DO UPDATE SET abandoned = abandoned + 1, delivery_id = excluded.delivery_id,
       due_at = COALESCE(due_at, MAX(excluded.due_at, COALESCE(sent_at, 0) + ?5))
     RETURNING due_at`,
    ...[mode, endpoint_id, id, tx.now, WEBHOOK_ALERT_INTERVAL_MS],
  );
  if (row !== null) tx.wakeAt(row.due_at);
}

function countAbandoned(tx: Transaction): void {
  tx.run(
    `INSERT INTO recent_abandoned (period, deliveries) VALUES (?1, 1)
     ON CONFLICT (period) DO UPDATE SET deliveries = deliveries + 1`,
    toPeriod(tx.now),
  );
  tx.run("DELETE FROM recent_abandoned WHERE period < ?1", tx.now - COUNTED_MS);
}

/** Sends the messages of the alerts that are due. A message that gets lost is sent again. */
export function sendDueAlerts(tx: Transaction): void {
  const due = tx.all<{ mode: Mode; endpoint_id: string; tries: number }>(
    "SELECT mode, endpoint_id, tries FROM webhook_alerts WHERE due_at <= ?1",
    tx.now,
  );
  for (const { mode, endpoint_id: id, tries } of due) {
    if (tries >= MAX_TRIES) {
      endAlert(tx, { mode, id }, null);
      continue;
    }
    const dueAt = tx.now + resendDelay(tries);
    tx.run(
      "UPDATE webhook_alerts SET tries = tries + 1, due_at = ?3 WHERE mode = ?1 AND endpoint_id = ?2",
      ...[mode, id, dueAt],
    );
    tx.wakeAt(dueAt);
    tx.alerts.push({ kind: "webhook_alert", account: tx.state.account, mode, endpoint: id });
  }
}

/** Returns the alert of an endpoint, or null if there is nothing to tell or the email was already sent. */
export function readAlert(tx: Transaction, { mode, id }: EndpointKey): WebhookAlert | null {
  const row = tx.first<{ abandoned: number; delivery_id: string }>(
    "SELECT abandoned, delivery_id FROM webhook_alerts WHERE mode = ?1 AND endpoint_id = ?2 AND abandoned > 0 AND tries > 0",
    ...[mode, id],
  );
  if (row === null) return null;
  const delivery = findDeliveryRow(tx, { mode, id: row.delivery_id });
  return { abandoned: row.abandoned, latest: delivery === null ? null : toDelivery(delivery) };
}

/**
 * Ends an alert. `told` is the number of abandoned deliveries in the email, or null if the alert is dropped. Deliveries
 * that were abandoned in the meantime are told in the next email.
 */
export function endAlert(tx: Transaction, { mode, id }: EndpointKey, told: number | null): void {
  const row = tx.first<{ due_at: number | null }>(
    `UPDATE webhook_alerts SET abandoned = MAX(0, abandoned - COALESCE(?3, abandoned)), tries = 0,
       sent_at = CASE WHEN ?3 IS NULL THEN sent_at ELSE ?4 END,
       due_at = CASE WHEN abandoned > COALESCE(?3, abandoned) THEN ?4 + ?5 END
     WHERE mode = ?1 AND endpoint_id = ?2 AND tries > 0 RETURNING due_at`,
    ...[mode, id, told, tx.now, WEBHOOK_ALERT_INTERVAL_MS],
  );
  if (row !== null && row.due_at !== null) tx.wakeAt(row.due_at);
}
