import { callAccount } from "../account/client";
import { runEndpoint } from "../endpoints/endpoints";
import type { Job } from "../model/job";
import type { ClaimedJob, Execution, RunContext } from "../model/run-context";
import { getRequest } from "../store/objects";
import { checkRedirect, VisitedRedirect } from "./report-page";
import { openSecrets, toSecretsKey } from "./secrets";

/**
 * Runs the endpoint of a claimed job. `isCrawled` is true if the job is a page of a crawl. Throws the errors of the
 * endpoint.
 */
export async function callEndpoint(
  env: Env,
  job: Job,
  { signal, acquireLargeLock, isCrawled }: Pick<RunContext, "signal" | "acquireLargeLock"> & { isCrawled: boolean },
): Promise<Execution> {
  if (job.prices === null) throw new Error(`The job ${job.id} has ended.`);
  const stored = JSON.parse(job.request ?? (await getRequest(env.STORE, job.id)));
  const claimed: ClaimedJob = {
    id: job.id,
    account: job.account,
    concurrentRenders: job.concurrentRenders,
    run: job.run,
    endpoint: job.endpoint,
    mode: job.mode,
    request: await openSecrets(env, toSecretsKey(job), stored, job.secrets),
    origin: job.origin,
    createdAt: job.createdAt,
    credits: job.credits,
    prices: job.prices,
    crawledPage: isCrawled ? job.page : null,
    keepsCaptures: job.keepsCaptures,
  };
  const findCapture = captureFinder(env, job);
  const beforeRedirect = (url: URL) => checkRedirect(env, job, url);
  const calls = { findCapture, ...(isCrawled && { beforeRedirect }) };
  try {
    return await runEndpoint({ env, job: claimed, signal, acquireLargeLock, ...calls });
  } catch (error) {
    if (error instanceof VisitedRedirect) return error.toExecution();
    throw error;
  }
}

/** Returns the function that finds the captures of the account and mode. */
export function captureFinder(env: Env, { account, mode }: Pick<Job, "account" | "mode">): RunContext["findCapture"] {
  return async (query) => {
    const reply = await callAccount(env, account, (stub) => stub.findCapture(mode, query));
    return reply.kind === "gone" ? null : reply.capture;
  };
}
