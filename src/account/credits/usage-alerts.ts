// Sends an alert when the account has used 80% or 100% of its credits, or when a key has used this share of its credit
// limit. Each alert is sent once per period, and once more if the limit was raised. It is sent to the webhook endpoints
// that receive the event, and by email. The alarm queues the messages for the emails.
import { toIso } from "../../lib/clock";
import { DAY_MS } from "../../model/limits";
import type { UsageAlert, UsageAlertMessage } from "../../model/period";
import { insertAccountEvent } from "../deliveries/new-deliveries";
import type { Transaction } from "../storage/transaction";
import { setMaintenance } from "./account-row";
import { type LimitedKey, readLimitedKey } from "./credit-limits";

/** The thresholds in percent, the highest first. */
const THRESHOLDS = [100, 80] as const;
const ACCOUNT = "account";
/** Alerts of earlier periods are deleted after this time. It is longer than a period. */
const KEPT_MS = 62 * DAY_MS;
const EMAILS_PER_STEP = 50;

interface Level extends Pick<UsageAlert, "keyId" | "used" | "limit" | "period"> {
  /** True if a request was refused because the rest of the limit is lower than its price. */
  isExhausted?: boolean;
}

/** Sends the alerts that are due after a job has been charged. */
export function alertAfterCharge(tx: Transaction, keyId: string): void {
  alertAccount(tx, false);
  const key = readLimitedKey(tx, keyId);
  if (key !== null) alertKey(tx, { ...key, keyId });
}

/** Sends the alert of 100% if a refused job costs more than the account has, including reserved credits. */
export function alertAfterRefusal(tx: Transaction, price: number): void {
  if (price > tx.state.credits.funds) alertAccount(tx, true);
}

/** Sends the alerts of a key. `price` is the price of a job that was refused because of the key's limit. */
export function alertKey(
  tx: Transaction,
  { keyId, limit, used, period, price = 0 }: LimitedKey & { keyId: string; price?: number },
): void {
  alert(tx, { keyId, used, limit, period, isExhausted: used + price > limit });
}

function alertAccount(tx: Transaction, isExhausted: boolean): void {
  const { granted, added, used, periodStart, nextGrantAt } = tx.state.credits;
  const period = { start: periodStart, end: nextGrantAt };
  alert(tx, { keyId: null, used, limit: granted + added, period, isExhausted });
}

function alert(tx: Transaction, level: Level): void {
  const { keyId, used, limit, period, isExhausted = false } = level;
  if (limit <= 0) return;
  const reached = THRESHOLDS.filter((percent) => isExhausted || used * 100 >= limit * percent);
  const [threshold] = reached;
  // Reads before it writes, because every charged job calls this function.
  if (threshold === undefined || isSent(tx, level, threshold)) return;
  const alertData: UsageAlert = { threshold, keyId, used, limit, period, at: tx.now };
  for (const percent of reached) {
    // Sends only the highest threshold. Lower thresholds count as sent.
    tx.run(
      `INSERT INTO usage_alerts (subject, threshold, period_start, alert, emailed) VALUES (?1, ?2, ?3, ?4, ?5)
       ON CONFLICT DO UPDATE SET period_start = excluded.period_start, alert = excluded.alert, emailed = excluded.emailed`,
      ...[keyId ?? ACCOUNT, percent, period.start, JSON.stringify(alertData), percent === threshold ? 0 : 1],
    );
  }
  tx.run("DELETE FROM usage_alerts WHERE period_start < ?1 AND emailed = 1", tx.now - KEPT_MS);
  insertAccountEvent(tx, { mode: "live", event: "usage.threshold", payload: toEventBody(alertData) });
  setMaintenance(tx, tx.now);
}

/**
 * Returns true if the alert was already sent in this period. If the limit was raised since then, and the usage at that
 * time was below the threshold of the new limit, the alert counts as not sent.
 */
function isSent(tx: Transaction, { keyId, limit, period }: Level, threshold: number): boolean {
  const row = tx.first<{ alert: string }>(
    "SELECT alert FROM usage_alerts WHERE subject = ?1 AND threshold = ?2 AND period_start >= ?3",
    ...[keyId ?? ACCOUNT, threshold, period.start],
  );
  if (row === null) return false;
  const sent: Pick<UsageAlert, "used" | "limit"> = JSON.parse(row.alert);
  return limit <= sent.limit || sent.used * 100 >= limit * threshold;
}

function toEventBody({ threshold, keyId, used, limit, period, at }: UsageAlert): string {
  return JSON.stringify({
    event: "usage.threshold",
    threshold,
    key_id: keyId,
    used,
    limit,
    period: { start: toIso(period.start), end: toIso(period.end) },
    meta: { created_at: toIso(at) },
  });
}

/** Returns the messages for the emails that must still be sent. */
export function listAlertsToEmail(tx: Transaction): UsageAlertMessage[] {
  const rows = tx.all<{ alert: string }>("SELECT alert FROM usage_alerts WHERE emailed = 0 LIMIT ?1", EMAILS_PER_STEP);
  return rows.map((row) => ({ kind: "usage_alert", accountId: tx.state.account.id, ...JSON.parse(row.alert) }));
}

/** Marks alerts whose messages were sent to the queue. */
export function markEmailed(tx: Transaction, alerts: readonly UsageAlert[]): void {
  for (const { keyId, threshold, at } of alerts) {
    // A newer alert may have replaced the stored one.
    tx.run(
      "UPDATE usage_alerts SET emailed = 1 WHERE subject = ?1 AND threshold = ?2 AND json_extract(alert, '$.at') = ?3",
      ...[keyId ?? ACCOUNT, threshold, at],
    );
  }
}
