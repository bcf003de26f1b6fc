import type { EndpointRequests } from "../contract/endpoint-schemas";
import { sleep } from "../lib/clock";
import { lazyModule } from "../lib/lazy";
import type { Endpoint } from "../model/endpoint";
import { AppError } from "../model/errors";
import { SECOND_MS } from "../model/limits";
import type { Prices } from "../model/prices";
import type { Execution, RunContext } from "../model/run-context";
import { map } from "./map/definition";
import { parse } from "./parse/definition";
import { scrape } from "./scrape/definition";
import { serp } from "./serp/definition";
import type { EndpointDefinition } from "./shared/definition";
import { mockFoundPage, toScriptedOutcome } from "./shared/mocks";

const loadRuns = lazyModule(() => import("./runs"));

/** The definitions of all endpoints. Routes, MCP tools, the dashboard and the docs are derived from them. */
export const ENDPOINTS: { [E in Endpoint]: EndpointDefinition<E> } = { scrape, parse, serp, map };

/** Returns the price (credits) of a job that completes. `rendered` is true if its page is rendered. */
export function toPrice(prices: Prices, endpoint: Endpoint, rendered: boolean): number {
  return prices[endpoint] + (endpoint === "scrape" && rendered ? prices.rendering : 0);
}

/** Runs a claimed job with its validated body. A test key's job gets mock data. Throws AppError to end the job. */
export async function runEndpoint<E extends Endpoint>(
  endpoint: E,
  request: EndpointRequests[E],
  context: RunContext,
): Promise<Execution> {
  const { env, job, signal } = context;
  const { run, mock } = (await loadRuns()).RUNS[endpoint];
  if (job.mode === "live") return await run(request, context);
  const outcome = toScriptedOutcome(request);
  if (outcome.kind === "fails") throw new AppError(outcome.code, outcome.message, outcome);
  if (outcome.kind === "slow") await sleep(outcome.seconds * SECOND_MS, signal);
  const execution = await mock(request, {
    env,
    job,
    large: outcome.kind === "large",
    outcome: outcome.kind === "page" ? outcome.outcome : "ok",
    run: context,
  });
  if (!job.isCrawled || !("url" in request) || request.url === undefined) return execution;
  return { ...execution, found: await mockFoundPage(request.url, { isFirst: job.page === 1 }) };
}
