import { causeOf } from "../model/errors";
import { DAY_MS, SECOND_MS } from "../model/limits";
import { type Counts, fromJobCount } from "../model/service-counts";
import { sumCounts } from "../store/account-periods";
import { readTotals, type Totals } from "../store/account-summaries";
import { readOrNull } from "./checks";
import { type HealthReport, readHealth } from "./report";

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number | null | undefined];

/** The media type of the Prometheus text format, version 0.0.4. */
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/**
 * Returns the state of the service in the Prometheus text format. A metric that couldn't be read is omitted. The
 * counters restart at midnight (UTC), which Prometheus handles like the restart of a process.
 */
export async function readMetrics(env: Env, now: number): Promise<string> {
  const [report, counts, totals] = await Promise.all([
    // No metric needs the requests, so Analytics Engine isn't queried.
    readHealth({ ...env, ANALYTICS_ACCOUNT_ID: "" }, "hour", now),
    readOrNull("counts", sumCounts(env.DB, "service_hours", now - (now % DAY_MS))),
    readOrNull("totals", readTotals(env.DB)),
  ]);
  return toMetrics(report, counts, totals);
}

export function toMetrics(report: HealthReport, counts: Counts | null, totals: Totals | null): string {
  const { checks, alerts, engines, figures, slots, queueAgeMs } = report;
  const seconds = (ms: number | null) => (ms === null ? null : ms / SECOND_MS);
  const durations = figures?.endpoints.flatMap(({ endpoint, p50, p95 }): Sample[] => [
    [{ endpoint, quantile: "0.5" }, seconds(p50)],
    [{ endpoint, quantile: "0.95" }, seconds(p95)],
  ]);
  const families = [
    toFamily("jobs_total", "counter", "Jobs that ended since midnight (UTC), without test jobs.", toJobs(counts)),
    toFamily("deliveries_abandoned_total", "counter", "Webhook deliveries abandoned since midnight (UTC).", [
      [{}, counts && (counts["deliveries/abandoned"] ?? 0)],
    ]),
    toFamily("job_duration_seconds", "gauge", "Duration of jobs that completed in the last hour.", durations),
    toFamily("queue_age_seconds", "gauge", "Age of the oldest job in the queue.", [
      [{}, report.queues && (seconds(queueAgeMs) ?? 0)],
    ]),
    toFamily("account_jobs", "gauge", "Unfinished jobs of all accounts.", [
      [{ status: "queued" }, totals?.queued],
      [{ status: "processing" }, totals?.processing],
    ]),
    toFamily("render_slots", "gauge", "Render slots.", [[{}, slots?.size]]),
    toFamily("render_slots_in_use", "gauge", "Render slots in use.", [[{}, slots?.inUse]]),
    toFamily("renders_waiting", "gauge", "Renders that wait for a slot.", [[{}, slots?.waiting]]),
    toFamily("credits_used", "gauge", "Credits charged to all accounts in their current periods.", [
      [{}, totals?.used],
    ]),
    toFamily("credits_reserved", "gauge", "Credits reserved for unfinished jobs.", [[{}, totals?.reserved]]),
    toFamily(
      "part_up",
      "gauge",
      "1 if the part passes its check.",
      checks.parts.map(({ part, result }) => [{ part }, Number(result === "ok")]),
    ),
    toFamily(
      "engine_failing",
      "gauge",
      "1 if the last checks of the search engine failed.",
      engines?.map(({ engine, isFailing }) => [{ engine }, Number(isFailing)]),
    ),
    toFamily("alerts_active", "gauge", "Alerts that have begun and not ended.", [[{}, alerts?.length]]),
  ];
  return families.join("");
}

/** Returns the number of jobs by endpoint, method and code. The code is the outcome of completed jobs. */
function toJobs(counts: Counts | null): Sample[] {
  const sums = new Map<string, { labels: Labels; jobs: number }>();
  for (const [name, count] of Object.entries(counts ?? {})) {
    const job = fromJobCount(name);
    if (job === null) continue;
    const { endpoint, method, code } = job;
    const cause = causeOf(code, endpoint);
    const status = cause === null ? "completed" : "failed";
    const key = `${endpoint}/${method}/${code}`;
    const labels = { endpoint, method, status, code, ...(cause === null ? {} : { cause }) };
    sums.set(key, { labels, jobs: (sums.get(key)?.jobs ?? 0) + count });
  }
  return [...sums.values()].map(({ labels, jobs }) => [labels, jobs]);
}

/** Returns the lines of one metric, or "" if none of its values is known. */
function toFamily(name: string, type: "counter" | "gauge", help: string, samples: readonly Sample[] = []): string {
  const known = samples.filter(([, value]) => typeof value === "number");
  if (known.length === 0) return "";
  const full = `web_data_extraction_${name}`;
  const lines = known.map(([labels, value]) => `${full}${toLabels(labels)} ${value}`);
  return [`# HELP ${full} ${help}`, `# TYPE ${full} ${type}`, ...lines, ""].join("\n");
}

function toLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
