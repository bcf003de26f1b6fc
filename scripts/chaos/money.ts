import type { JobRow, State, UsageRow } from "./state.ts";
import { broken, type Violation } from "./violation.ts";

/** The credits as the API shows them. */
export interface ShownCredits {
  balance: number;
  reserved: number;
}

/** The credits are what was granted, less what the jobs used. The job's row is the entry for its charge. */
export function checkCredits({ account, jobs, ledger }: State, shown: ShownCredits): Violation[] {
  const granted = ledger.reduce((sum, { amount }) => sum + amount, 0);
  const used = jobs.reduce((sum, { credits_used }) => sum + credits_used, 0);
  const found: Violation[] = [];
  if (account.funds !== granted - used) {
    const detail = `${account.funds} are left, ${granted} were granted and ${used} used.`;
    found.push(broken("the ledger balances", account.id, detail));
  }
  if (account.used !== used) found.push(broken("the ledger balances", account.id, `used is ${account.used}: ${used}.`));
  if (account.funds < 0) found.push(broken("the balance isn't negative", account.id, String(account.funds)));
  if (shown.balance !== account.funds) {
    const detail = `The API says ${shown.balance}, the row says ${account.funds}.`;
    found.push(broken("the balance is what the rows say", account.id, detail));
  }
  if (shown.reserved !== 0) found.push(broken("nothing stays reserved", account.id, String(shown.reserved)));
  return [...found, ...jobs.flatMap(checkJob)];
}

/** A job is charged its price when it completed, else nothing. */
function checkJob(job: JobRow): Violation[] {
  const wanted = job.status === "completed" ? job.credits : 0;
  const detail = `credits_used ${job.credits_used} of ${job.credits}, ${job.status}`;
  return job.credits_used === wanted ? [] : [broken("a job is charged once, or not at all", job.id, detail)];
}

/** Each day's usage is what its jobs were. */
export function checkUsage({ jobs, usage }: State): Violation[] {
  const wanted = new Map<string, { requests: number; credits: number }>();
  for (const job of jobs) {
    add(wanted, { ...job, date: new Date(job.created_at).toISOString().slice(0, 10) }, 1, job.credits_used);
  }
  const kept = new Map<string, { requests: number; credits: number }>();
  for (const row of usage) add(kept, row, row.requests, row.credits);
  return [
    ...[...new Set([...wanted.keys(), ...kept.keys()])]
      .filter((day) => JSON.stringify(wanted.get(day)) !== JSON.stringify(kept.get(day)))
      .map((day) => {
        const detail = `${JSON.stringify(kept.get(day))}, not ${JSON.stringify(wanted.get(day))}`;
        return broken("usage is what was done", day, detail);
      }),
    ...usage.flatMap(checkDurations),
  ];
}

type Day = Pick<UsageRow, "mode" | "date" | "key_id" | "endpoint">;

function add(
  days: Map<string, { requests: number; credits: number }>,
  { mode, date, key_id, endpoint }: Day,
  requests: number,
  credits: number,
): void {
  const day = [mode, date, key_id, endpoint].join(" ");
  const sum = days.get(day) ?? { requests: 0, credits: 0 };
  days.set(day, { requests: sum.requests + requests, credits: sum.credits + credits });
}

/** The histogram has each job once. */
function checkDurations({ date, endpoint, requests, durations }: UsageRow): Violation[] {
  const counts: number[] = Object.values(JSON.parse(durations));
  const count = counts.reduce((sum, one) => sum + one, 0);
  const detail = `${count} durations of ${requests} jobs`;
  return count === requests ? [] : [broken("usage is what was done", `${date} ${endpoint}`, detail)];
}
