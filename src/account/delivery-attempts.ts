// The attempts of deliveries: a Worker begins one, posts the event, and reports what came of it.
import type { Attempt, DeliveryMessage } from "../model/delivery";
import type { JobKey } from "../model/job";
import { EARLIER_ATTEMPTS_KEPT, MINUTE_MS } from "../model/limits";
import {
  beginOrWait,
  beginWaiting,
  DELIVERY_COLUMNS,
  type DeliveryRow,
  findDeliveryRow,
  recordAnswer,
  toDelivery,
} from "./deliveries";
import { countAttempts, judge, postpone, resendDelay } from "./delivery-rules";
import { readJob } from "./job-row";
import type { Transaction } from "./transaction";
import type { AttemptReport, BeginReply, BegunAttempt, ReportReply } from "./types";
import { getWebhook } from "./webhook-settings";

/** An attempt that wasn't reported within this time was interrupted. The answer itself may take 30 s. */
const REPORT_MS = MINUTE_MS;

const INTERRUPTED = "This attempt was interrupted on our side: whether it arrived isn't known.";
const STARTED_OVER = "This attempt was cut short: the delivery was started over.";
const UNPREPARED = "It could not be prepared for a day, for a reason on our side.";

/**
 * Begins the attempt of a message for the Worker with this token, and returns what it sends. The same token gets the same
 * again. Returns `stale` if the attempt has ended, or if another Worker makes it.
 */
export function beginAttempt(tx: Transaction, attempt: BegunAttempt): BeginReply {
  const row = findSending(tx, attempt);
  if (row === null || (row.token !== null && row.token !== attempt.token)) return { kind: "stale" };
  tx.run(
    "UPDATE deliveries SET token = ?3, begun_at = ?4, due_at = ?5 WHERE mode = ?1 AND id = ?2",
    ...[row.mode, row.id, attempt.token, tx.now, tx.now + REPORT_MS],
  );
  tx.wakeAt(tx.now + REPORT_MS);
  const webhook = getWebhook(tx, row.mode);
  const isPreviousValid = (webhook?.previousExpiresAt ?? 0) > tx.now;
  const delivery = toDelivery(row);
  return {
    kind: "send",
    delivery,
    number: countAttempts(delivery.attempts) + 1,
    job: row.job_id === null ? null : readJob(tx, { mode: row.mode, id: row.job_id }),
    secret: webhook?.secret ?? null,
    previousSecret: isPreviousValid ? (webhook?.previousSecret ?? null) : null,
  };
}

/** Records what came of an attempt, and begins deliveries that waited for it. Idempotent by delivery, round and attempt. */
export function reportAttempt(tx: Transaction, attempt: BegunAttempt, report: AttemptReport): ReportReply {
  const row = findSending(tx, attempt);
  if (row === null || row.token !== attempt.token) return { kind: "stale" };
  if (report.kind === "unprepared") {
    postponeAttempt(tx, row, report.reason);
  } else {
    recordAnswer(tx, row.host, report);
    const { statusCode: status_code, durationMs: duration_ms, error, response } = report;
    endAttempt(tx, row, { at: row.begun_at ?? tx.now, status_code, duration_ms, error, response });
  }
  beginWaiting(tx, row.host);
  return { kind: "recorded", status: findDeliveryRow(tx, row)?.status ?? row.status };
}

/** Adds the beginning of the receiver's answer to an attempt that was reported before. */
export function recordResponse(tx: Transaction, message: DeliveryMessage, response: string): void {
  const row = findDeliveryRow(tx, { mode: message.mode, id: message.delivery });
  if (row === null || row.round !== message.round) return;
  const attempts: Attempt[] = JSON.parse(row.attempts);
  const attempt = attempts[message.attempt - 1];
  if (attempt === undefined) return;
  attempt.response = response;
  tx.run(
    "UPDATE deliveries SET attempts = ?3 WHERE mode = ?1 AND id = ?2",
    ...[row.mode, row.id, JSON.stringify(attempts)],
  );
}

/** Returns the row if this message's attempt is under way. */
function findSending(tx: Transaction, { mode, delivery, round, attempt }: DeliveryMessage): DeliveryRow | null {
  const row = findDeliveryRow(tx, { mode, id: delivery });
  return row?.stage === "sending" && row.round === round && row.attempt === attempt ? row : null;
}

/** Ends the attempt that is under way, with all that follows from it. */
function endAttempt(tx: Transaction, row: DeliveryRow, attempt: Attempt): void {
  const attempts: Attempt[] = [...JSON.parse(row.attempts), attempt];
  const verdict = judge(attempts, { once: row.event === "webhook.test", now: tx.now });
  const nextAt = verdict.status === "pending" ? verdict.nextAt : null;
  tx.run(
    `UPDATE deliveries SET status = ?3, stage = ?4, attempts = ?5, next_attempt_at = ?6, due_at = ?6, token = NULL,
       unprepared_since = NULL, postponements = 0
     WHERE mode = ?1 AND id = ?2`,
    ...[row.mode, row.id, verdict.status, nextAt === null ? null : "scheduled", JSON.stringify(attempts), nextAt],
  );
  if (nextAt !== null) tx.wakeAt(nextAt);
}

/**
 * Puts off an attempt whose event couldn't be prepared. It isn't the receiver's fault, so it doesn't count. `reason` tells that
 * the event can never be prepared.
 */
function postponeAttempt(tx: Transaction, row: DeliveryRow, reason: string | null): void {
  const since = row.unprepared_since ?? tx.now;
  const times = row.postponements + 1;
  const nextAt = reason === null ? postpone({ since, times, now: tx.now }) : null;
  const attempts: Attempt[] = JSON.parse(row.attempts);
  if (nextAt === null) attempts.push(toInterrupted(tx.now, reason ?? UNPREPARED));
  tx.run(
    `UPDATE deliveries SET status = ?3, stage = ?4, attempts = ?5, next_attempt_at = ?6, due_at = ?6, token = NULL,
       unprepared_since = ?7, postponements = ?8
     WHERE mode = ?1 AND id = ?2`,
    ...[row.mode, row.id, nextAt === null ? "abandoned" : "pending", nextAt === null ? null : "scheduled"],
    ...[JSON.stringify(attempts), nextAt, since, times],
  );
  if (nextAt !== null) tx.wakeAt(nextAt);
}

/**
 * Begins the round of attempts that follows `round`, unless an earlier call did. An attempt that is under way is logged as cut
 * short. Returns false if there is no delivery.
 */
export function redeliver(tx: Transaction, key: JobKey, round: number): boolean {
  const row = findDeliveryRow(tx, key);
  if (row === null) return false;
  if (row.round !== round) return true;
  const cutShort = row.stage === "sending" && row.begun_at !== null ? [toInterrupted(row.begun_at, STARTED_OVER)] : [];
  const earlier = [...JSON.parse(row.earlier_attempts), ...JSON.parse(row.attempts), ...cutShort];
  const next: DeliveryRow = { ...row, round: row.round + 1, attempts: "[]" };
  tx.run(
    `UPDATE deliveries SET status = 'pending', stage = 'waiting', round = ?3, attempt = 0, token = NULL, attempts = '[]',
       earlier_attempts = ?4, next_attempt_at = ?5, due_at = NULL, unprepared_since = NULL, postponements = 0
     WHERE mode = ?1 AND id = ?2`,
    ...[row.mode, row.id, next.round, JSON.stringify(earlier.slice(-EARLIER_ATTEMPTS_KEPT)), tx.now],
  );
  beginOrWait(tx, next);
  return true;
}

/**
 * Handles up to `limit` deliveries whose time has come: sends lost messages again, ends attempts that weren't reported, and
 * begins attempts that are due. Returns how many it handled.
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

/** Sends the message of an attempt again that no Worker has begun. */
function resend(tx: Transaction, { mode, id, round, attempt, resends }: DeliveryRow): void {
  const dueAt = tx.now + resendDelay(resends + 1);
  tx.run("UPDATE deliveries SET resends = resends + 1, due_at = ?3 WHERE mode = ?1 AND id = ?2", ...[mode, id, dueAt]);
  tx.wakeAt(dueAt);
  tx.deliveries.push({ account: tx.state.account, mode, delivery: id, round, attempt });
}

/** Ends an attempt whose Worker died. The receiver counts as slow, since it may have kept the Worker waiting until then. */
function interrupt(tx: Transaction, row: DeliveryRow, begunAt: number): void {
  recordAnswer(tx, row.host, { timedOut: true });
  endAttempt(tx, row, toInterrupted(begunAt, INTERRUPTED));
}

/** Returns an attempt that the receiver isn't to blame for. */
function toInterrupted(at: number, error: string): Attempt {
  return { at, status_code: null, duration_ms: null, error, response: null, interrupted: true };
}
