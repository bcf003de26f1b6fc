// Applies a change of a webhook endpoint to its pending deliveries.
import { ACCOUNT_ENDPOINT } from "../model/delivery";
import { beginWaiting, DELIVERY_COLUMNS, type DeliveryRow, toHost } from "./deliveries";
import { toInterrupted } from "./delivery-rules";
import type { Transaction } from "./transaction";
import type { EndpointKey } from "./webhook-types";

const STAGES = ["scheduled", "waiting", "sending"] as const;
const ABANDONED = "status = 'abandoned', stage = NULL, token = NULL, next_attempt_at = NULL, due_at = NULL";

/**
 * Sends the next attempts of an endpoint's pending deliveries to its new URL. Doesn't change deliveries that were
 * redelivered to another URL, or attempts that are being sent.
 */
export function moveDeliveries(tx: Transaction, { mode, id }: EndpointKey, { from, to }: { from: string; to: string }) {
  for (const stage of STAGES) {
    tx.run(
      `UPDATE deliveries INDEXED BY deliveries_${stage} SET url = ?4, host = ?5
       WHERE stage = '${stage}' AND mode = ?1 AND endpoint_id = ?2 AND url = ?3`,
      ...[mode, id, from, to, toHost(to)],
    );
  }
  // Deliveries that waited for the old host may be sent now, because the new host may have free slots.
  beginWaiting(tx, "");
}

/**
 * Abandons the pending deliveries of an endpoint that was deleted. The log of each delivery ends with the reason. For
 * ACCOUNT_ENDPOINT, abandons only deliveries to `url`, the account's URL that was removed, because the account's secret
 * can still sign deliveries to other URLs.
 */
export function stopDeliveries(tx: Transaction, { mode, id }: EndpointKey, url: string): void {
  const isAccountUrl = id === ACCOUNT_ENDPOINT;
  const cause = isAccountUrl ? "the account's webhook URL was removed" : "the webhook endpoint was deleted";
  const values = [mode, id, isAccountUrl ? url : null];
  const begun = tx.all<DeliveryRow>(
    `SELECT ${DELIVERY_COLUMNS} FROM deliveries INDEXED BY deliveries_sending
     WHERE stage = 'sending' AND mode = ?1 AND endpoint_id = ?2 AND (?3 IS NULL OR url = ?3) AND begun_at IS NOT NULL`,
    ...values,
  );
  const interrupted = `This attempt was interrupted because ${cause}. The receiver may have received the event.`;
  for (const row of begun) abandon(tx, row, JSON.stringify(toInterrupted(row.begun_at ?? tx.now, interrupted)));
  const unsent = JSON.stringify(toInterrupted(tx.now, `Not sent: ${cause}.`));
  for (const stage of STAGES) {
    tx.run(
      `UPDATE deliveries INDEXED BY deliveries_${stage} SET ${ABANDONED}, attempts = json_insert(attempts, '$[#]', json(?4))
       WHERE stage = '${stage}' AND mode = ?1 AND endpoint_id = ?2 AND (?3 IS NULL OR url = ?3)`,
      ...values,
      unsent,
    );
  }
  // The stopped attempts used slots that are now free.
  beginWaiting(tx, "");
}

function abandon(tx: Transaction, { mode, id }: DeliveryRow, entry: string): void {
  tx.run(
    `UPDATE deliveries SET ${ABANDONED}, attempts = json_insert(attempts, '$[#]', json(?3))
     WHERE mode = ?1 AND id = ?2`,
    ...[mode, id, entry],
  );
}
