import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { CallRecord } from "./callers.ts";
import { findJob } from "./checks.ts";
import type { State } from "./state.ts";
import type { Violation } from "./violation.ts";

/** One row of the table of job kinds. */
interface KindRow {
  requests: number;
  /** The number of requests that created no job. */
  "no job created": number;
  completed: number;
  failed: number;
  /** The number of jobs with more than one run. */
  retried: number;
  /** The time (s) that the slowest job took from its creation to its end. */
  "slowest, s": number;
}

export interface ChaosReport {
  seed: number;
  kinds: Record<string, KindRow>;
  /** The number of failed jobs for each error code. */
  failures: Record<string, number>;
  figures: Record<string, number>;
  violations: Violation[];
  /** The keys of R2 objects that no row refers to. */
  leftovers: string[];
}

/** Counts the outcomes of each kind of job. */
export function countKinds(calls: CallRecord[], state: State): Record<string, KindRow> {
  const groups = Map.groupBy(calls, ({ job }) => job.kind);
  const rows = [...groups].map(([kind, requests]): [string, KindRow] => {
    const jobs = requests.flatMap((request) => findJob(request, state) ?? []);
    const times = jobs.map(({ created_at, ended_at }) => (ended_at ?? Number.POSITIVE_INFINITY) - created_at);
    return [
      kind,
      {
        requests: requests.length,
        "no job created": requests.length - jobs.length,
        completed: jobs.filter(({ status }) => status === "completed").length,
        failed: jobs.filter(({ status }) => status === "failed").length,
        retried: jobs.filter(({ run }) => run > 1).length,
        "slowest, s": Math.round(Math.max(0, ...times) / 100) / 10,
      },
    ];
  });
  return Object.fromEntries(rows.sort(([a], [b]) => a.localeCompare(b)));
}

export function countFailures({ jobs }: State): Record<string, number> {
  const codes = Map.groupBy(
    jobs.filter(({ code }) => code !== null),
    ({ code }) => String(code),
  );
  return Object.fromEntries([...codes].map(([code, rows]) => [code, rows.length]));
}

export function print({ kinds, failures, figures, violations }: ChaosReport): void {
  console.table(kinds);
  console.table(figures);
  console.log(`failures by code: ${JSON.stringify(failures)}`);
  if (violations.length === 0) console.log("All checks passed.");
  else console.table(violations);
}

export function write(report: ChaosReport, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`);
}
