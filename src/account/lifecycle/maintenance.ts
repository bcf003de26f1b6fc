import { withTimeout } from "../../lib/async";
import { now } from "../../lib/clock";
import { toIdTime } from "../../lib/id";
import { log, toLogged } from "../../lib/log";
import { MODES } from "../../model/api-key";
import { FIRST_WAKE_MS, MINUTE_MS, R2_TIMEOUT_MS, SECOND_MS } from "../../model/limits";
import type { AccountSummary } from "../../model/summary";
import { balanceOf, SUMMARY_INTERVAL_MS, setMaintenance } from "../credits/account-row";
import { readRecentCounts } from "../credits/recent-counts";
import { listAlertsToEmail, markEmailed } from "../credits/usage-alerts";
import { applyRetention, RETRY_AFTER_MS } from "../retention/retention";
import type { Transaction } from "../storage/transaction";
import { toNextAlarm } from "./alarm";

/** An R2 call that is older than this is considered lost. */
const LOST_AFTER_MS = 15 * MINUTE_MS;
const SEND_TIMEOUT_MS = 10 * SECOND_MS;

/** Runs `work` in one transaction. Returns undefined if the account is no longer open. */
type Transact = <T>(work: (tx: Transaction) => T) => T | undefined;

/** Executes the less urgent work of an account's alarm: usage alerts, retention, archiving and the account's summary. */
export class Maintenance {
  /** The R2 calls that haven't ended, including those that timed out. */
  readonly #calls = new Set<{ startedAt: number }>();

  /** Executes one bounded step if maintenance is due. */
  async run(env: Env, transact: Transact): Promise<void> {
    const startedAt = now();
    const transaction = <T>(work: (tx: Transaction) => T): T => {
      const done = transact((tx) => ({ value: work(tx) }));
      if (done === undefined) throw new Error("The account is no longer open.");
      return done.value;
    };
    const due = transact(({ state }) =>
      state.maintenanceAt !== null && state.maintenanceAt <= startedAt ? state : null,
    );
    if (due === null || due === undefined) return;
    const areAlertsSent = await sendAlerts(env, transaction);
    const retentionAt = this.#hasCall(startedAt)
      ? startedAt + RETRY_AFTER_MS
      : await applyRetention({
          env: { ...env, STORE: this.#withDeadlines(env.STORE) },
          account: due.account,
          now: startedAt,
          transaction,
        });
    const summary = transact((tx) => {
      const current = summarize(tx, null);
      const interval = isLate(current) ? LATE_INTERVAL_MS : SUMMARY_INTERVAL_MS;
      const summaryAt = isInUse(current) ? tx.now + interval : null;
      const alertsAt = areAlertsSent ? null : tx.now + RETRY_AFTER_MS;
      const times = [retentionAt, summaryAt, alertsAt].filter((time) => time !== null);
      setMaintenance(tx, times.length === 0 ? null : Math.min(...times));
      return summarize(tx, toNextAlarm(tx.sql));
    });
    if (summary === undefined) return;
    try {
      await withTimeout(SEND_TIMEOUT_MS, env.SUMMARIES.send({ kind: "account", ...summary }));
    } catch (error) {
      // The summary isn't sent again, because the next one follows in at most 15 minutes while the account is in use.
      log("warn", "summary_not_sent", { account_id: due.account.id, ...toLogged(error) });
    }
  }

  /**
   * Returns true if an R2 call may still be running after its timeout. Archiving must then wait. Otherwise, the old
   * call could write its file late, and replace a newer archive file that contains different jobs.
   */
  #hasCall(at: number): boolean {
    for (const call of this.#calls) if (call.startedAt <= at - LOST_AFTER_MS) this.#calls.delete(call);
    return this.#calls.size > 0;
  }

  /** Returns the bucket with a timeout for each call. */
  #withDeadlines(store: R2Bucket): R2Bucket {
    return new Proxy(store, {
      get: (target, name) => {
        const method: (...args: unknown[]) => Promise<unknown> = Reflect.get(target, name);
        return (...args: unknown[]) => this.#call(() => method.apply(target, args));
      },
    });
  }

  async #call<T>(work: () => Promise<T>): Promise<T> {
    const call = { startedAt: now() };
    this.#calls.add(call);
    const ending = work().finally(() => this.#calls.delete(call));
    return await withTimeout(R2_TIMEOUT_MS, ending);
  }
}

/** Sends the messages for usage alerts. Returns false if more messages must be sent. After a crash, some are sent again. */
async function sendAlerts(env: Env, transaction: <T>(work: (tx: Transaction) => T) => T): Promise<boolean> {
  const alerts = transaction((tx) => listAlertsToEmail(tx));
  if (alerts.length === 0) return true;
  try {
    await withTimeout(SEND_TIMEOUT_MS, env.SUMMARIES.sendBatch(alerts.map((body) => ({ body }))));
    transaction((tx) => markEmailed(tx, alerts));
    return transaction((tx) => listAlertsToEmail(tx).length === 0);
  } catch (error) {
    log("warn", "usage_alerts_not_sent", toLogged(error));
    return false;
  }
}

/** The interval between two summaries while jobs wait in the service's queue for longer than usual. */
export const LATE_INTERVAL_MS = MINUTE_MS;
/** The time in the service's queue after which a job counts as late. */
const LATE_MS = MINUTE_MS;

/** Returns the account's summary for the directory. `nextDueAt` is when the alarm must fire next (Unix ms), or null. */
export function summarize(tx: Transaction, nextDueAt: number | null): AccountSummary {
  const { state, totals, now } = tx;
  const { granted, used } = state.credits;
  const due = "SELECT COUNT(*) FROM jobs WHERE due_at IS NOT NULL";
  const queued = tx.value<number>(`${due} AND waits = 0 AND status = 'queued'`) ?? 0;
  return {
    accountId: state.account.id,
    balance: balanceOf(state, totals),
    reserved: totals.reserved,
    granted,
    used,
    queued: queued + totals.waits,
    processing: tx.value<number>(`${due} AND status = 'processing'`) ?? 0,
    waiting: totals.waits,
    ...readQueue(tx),
    lastJobAt: readLastJobTime(tx),
    nextDueAt,
    at: now,
    periods: readRecentCounts(tx),
  };
}

/** Returns true if jobs wait for a browser, or longer than usual. The next summary is then sent earlier. */
export function isLate({ queuedSince, browserWaits, at }: AccountSummary): boolean {
  if (browserWaits > 0) return true;
  return queuedSince !== null && queuedSince < at - LATE_MS;
}

/** Returns since when the oldest job has waited in the service's queue, and how many jobs wait for a browser. */
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
    const last = tx.value<string>("SELECT id FROM jobs WHERE mode = ?1 ORDER BY id DESC LIMIT 1", mode);
    return last === null ? 0 : toIdTime(last);
  });
  return Math.max(...times) || null;
}
