import type { JobRow, State, UsageRow } from "./state.ts";
import { broken, type Violation } from "./violation.ts";

/** The credits as the API returns them. */
export interface ShownCredits {
  balance: number;
  reserved: number;
}

/**
 * Checks that the balance equals the granted credits minus the credits of the jobs. Charges are in the jobs' rows, not
 * in the ledger. `free` has the ids of the completed jobs that must be free.
 */
export function checkCredits(
  { account, jobs, ledger }: State,
  shown: ShownCredits,
  free: ReadonlySet<string> = new Set(),
): Violation[] {
  const granted = ledger.reduce((sum, { amount }) => sum + amount, 0);
  const used = jobs.reduce((sum, { credits_used }) => sum + credits_used, 0);
  const found: Violation[] = [];
  if (account.funds !== granted - used) {
    const detail = `${granted} were granted and ${used} used, but ${account.funds} are left.`;
    found.push(broken("the ledger balances", account.id, detail));
  }
  if (account.used !== used) {
    const detail = `The account's row has ${account.used} as used, but the jobs used ${used}.`;
    found.push(broken("the ledger balances", account.id, detail));
  }
  if (account.funds < 0) found.push(broken("the balance isn't negative", account.id, String(account.funds)));
  if (shown.balance !== account.funds) {
    const detail = `The API returns ${shown.balance}, but the row has ${account.funds}.`;
    found.push(broken("the API returns the stored balance", account.id, detail));
  }
  if (shown.reserved !== 0) found.push(broken("no credits stay reserved", account.id, String(shown.reserved)));
  return [...found, ...jobs.flatMap((job) => checkJob(job, free))];
}

/** Checks that a completed job is charged its price, and that other jobs are free. */
function checkJob(job: JobRow, free: ReadonlySet<string>): Violation[] {
  const expected = job.status === "completed" && !free.has(job.id) ? job.credits : 0;
  const detail = `credits_used ${job.credits_used} of ${job.credits}, ${job.status}`;
  return job.credits_used === expected ? [] : [broken("only a completed job is charged, and once", job.id, detail)];
}

/** Checks that the usage rows of each day match the jobs of that day. */
export function checkUsage({ jobs, usage }: State): Violation[] {
  const expected = new Map<string, { requests: number; credits: number }>();
  for (const job of jobs) {
    add(expected, { ...job, date: new Date(job.created_at).toISOString().slice(0, 10) }, 1, job.credits_used);
  }
  const stored = new Map<string, { requests: number; credits: number }>();
  for (const row of usage) add(stored, row, row.requests, row.credits);
  return [
    ...[...new Set([...expected.keys(), ...stored.keys()])]
      .filter((day) => JSON.stringify(expected.get(day)) !== JSON.stringify(stored.get(day)))
      .map((day) => {
        const detail = `stored ${JSON.stringify(stored.get(day))}, expected ${JSON.stringify(expected.get(day))}`;
        return broken("usage matches the jobs", day, detail);
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

/** Checks that the histogram of durations counts each job once. */
function checkDurations({ date, endpoint, requests, durations }: UsageRow): Violation[] {
  const counts: number[] = Object.values(JSON.parse(durations));
  const count = counts.reduce((sum, one) => sum + one, 0);
  const detail = `${count} durations for ${requests} jobs`;
  return count === requests ? [] : [broken("usage matches the jobs", `${date} ${endpoint}`, detail)];
}
