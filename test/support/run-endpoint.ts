import { env } from "cloudflare:workers";
import { ENDPOINT_SCHEMAS, type EndpointRequests } from "../../src/contract/endpoint-schemas";
import { ENDPOINTS, runEndpoint } from "../../src/endpoints/endpoints";
import { choosePlan } from "../../src/endpoints/shared/price";
import { newTag } from "../../src/lib/id";
import type { Mode } from "../../src/model/api-key";
import type { Endpoint } from "../../src/model/endpoint";
import { AppError } from "../../src/model/errors";
import type { ClaimedJob } from "../../src/model/job";
import { toPrices } from "../../src/model/prices";
import type { Execution, RunContext } from "../../src/model/run-context";
import { ORIGIN } from "./client";

export interface RunOptions {
  mode?: Mode;
  job?: Partial<ClaimedJob>;
  bindings?: Partial<Env>;
  signal?: AbortSignal;
  acquireLargeLock?: (bytes?: number) => Promise<void>;
  releaseLargeLock?: () => void;
  findCapture?: RunContext["findCapture"];
}

/** Runs a request of an endpoint without a stored job. The request's missing parameters get their default values. */
export async function run<E extends Endpoint>(
  endpoint: E,
  body: Record<string, unknown>,
  { mode = "live", job = {}, bindings = {}, signal, acquireLargeLock, releaseLargeLock, findCapture }: RunOptions = {},
): Promise<Execution> {
  const all = { ...env, ...bindings };
  const prices = toPrices(all);
  const request = ENDPOINT_SCHEMAS[endpoint].request.parse(body) as EndpointRequests[E];
  const usesPaidCapture = "capture_id" in request && (await findCapture?.({ id: "" }))?.isFree === false;
  const context = { env: all, mode, origin: ORIGIN, prices, usesPaidCapture };
  return await runEndpoint(endpoint, request, {
    env: all,
    job: {
      id: crypto.randomUUID(),
      account: { id: crypto.randomUUID(), tag: newTag(), object: "none", jurisdiction: null },
      settings: { concurrentRenders: 5, isStorageLarge: false, keepsCaptures: false },
      run: 1,
      endpoint,
      mode,
      origin: ORIGIN,
      createdAt: 0,
      credits: 1,
      plan: job.plan ?? choosePlan(ENDPOINTS[endpoint].plans(request, context), request.max_credits),
      prices,
      isCrawled: false,
      ...job,
    } as ClaimedJob,
    signal: signal ?? new AbortController().signal,
    acquireLargeLock: acquireLargeLock ?? (async () => undefined),
    releaseLargeLock: releaseLargeLock ?? (() => {}),
    findCapture: findCapture ?? (async () => null),
    loadFoundPages: async () => ({ batchId: null, creditsUsed: 0, pages: [] }),
  });
}

/** Runs a request that must fail. Returns the AppError. */
export async function runFailing(...input: Parameters<typeof run>): Promise<AppError> {
  const error: unknown = await run(...input).then(
    ({ data }) => new Error(`The run has a result: ${JSON.stringify(data).slice(0, 500)}`),
    (thrown) => thrown,
  );
  if (!(error instanceof AppError)) throw error;
  return error;
}
