import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Called } from "./callers.ts";
import { jobOf } from "./checks.ts";
import type { State } from "./state.ts";
import type { Violation } from "./violation.ts";

/** One line of the table. */
interface KindRow {
  requests: number;
  /** They never arrived, or nobody was told. */
  "not admitted": number;
  completed: number;
  failed: number;
  /** Jobs that took more than one run. */
  "taken up again": number;
  "longest, s": number;
}

export interface ChaosReport {
  seed: number;
  kinds: Record<string, KindRow>;
  /** Error codes of the jobs that failed. */
  failures: Record<string, number>;
  figures: Record<string, number>;
  violations: Violation[];
  /** Keys of R2 that no row named any more. */
  leftovers: string[];
}

/** How each kind of job ended, by the rows. */
export function countKinds(called: Called[], state: State): Record<string, KindRow> {
  const groups = Map.groupBy(called, ({ job }) => job.kind);
  const rows = [...groups].map(([kind, requests]): [string, KindRow] => {
    const jobs = requests.flatMap((request) => jobOf(request, state) ?? []);
    const times = jobs.map(({ created_at, ended_at }) => (ended_at ?? Number.POSITIVE_INFINITY) - created_at);
    return [
      kind,
      {
        requests: requests.length,
        "not admitted": requests.length - jobs.length,
        completed: jobs.filter(({ status }) => status === "completed").length,
        failed: jobs.filter(({ status }) => status === "failed").length,
        "taken up again": jobs.filter(({ run }) => run > 1).length,
        "longest, s": Math.round(Math.max(0, ...times) / 100) / 10,
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
  if (violations.length === 0) console.log("Every promise was kept.");
  else console.table(violations);
}

export function write(report: ChaosReport, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`);
}
