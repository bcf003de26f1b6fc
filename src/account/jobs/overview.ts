import { MODES, type Mode } from "../../model/api-key";
import type { UsageQuery, UsageReport } from "../credits/usage";
import type { Transaction } from "../storage/transaction";
import { type JobLine, listLines } from "./job-lines";

/** The data for the dashboard's overview page. */
export interface Overview {
  usage: UsageReport;
  latest: JobLine[];
  /** True if the account has created a job in any mode. */
  hasJob: boolean;
  /** True if an API key has created a job. Jobs from the dashboard's playground don't count. */
  hasCalled: boolean;
}

export interface OverviewQuery extends UsageQuery {
  /** The maximum number of latest jobs. */
  latest: number;
}

/** Reads the overview data of one mode. `report` is the usage of the query's days. */
export function readOverview(tx: Transaction, report: UsageReport, { mode, latest }: OverviewQuery): Overview {
  const ids = tx
    .all<{ id: string }>("SELECT id FROM jobs WHERE mode = ?1 ORDER BY id DESC LIMIT ?2", mode, latest)
    .map(({ id }) => id);
  return {
    usage: report,
    latest: listLines(tx, mode, ids),
    hasJob: ids.length > 0 || tx.first("SELECT 1 AS found FROM jobs LIMIT 1") !== null,
    hasCalled: MODES.some((each) => hasJobOfKey(tx, each)),
  };
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
