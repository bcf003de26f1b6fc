import type { NewBatch } from "../account/batches/batch-types";
import { wakeCrawls } from "../account/lifecycle/crawls";
import type { BatchDryRun } from "../contract/batches";
import type { CrawlRequest } from "../contract/crawls";
import { invalidParameters } from "../contract/invalid-request";
import { splitSecrets } from "../contract/secret-fields";
import { type ValidatedRequest, validateBody } from "../endpoints/validate";
import {
  buildBatch,
  checkMaxCredits,
  createBatch,
  type PagesInput,
  previewPages,
  toPagesContext,
} from "../jobs/batches";
import { sealSecrets } from "../jobs/secrets";
import { newTaggedId } from "../lib/id";
import type { Batch } from "../model/batch";
import { AppError } from "../model/errors";
import type { JobKey } from "../model/job";
import { MAX_ROW_REQUEST_BYTES } from "../model/limits";
import { totalOf } from "../model/receipt";
import { compileExpression, MAX_EXPRESSION_STEPS } from "./url-expression";

type CrawlInput = PagesInput<CrawlRequest>;

/** The options of a scrape that a crawl doesn't accept, each with its error message. */
const REFUSED_OPTIONS: Readonly<Record<string, string>> = {
  url: "must not be in 'scrape'; move it to the top level of the request",
  webhook_url: "must not be in 'scrape'; move it to the top level of the request",
  metadata: "must not be in 'scrape'; move it to the top level of the request",
  tags: "must not be in 'scrape'; move it to the top level of the request",
  dry_run: "must not be in 'scrape'; move it to the top level of the request",
  capture_id: "can't be used in a crawl",
  file: "can't be used in a crawl",
};

/** The outcome of a request for a crawl. `creditsMax` is the highest price of all pages up to the limit. */
export type CrawlSubmission =
  | { kind: "dry_run"; data: Omit<BatchDryRun, "invalid"> }
  | { kind: "accepted"; batch: Batch; creditsMax: number };

/** Creates and starts a crawl. Throws AppError for an invalid request, a low balance or an unreachable account. */
export async function submitCrawl(env: Env, input: CrawlInput): Promise<CrawlSubmission> {
  const { caller, request } = input;
  checkPatterns(request);
  const page = validatePage(request, toPagesContext(env, input));
  const key = { mode: caller.mode, id: newTaggedId(caller.account.tag) };
  const batch = await buildCrawl(env, input, { key, page });
  const { endpoint, first } = batch;
  const creditsMax = first.credits * request.limit;
  checkMaxCredits(request, totalOf(page.plan.lines) * request.limit, "lower the limit");
  if (request.dry_run === true) {
    const preview = { caller, endpoint, first, pages: request.limit, creditsMax };
    return { kind: "dry_run", data: await previewPages(env, preview) };
  }
  const created = await createBatch(env, caller, batch, creditsMax);
  await wakeCrawl(env, created);
  return { kind: "accepted", batch: created, creditsMax };
}

/** Starts a crawl, or continues it. Never throws, because the account's alarm also wakes unfinished crawls. */
export async function wakeCrawl(env: Env, { account, mode, id }: Batch): Promise<void> {
  await wakeCrawls(env, account, [{ mode, id }]);
}

/** Throws AppError if a regular expression isn't valid, or if all of them take too long to match. */
function checkPatterns(request: CrawlRequest): void {
  let stepsLeft = MAX_EXPRESSION_STEPS;
  const details = (["include_patterns", "exclude_patterns"] as const).flatMap((name) =>
    (request[name] ?? []).flatMap((pattern, index) => {
      const compiled = compileExpression(pattern, stepsLeft);
      if (typeof compiled === "string") return [{ path: `${name}.${index}`, message: compiled }];
      stepsLeft -= compiled.steps.length;
      return [];
    }),
  );
  if (details.length > 0) throw invalidParameters(details);
}

/** Validates the first page with the rules of a scrape. The other pages have the same options. */
function validatePage(
  { url, scrape = {} }: CrawlRequest,
  context: ReturnType<typeof toPagesContext>,
): ValidatedRequest {
  const refused = Object.entries(REFUSED_OPTIONS).filter(([name]) => Object.hasOwn(scrape, name));
  if (refused.length > 0)
    throw invalidParameters(refused.map(([name, message]) => ({ path: `scrape.${name}`, message })));
  try {
    return validateBody("scrape", { ...scrape, url }, context);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "invalid_request" || error.details === undefined) throw error;
    const details = error.details.map(({ path, ...detail }) => ({
      ...detail,
      path: path === "url" ? path : `scrape.${path}`,
    }));
    throw invalidParameters(details, error.hint);
  }
}

async function buildCrawl(
  env: Env,
  input: CrawlInput,
  { key, page }: { key: JobKey; page: ValidatedRequest },
): Promise<NewBatch> {
  const { webhook_url, webhook_events, ...others } = input.request;
  const { shown, secrets } = splitSecrets(page.request);
  const { url, ...defaults } = JSON.parse(JSON.stringify(shown)) as Record<string, unknown>;
  const stored = JSON.stringify({ ...others, scrape: defaults });
  if (Buffer.byteLength(stored) > MAX_ROW_REQUEST_BYTES) {
    const message = `must have at most ${MAX_ROW_REQUEST_BYTES / 1_024} KB`;
    throw invalidParameters([{ path: "scrape", message }]);
  }
  const { rendered, plan, prices } = page;
  return await buildBatch(env, input, {
    ...key,
    kind: "crawl",
    endpoint: "scrape",
    request: stored,
    defaults,
    secrets: secrets === null ? null : await sealSecrets(env, key, secrets),
    pages: [],
    prices,
    first: { rendered, credits: key.mode === "test" ? 0 : totalOf(plan.lines), plan },
    hasSecrets: secrets !== null,
  });
}
