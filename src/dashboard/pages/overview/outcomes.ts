import type { Endpoint } from "../../../model/endpoint";
import type { ErrorCode } from "../../../model/errors";
import type { Outcome } from "../../../store/stats";
import { ENDPOINTS } from "./days";

/** How some ended jobs went. */
export interface Summary {
  ended: number;
  completed: number;
  /** Of the completed ones, in milliseconds; null without any. */
  p50: number | null;
  p95: number | null;
}

export interface Failure {
  code: ErrorCode;
  count: number;
  /** Null: it was met at several. */
  endpoint: Endpoint | null;
  /** The latest job that met it. */
  jobId: string;
}

export function toSummary(outcomes: readonly Outcome[]): Summary {
  const completed = outcomes.filter(({ errorCode }) => errorCode === null);
  const times = completed.flatMap(({ processingTimeMs: ms }) => (ms === null ? [] : [ms])).sort((a, b) => a - b);
  return {
    ended: outcomes.length,
    completed: completed.length,
    p50: toPercentile(times, 0.5),
    p95: toPercentile(times, 0.95),
  };
}

/** By endpoint: those that were asked at all. */
export function toSummaries(outcomes: readonly Outcome[]): [Endpoint, Summary][] {
  return ENDPOINTS.map((endpoint): [Endpoint, Summary] => [
    endpoint,
    toSummary(outcomes.filter((outcome) => outcome.endpoint === endpoint)),
  ]).filter(([, { ended }]) => ended > 0);
}

/** What went wrong most often, most often first. `outcomes` are newest first. */
export function toFailures(outcomes: readonly Outcome[], limit: number): Failure[] {
  const byCode = new Map<ErrorCode, Failure>();
  for (const { id, endpoint, errorCode } of outcomes) {
    if (errorCode === null) continue;
    const failure = byCode.get(errorCode) ?? { code: errorCode, count: 0, endpoint, jobId: id };
    failure.count++;
    if (failure.endpoint !== endpoint) failure.endpoint = null;
    byCode.set(errorCode, failure);
  }
  return [...byCode.values()].sort((a, b) => b.count - a.count || a.code.localeCompare(b.code)).slice(0, limit);
}

/** The nearest rank: a value that was really measured. */
function toPercentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.ceil(sorted.length * share) - 1] ?? null;
}
