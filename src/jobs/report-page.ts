import type { NewPage } from "../account/batches/batch-types";
import { sleep } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import type { PageReport, ReportReply } from "../model/crawl";
import { AppError } from "../model/errors";
import type { Job } from "../model/job";
import type { Execution } from "../model/run-context";
import { toCanonicalUrl } from "../site/canonical-url";
import { crawlStub } from "../store/namespaces";

const RETRIES = 2;
const RETRY_DELAY_MS = 50;

/**
 * Reports the page of a completed run to its crawl, and adds the crawl's data about the page to `meta`. Throws if the
 * crawl can't be reached. The caller then retries the run, because the page's links would otherwise be lost.
 */
export async function reportFound(
  env: Env,
  job: Job,
  execution: Execution,
): Promise<{ execution: Execution; pages: NewPage[] }> {
  const { found } = execution;
  const answer = await report(env, job, found === undefined ? { kind: "failed" } : { kind: "found", ...found });
  if (answer === null) return { execution, pages: [] };
  const { depth, duplicateOf, signals, isRefused = false } = answer.reply;
  const extras = {
    ...execution.extras,
    depth,
    ...(duplicateOf !== null && { duplicate_of: duplicateOf }),
    ...(signals && { content_signals: signals }),
  };
  if (!isRefused) return { execution: { ...execution, extras }, pages: answer.pages };
  const { capture: _, ...others } = execution;
  const refused = { ...others, data: {}, extras: { ...extras, skipped: "content_signals" }, lines: [] };
  return { execution: refused, pages: answer.pages };
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

/** Thrown if a page redirects to a URL whose content another page of the crawl has. */
class VisitedRedirect extends AppError {
  readonly url: string;
  /** The URL of the other page. */
  readonly visited: string;

  constructor(url: string, visited: string) {
    super("invalid_target", `The page redirects to ${url}, which the crawl has already visited.`);
    this.name = "VisitedRedirect";
    this.url = url;
    this.visited = visited;
  }
}

/** Returns the free, empty result of a page that redirects to a visited page. Throws any other error again. */
export function recoverVisited(error: unknown): Execution {
  if (!(error instanceof VisitedRedirect)) throw error;
  const found = { url: toCanonicalUrl(error.url), canonical: null, hash: null, links: [], nofollow: false };
  const extras = { outcome: "ok", rendered: false, duplicate_of: error.visited };
  return { data: {}, extras, lines: [], found: { ...found, isRepeat: true } };
}

/**
 * Checks a redirect with the page's crawl. Throws AppError `invalid_target` if the crawl doesn't allow the URL, and
 * VisitedRedirect if it has already visited the URL. Throws if the crawl can't be reached.
 */
export async function checkRedirect(env: Env, job: Job, { href }: URL): Promise<void> {
  const answer = await callCrawl(env, job, (stub) => stub.checkRedirect(href, job.page ?? 0));
  if (answer === null) return;
  if (answer.visited !== null) throw new VisitedRedirect(href, answer.visited);
  if (answer.refusal !== null) throw new AppError("invalid_target", answer.refusal);
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
