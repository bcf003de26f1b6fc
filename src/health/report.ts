import { readRenderSlots } from "../browser/render-client";
import { causeOf } from "../model/errors";
import { DAY_MS, MINUTE_MS } from "../model/limits";
import { fromJobCount, PERIOD_MS, toPeriod } from "../model/service-counts";
import { listAccountCounts, sumCounts } from "../store/account-periods";
import { type AccountQueue, listQueues, readCountedAt } from "../store/account-summaries";
import { listSerpChecks } from "../store/serp-checks";
import { type ActiveAlert, readActiveAlerts } from "./alert-state";
import { canReadAnalytics, type RequestFigures, readAnalyticsRequests } from "./analytics";
import { type Checks, checkParts, readOrNull } from "./checks";
import { type EngineState, toEngineStates } from "./engines";
import { type Figures, toFigures } from "./figures";
import { type Finding, toFindings, toHeadline } from "./verdict";

export const RANGES = ["hour", "day", "week"] as const;
export type HealthRange = (typeof RANGES)[number];

const RANGE_MS: Record<HealthRange, number> = { hour: 60 * MINUTE_MS, day: DAY_MS, week: 7 * DAY_MS };
const QUEUES_SHOWN = 10;
const ACCOUNTS_SHOWN = 5;

/** An account with jobs that failed in the last hour because of the service or an outside service. */
interface AffectedAccount {
  accountId: string;
  failed: number;
}

/** The state of the service, as admins see it. A member is null if it couldn't be read. Times are Unix ms. */
export interface HealthReport {
  at: number;
  range: HealthRange;
  since: number;
  headline: string;
  findings: Finding[];
  checks: Checks;
  /** The sums of the accounts' summaries. */
  figures: Figures | null;
  /** The responses, including those without a job. Also null without Analytics Engine. */
  requests: RequestFigures | null;
  /** The time of the latest summary of an account. */
  countedAt: number | null;
  slots: { inUse: number; size: number; waiting: number } | null;
  queues: AccountQueue[] | null;
  /** The age of the oldest job in the service's own queue. Null if no job waits there. */
  queueAgeMs: number | null;
  affected: AffectedAccount[] | null;
  engines: EngineState[] | null;
  alerts: ActiveAlert[] | null;
}

/** Reads the state of the service. Each part is read separately, so that the report works while a part is down. */
export async function readHealth(env: Env, range: HealthRange, now: number): Promise<HealthReport> {
  const since = range === "hour" ? toPeriod(now) - RANGE_MS.hour : toHour(now - RANGE_MS[range]);
  const [checks, counts, requests, countedAt, slots, queues, affected, engines, alerts] = await Promise.all([
    checkParts(env),
    readOrNull("figures", sumCounts(env.DB, range === "hour" ? "account_periods" : "service_hours", since)),
    canReadAnalytics(env) ? readOrNull("requests", readAnalyticsRequests(env, since)) : null,
    readOrNull("summaries", readCountedAt(env.DB)),
    readOrNull("slots", readRenderSlots(env)),
    readOrNull("queues", listQueues(env.DB, QUEUES_SHOWN)),
    readOrNull("affected", listAffected(env, now)),
    readOrNull("engines", listSerpChecks(env.DB, now - DAY_MS)),
    readOrNull("alerts", readActiveAlerts(env)),
  ]);
  const figures = counts === null ? null : toFigures(counts);
  const queueAgeMs = toQueueAge(queues ?? []);
  const states = engines === null ? null : toEngineStates(engines, now);
  const findings = toFindings({
    checks: checks.parts,
    problems: checks.problems,
    figures,
    engines: states ?? [],
    queueAgeMs,
    browserWaits: (queues ?? []).reduce((sum, { browserWaits }) => sum + browserWaits, 0),
  });
  const headline = toHeadline(findings, figures?.jobs ?? null, countedAt);
  const at = { at: now, range, since, headline, findings };
  const jobs = { figures, requests, countedAt };
  return { ...at, checks, ...jobs, slots, queues, queueAgeMs, affected, engines: states, alerts };
}

/** Returns the accounts with the most failures in the last hour that target or customer didn't cause. */
async function listAffected(env: Env, now: number): Promise<AffectedAccount[]> {
  const since = toPeriod(now) - 6 * PERIOD_MS;
  const failed = new Map<string, number>();
  for (const { accountId, name, count } of await listAccountCounts(env.DB, { since, names: "job/%/" })) {
    const job = fromJobCount(name);
    const cause = job === null ? null : causeOf(job.code, job.endpoint);
    if (cause !== "service" && cause !== "outside") continue;
    failed.set(accountId, (failed.get(accountId) ?? 0) + count);
  }
  const sorted = [...failed].map(([accountId, jobs]) => ({ accountId, failed: jobs }));
  return sorted.sort((a, b) => b.failed - a.failed).slice(0, ACCOUNTS_SHOWN);
}

/** Returns the age of the oldest job in the service's own queue, as of the time of its account's summary. */
function toQueueAge(queues: readonly Pick<AccountQueue, "queuedSince" | "updatedAt">[]): number | null {
  const ages = queues.flatMap(({ queuedSince, updatedAt }) => (queuedSince === null ? [] : [updatedAt - queuedSince]));
  return ages.length === 0 ? null : Math.max(0, ...ages);
}

function toHour(at: number): number {
  return at - (at % (60 * MINUTE_MS));
}
