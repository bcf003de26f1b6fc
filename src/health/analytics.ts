// Reads the counts of responses from Analytics Engine. A Worker's binding can write to it but can't read from it.
// Therefore this code uses Cloudflare's SQL API
// (https://developers.cloudflare.com/analytics/analytics-engine/sql-api/). src/account/effects.ts defines the columns.
import { z } from "@hono/zod-openapi";
import { toHttpOrigin, toText } from "../lib/env";
import { SECOND_MS } from "../model/limits";
import { outboundFetch } from "../net/outbound-fetch";

const TIMEOUT_MS = 5 * SECOND_MS;
const API_ORIGIN = "https://api.cloudflare.com";
const DATASET = "web_data_extraction";

// Analytics Engine returns large integers as strings.
const count = z.coerce.number();
const RequestRow = z.object({ status: count, code: z.string(), requests: count });
const Answer = z.object({ data: z.array(z.unknown()) });

/** The responses of a range of time. */
export interface RequestFigures {
  requests: number;
  /** The responses with an error, by status and code. The most frequent one comes first. */
  errors: { status: number; code: string; requests: number }[];
}

export function canReadAnalytics(env: Env): boolean {
  return toText(env.ANALYTICS_ACCOUNT_ID) !== null && toText(env.ANALYTICS_TOKEN) !== null;
}

/** Returns the responses since `since` (Unix ms), including those without a job. Throws if Analytics Engine can't be read. */
export async function readAnalyticsRequests(env: Env, since: number): Promise<RequestFigures> {
  const dataset = toText(env.ANALYTICS_DATASET) ?? DATASET;
  if (!/^\w+$/.test(dataset)) throw new Error("ANALYTICS_DATASET may only have letters, digits and underscores.");
  // The sums are weighted, because Analytics Engine may sample events.
  const rows = await query(
    env,
    `SELECT blob4 AS status, blob5 AS code, SUM(_sample_interval) AS requests
     FROM ${dataset} WHERE blob1 = 'request' AND timestamp >= toDateTime(${Math.floor(since / SECOND_MS)})
     GROUP BY status, code`,
  );
  const responses = z.array(RequestRow).parse(rows);
  return {
    requests: responses.reduce((sum, { requests }) => sum + requests, 0),
    errors: responses.filter(({ status }) => status >= 400).sort((a, b) => b.requests - a.requests),
  };
}

async function query(env: Env, sql: string): Promise<unknown[]> {
  const origin = toHttpOrigin(env.ANALYTICS_ORIGIN) ?? API_ORIGIN;
  const account = encodeURIComponent(env.ANALYTICS_ACCOUNT_ID.trim());
  const response = await outboundFetch(`${origin}/client/v4/accounts/${account}/analytics_engine/sql`, {
    method: "POST",
    headers: { authorization: `Bearer ${toText(env.ANALYTICS_TOKEN)}` },
    body: `${sql} FORMAT JSON`,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`Analytics Engine responded with status ${response.status}.`);
  }
  return Answer.parse(await response.json()).data;
}
