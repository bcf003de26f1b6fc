import { MODES, type Mode } from "../../model/api-key";
import type { ErrorCode } from "../../model/errors";
import type { UsageQuery, UsageReport } from "../credits/usage";
import type { Transaction } from "../storage/transaction";
import { type JobLine, listLines } from "./job-lines";

/** The data for the dashboard's overview page. */
export interface Overview {
  usage: UsageReport;
  /** The most frequent errors, each with its latest job. `jobId` is null if that job is archived. */
  errors: (UsageReport["codes"][number] & { code: ErrorCode; jobId: string | null })[];
  latest: JobLine[];
  /** True if the account has created a job in any mode. */
  hasJob: boolean;
  /** True if an API key has created a job. Jobs from the dashboard's playground don't count. */
  hasCalled: boolean;
}

export interface OverviewQuery extends UsageQuery {
  /** The maximum number of latest jobs. */
  latest: number;
  /** The maximum number of errors. */
  errors: number;
}

/** Reads the overview data of one mode. `report` is the usage of the query's days. */
export function readOverview(tx: Transaction, report: UsageReport, { mode, latest, errors }: OverviewQuery): Overview {
  const failures = report.codes.filter(({ requests, failed }) => failed === requests).slice(0, errors);
  const ids = tx
    .all<{ id: string }>("SELECT id FROM jobs WHERE mode = ?1 ORDER BY id DESC LIMIT ?2", mode, latest)
    .map(({ id }) => id);
  return {
    usage: report,
    errors: failures.map((failure) => ({
      ...failure,
      code: failure.code as ErrorCode,
      jobId: findLatest(tx, mode, failure.code),
    })),
    latest: listLines(tx, mode, ids),
    hasJob: ids.length > 0 || tx.first("SELECT 1 AS found FROM jobs LIMIT 1") !== null,
    hasCalled: MODES.some((each) => hasJobOfKey(tx, each)),
  };
}

function findLatest(tx: Transaction, mode: Mode, code: string): string | null {
  return tx.value<string>(
    "SELECT id FROM jobs INDEXED BY jobs_by_code WHERE mode = ?1 AND code = ?2 AND code IS NOT NULL ORDER BY id DESC LIMIT 1",
    ...[mode, code],
  );
}

/**
 * Returns true if an API key has created a job. Jobs of the playground have the key id 'dashboard'. The query reads the
 * index below and above this value, so that it skips these jobs.
 */
function hasJobOfKey(tx: Transaction, mode: Mode): boolean {
  const found = tx.value<number>(
    `SELECT EXISTS (SELECT 1 FROM jobs INDEXED BY jobs_by_key WHERE mode = ?1 AND key_id < 'dashboard')
       OR EXISTS (SELECT 1 FROM jobs INDEXED BY jobs_by_key WHERE mode = ?1 AND key_id > 'dashboard')`,
    mode,
  );
  return found === 1;
}
