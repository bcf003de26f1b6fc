import { callAccount } from "../account/client";
import { toUsageRange } from "../account/credits/usage";
import { parseWith } from "../contract/invalid-request";
import { toJobRecord } from "../jobs/read-job";
import { now, toIso } from "../lib/clock";
import type { ToolCall } from "./batch-tools";
import { fitItems, type ToolResult, toResult } from "./result";
import { ListJobsRequest, UsageRequest } from "./tool-requests";

/** Lists jobs without their results and without text from pages. */
export async function listJobs(env: Env, args: unknown, { caller }: ToolCall): Promise<ToolResult> {
  const { q: text, ...filter } = parseWith(ListJobsRequest, args);
  const { account, mode, id } = caller;
  // A test key lists only its own jobs, as in the API.
  const own = mode === "test" ? { keyId: id } : {};
  const listed = { mode, ...own, text, ...filter, offset: 0, isCounted: false };
  const { items, next } = await callAccount(env, account, (stub) => stub.list(listed));
  const jobs = items.map((job) => {
    const { job_id, status, endpoint, request, outcome, error, created_at, meta } = toJobRecord(job);
    const { url, query } = (request ?? {}) as { url?: string; query?: string };
    const target = { ...(url !== undefined && { url }), ...(query !== undefined && { query }) };
    const end = { ...(outcome && { outcome }), ...(error && { error: error.code }), credits_used: meta?.credits_used };
    return { job_id, status, endpoint, ...target, ...end, created_at };
  });
  const { shown, more } = fitItems(jobs);
  const cursor = more > 0 ? shown.at(-1)?.job_id : next;
  return toResult({ facts: { jobs: shown, ...(cursor && { next_cursor: cursor }) } });
}

/** Returns the balance, the limits of the key, and the usage of the last days by endpoint. */
export async function readUsage(env: Env, args: unknown, { caller, rate }: ToolCall): Promise<ToolResult> {
  parseWith(UsageRequest, args);
  const { account, mode, id, creditLimit } = caller;
  const { from, to } = toUsageRange({}, now());
  const [report, keys] = await Promise.all([
    callAccount(env, account, (stub) => stub.usage({ mode, since: from, until: to, groupBy: [] })),
    creditLimit === null ? null : callAccount(env, account, (stub) => stub.keyCredits()),
  ]);
  const { balance, reserved, period } = report;
  const { limit, remaining, resetAt } = rate;
  const limits = {
    requests_per_minute: { limit, remaining, resets_at: toIso(resetAt) },
    ...(keys && { credits: { limit: creditLimit, used: keys.used[id] ?? 0, resets_at: toIso(keys.period.end) } }),
  };
  const by_endpoint = report.endpoints.map(({ endpoint, requests, failed, credits }) => ({
    ...{ endpoint, requests, failed, credits },
  }));
  const shown = { ...period, start: toIso(period.start), end: toIso(period.end) };
  return toResult({
    facts: { balance, reserved, period: shown, limits, from, to, by_endpoint },
  });
}
