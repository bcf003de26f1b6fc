import { toIso } from "../lib/clock";
import { toIdTime } from "../lib/id";
import type { Mode } from "../model/api-key";
import type { Endpoint } from "../model/endpoint";
import { bucketOf, type Histogram, mergeHistograms, toPercentile } from "./histogram";
import { applyDueGrant, balanceOf } from "./state";
import type { Transaction } from "./transaction";

/** A job that has ended, as usage counts it. */
export interface EndedJob {
  mode: Mode;
  /** Usage counts a job on the day of its id, which is also the day that it is archived with. */
  id: string;
  keyId: string;
  endpoint: Endpoint;
  /** The outcome of a completed job, such as ok, or the error's code. */
  code: string;
  failed: boolean;
  credits: number;
  durationMs: number;
}

/** Counts a job that has ended. Writes one row. */
export function recordUsage(tx: Transaction, job: EndedJob): void {
  const bucket = `$."${bucketOf(job.durationMs)}"`;
  tx.run(
    `INSERT INTO usage (mode, date, key_id, endpoint, code, failed, requests, credits, durations)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, ?7, json_set('{}', ?8, 1))
     ON CONFLICT DO UPDATE SET requests = requests + 1, credits = credits + excluded.credits,
       durations = json_set(durations, ?8, COALESCE(json_extract(durations, ?8), 0) + 1)`,
    job.mode,
    toIso(toIdTime(job.id)).slice(0, 10),
    job.keyId,
    job.endpoint,
    job.code,
    job.failed ? 1 : 0,
    job.credits,
    bucket,
  );
}

/** What ended jobs have in common, added up. */
export interface UsageTotal {
  requests: number;
  /** The jobs among them that failed. */
  failed: number;
  credits: number;
  /** Percentiles of the durations (ms) of completed jobs. Null if there are none. */
  p50: number | null;
  p95: number | null;
}

export interface UsageReport {
  balance: number;
  reserved: number;
  /** Times are Unix ms. */
  period: { start: number; end: number; granted: number; used: number };
  /** Of all jobs since that date. */
  total: UsageTotal;
  /** Newest first. */
  days: (UsageTotal & { date: string; endpoint: Endpoint })[];
  endpoints: (UsageTotal & { endpoint: Endpoint })[];
  /** The key with the most jobs first. */
  keys: (UsageTotal & { keyId: string })[];
  /** The outcomes of completed jobs and the error codes of failed ones, the most frequent first. */
  codes: (UsageTotal & { code: string; endpoints: Endpoint[] })[];
}

interface UsageRow extends Record<string, SqlStorageValue> {
  date: string;
  key_id: string;
  endpoint: string;
  code: string;
  failed: number;
  requests: number;
  credits: number;
  /** Null for failed jobs. */
  durations: string | null;
}

export interface UsageQuery {
  mode: Mode;
  /** The first day: YYYY-MM-DD, UTC. */
  since: string;
}

/** Returns the balance and the usage of one mode. Applies a grant that is due. */
export function readUsage(tx: Transaction, { mode, since }: UsageQuery): UsageReport {
  applyDueGrant(tx);
  const rows = tx
    .all<UsageRow>(
      `SELECT date, key_id, endpoint, code, failed, requests, credits, CASE failed WHEN 0 THEN durations END AS durations
       FROM usage WHERE mode = ?1 AND date >= ?2 ORDER BY date DESC, endpoint`,
      mode,
      since,
    )
    .map(toUsage);
  const byRequests = (a: UsageTotal, b: UsageTotal) => b.requests - a.requests;
  const { periodStart, nextGrantAt, granted, used } = tx.state.credits;
  return {
    balance: balanceOf(tx.state, tx.totals),
    reserved: tx.totals.reserved,
    period: { start: periodStart, end: nextGrantAt, granted, used },
    total: toTotal(rows),
    days: group(
      rows,
      ({ date, endpoint }) => `${date} ${endpoint}`,
      ({ date, endpoint }) => ({ date, endpoint }),
    ),
    endpoints: group(
      rows,
      ({ endpoint }) => endpoint,
      ({ endpoint }) => ({ endpoint }),
    ),
    keys: group(
      rows,
      ({ keyId }) => keyId,
      ({ keyId }) => ({ keyId }),
    ).sort(byRequests),
    codes: group(
      rows,
      ({ code }) => code,
      ({ code }, all) => ({ code, endpoints: [...new Set(all.map(({ endpoint }) => endpoint))] }),
    ).sort(byRequests),
  };
}

/** Ended jobs of one day, key, endpoint and code. */
interface Usage {
  date: string;
  keyId: string;
  endpoint: Endpoint;
  code: string;
  requests: number;
  failed: number;
  credits: number;
  durations: Histogram;
}

function toUsage(row: UsageRow): Usage {
  return {
    date: row.date,
    keyId: row.key_id,
    endpoint: row.endpoint as Endpoint,
    code: row.code,
    requests: row.requests,
    failed: row.failed === 1 ? row.requests : 0,
    credits: row.credits,
    durations: JSON.parse(row.durations ?? "{}"),
  };
}

function group<Name>(
  rows: readonly Usage[],
  keyOf: (row: Usage) => string,
  nameOf: (row: Usage, all: readonly Usage[]) => Name,
): (UsageTotal & Name)[] {
  const groups = new Map<string, Usage[]>();
  for (const row of rows) {
    const members = groups.get(keyOf(row));
    if (members === undefined) groups.set(keyOf(row), [row]);
    else members.push(row);
  }
  return [...groups.values()].flatMap((members) =>
    members.slice(0, 1).map((row) => ({ ...nameOf(row, members), ...toTotal(members) })),
  );
}

function toTotal(rows: readonly Usage[]): UsageTotal {
  const sum = (of: (row: Usage) => number) => rows.reduce((total, row) => total + of(row), 0);
  const histogram = mergeHistograms(rows.map(({ durations }) => durations));
  return {
    requests: sum(({ requests }) => requests),
    failed: sum(({ failed }) => failed),
    credits: sum(({ credits }) => credits),
    p50: toPercentile(histogram, 0.5),
    p95: toPercentile(histogram, 0.95),
  };
}
