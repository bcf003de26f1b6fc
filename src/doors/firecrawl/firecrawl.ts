// Firecrawl's interface, as its clients of both versions call it.
import { z } from "zod";
import { callAccount } from "../../account/client";
import { invalidParameter } from "../../contract/invalid-request";
import { respondThen } from "../../http/responses";
import { jsonBody } from "../../http/router";
import { getOwnJob, jobNotFound } from "../../jobs/read-job";
import { toAppError } from "../../jobs/submit";
import { requireScope } from "../../keys/middleware";
import { now, toIso } from "../../lib/clock";
import { AppError } from "../../model/errors";
import { DAY_MS, USAGE_RANGE_MAX_DAYS } from "../../model/limits";
import {
  as,
  authenticateAt,
  createDoor,
  type DoorContext,
  type DoorError,
  notSupported,
  readUsage,
  readWholeResult,
  submit,
  toNames,
} from "../door";
import { toDocument, toPageDocument, toPeerError, type Version } from "../forms/firecrawl";
import * as pages from "./pages";
import { SCRAPE_RULES, toScrapeOptions, withScheme } from "./scrape-options";
import { map, search } from "./search";

const SCRAPE_NAMES = toNames(SCRAPE_RULES);
const read = requireScope(["jobs"]);
const POLLED = /^\/firecrawl\/v[12]\/(?:scrape|crawl|batch\/scrape|extract)\/[^/]+(?:\/errors)?$/;
/** The seconds after which a client sends the request for a long scrape again. */
const RESUME_AFTER_S = 5;

export const firecrawl = createDoor("firecrawl", respondError);

firecrawl.use(
  authenticateAt({
    // A browser can't send other headers with a WebSocket.
    readKey: (c) => (isSocket(c) ? c.req.header("sec-websocket-protocol") : undefined),
    // The old client reads errors with DELETE by mistake.
    isPoll: ({ req: { method, path } }) => POLLED.test(path) && (method !== "DELETE" || path.endsWith("/errors")),
  }),
);

/** The operations of Firecrawl that this service doesn't have. */
const UNSUPPORTED = [
  ...["agent/*", "browser/*", "interact/*", "scrape/:id/interact", "monitor/*", "parse/*", "feedback/*"],
  ...["search/:id/feedback", "crawl/params-preview", "search/developer/*", "search/research/*", "support/*"],
  ...["team/token-usage/*", "team/activity/*", "team/threat-protection/*", "deep-research/*", "llmstxt/*"],
];

for (const version of ["v1", "v2"] as const) {
  const at = (path: string) => `/${version}/${path}`;
  for (const path of UNSUPPORTED) {
    firecrawl.all(at(path), () => {
      const advice = "Use scrape, search, map, crawl, batch/scrape or extract.";
      throw notSupported(`This service doesn't have the operation ${path.replace("/*", "")}.`, advice);
    });
  }

  firecrawl.post(at("scrape"), requireScope(["scrape"]), ...jsonBody, (c) => scrape(c, version));
  firecrawl.get(at("scrape/:id"), read, (c) => readScrape(c, version, c.req.param("id") ?? ""));
  firecrawl.post(at("search"), requireScope(["serp"]), ...jsonBody, (c) => search(c, version));
  firecrawl.post(at("map"), requireScope(["scrape"]), ...jsonBody, (c) => map(c, version));
  firecrawl.post(at("extract"), requireScope(["parse"]), ...jsonBody, (c) => pages.startExtract(c, version));
  firecrawl.get(at("extract/:id"), read, (c) => pages.readExtract(c, c.req.param("id") ?? ""));

  firecrawl.post(at("crawl"), requireScope(["scrape"]), ...jsonBody, (c) => pages.startCrawl(c, version));
  firecrawl.post(at("batch/scrape"), requireScope(["scrape"]), ...jsonBody, (c) => pages.startBatch(c, version));
  firecrawl.get(at("crawl/active"), read, pages.listActive);
  firecrawl.get(at("crawl/ongoing"), read, pages.listActive);
  for (const path of ["crawl/:id", "batch/scrape/:id"]) {
    firecrawl.get(at(path), read, (c) => {
      return (isSocket(c) ? pages.watch : pages.readStatus)(c, version, c.req.param("id") ?? "");
    });
    firecrawl.delete(at(path), requireScope(["scrape"]), (c) => pages.cancelPages(c, c.req.param("id") ?? ""));
    firecrawl.on(["GET", "DELETE"], at(`${path}/errors`), read, (c) => pages.readErrors(c, c.req.param("id") ?? ""));
  }

  firecrawl.get(at("team/credit-usage"), read, (c) => readCredits(c, version));
  firecrawl.get(at("team/credit-usage/historical"), read, readHistory);
  firecrawl.get(at("team/queue-status"), read, readQueue);
  firecrawl.get(at("concurrency-check"), read, readQueue);
}

function isSocket(c: DoorContext): boolean {
  return c.req.header("upgrade")?.toLowerCase() === "websocket";
}

async function scrape(c: DoorContext, version: Version): Promise<Response> {
  const { url, ...options } = await c.req.json<Record<string, unknown>>();
  const { fields, warnings } = toScrapeOptions(c, options);
  const request = { url: withScheme(as(z.string(), url, "url")), ...fields };
  const result = await submit(c, "scrape", request, { names: SCRAPE_NAMES, isResumable: true });
  if (result.kind === "accepted") return respondProcessing(c, result.job.id);
  const { jobId, data, meta, discard } = result;
  const document = toDocument({ jobId, url: String(request.url), data, meta }, { version, warnings });
  const { warning } = document;
  // The first version's clients read the warning next to the document.
  const body = { success: true, data: document, ...(version === "v1" && { warning }), job_id: jobId };
  return fields.store === false ? respondThen(c, body, discard) : c.json(body);
}

/** Responds with the document of an earlier scrape. */
async function readScrape(c: DoorContext, version: Version, id: string): Promise<Response> {
  const { account, mode } = c.get("caller");
  const job = await getOwnJob(c.env, account, { mode, id });
  if (job?.endpoint !== "scrape") throw jobNotFound(id);
  c.set("jobId", id);
  if (job.error !== null) throw toAppError(id, job.error);
  if (job.endedAt === null) return respondProcessing(c, id);
  const document = toPageDocument({ job, result: await readWholeResult(c.env, job) }, version);
  if (document === null) throw new AppError("not_found", "The result of this scrape was deleted.", { jobId: id });
  return c.json({ success: true, data: document, job_id: id });
}

/** Responds that a scrape continues. Clients then send the same request again, which waits for the same job. */
function respondProcessing(c: DoorContext, jobId: string): Response {
  c.set("errorCode", "job_timeout");
  c.header("Retry-After", String(RESUME_AFTER_S));
  const error = `The scrape takes longer than a minute and continues. Send the same request again, or read it at scrape/${jobId}. It is charged once.`;
  const details = { state: "processing_continues", retryAfterSeconds: RESUME_AFTER_S };
  return c.json({ success: false, code: "SCRAPE_TIMEOUT", error, details, job_id: jobId }, 408);
}

function respondError(c: DoorContext, error: DoorError): Response {
  const { status, code } = toPeerError(error);
  const message = status === 401 ? `Unauthorized: ${error.message}` : error.message;
  const details = error.details?.map(({ path, message }) => ({ code: "custom", path: path.split("."), message }));
  // The client of `search/research` reads the members of RFC 7807.
  const problem = status === 501 && { title: "Not implemented", detail: message };
  return c.json({ success: false, code, error: message, details, ...problem, ...error.members }, status as 400);
}

async function readCredits(c: DoorContext, version: Version): Promise<Response> {
  const { balance, period } = await readUsage(c);
  const data = {
    remainingCredits: balance,
    planCredits: period.granted,
    billingPeriodStart: toIso(period.start),
    billingPeriodEnd: toIso(period.end),
  };
  const toSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const old = Object.fromEntries(Object.entries(data).map(([name, value]) => [toSnake(name), value]));
  return c.json({ success: true, data: version === "v1" ? old : data });
}

/** Responds with the credits that were used in each month (UTC). */
async function readHistory(c: DoorContext): Promise<Response> {
  if ((c.req.query("byApiKey") ?? "false") !== "false")
    throw invalidParameter("byApiKey", "isn't supported here. GET /v1/usage lists the usage of each key");
  const from = toIso(now() - (USAGE_RANGE_MAX_DAYS - 1) * DAY_MS).slice(0, 10);
  const months = new Map([[toIso(now()).slice(0, 7), 0]]);
  for (const { date, credits } of (await readUsage(c, from)).days)
    months.set(date.slice(0, 7), (months.get(date.slice(0, 7)) ?? 0) + credits);
  const periods = [...months].sort().map(([month, credits]) => {
    const next = new Date(`${month}-01T00:00:00Z`);
    next.setUTCMonth(next.getUTCMonth() + 1);
    const dates = { startDate: `${month}-01T00:00:00.000Z`, endDate: next.toISOString() };
    // Firecrawl's documentation and its client have different names.
    return { ...dates, totalCredits: credits, creditsUsed: credits };
  });
  return c.json({ success: true, periods });
}

/** Responds with the number of jobs that run and wait, and with the plan's limit. */
async function readQueue(c: DoorContext): Promise<Response> {
  const { account, mode } = c.get("caller");
  const latest = { mode, status: "completed", limit: 1, offset: 0 } as const;
  const [state, { items }] = await Promise.all([
    callAccount(c.env, account, (stub) => stub.inspect()),
    callAccount(c.env, account, (stub) => stub.list(latest)),
  ]);
  if (state.kind !== "open") {
    const headers = { "Retry-After": "60" };
    throw new AppError("unavailable", "The account is being moved. Try again in a minute.", { headers });
  }
  const { queued, processing, concurrentJobs: maxConcurrency } = state;
  const concurrency = { concurrency: processing, maxConcurrency };
  const jobs = { jobsInQueue: queued + processing, activeJobsInQueue: processing, waitingJobsInQueue: queued };
  const mostRecentSuccess = items[0]?.endedAt ? toIso(items[0].endedAt) : null;
  return c.json({ success: true, ...concurrency, ...jobs, mostRecentSuccess, data: concurrency });
}
