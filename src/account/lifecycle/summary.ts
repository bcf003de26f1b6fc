import { toIdTime } from "../../lib/id";
import { MODES } from "../../model/api-key";
import { FIRST_WAKE_MS, MINUTE_MS } from "../../model/limits";
import type { AccountSummary } from "../../model/summary";
import { balanceOf, SUMMARY_INTERVAL_MS } from "../credits/account-row";
import { readRecentCounts } from "../credits/recent-counts";
import type { Transaction } from "../storage/transaction";

/** The interval between two summaries while jobs wait in the service's queue for longer than usual. */
export const LATE_INTERVAL_MS = MINUTE_MS;
/** The time in the service's queue after which a job counts as late. */
const LATE_MS = MINUTE_MS;

/** Returns the account's summary for the directory. `nextDueAt` is when the alarm must fire next (Unix ms), or null. */
export function summarize(tx: Transaction, nextDueAt: number | null): AccountSummary {
  const { state, totals, now } = tx;
  const { granted, used } = state.credits;
  const processing = tx.first<{ n: number }>(
    "SELECT COUNT(*) AS n FROM jobs WHERE due_at IS NOT NULL AND status = 'processing'",
  );
  const queued = tx.first<{ n: number }>(
    `SELECT (SELECT COUNT(*) FROM jobs WHERE due_at IS NOT NULL AND waits = 0 AND status = 'queued') + ?1 AS n`,
    totals.waits,
  );
  return {
    accountId: state.account.id,
    balance: balanceOf(state, totals),
    reserved: totals.reserved,
    granted,
    used,
    queued: queued?.n ?? 0,
    processing: processing?.n ?? 0,
    waiting: totals.waits,
    ...readQueue(tx),
    lastJobAt: readLastJobTime(tx),
    nextDueAt,
    at: now,
    periods: readRecentCounts(tx),
  };
}

/**
 * Returns true if jobs wait for a browser, or if jobs wait longer than usual until they are run. The next summary is
 * then sent earlier.
 */
export function isLate({ queuedSince, browserWaits, at }: AccountSummary): boolean {
  if (browserWaits > 0) return true;
  return queuedSince !== null && queuedSince < at - LATE_MS;
}

/**
 * Returns the time since which the oldest job has waited in the service's own queue, and the number of jobs that wait
 * for a browser.
 */
function readQueue(tx: Transaction): Pick<AccountSummary, "queuedSince" | "browserWaits"> {
  // The delay doubles with each resent message, so the time of the first message can be calculated from the number of
  // messages.
  const [row] = tx.all<{ since: number | null; browser: number }>(
    `SELECT MIN(COALESCE(no_capacity_since, MAX(created_at, due_at - ?1 * (1 << MIN(resends, 6))))) AS since,
       COUNT(no_capacity_since) AS browser
     FROM jobs WHERE due_at IS NOT NULL AND waits = 0 AND status = 'queued'`,
    FIRST_WAKE_MS,
  );
  return { queuedSince: row?.since ?? null, browserWaits: row?.browser ?? 0 };
}

/** Returns true if the account has unfinished jobs, or if it created a job since the last summary. */
export function isInUse({ lastJobAt, queued, processing, at }: AccountSummary): boolean {
  return queued + processing > 0 || (lastJobAt !== null && lastJobAt > at - SUMMARY_INTERVAL_MS);
}

function readLastJobTime(tx: Transaction): number | null {
  const times = MODES.map((mode) => {
    const last = tx.first<{ id: string }>("SELECT id FROM jobs WHERE mode = ?1 ORDER BY id DESC LIMIT 1", mode);
    return last === null ? 0 : toIdTime(last.id);
  });
  return Math.max(...times) || null;
}
