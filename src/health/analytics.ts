// Reads the figures of ended jobs from Analytics Engine. A Worker's binding can write to it but can't read from it.
// Therefore this code uses Cloudflare's SQL API
// (https://developers.cloudflare.com/analytics/analytics-engine/sql-api/). src/account/effects.ts defines the columns.
import { z } from "@hono/zod-openapi";
import { toHttpOrigin, toText } from "../lib/env";
import { causeOf } from "../model/errors";
import { SECOND_MS } from "../model/limits";
import { outboundFetch } from "../net/outbound-fetch";
import { addUp, type CodeFigures, type Figures } from "./figures";

const TIMEOUT_MS = 5 * SECOND_MS;
const API_ORIGIN = "https://api.cloudflare.com";
const DATASET = "web_data_extraction";

// Analytics Engine returns large integers as strings.
const count = z.coerce.number();
const CodeRow = z.object({ endpoint: z.string(), code: z.string(), jobs: count });
const EndpointRow = z.object({ endpoint: z.string(), p50: count, p95: count });
const RequestRow = z.object({ status: count, code: z.string(), requests: count });
const Answer = z.object({ data: z.array(z.unknown()) });

/** The responses of a range of time. */
export interface RequestFigures {
  requests: number;
  /** The responses with an error, by status and code. The most frequent one comes first. */
  errors: { status: number; code: string; requests: number }[];
}

/** Returns true if the service can read Analytics Engine. */
export function canReadAnalytics(env: Env): boolean {
  return toText(env.ANALYTICS_ACCOUNT_ID) !== null && toText(env.ANALYTICS_TOKEN) !== null;
}

/** Returns the figures of the live jobs that ended since `since` (Unix ms). Throws if Analytics Engine can't be read. */
export async function readAnalyticsFigures(env: Env, since: number): Promise<Figures> {
  const from = `${toSource(env, "job", since)} AND blob5 = 'live'`;
  // The sums are weighted, because Analytics Engine may sample events.
  const [byCode, byEndpoint] = await Promise.all([
    query(
      env,
      `SELECT blob2 AS endpoint, blob4 AS code, SUM(_sample_interval) AS jobs ${from} GROUP BY endpoint, code`,
    ),
    query(
      env,
      `SELECT blob2 AS endpoint, quantileExactWeighted(0.5)(double1, _sample_interval) AS p50,
       quantileExactWeighted(0.95)(double1, _sample_interval) AS p95 ${from} AND blob3 = 'completed' GROUP BY endpoint`,
    ),
  ]);
  return toFigures(z.array(CodeRow).parse(byCode), z.array(EndpointRow).parse(byEndpoint));
}

function toFigures(byCode: z.infer<typeof CodeRow>[], byEndpoint: z.infer<typeof EndpointRow>[]): Figures {
  const codes = new Map<string, CodeFigures>();
  const endpoints = new Map<string, { jobs: number; failed: number }>();
  for (const { endpoint, code, jobs } of byCode) {
    const cause = causeOf(code, endpoint);
    const sum = endpoints.get(endpoint) ?? { jobs: 0, failed: 0 };
    endpoints.set(endpoint, { jobs: sum.jobs + jobs, failed: sum.failed + (cause === null ? 0 : jobs) });
    if (cause === null) continue;
    const known = codes.get(`${cause}/${code}`) ?? { code, cause, jobs: 0, endpoints: [] };
    codes.set(`${cause}/${code}`, { ...known, jobs: known.jobs + jobs, endpoints: [...known.endpoints, endpoint] });
  }
  const durations = new Map(byEndpoint.map(({ endpoint, p50, p95 }) => [endpoint, { p50, p95 }]));
  return addUp(
    [...codes.values()],
    [...endpoints].map(([endpoint, sum]) => ({
      endpoint,
      ...sum,
      ...(durations.get(endpoint) ?? { p50: null, p95: null }),
    })),
    null,
  );
}

/** Returns the responses since `since` (Unix ms), including those without a job. Throws if Analytics Engine can't be read. */
export async function readAnalyticsRequests(env: Env, since: number): Promise<RequestFigures> {
  const rows = await query(
    env,
    `SELECT blob4 AS status, blob5 AS code, SUM(_sample_interval) AS requests ${toSource(env, "request", since)}
     GROUP BY status, code`,
  );
  const responses = z.array(RequestRow).parse(rows);
  return {
    requests: responses.reduce((sum, { requests }) => sum + requests, 0),
    errors: responses.filter(({ status }) => status >= 400).sort((a, b) => b.requests - a.requests),
  };
}

/** Returns the FROM clause of the events of a kind since `since` (Unix ms). */
function toSource(env: Env, kind: "job" | "request", since: number): string {
  const dataset = toText(env.ANALYTICS_DATASET) ?? DATASET;
  if (!/^\w+$/.test(dataset)) throw new Error("ANALYTICS_DATASET may only have letters, digits and underscores.");
  return `FROM ${dataset} WHERE blob1 = '${kind}' AND timestamp >= toDateTime(${Math.floor(since / SECOND_MS)})`;
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
