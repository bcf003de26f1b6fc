import type { Delivery, DeliveryStatus } from "../model/delivery";
import type { JobKey } from "../model/job";
import { DELIVERY_COLUMNS, type DeliveryRow, findDeliveryRow, toDelivery } from "./deliveries";
import type { DeliveryFilter, DeliveryPage } from "./delivery-types";
import type { Transaction } from "./transaction";

const MAX_COUNT = 10_000;
/** The status `succeeded` has no index. A query for it therefore reads only this many of the newest deliveries. */
const MAX_SCANNED = 100_000;

/**
 * For each status, the query for the delivery ids of a mode (?1). Without `INDEXED BY`, SQLite would choose the primary
 * key and read all rows of the mode.
 */
const IDS_BY_STATUS: Record<DeliveryStatus | "any", string> = {
  any: "SELECT id FROM deliveries WHERE mode = ?1",
  pending: (["scheduled", "waiting", "sending"] as const)
    .map((stage) => `SELECT id FROM deliveries INDEXED BY deliveries_${stage} WHERE stage = '${stage}' AND mode = ?1`)
    .join(" UNION ALL "),
  abandoned: "SELECT id FROM deliveries INDEXED BY deliveries_abandoned WHERE mode = ?1 AND status = 'abandoned'",
  succeeded: `SELECT id FROM (SELECT id, status FROM deliveries WHERE mode = ?1 ORDER BY id DESC LIMIT ${MAX_SCANNED})
    WHERE status = 'succeeded'`,
};

/** Returns a delivery, or null if it doesn't exist. */
export function getDelivery(tx: Transaction, key: { mode: Delivery["mode"]; id: string }): Delivery | null {
  const row = findDeliveryRow(tx, key);
  return row === null ? null : toDelivery(row);
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
