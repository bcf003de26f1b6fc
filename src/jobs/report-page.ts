import type { NewPage } from "../account/batch-types";
import { sleep } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import type { PageReport, ReportReply } from "../model/crawl";
import { AppError } from "../model/errors";
import type { Job } from "../model/job";
import type { Execution } from "../model/run-context";
import { crawlStub } from "../store/namespaces";

const RETRIES = 2;
const RETRY_DELAY_MS = 50;

/**
 * Reports the page of a completed run to its crawl, and adds the crawl's data about the page to `meta`. Throws if the
 * crawl can't be reached. The run is then repeated, because the page's links would otherwise be lost.
 */
export async function reportFound(
  env: Env,
  job: Job,
  execution: Execution,
): Promise<{ execution: Execution; pages: NewPage[] }> {
  const { found } = execution;
  const answer = await report(env, job, found === undefined ? { kind: "failed" } : { kind: "found", ...found });
  if (answer === null) return { execution, pages: [] };
  const { depth, duplicateOf } = answer.reply;
  const extras = { ...execution.extras, depth, ...(duplicateOf !== null && { duplicate_of: duplicateOf }) };
  return { execution: { ...execution, extras }, pages: answer.pages };
}

/**
 * Reports the failure of a page to its crawl. `retryAfterMs` is the delay before the next run if the target is busy,
 * otherwise null. `pages` are the next pages. Never throws, because the crawl also checks the status of the job.
 */
export async function reportFailure(
  env: Env,
  job: Job,
  { targetBusy }: AppError,
): Promise<{ retryAfterMs: number | null; pages: NewPage[] }> {
  try {
    const answer = await report(
      env,
      job,
      targetBusy === undefined ? { kind: "failed" } : { kind: "busy", ...targetBusy },
    );
    return { retryAfterMs: answer?.reply.retryAfterMs ?? null, pages: answer?.pages ?? [] };
  } catch (error) {
    log("warn", "page_not_reported", toLogged(error));
    return { retryAfterMs: null, pages: [] };
  }
}

/** Throws AppError if the page's crawl doesn't allow a redirect to this URL. Throws if the crawl can't be reached. */
export async function checkRedirect(env: Env, job: Job, url: URL): Promise<void> {
  const reason = await callCrawl(env, job, (stub) => stub.refuseRedirect(url.href));
  if (reason !== null) throw new AppError("invalid_target", reason);
}

type Report = PageReport extends infer R ? (R extends unknown ? Omit<R, "page" | "run"> : never) : never;

/** Returns null if the crawl doesn't exist or doesn't know the page. The call is idempotent by page and run. */
async function report(env: Env, job: Job, what: Report): Promise<{ reply: ReportReply; pages: NewPage[] } | null> {
  const { page, run } = job;
  if (page === null) return null;
  return await callCrawl(env, job, (stub) => stub.report({ ...what, page, run } as PageReport));
}

/** Calls the crawl of a page. Retries up to twice. Returns null if the job isn't part of a crawl. */
async function callCrawl<T>(
  env: Env,
  { account, batchId }: Job,
  call: (stub: ReturnType<typeof crawlStub>) => Promise<T>,
): Promise<T | null> {
  if (batchId === null) return null;
  for (let attempt = 0; ; attempt++) {
    try {
      // After an error, a stub can't be used again.
      return await call(crawlStub(env, account, batchId));
    } catch (error) {
      const { overloaded } = error as { overloaded?: boolean };
      if (overloaded === true || attempt >= RETRIES) throw error;
      await sleep(RETRY_DELAY_MS * 2 ** attempt);
    }
  }
}
