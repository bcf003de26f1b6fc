import { toCount } from "../lib/count";
import { ERROR_CAUSES, type ErrorCause } from "../model/errors";
import { MINUTE_MS, SECOND_MS } from "../model/limits";
import { isSlow, PART_NAMES, type PartCheck } from "./checks";
import type { EngineState } from "./engines";
import type { Figures } from "./figures";

/** Jobs count as late if they wait in the service's queue for at least this time. */
const LATE_MS = 2 * MINUTE_MS;
/** The failures of one cause count as a problem if they are at least this share of the jobs. */
const NOTICEABLE_SHARE = 0.05;

/** One sentence of the diagnosis: whether this service or another party causes a problem. */
export interface Finding {
  cause: ErrorCause;
  text: string;
}

/** The values on which the diagnosis is based. A value is null if it couldn't be read. */
export interface Evidence {
  checks: readonly PartCheck[];
  problems: readonly { message: string }[];
  figures: Figures | null;
  engines: readonly EngineState[];
  /** The age (ms) of the oldest job that waits in the service's own queue. */
  queueAgeMs: number | null;
  /** The number of jobs that were requeued because no browser was free. */
  browserWaits: number;
}

/** Returns the diagnosis, most important finding first. Empty if there is no sign of a problem. */
export function toFindings(evidence: Evidence): Finding[] {
  const causes = evidence.figures?.causes;
  // A fault of this service comes first, however few jobs it affects. Then the cause of the most failures.
  const countFailures = (cause: ErrorCause): number =>
    cause === "service" ? Number.POSITIVE_INFINITY : (causes?.[cause] ?? 0);
  const order = ERROR_CAUSES.toSorted((a, b) =>
    countFailures(a) === countFailures(b) ? 0 : countFailures(b) - countFailures(a),
  );
  return [...toOwnFindings(evidence), ...toFailureFindings(evidence)].sort(
    (a, b) => order.indexOf(a.cause) - order.indexOf(b.cause),
  );
}

function toOwnFindings({ checks, problems, queueAgeMs, browserWaits }: Evidence): Finding[] {
  const texts = [
    ...checks.flatMap((check) => {
      const { part, result, ms } = check;
      const name = `The ${PART_NAMES[part]}`;
      if (result === "timeout") return [`${name} didn't respond within ${toSeconds(ms)}.`];
      if (result === "failed") return [`${name} failed its check.`];
      return isSlow(check) ? [`${name} is slow. Its check took ${toSeconds(ms)}.`] : [];
    }),
    ...problems.map(({ message }) => message),
    ...(browserWaits > 0 ? [`${toCount(browserWaits, "job waits", "jobs wait")} because no browser is free.`] : []),
    ...(queueAgeMs !== null && queueAgeMs >= LATE_MS
      ? [`The oldest job has waited in the queue for ${toCount(Math.round(queueAgeMs / MINUTE_MS), "minute")}.`]
      : []),
  ];
  return texts.map((text) => ({ cause: "service", text }));
}

const SUBJECTS: Record<ErrorCause, string> = {
  service: "because of this service",
  outside: "because of an outside service",
  target: "because of the target sites",
  customer: "because of the customers' requests",
};

function toFailureFindings({ figures, engines }: Evidence): Finding[] {
  const failing = engines.filter(({ isFailing }) => isFailing);
  const findings: Finding[] = failing.map(({ label, lastOutcome }) => ({
    cause: "outside",
    text: `The last two checks of ${label} failed (${lastOutcome}).`,
  }));
  if (figures === null || figures.jobs === 0) return findings;
  for (const cause of ERROR_CAUSES) {
    const failed = figures.causes[cause];
    if (failed < figures.jobs * NOTICEABLE_SHARE || failed === 0) continue;
    const codes = figures.codes.filter((of) => of.cause === cause).slice(0, 2);
    const named = codes.map(({ code }) => code).join(" and ");
    const share = toShare(failed, figures.jobs);
    findings.push({ cause, text: `${share} of the jobs failed ${SUBJECTS[cause]}, mostly with ${named}.` });
  }
  return findings;
}

export function toHeadline(findings: readonly Finding[], jobs: number | null, countedAt: number | null): string {
  const [first] = findings;
  if (first !== undefined) return HEADLINES[first.cause];
  if (jobs === null) return "The figures can't be read.";
  if (jobs > 0) return "There is no sign of a problem.";
  // An account reports up to 15 minutes after its jobs, so other jobs may have ended.
  return countedAt === null ? "No account has reported yet." : "No account has reported a job in this time range.";
}

const HEADLINES: Record<ErrorCause, string> = {
  service: "The cause is this service.",
  outside: "The cause is an outside service.",
  target: "The cause is the target sites.",
  customer: "The cause is the customers' requests.",
};

/** Formats a share as a percentage. A small share above 0 is never shown as 0%. */
export function toShare(part: number, whole: number): string {
  if (whole === 0 || part === 0) return "0%";
  const percent = (part / whole) * 100;
  return percent < 0.1 ? "<0.1%" : `${percent.toLocaleString("en", { maximumFractionDigits: 1 })}%`;
}

function toSeconds(ms: number): string {
  return `${(ms / SECOND_MS).toLocaleString("en", { maximumFractionDigits: 1 })} s`;
}
