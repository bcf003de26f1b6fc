import { SECOND_MS } from "../../model/limits";
import { checkDueBatches } from "../batches/feed";
import { recoverDeliveries } from "../deliveries/delivery-attempts";
import { sendDueAlerts } from "../deliveries/webhook-alerts";
import { recoverJob } from "../jobs/claims";
import { promoteWaiting } from "../jobs/slots";
import { JOB_COLUMNS, JOB_TABLES } from "../storage/job-row";
import type { Transaction } from "../storage/transaction";
import type { JobRow } from "../storage/types";

/** If an alarm invocation dies, the alarm fires again after this time. */
export const ALARM_RETRY_MS = 30 * SECOND_MS;
/** One alarm handles at most 100 jobs and 100 deliveries. */
const BATCH = 100;

/** Recovers the jobs and deliveries that are due. Returns true if the batch was full, so more may be due. */
export function recoverDue(tx: Transaction): boolean {
  const due = tx.all<JobRow>(
    `SELECT ${JOB_COLUMNS} FROM ${JOB_TABLES} WHERE j.due_at <= ?1 ORDER BY j.due_at LIMIT ${BATCH}`,
    tx.now,
  );
  for (const row of due) recoverJob(tx, row);
  promoteWaiting(tx);
  checkDueBatches(tx);
  const deliveries = recoverDeliveries(tx, BATCH);
  sendDueAlerts(tx);
  return due.length === BATCH || deliveries === BATCH;
}

/** Returns the time (Unix ms) at which the next work is due, or null if no work is due. */
export function toNextAlarm(sql: SqlStorage): number | null {
  const [row] = sql
    .exec<Record<string, number | null>>(
      `SELECT (SELECT MIN(due_at) FROM jobs WHERE due_at IS NOT NULL) AS job,
         (SELECT MIN(due_at) FROM deliveries WHERE stage = 'scheduled') AS scheduled,
         (SELECT MIN(due_at) FROM deliveries WHERE stage = 'sending') AS sending,
         (SELECT MIN(due_at) FROM webhook_alerts) AS alert,
         (SELECT MIN(due_at) FROM batches WHERE due_at IS NOT NULL) AS batch,
         (SELECT MIN(due_at) FROM temporary_results) AS temporary,
         (SELECT maintenance_at FROM account) AS maintenance`,
    )
    .toArray();
  const times = Object.values(row ?? {}).filter((at) => at !== null);
  return times.length === 0 ? null : Math.min(...times);
}
