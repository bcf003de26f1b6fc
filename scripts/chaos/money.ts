import type { JobRow, LedgerRow, State } from "./state.ts";
import { broken, type Violation } from "./violation.ts";

/** The ledger adds up to the accounts, and to each job's end. */
export function checkLedger({ accounts, jobs, ledger }: State): Violation[] {
  const rowsOf = Map.groupBy(ledger, ({ job_id }) => job_id);
  return [
    ...accounts.flatMap((account) => {
      const rows = ledger.filter(({ account_id }) => account_id === account.id);
      const sums = `${sum(rows, "balance_change")} and ${sum(rows, "reserved_change")} reserved`;
      const kept = `${account.balance} and ${account.reserved} reserved`;
      const found = sums === kept ? [] : [broken("the ledger balances", account.id, `It sums up to ${sums}: ${kept}.`)];
      if (account.reserved !== 0) found.push(broken("nothing stays reserved", account.id, String(account.reserved)));
      return found;
    }),
    ...jobs.flatMap((job) => checkJob(job, rowsOf.get(job.id) ?? [])),
    ...[...rowsOf.keys()]
      .filter((id) => id !== null && !jobs.some((job) => job.id === id))
      .map((id) => broken("credits belong to a job", String(id), "It isn't there.")),
  ];
}

/** Reserved once; charged once when it completed, else given back once. */
function checkJob(job: JobRow, rows: LedgerRow[]): Violation[] {
  const isCompleted = job.status === "completed";
  const settled = isCompleted ? `charge 0 -${job.credits}` : `release ${job.credits} -${job.credits}`;
  const wanted = job.credits === 0 ? [] : [`reserve -${job.credits} ${job.credits}`, settled];
  const there = rows.map(({ kind, balance_change, reserved_change }) => `${kind} ${balance_change} ${reserved_change}`);
  const found =
    there.join() === wanted.join() ? [] : [broken("a job is charged once, or not at all", job.id, there.join(", "))];
  if (job.credits_used !== (isCompleted ? job.credits : 0)) {
    found.push(broken("a job says what it cost", job.id, `credits_used ${job.credits_used} of ${job.credits}`));
  }
  return found;
}

/** Each day's usage is what its jobs were. */
export function checkUsage({ jobs, usage }: State): Violation[] {
  const wanted = new Map<string, { requests: number; credits: number }>();
  for (const job of jobs) {
    const day = [job.account_id, job.mode, new Date(job.created_at).toISOString().slice(0, 10), job.endpoint].join(" ");
    const { requests, credits } = wanted.get(day) ?? { requests: 0, credits: 0 };
    wanted.set(day, { requests: requests + 1, credits: credits + job.credits_used });
  }
  const kept = new Map(
    usage.map(({ account_id, mode, date, endpoint, requests, credits }) => [
      [account_id, mode, date, endpoint].join(" "),
      { requests, credits },
    ]),
  );
  return [...new Set([...wanted.keys(), ...kept.keys()])]
    .filter((day) => JSON.stringify(wanted.get(day)) !== JSON.stringify(kept.get(day)))
    .map((day) =>
      broken("usage is what was done", day, `${JSON.stringify(kept.get(day))}, not ${JSON.stringify(wanted.get(day))}`),
    );
}

function sum(rows: LedgerRow[], column: "balance_change" | "reserved_change"): number {
  return rows.reduce((total, row) => total + row[column], 0);
}
