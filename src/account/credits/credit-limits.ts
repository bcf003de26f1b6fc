// Counts the credits of each API key in the account's period, for the credit limits of keys. The table `usage` holds the
// charged credits. The credits that unfinished jobs have reserved are part of the totals in memory.
import { toIso } from "../../lib/clock";
import { toIdTime } from "../../lib/id";
import { DAY_MS } from "../../model/limits";
import { type Period, toPeriod } from "../../model/period";
import type { Transaction } from "../storage/transaction";
import type { CheckedJob, CreateReply, KeyCredits } from "../storage/types";

/**
 * Returns the period of credit limits that contains `now`. It consists of whole days (UTC), because `usage` counts whole
 * days. It starts on the day on which the account's own period starts.
 */
export function toKeyPeriod(createdAt: number, now: number): Period {
  return toPeriod(createdAt - (createdAt % DAY_MS), now);
}

/** Returns the credits that each live key has used in this period. */
export function readKeyCredits(tx: Transaction): KeyCredits {
  const period = toKeyPeriod(tx.state.createdAt, tx.now);
  const rows = tx.all<{ key_id: string; credits: number }>(
    `SELECT key_id, SUM(credits) AS credits FROM usage
     WHERE mode = 'live' AND date >= ?1 GROUP BY key_id HAVING SUM(credits) > 0`,
    toIso(period.start).slice(0, 10),
  );
  return { period, used: Object.fromEntries(rows.map(({ key_id, credits }) => [key_id, credits])) };
}

function getKeyCredits(tx: Transaction): KeyCredits {
  const { keyCredits: known } = tx.totals;
  if (known !== null && tx.now >= known.period.start && tx.now < known.period.end) return known;
  tx.totals.keyCredits = readKeyCredits(tx);
  return tx.totals.keyCredits;
}

/** The credits of a key with a limit. `reserved` is what its unfinished jobs have reserved. */
export interface LimitedKey {
  limit: number;
  used: number;
  reserved: number;
  period: Period;
}

/** Returns the credits of a key, or null if it has no credit limit, or none is known since the object started. */
export function readLimitedKey(tx: Transaction, keyId: string): LimitedKey | null {
  const { [keyId]: limit = null } = tx.totals.keyLimits;
  if (limit === null) return null;
  const { period, used } = getKeyCredits(tx);
  return { limit, used: used[keyId] ?? 0, reserved: tx.totals.reservedByKey[keyId] ?? 0, period };
}

/** Remembers the key's credit limit. Returns the refusal of a job that would exceed it, or null. */
export function checkKeyLimit(tx: Transaction, job: CheckedJob): Extract<CreateReply, { kind: "key_limit" }> | null {
  const { keyId, credits, creditLimit = null } = job;
  if (job.mode === "test") return null;
  // Also stores that the key has no limit, because a batch may contain an earlier limit of the key.
  if (tx.totals.keyLimits[keyId] !== creditLimit) {
    tx.totals.keyLimits = { ...tx.totals.keyLimits, [keyId]: creditLimit };
  }
  const key = readLimitedKey(tx, keyId);
  if (key === null || key.used + key.reserved + credits <= key.limit) return null;
  const { limit, used, reserved, period } = key;
  return { kind: "key_limit", limit, used, reserved, resetsAt: period.end };
}

/** Adds credits to those that the key's unfinished jobs have reserved. `by` is negative when a job ends. */
export function countReserved(tx: Transaction, keyId: string, by: number): void {
  if (by === 0) return;
  tx.totals.reserved += by;
  const { [keyId]: before = 0, ...others } = tx.totals.reservedByKey;
  tx.totals.reservedByKey = before + by === 0 ? others : { ...others, [keyId]: before + by };
}

/** Counts the charge of an ended job for its key. The period of a job is the period in which it was created. */
export function countCharged(tx: Transaction, { id, keyId, charge }: { id: string; keyId: string; charge: number }) {
  const { keyCredits } = tx.totals;
  if (charge === 0 || keyCredits === null || toIdTime(id) < keyCredits.period.start) return;
  const used = { ...keyCredits.used, [keyId]: (keyCredits.used[keyId] ?? 0) + charge };
  tx.totals.keyCredits = { ...keyCredits, used };
}

/**
 * Returns the refusal of a job that would exceed the account's daily limit, or null. Counts the credits that jobs of
 * this day (UTC) were charged, and the credits that all unfinished jobs have reserved.
 */
export function checkDailyLimit(
  tx: Transaction,
  { mode, credits }: CheckedJob,
): Extract<CreateReply, { kind: "daily_limit" }> | null {
  const { dailyCredits: limit } = tx.state.settings;
  if (limit === null || mode === "test") return null;
  const query = "SELECT SUM(credits) FROM usage WHERE mode = 'live' AND date = ?1";
  const used = tx.value<number | null>(query, toIso(tx.now).slice(0, 10)) ?? 0;
  const { reserved } = tx.totals;
  if (used + reserved + credits <= limit) return null;
  return { kind: "daily_limit", limit, used, reserved, resetsAt: tx.now - (tx.now % DAY_MS) + DAY_MS };
}
