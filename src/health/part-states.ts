import { causeOf, type ErrorCause } from "../model/errors";
import { PART_STATES, type PartState, STATUS_PART_NAMES, type StatusPart } from "../model/incident";
import { type Counts, fromJobCount, type JobCount } from "../model/service-counts";
import type { CheckedPart } from "./checks";

/** The shares of failures above which a part is degraded or down. */
const DEGRADED_SHARE = 0.05;
const DOWN_SHARE = 0.5;

/** The states of the parts. Null means that there is no data. */
type PartStates = Record<StatusPart, PartState | null>;

/** The number of hours of a day by part and state. */
type DayHours = Record<string, Partial<Record<PartState, number>>>;

export function toPartStates(counts: Counts): PartStates {
  const isOwn = (cause: ErrorCause): boolean => cause === "service";
  // Failures of an outside service also count, because customers can't use the part.
  const isOwnOrOutside = (cause: ErrorCause): boolean => cause === "service" || cause === "outside";
  const api = toCheckState(counts, ["database", "store", "durable_objects", "queues"]);
  const jobs = (matches: (job: JobCount) => boolean, isFailure = isOwn) => toJobState(counts, matches, isFailure);
  return {
    api,
    scraping: worst(
      api,
      jobs(({ endpoint, method }) => ["scrape", "map"].includes(endpoint) && method === "plain"),
    ),
    rendering: worst(
      toCheckState(counts, ["browser"]),
      jobs(({ method }) => method === "rendered"),
    ),
    parse: worst(
      api,
      jobs(({ endpoint }) => endpoint === "parse", isOwnOrOutside),
    ),
    google: toEngineState(counts, "google"),
    bing: toEngineState(counts, "bing"),
    yandex: toEngineState(counts, "yandex"),
    webhooks: toCheckState(counts, ["durable_objects", "queues"]),
    dashboard: toCheckState(counts, ["database", "durable_objects"]),
  };
}

function toCheckState(counts: Counts, parts: readonly CheckedPart[]): PartState | null {
  return worst(
    ...parts.map((part) => {
      const ok = counts[`check/${part}/ok`] ?? 0;
      return toState((counts[`check/${part}/failed`] ?? 0) + (counts[`check/${part}/timeout`] ?? 0), ok);
    }),
  );
}

function toJobState(
  counts: Counts,
  matches: (job: JobCount) => boolean,
  isFailure: (cause: ErrorCause) => boolean,
): PartState | null {
  let failed = 0;
  let other = 0;
  for (const [name, count] of Object.entries(counts)) {
    const job = fromJobCount(name);
    if (job === null || !matches(job)) continue;
    const cause = causeOf(job.code);
    if (cause !== null && isFailure(cause)) failed += count;
    else other += count;
  }
  return toState(failed, other);
}

/** Engines are checked once an hour. One failure doesn't prove an outage, so the state is at most "degraded". */
function toEngineState(counts: Counts, engine: string): PartState | null {
  const outcomes = Object.keys(counts).filter((name) => name.startsWith(`engine/${engine}/`));
  if (outcomes.length === 0) return null;
  return outcomes.every((name) => name.endsWith("/results")) ? "up" : "degraded";
}

function toState(failed: number, ok: number): PartState | null {
  const total = failed + ok;
  if (total === 0) return null;
  if (failed >= total * DOWN_SHARE) return "down";
  return failed >= total * DEGRADED_SHARE ? "degraded" : "up";
}

/** Returns the worst state, or null if all are null. */
export function worst(...states: (PartState | null)[]): PartState | null {
  const known = states.filter((state) => state !== null);
  return known.length === 0 ? null : (PART_STATES.findLast((state) => known.includes(state)) ?? null);
}

/** Counts the states of the hours of a day. */
export function toDayHours(hours: readonly PartStates[]): DayHours {
  const day: DayHours = {};
  for (const states of hours) {
    for (const part of STATUS_PART_NAMES) {
      const state = states[part];
      if (state === null) continue;
      const sums = day[part] ?? {};
      sums[state] = (sums[state] ?? 0) + 1;
      day[part] = sums;
    }
  }
  return day;
}
