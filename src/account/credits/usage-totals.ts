import type { Endpoint } from "../../model/endpoint";
import { MAX_USAGE_GROUPS } from "../../model/limits";
import type { UsageDimension } from "../../model/usage";
import { addHistogram, type Histogram, toPercentile } from "./histogram";

export interface UsageTotal {
  requests: number;
  /** The number of failed jobs among the requests. */
  failed: number;
  credits: number;
  /** Percentiles of the duration (ms) of completed jobs. Null if no job completed. */
  p50: number | null;
  p95: number | null;
}

/** The totals of one group of the report. A value is set only if the report is grouped by it. */
export type UsageGroup = UsageTotal & { date?: string; endpoint?: Endpoint; keyId?: string; code?: string };

export interface UsageTotals {
  total: UsageTotal;
  /** The totals by day and endpoint, newest first. */
  days: (UsageTotal & { date: string; endpoint: Endpoint })[];
  endpoints: (UsageTotal & { endpoint: Endpoint })[];
  /** The totals by API key. The key with the most jobs comes first. */
  keys: (UsageTotal & { keyId: string })[];
  /** The totals by code: the outcome, or the error code of failed jobs. The most frequent code comes first. */
  codes: (UsageTotal & { code: string; endpoints: Endpoint[] })[];
  /**
   * The totals by the requested dimensions: the latest day first, then the highest number of credits. Empty without
   * dimensions. Null if there are more than `MAX_USAGE_GROUPS` groups.
   */
  groups: UsageGroup[] | null;
}

/** A row of the table `usage`: the totals of the ended jobs of one day, key, endpoint and code. */
export interface UsageRow extends Record<string, SqlStorageValue> {
  date: string;
  key_id: string;
  endpoint: Endpoint;
  code: string;
  failed: number;
  requests: number;
  credits: number;
  /** A histogram as JSON. Null for failed jobs. */
  durations: string | null;
}

/** The numbers that one row adds to the totals. */
interface Counts {
  requests: number;
  failed: number;
  credits: number;
  durations: Histogram;
}

/** Adds up rows of the table `usage`. Keeps no row in memory, because an account can have more rows than fit into memory. */
export class UsageSum {
  readonly #groupBy: readonly UsageDimension[];
  readonly #total = new RunningTotal();
  readonly #days = new Groups<{ date: string; endpoint: Endpoint }>();
  readonly #endpoints = new Groups<{ endpoint: Endpoint }>();
  readonly #keys = new Groups<{ keyId: string }>();
  readonly #codes = new Groups<{ code: string; endpoints: Endpoint[] }>();
  readonly #groups = new Groups<Omit<UsageGroup, keyof UsageTotal>>();

  constructor(groupBy: readonly UsageDimension[] = []) {
    this.#groupBy = groupBy;
  }

  add(row: UsageRow): void {
    const { date, key_id: keyId, endpoint, code } = row;
    const counts = toCounts(row);
    this.#total.add(counts);
    this.#days.add(`${date} ${endpoint}`, { date, endpoint }, counts);
    this.#endpoints.add(endpoint, { endpoint }, counts);
    this.#keys.add(keyId, { keyId }, counts);
    const { endpoints: known } = this.#codes.add(code, { code, endpoints: [] }, counts);
    if (!known.includes(endpoint)) known.push(endpoint);
    if (this.#groupBy.length === 0 || this.#groups.size > MAX_USAGE_GROUPS) return;
    const values = { day: { date }, endpoint: { endpoint }, key: { keyId }, code: { code } };
    const name = Object.assign({}, ...this.#groupBy.map((dimension) => values[dimension]));
    this.#groups.add(JSON.stringify(name), name, counts);
  }

  toTotals(): UsageTotals {
    const byRequests = (a: UsageTotal, b: UsageTotal) => b.requests - a.requests;
    const byEndpoint = (a: { endpoint: string }, b: { endpoint: string }) => (a.endpoint < b.endpoint ? -1 : 1);
    const days = this.#days.toTotals();
    const codes = this.#codes.toTotals().map((code) => ({ ...code, endpoints: code.endpoints.toSorted() }));
    return {
      total: this.#total.toTotal(),
      days: days.sort((a, b) => (a.date === b.date ? byEndpoint(a, b) : a.date < b.date ? 1 : -1)),
      endpoints: this.#endpoints.toTotals().sort(byEndpoint),
      keys: this.#keys.toTotals().sort(byRequests),
      codes: codes.sort(byRequests),
      groups: this.#groups.size > MAX_USAGE_GROUPS ? null : this.#groups.toTotals().sort(byDayAndCredits),
    };
  }
}

function byDayAndCredits(a: UsageGroup, b: UsageGroup): number {
  const { date: day = "" } = a;
  const { date: other = "" } = b;
  if (day !== other) return day < other ? 1 : -1;
  return b.credits - a.credits || b.requests - a.requests;
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

/** The totals of several groups, in the order of their first rows. */
class Groups<Name> {
  readonly #groups = new Map<string, { name: Name; total: RunningTotal }>();

  /** Adds counts to a group. Returns the group's name: the `name` that was passed with the group's first counts. */
  add(key: string, name: Name, counts: Counts): Name {
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { name, total: new RunningTotal() };
      this.#groups.set(key, group);
    }
    group.total.add(counts);
    return group.name;
  }

  get size(): number {
    return this.#groups.size;
  }

  toTotals(): (UsageTotal & Name)[] {
    return [...this.#groups.values()].map(({ name, total }) => ({ ...name, ...total.toTotal() }));
  }
}
