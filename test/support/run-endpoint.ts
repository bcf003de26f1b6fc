import { env } from "cloudflare:workers";
import { runEndpoint } from "../../src/endpoints/endpoints";
import { newTag } from "../../src/lib/id";
import type { Mode } from "../../src/model/api-key";
import type { Endpoint } from "../../src/model/endpoint";
import { AppError } from "../../src/model/errors";
import { toPrices } from "../../src/model/prices";
import type { ClaimedJob, Execution, RunContext } from "../../src/model/run-context";
import { ORIGIN } from "./client";

export interface RunOptions {
  mode?: Mode;
  job?: Partial<ClaimedJob>;
  bindings?: Partial<Env>;
  signal?: AbortSignal;
  acquireLargeLock?: () => Promise<void>;
  findCapture?: RunContext["findCapture"];
}

/** Runs a request of an endpoint without a stored job. The request's missing parameters get their default values. */
export async function run(
  endpoint: Endpoint,
  request: Record<string, unknown>,
  { mode = "live", job = {}, bindings = {}, signal, acquireLargeLock, findCapture }: RunOptions = {},
): Promise<Execution> {
  return await runEndpoint({
    env: { ...env, ...bindings },
    job: {
      id: crypto.randomUUID(),
      account: { id: crypto.randomUUID(), tag: newTag(), object: "none", jurisdiction: null },
      concurrentRenders: 5,
      run: 1,
      endpoint,
      mode,
      request,
      origin: ORIGIN,
      createdAt: 0,
      credits: 1,
      prices: toPrices({ ...env, ...bindings }),
      keepsCaptures: false,
      ...job,
    },
    signal: signal ?? new AbortController().signal,
    acquireLargeLock: acquireLargeLock ?? (async () => undefined),
    findCapture: findCapture ?? (async () => null),
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
