// Handles the attempts of deliveries. A Worker starts an attempt, posts the event and reports the outcome.
import { ACCOUNT_ENDPOINT, type Attempt, type AttemptRef, REQUEST_ENDPOINT } from "../../model/delivery";
import { MINUTE_MS } from "../../model/limits";
import { discardDelivered } from "../retention/temporary-results";
import { readJob } from "../storage/job-row";
import type { Columns, Transaction } from "../storage/transaction";
import {
  beginOrWait,
  beginWaiting,
  DELIVERY_COLUMNS,
  type DeliveryRow,
  findDeliveryRow,
  recordOutcome,
  sendMessage,
  toDelivery,
  toHost,
} from "./deliveries";
import {
  countAttempts,
  decideNext,
  isSuccess,
  type NextStep,
  postpone,
  resendDelay,
  toInterrupted,
} from "./delivery-rules";
import type { AttemptReport, BeginReply, BegunAttempt, ReportReply } from "./delivery-types";
import { recordAbandoned } from "./webhook-alerts";
import { getWebhook } from "./webhook-settings";

/** An attempt without a report counts as interrupted after this time, which includes the receiver's 30 s to respond. */
const REPORT_MS = MINUTE_MS;

const INTERRUPTED = "This attempt was interrupted by an error on our side. The event may have arrived.";
const ENDPOINT_DELETED = "Not sent: the webhook endpoint was deleted.";
const UNPREPARED = "For one day, an error on our side prevented us from sending this event.";

/**
 * Starts the attempt that a queue message names. The token identifies the Worker. Returns the data that the Worker
 * needs to send the event. A repeated call with the same token returns the same data. Returns `stale` if the attempt
 * has ended or belongs to another Worker.
 */
export function beginAttempt(tx: Transaction, attempt: BegunAttempt): BeginReply {
  const row = findSending(tx, attempt);
  if (row === null || (row.token !== null && row.token !== attempt.token)) return { kind: "stale" };
  // The account's secret signs for URLs of requests.
  const signedBy = row.endpoint_id === REQUEST_ENDPOINT ? ACCOUNT_ENDPOINT : row.endpoint_id;
  const webhook = getWebhook(tx, { mode: row.mode, id: signedBy });
  if (webhook === null && signedBy !== ACCOUNT_ENDPOINT) {
    postponeAttempt(tx, row, ENDPOINT_DELETED);
    beginWaiting(tx, row.host);
    return { kind: "stale" };
  }
  tx.update("deliveries", row, { token: attempt.token, begun_at: tx.now, due_at: tx.now + REPORT_MS });
  tx.wakeAt(tx.now + REPORT_MS);
  const isPreviousValid = (webhook?.previousExpiresAt ?? 0) > tx.now;
  const delivery = toDelivery(row);
  return {
    kind: "send",
    delivery,
    number: countAttempts(delivery.attempts) + 1,
    job: row.job_id === null ? null : readJob(tx, { mode: row.mode, id: row.job_id }),
    signedBy,
    secret: webhook?.secret ?? null,
    previousSecret: isPreviousValid ? (webhook?.previousSecret ?? null) : null,
  };
}

/** Records the outcome of an attempt, then starts waiting deliveries. Idempotent by delivery, round and attempt. */
export function reportAttempt(tx: Transaction, attempt: BegunAttempt, report: AttemptReport): ReportReply {
  const row = findSending(tx, attempt);
  if (row === null || row.token !== attempt.token) return { kind: "stale" };
  if (report.kind === "unprepared") {
    postponeAttempt(tx, row, report.reason);
  } else {
    // The row has another URL if the endpoint's URL was changed during the attempt.
    const { url, statusCode: status_code, durationMs: duration_ms, error, requestHeaders = null, response } = report;
    recordOutcome(tx, toHost(url), { hasFailed: !isSuccess(status_code), timedOut: report.timedOut });
    const request = { url, ...(requestHeaders === null ? {} : { request_headers: requestHeaders }) };
    endAttempt(tx, row, { at: row.begun_at ?? tx.now, status_code, duration_ms, error, response, ...request });
  }
  beginWaiting(tx, row.host);
  return { kind: "recorded", status: findDeliveryRow(tx, row)?.status ?? row.status };
}

/** Adds the first bytes of the receiver's response body to an attempt that was already reported. */
export function recordResponse(tx: Transaction, message: AttemptRef, response: string): void {
  const row = findDeliveryRow(tx, { mode: message.mode, id: message.delivery });
  if (row === null || row.round !== message.round) return;
  const attempts: Attempt[] = JSON.parse(row.attempts);
  const attempt = attempts[message.attempt - 1];
  if (attempt === undefined) return;
  attempt.response = response;
  tx.update("deliveries", row, { attempts: JSON.stringify(attempts) });
}

/**
 * Returns the row of the delivery that the queue message names. Returns null if the delivery isn't in the stage
 * `sending`, or if its current attempt isn't the one that the message names.
 */
function findSending(tx: Transaction, { mode, delivery, round, attempt }: AttemptRef): DeliveryRow | null {
  const row = findDeliveryRow(tx, { mode, id: delivery });
  return row?.stage === "sending" && row.round === round && row.attempt === attempt ? row : null;
}

/** Ends the current attempt: logs it, updates the delivery's status and schedules the next attempt. */
function endAttempt(tx: Transaction, row: DeliveryRow, attempt: Attempt): void {
  const attempts: Attempt[] = [...JSON.parse(row.attempts), attempt];
  const next = decideNext(attempts, { once: row.event === "webhook.test", now: tx.now });
  schedule(tx, row, next, { attempts: JSON.stringify(attempts), unprepared_since: null, postponements: 0 });
  if (next.status === "succeeded" && row.job_id !== null) discardDelivered(tx, { mode: row.mode, id: row.job_id });
}

/**
 * Postpones an attempt because the event couldn't be prepared. The receiver isn't the cause, so the failure doesn't
 * count as an attempt. If `reason` isn't null, abandons the delivery, because its event can never be prepared.
 */
function postponeAttempt(tx: Transaction, row: DeliveryRow, reason: string | null): void {
  const since = row.unprepared_since ?? tx.now;
  const times = row.postponements + 1;
  const nextAt = reason === null ? postpone({ since, times, now: tx.now }) : null;
  const attempts: Attempt[] = JSON.parse(row.attempts);
  if (nextAt === null) attempts.push(toInterrupted(tx.now, reason ?? UNPREPARED));
  const next = nextAt === null ? ({ status: "abandoned" } as const) : ({ status: "pending", nextAt } as const);
  schedule(tx, row, next, { attempts: JSON.stringify(attempts), unprepared_since: since, postponements: times });
}

/** Ends a round, or schedules its next attempt. Also changes `columns`. */
function schedule(tx: Transaction, row: DeliveryRow, next: NextStep, columns: Columns): void {
  const nextAt = next.status === "pending" ? next.nextAt : null;
  const stage = nextAt === null ? null : "scheduled";
  const state = { status: next.status, stage, next_attempt_at: nextAt, due_at: nextAt, token: null };
  tx.update("deliveries", row, { ...state, ...columns });
  if (nextAt !== null) tx.wakeAt(nextAt);
  if (next.status === "abandoned") recordAbandoned(tx, row);
}

/**
 * Handles up to `limit` due deliveries: resends lost messages, ends attempts without a report, and starts attempts that
 * are due. Returns the number of deliveries that it handled.
 */
export function recoverDeliveries(tx: Transaction, limit: number): number {
  const read = (condition: string) =>
    tx.all<DeliveryRow>(
      `SELECT ${DELIVERY_COLUMNS} FROM deliveries WHERE ${condition} AND due_at <= ?1 ORDER BY due_at LIMIT ?2`,
      ...[tx.now, limit],
    );
  const late = read("stage = 'sending'");
  for (const row of late) {
    if (row.token === null) resend(tx, row);
    else interrupt(tx, row, row.begun_at ?? tx.now);
  }
  const due = read("stage = 'scheduled'").slice(0, limit - late.length);
  for (const row of due) beginOrWait(tx, row);
  beginWaiting(tx, late[0]?.host ?? "");
  return late.length + due.length;
}

/** Resends the queue message of an attempt that no Worker has started. */
function resend(tx: Transaction, row: DeliveryRow): void {
  const resends = row.resends + 1;
  const dueAt = tx.now + resendDelay(resends);
  tx.update("deliveries", row, { resends, due_at: dueAt });
  tx.wakeAt(dueAt);
  sendMessage(tx, row);
}

/** Ends an attempt whose Worker died, as a timeout: a slow receiver may have kept the Worker until then. */
function interrupt(tx: Transaction, row: DeliveryRow, begunAt: number): void {
  recordOutcome(tx, row.host, { hasFailed: true, timedOut: true });
  endAttempt(tx, row, toInterrupted(begunAt, INTERRUPTED));
}
