// The public status page. The cron writes it to R2 every minute, so that visitors don't read the database, and the page
// works while the database is down.
import { type Incident, type PartState, STATUS_PART_NAMES, STATUS_PARTS, type StatusPart } from "../model/incident";
import { DAY_MS, MINUTE_MS } from "../model/limits";
import { type Counts, PERIOD_MS, toPeriod } from "../model/service-counts";
import { sumCounts } from "../store/account-periods";
import { listIncidents } from "../store/incidents";
import { listSerpChecks, type SerpCheck } from "../store/serp-checks";
import { listServiceDays, listServiceHours, putServiceDay } from "../store/service-hours";
import { type PartCheck, readOrNull } from "./checks";
import { toEngineStates } from "./engines";
import { toDayHours, toPartStates, worst } from "./part-states";

const STATUS_DAYS = 90;
const HOUR_MS = 60 * MINUTE_MS;
const KEY = "service/status.json";
/** Uses an older copy in R2 only if the database can't be read. */
const FRESH_MS = 3 * MINUTE_MS;
const INCIDENTS_SHOWN = 20;

/** A day of a part. `hours` is empty if there is no data. */
export interface StatusDay {
  start: number;
  state: PartState | null;
  hours: Partial<Record<PartState, number>>;
}

export interface PartStatus {
  part: StatusPart;
  label: string;
  /** The current state. Null if there is no data. */
  state: PartState | null;
  /** The last 90 days, oldest first. */
  days: StatusDay[];
}

export interface ServiceStatus {
  at: number;
  parts: PartStatus[];
  /** The open incidents and the incidents of the last 90 days, newest first. */
  incidents: Incident[];
}

/** Reads the status from the database. */
async function buildStatus(env: Env, now: number): Promise<ServiceStatus> {
  const first = toDay(now) - (STATUS_DAYS - 1) * DAY_MS;
  const [counts, checks, days, incidents] = await Promise.all([
    sumCounts(env.DB, "account_periods", toPeriod(now) - PERIOD_MS),
    listSerpChecks(env.DB, now - DAY_MS),
    listServiceDays(env.DB, first),
    listIncidents(env.DB, first, INCIDENTS_SHOWN),
  ]);
  const current = toPartStates(counts);
  for (const { engine, lastOutcome, isFailing } of toEngineStates(checks, now)) {
    if (lastOutcome === null) current[engine] = null;
    else current[engine] = lastOutcome === "results" ? "up" : isFailing ? "down" : "degraded";
  }
  const parts = STATUS_PART_NAMES.map((part) => {
    return {
      part,
      label: STATUS_PARTS[part],
      state: withIncidents(part, current[part], incidents),
      days: Array.from({ length: STATUS_DAYS }, (_, i): StatusDay => {
        const start = first + i * DAY_MS;
        const hours: StatusDay["hours"] = days.find((day) => day.start === start)?.parts[part] ?? {};
        return { start, hours, state: worst(...(Object.keys(hours) as PartState[])) };
      }),
    };
  });
  return { at: now, parts, incidents };
}

/** Writes the states of today and yesterday. Replaces stored states, so a repeated call has no additional effect. */
export async function updateDays(env: Env, now: number): Promise<void> {
  const today = toDay(now);
  const checks = await listSerpChecks(env.DB, today - DAY_MS);
  for (const start of [today - DAY_MS, today]) {
    const hours = await listServiceHours(env.DB, start, start + DAY_MS);
    const counted = new Map<number, Counts>(hours.map((hour) => [hour.start, hour.counts]));
    for (const { checkedAt, engine, outcome } of checks.filter((of) => isOn(of, start))) {
      const hour = checkedAt - (checkedAt % HOUR_MS);
      const name = `engine/${engine}/${outcome ?? "interrupted"}`;
      const counts = counted.get(hour) ?? {};
      counted.set(hour, { ...counts, [name]: (counts[name] ?? 0) + 1 });
    }
    if (counted.size === 0) continue;
    await putServiceDay(env.DB, { start, parts: toDayHours([...counted.values()].map(toPartStates)) });
  }
}

function isOn({ checkedAt, outcome }: SerpCheck, day: number): boolean {
  return outcome !== null && checkedAt >= day && checkedAt < day + DAY_MS;
}

/** Writes the status to R2. Without the database, updates the earlier copy from the checks. Never throws. */
export async function writeSnapshot(env: Env, checks: readonly PartCheck[], now: number): Promise<void> {
  const status = (await readOrNull("status", buildStatus(env, now))) ?? (await reuseSnapshot(env, checks, now));
  if (status !== null) await readOrNull("status", env.STORE.put(KEY, JSON.stringify(status)));
}

async function reuseSnapshot(env: Env, checks: readonly PartCheck[], now: number): Promise<ServiceStatus | null> {
  const old = await readSnapshot(env);
  if (old === null || checks.length === 0) return null;
  const states = toPartStates(Object.fromEntries(checks.map(({ part, result }) => [`check/${part}/${result}`, 1])));
  const parts = old.parts.map((of) => ({ ...of, state: withIncidents(of.part, states[of.part], old.incidents) }));
  return { ...old, at: now, parts };
}

/** Returns the state of a part. During an incident, the state is never better than `degraded`. */
function withIncidents(part: StatusPart, state: PartState | null, incidents: readonly Incident[]): PartState | null {
  const isAffected = incidents.some(({ status, parts }) => status !== "resolved" && parts.includes(part));
  return isAffected ? worst(state, "degraded") : state;
}

/** Returns the copy of the status in R2, or reads the database if it is old. Null if neither can be read. */
export async function readStatus(env: Env, now: number): Promise<ServiceStatus | null> {
  const snapshot = await readSnapshot(env);
  if (snapshot !== null && now - snapshot.at < FRESH_MS) return snapshot;
  const status = await readOrNull("status", buildStatus(env, now));
  if (status !== null || snapshot === null) return status;
  // The copy is old, so the current states aren't known.
  return { ...snapshot, parts: snapshot.parts.map((of) => ({ ...of, state: null })) };
}

async function readSnapshot(env: Env): Promise<ServiceStatus | null> {
  return await readOrNull(
    "status",
    env.STORE.get(KEY).then(async (object) => (await object?.json<ServiceStatus>()) ?? null),
  );
}

function toDay(at: number): number {
  return at - (at % DAY_MS);
}
