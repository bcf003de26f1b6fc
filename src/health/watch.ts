import { withTimeout } from "../lib/async";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../model/limits";
import { addPeriod, PERIOD_MS, type PeriodCounts, toPeriod } from "../model/service-counts";
import { addServiceCounts, deleteOldPeriods, sumCounts } from "../store/account-periods";
import { listQueues } from "../store/account-summaries";
import { listSerpChecks } from "../store/serp-checks";
import { addToHours, deleteOldHours, sumHours } from "../store/service-hours";
import { readAlertState } from "./alert-state";
import { type AlertValues, sendAlerts, toConditions, toThresholds } from "./alerts";
import { checkParts } from "./checks";
import { toEngineStates } from "./engines";
import { toFigures } from "./figures";
import { updateDays, writeSnapshot } from "./status";

/** The sums of this hour and of the last two hours are updated. Later changes to the counts of an hour are refused. */
const SUMMED_MS = 120 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
const READ_TIMEOUT_MS = 10 * SECOND_MS;

/**
 * Checks the parts of the service, counts the results, and sends the alerts that are due. Also works while the database
 * is down. Returns the number of alerts that began or ended.
 */
export async function watchService(env: Env, now: number): Promise<number> {
  const { parts: checks } = await checkParts(env);
  const counts = Object.fromEntries(checks.map(({ part, result }) => [`check/${part}/${result}`, 1]));
  const state = await readAlertState(env);
  // An outage of the database is counted after it has ended.
  const periods = addPeriod(state?.uncounted ?? [], { start: toPeriod(now), counts });
  const [counted, values] = await Promise.allSettled([
    withTimeout(READ_TIMEOUT_MS, countChecks(env.DB, periods, now)),
    withTimeout(READ_TIMEOUT_MS, readValues(env, now)),
  ]);
  const none = { recent: null, abandoned: null, queueAgeMs: null, engines: [] };
  const isComplete = values.status === "fulfilled";
  const conditions = toConditions({ checks, ...(isComplete ? values.value : none) }, toThresholds(env));
  await writeSnapshot(env, checks, now);
  const uncounted = counted.status === "fulfilled" ? [] : periods;
  const sent = await sendAlerts(env, state, { evaluation: { conditions, isComplete }, uncounted, now });
  // The alerts have been sent, so the error can be thrown. The cron logs it.
  if (values.status === "rejected") throw values.reason;
  if (counted.status === "rejected") throw counted.reason;
  return sent;
}

/** Adds the results of checks to their periods. Periods that are already part of an hour are added to the hour. */
async function countChecks(db: D1Database, periods: readonly PeriodCounts[], now: number): Promise<void> {
  const isSummed = ({ start }: PeriodCounts): boolean => start >= toSummedSince(now);
  await addToHours(
    db,
    periods.filter((period) => !isSummed(period)),
  );
  await addServiceCounts(db, periods.filter(isSummed), now);
}

async function readValues(env: Env, now: number): Promise<Omit<AlertValues, "checks">> {
  const [recent, lastHour, queues, checks] = await Promise.all([
    sumCounts(env.DB, "account_periods", toPeriod(now) - 2 * PERIOD_MS),
    sumCounts(env.DB, "account_periods", toPeriod(now) - 6 * PERIOD_MS),
    listQueues(env.DB, 1),
    listSerpChecks(env.DB, now - DAY_MS),
  ]);
  const [oldest] = queues;
  const isWaiting = oldest !== undefined && oldest.queuedSince !== null;
  return {
    recent: toFigures(recent),
    abandoned: toFigures(lastHour).abandoned,
    queueAgeMs: isWaiting ? oldest.updatedAt - (oldest.queuedSince ?? 0) : null,
    engines: toEngineStates(checks, now),
  };
}

/** Adds up the latest hours, and deletes old rows. Returns the number of deleted rows. */
export async function sumService(env: Env, now: number): Promise<number> {
  await sumHours(env.DB, toSummedSince(now));
  await updateDays(env, now);
  return (await deleteOldPeriods(env.DB, now)) + (await deleteOldHours(env.DB, now));
}

/** Returns the start (Unix ms) of the first hour that is still added up. */
function toSummedSince(now: number): number {
  return now - SUMMED_MS - ((now - SUMMED_MS) % HOUR_MS);
}
