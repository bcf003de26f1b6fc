import type { Endpoint } from "../model/endpoint";
import { addHistogram, type Histogram, toPercentile } from "./histogram";

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

export interface UsageTotals {
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

/** Ended jobs of one day, key, endpoint and code. */
export interface UsageRow extends Record<string, SqlStorageValue> {
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

/** What is added to the totals of each group that a row belongs to. */
interface Counts {
  requests: number;
  failed: number;
  credits: number;
  durations: Histogram;
}

/** Adds up rows, newest first. An account may have more rows than fit into memory, so no row is kept. */
export function addUpUsage(rows: Iterable<UsageRow>): UsageTotals {
  const total = new RunningTotal();
  const days = new Groups<{ date: string; endpoint: Endpoint }>();
  const endpoints = new Groups<{ endpoint: Endpoint }>();
  const keys = new Groups<{ keyId: string }>();
  const codes = new Groups<{ code: string; endpoints: Endpoint[] }>();
  for (const row of rows) {
    const { date, key_id: keyId, code } = row;
    const endpoint = row.endpoint as Endpoint;
    const counts = toCounts(row);
    total.add(counts);
    days.add(`${date} ${endpoint}`, { date, endpoint }, counts);
    endpoints.add(endpoint, { endpoint }, counts);
    keys.add(keyId, { keyId }, counts);
    const { endpoints: known } = codes.add(code, { code, endpoints: [] }, counts);
    if (!known.includes(endpoint)) known.push(endpoint);
  }
  const byRequests = (a: UsageTotal, b: UsageTotal) => b.requests - a.requests;
  return {
    total: total.toTotal(),
    days: days.toTotals(),
    endpoints: endpoints.toTotals(),
    keys: keys.toTotals().sort(byRequests),
    codes: codes.toTotals().sort(byRequests),
  };
}

function toCounts({ requests, failed, credits, durations }: UsageRow): Counts {
  return { requests, failed: failed === 1 ? requests : 0, credits, durations: JSON.parse(durations ?? "{}") };
}

class RunningTotal {
  #requests = 0;
  #failed = 0;
  #credits = 0;
  readonly #durations: Record<string, number> = {};

  add({ requests, failed, credits, durations }: Counts): void {
    this.#requests += requests;
    this.#failed += failed;
    this.#credits += credits;
    addHistogram(this.#durations, durations);
  }

  toTotal(): UsageTotal {
    return {
      requests: this.#requests,
      failed: this.#failed,
      credits: this.#credits,
      p50: toPercentile(this.#durations, 0.5),
      p95: toPercentile(this.#durations, 0.95),
    };
  }
}

/** Running totals of groups, in the order of their first rows. */
class Groups<Name> {
  readonly #groups = new Map<string, { name: Name; total: RunningTotal }>();

  /** Adds to a group. Returns the group's name: the one that was given first. */
  add(key: string, name: Name, counts: Counts): Name {
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { name, total: new RunningTotal() };
      this.#groups.set(key, group);
    }
    group.total.add(counts);
    return group.name;
  }

  toTotals(): (UsageTotal & Name)[] {
    return [...this.#groups.values()].map(({ name, total }) => ({ ...name, ...total.toTotal() }));
  }
}
