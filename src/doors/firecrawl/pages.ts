// Firecrawl's crawls, batches and extracts. Each is a crawl or batch of ours.
import { z } from "zod";
import { callAccount } from "../../account/client";
import { toRetentionMs } from "../../account/retention/retention";
import { BatchRequest } from "../../contract/batches";
import { wholeNumber } from "../../contract/common";
import { CrawlRequest } from "../../contract/crawls";
import { invalidParameter, parseWith } from "../../contract/invalid-request";
import { submitCrawl } from "../../crawl/create";
import { readSkipped } from "../../crawl/read-crawl";
import { checkHeaders } from "../../endpoints/shared/session";
import { originOf, readIdempotencyKey } from "../../http/router";
import { batchNotFound, cancelBatch, findBatch, listOwnBatches, submitBatch } from "../../jobs/batches";
import { isObject, type SchemaObject } from "../../json-schema/keywords";
import { checkScope } from "../../keys/errors";
import { countPages } from "../../keys/middleware";
import { now, toIso } from "../../lib/clock";
import { log, toLogged } from "../../lib/log";
import type { Batch, BatchKind, PageEndpoint } from "../../model/batch";
import { HOOK_EVENTS } from "../../model/delivery";
import { AppError } from "../../model/errors";
import type { Job } from "../../model/job";
import { CRAWL_LIMIT_MAX, LIST_LIMIT_MAX, SECOND_MS, SKIPPED_LIMIT_MAX } from "../../model/limits";
import * as door from "../door";
import { as, flag, type Names, type Rules, readItems, toNames, translate, withNames } from "../door";
import { toPageDocument, toPeerError, type Version } from "../forms/firecrawl";
import { SCRAPE_RULES, toData, toScrapeOptions, withScheme } from "./scrape-options";

const DOCUMENTS = { default: 100, max: 1_000 };
const MAX_WEBHOOK_CHARS = 2_048;
const MAX_EXTRACT_URLS = 10;
const HOST = "^https?://[^/]+(?=/)";

const CRAWL_RULES: Rules = {
  url: door.put("url", withScheme),
  limit: "limit",
  includePaths: "include_patterns",
  excludePaths: "exclude_patterns",
  regexOnFullURL: flag({ pattern_target: "url" }),
  crawlEntireDomain: flag({ leavesFolder: true }),
  allowBackwardLinks: flag({ leavesFolder: true }),
  allowSubdomains: "allow_subdomains",
  maxDiscoveryDepth: "max_depth",
  maxDepth: door.whole("maxSlashes", 0, 100),
  // Errors name the last parameter.
  ignoreSitemap: flag({ sitemap: "skip" }),
  sitemap: "sitemap",
  ignoreQueryParameters: "ignore_query_parameters",
  ignoreRobotsTxt: flag({ robots: "ignore" }),
  delay: "delay",
  zeroDataRetention: flag({ isTemporary: true }),
  ...door.accepted("maxConcurrency", "deduplicateSimilarURLs", "integration", "origin"),
  allowExternalLinks: { refused: "Start a crawl for each site.", except: [false] },
  prompt: { refused: "Use includePaths and excludePaths." },
  robotsUserAgent: { refused: "Use ignoreRobotsTxt to ignore robots.txt." },
};

const WEBHOOK_NAMES = [
  ["webhook_url", "webhook"],
  ["webhook_events", "webhook.events"],
  ["headers", "webhook.headers"],
] as const;
const CRAWL_NAMES: Names = new Map([
  ...toNames(CRAWL_RULES),
  ...toNames(SCRAPE_RULES, { ours: "scrape.", theirs: "scrapeOptions." }),
  ...WEBHOOK_NAMES,
]);

/** Returns the names of the parameters of a batch whose options are at this place. */
function toBatchNames(theirs: string): Names {
  const pages = [["requests", "urls"] as const, ["requests.*.url", "urls.*"] as const];
  const others = [["ignore_invalid", "ignoreInvalidURLs"] as const];
  const data = ["prompt", "schema"].map((name) => [`defaults.${name}`, name] as const);
  const options = ["", "defaults.", "requests.*."].flatMap((ours) => [...toNames(SCRAPE_RULES, { ours, theirs })]);
  return new Map([...options, ...pages, ...others, ...data, ...WEBHOOK_NAMES]);
}

const Webhook = z.strictObject({
  url: z.string(),
  headers: z.record(z.string(), z.string()).default({}),
  metadata: z.record(z.string(), z.unknown()).default({}),
  events: z.array(z.enum(HOOK_EVENTS)).default([...HOOK_EVENTS]),
});

/** Returns our fields for a webhook, and what its events need. */
function toWebhook(given: unknown, kind: BatchKind) {
  if (given === undefined || given === null) return { fields: {}, hook: undefined };
  const { url, ...hook } = as(Webhook, typeof given === "string" ? { url: given } : given, "webhook");
  checkHeaders(hook.headers);
  // Each event stores its own copy.
  if (JSON.stringify(hook).length > MAX_WEBHOOK_CHARS)
    throw invalidParameter("webhook", `must have at most ${MAX_WEBHOOK_CHARS} characters`);
  return { fields: { webhook_url: url, webhook_events: [`${kind}.completed`, `${kind}.page`] }, hook };
}

/** Starts a crawl. */
export async function startCrawl(c: door.DoorContext, version: Version): Promise<Response> {
  const { scrapeOptions = {}, webhook, ...given } = await c.req.json<Record<string, unknown>>();
  const { leavesFolder, maxSlashes, isTemporary, ...request } = translate(given, CRAWL_RULES).fields;
  const scrape = toScrapeOptions(c, scrapeOptions, "scrapeOptions.");
  const start = request.pattern_target === "url" ? HOST : "^";
  const folder = (URL.parse(String(request.url))?.pathname ?? "/").replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const excluded = [
    ...(leavesFolder || folder === "/" ? [] : [`${start}(?!${folder})`]),
    ...(maxSlashes === undefined ? [] : [`${start}(?:/[^/?#]*){${Number(maxSlashes) + 1}}`]),
  ];
  if (isTemporary) scrape.fields.store = false;
  const { batch } = await withNames(CRAWL_NAMES, async () => {
    const { fields, hook } = toWebhook(webhook, "crawl");
    const body = { limit: CRAWL_LIMIT_MAX, ...request, ...fields, scrape: scrape.fields };
    const parsed = parseWith(CrawlRequest, body);
    // Added after the validation, because the limits are those of the caller's own expressions.
    if (excluded.length > 0) parsed.exclude_patterns = [...(parsed.exclude_patterns ?? []), ...excluded];
    return door.checkStarted(await submitCrawl(c.env, { ...toCall(c), hook, request: parsed }));
  });
  return c.json({ ...toStarted(c, version, batch), warning: scrape.warnings.join(" ") || undefined });
}

function toCall(c: door.DoorContext) {
  return door.toCall(c, readIdempotencyKey(c, "X-Idempotency-Key"));
}

/** Starts a batch of scrapes. */
export async function startBatch(c: door.DoorContext, version: Version): Promise<Response> {
  const { urls, ignoreInvalidURLs, appendToId, webhook, ...given } = await c.req.json<Record<string, unknown>>();
  if (appendToId) throw invalidParameter("appendToId", "isn't supported here. Start another batch");
  const { fields, warnings } = toScrapeOptions(c, given);
  const request = { endpoint: "scrape", defaults: fields, ignore_invalid: ignoreInvalidURLs ?? version === "v2" };
  const { batch, invalidURLs } = await startPages(c, { urls, webhook, request }, toBatchNames(""));
  return c.json({ ...toStarted(c, version, batch), invalidURLs, warning: warnings.join(" ") || undefined });
}

const EXTRACT_RULES: Rules = {
  prompt: "prompt",
  schema: "schema",
  systemPrompt: "systemPrompt",
  enableWebSearch: { refused: "Use search, and send the URLs of its results.", except: [false] },
  allowExternalLinks: { refused: "Send the URLs of all pages in urls.", except: [false] },
  agent: { refused: "Use actions in scrapeOptions." },
  ...door.accepted("showSources", "includeSubdomains", "origin", "integration"),
};
/** The fields of a scrape that don't change the data of a parse. */
const SCRAPE_ONLY = ["formats", "only_main_content", "include_selectors", "exclude_selectors", "screenshot", "json"];

/** Starts an extract: a batch of parses. */
export async function startExtract(c: door.DoorContext, version: Version): Promise<Response> {
  const { urls, ignoreInvalidURLs, scrapeOptions = {}, ...given } = await c.req.json<Record<string, unknown>>();
  const list = as(z.array(z.string()).min(1).max(MAX_EXTRACT_URLS), urls, "urls");
  const wildcard = list.findIndex((url) => url.endsWith("*"));
  if (wildcard >= 0)
    throw invalidParameter(`urls.${wildcard}`, "must be a page. For a whole site, send the URLs of a map");
  const page = Object.entries(toScrapeOptions(c, scrapeOptions, "scrapeOptions.").fields);
  const data = toData(translate(given, EXTRACT_RULES).fields);
  const defaults = { ...Object.fromEntries(page.filter(([name]) => !SCRAPE_ONLY.includes(name))), ...data };
  const request = { endpoint: "parse", defaults, ignore_invalid: ignoreInvalidURLs ?? version === "v2" };
  const { batch, invalidURLs } = await startPages(c, { urls, request }, toBatchNames("scrapeOptions."));
  return c.json({ success: true, id: batch.id, invalidURLs });
}

async function startPages(
  c: door.DoorContext,
  { urls: given, webhook, request }: { urls: unknown; webhook?: unknown; request: Record<string, unknown> },
  names: Names,
) {
  const urls = as(z.array(z.unknown()), given, "urls");
  return await withNames(names, async () => {
    const { fields, hook } = toWebhook(webhook, "batch");
    const requests = urls.map((url) => ({ url: withScheme(url) }));
    const batchRequest = parseWith(BatchRequest, { ...request, requests, ...fields });
    await countPages(c, urls.length);
    const { batch, invalid } = door.checkStarted(
      await submitBatch(c.env, { ...toCall(c), hook, request: batchRequest }),
    );
    return { batch, invalidURLs: invalid.map(({ index }) => urls[index]) };
  });
}

function toStarted(c: door.DoorContext, version: Version, { kind, id }: Batch) {
  const path = kind === "crawl" ? kind : "batch/scrape";
  return { success: true, id, url: `${originOf(c)}/firecrawl/${version}/${path}/${id}` };
}

const StatusQuery = z.object({
  skip: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0),
  limit: wholeNumber(1, Number.MAX_SAFE_INTEGER).default(DOCUMENTS.default),
});

/** Responds with the status of a crawl or batch, and with a part of its documents. */
export async function readStatus(c: door.DoorContext, version: Version, id: string): Promise<Response> {
  const { skip, limit: asked } = parseWith(StatusQuery, c.req.query());
  const batch = await findPages(c, id);
  const limit = Math.min(asked, DOCUMENTS.max);
  const toItem = (page: door.DoorPage) => toPageDocument(page, version);
  const { items: data, next } = await readItems(c.env, batch, { after: skip, limit, toItem });
  // Clients follow `next` as soon as the member exists.
  const url = next === null ? undefined : `${originOf(c)}${c.req.path}?skip=${next}&limit=${limit}`;
  return c.json({ ...toStatus(c.env, batch), next: url, data });
}

/** Returns a crawl or batch. The old clients read batches at the path of crawls, too. */
async function findPages(c: door.DoorContext, id: string, endpoint: PageEndpoint = "scrape"): Promise<Batch> {
  const { account, mode } = c.get("caller");
  const batch = await findBatch(c.env, account, { mode, id });
  if (batch?.endpoint !== endpoint) throw batchNotFound(id, "crawl");
  return batch;
}

function toStatus(env: Env, { status, counts, credits, error, createdAt, endedAt }: Batch) {
  const failed = error?.code === "cancelled" ? "cancelled" : "failed";
  return {
    success: true,
    status: endedAt === null ? "scraping" : status === "completed" ? status : failed,
    total: counts.total,
    completed: counts.completed,
    creditsUsed: credits.used,
    createdAt: toIso(createdAt),
    completedAt: endedAt === null ? undefined : toIso(endedAt),
    duration: ((endedAt ?? now()) - createdAt) / SECOND_MS,
    expiresAt: toIso((endedAt ?? now()) + toRetentionMs(env)),
    error: error?.message,
  };
}

/** Responds with the status of an extract, and with its data if it has ended. */
export async function readExtract(c: door.DoorContext, id: string): Promise<Response> {
  const batch = await findPages(c, id, "parse");
  const part = { after: 0, limit: MAX_EXTRACT_URLS, toItem: (page: door.DoorPage) => page };
  const { items: pages, next } = await readItems(c.env, batch, part);
  if (next !== null) throw new AppError("target_too_large", "The data of all pages is too large.");
  const results = pages.flatMap(({ job, result }) => (job === null || result === null ? [] : [{ job, result }]));
  const failed = pages.find(({ job }) => job?.error)?.job?.error;
  const { status, error, expiresAt, creditsUsed } = toStatus(c.env, batch);
  const outcome = status === "completed" && results.length === 0 ? "failed" : status;
  const sources: Record<string, (string | null)[]> = {};
  for (const { job, result } of results)
    for (const name of Object.keys(result)) sources[name] = [...(sources[name] ?? []), job.subject];
  return c.json({
    success: outcome === "completed" || outcome === "scraping",
    status: outcome === "scraping" ? "processing" : outcome,
    data: outcome === "completed" ? results.map(({ result }): SchemaObject => result).reduce(merge) : [],
    error: outcome === "failed" ? (error ?? failed?.message) : error,
    ...(outcome === "completed" && failed && { warning: `A page failed: ${failed.message}` }),
    ...{ expiresAt, creditsUsed, sources },
  });
}

/** Merges the results of two pages: joins lists, merges objects by member, and otherwise takes the first value. */
function merge(first: SchemaObject, second: SchemaObject): SchemaObject {
  const join = (one: unknown, other: unknown) => {
    if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
    return isObject(one) && isObject(other) ? merge(one, other) : (one ?? other);
  };
  const names = Object.keys({ ...first, ...second });
  return Object.fromEntries(names.map((name) => [name, join(first[name], second[name])]));
}

/** Lists the failed pages of a crawl or batch, and the URLs that robots.txt doesn't allow. */
export async function readErrors(c: door.DoorContext, id: string): Promise<Response> {
  const batch = await findPages(c, id);
  const failed: Job[] = [];
  const filter = { mode: batch.mode, batchId: id, status: "failed", includesPages: true, offset: 0 } as const;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const part = { ...filter, limit: LIST_LIMIT_MAX, cursor };
    const { items, next } = await callAccount(c.env, batch.account, (stub) => stub.list(part));
    failed.push(...items);
    cursor = next;
  }
  const errors = failed.toReversed().map(({ id, endedAt, subject: url, error }) => {
    const timestamp = toIso(endedAt ?? now());
    return { id, timestamp, url, code: error && toPeerError(error).code, error: error?.message };
  });
  const robotsBlocked: string[] = [];
  for (let cursor: number | undefined = batch.kind === "crawl" ? 0 : undefined; cursor !== undefined; ) {
    const part = { reason: "robots", cursor, limit: SKIPPED_LIMIT_MAX } as const;
    const { data, next_cursor }: Awaited<ReturnType<typeof readSkipped>> = await readSkipped(c.env, batch, part);
    robotsBlocked.push(...data.map(({ url }) => url));
    cursor = next_cursor === undefined ? undefined : Number(next_cursor);
  }
  return c.json({ success: true, errors, robotsBlocked });
}

/** Cancels a crawl or batch. */
export async function cancelPages(c: door.DoorContext, id: string): Promise<Response> {
  const batch = await findPages(c, id);
  checkScope(c.get("caller"), batch.endpoint);
  const { endedAt, error } = await cancelBatch(c.env, batch);
  if (endedAt !== null && error?.code !== "cancelled")
    throw new AppError("cancelled", "It has already ended.", { status: 409 });
  return c.json({ success: true, status: "cancelled" });
}

/** Lists the crawls that haven't ended. */
export async function listActive(c: door.DoorContext): Promise<Response> {
  const caller = c.get("caller");
  const filter = { status: "unfinished", kind: "crawl", limit: LIST_LIMIT_MAX } as const;
  const { batches } = await listOwnBatches(c.env, caller, filter);
  const crawls = batches.map(({ id, subject: url, createdAt }) => {
    return { id, teamId: caller.account.id, url, created_at: toIso(createdAt), options: {} };
  });
  return c.json({ success: true, crawls });
}

const WATCH_ROUND_MS = 2 * SECOND_MS;
const WATCH_PAGES = 20;
/** The rounds after which a socket is closed, because an invocation can make a limited number of calls. */
const MAX_WATCH_ROUNDS = 1_000;

/** Accepts a WebSocket, and sends the documents of a crawl or batch as its pages end. */
export async function watch(c: door.DoorContext, version: Version, id: string): Promise<Response> {
  const batch = await findPages(c, id);
  const { 0: client, 1: server } = new WebSocketPair();
  server.accept();
  const end = (error: string | null) =>
    error === null
      ? server.close(1_000, JSON.stringify({ type: "done" }))
      : server.close(3_003, JSON.stringify({ type: "error", error }));
  const onError = (error: unknown) => {
    log("warn", "watch_failed", { batch_id: id, ...toLogged(error) });
    end("Read the status instead.");
  };
  c.executionCtx.waitUntil(sendDocuments(c.env, server, { batch, version }).then(end).catch(onError));
  // The client sends the API key as the name of a protocol, which the response must repeat.
  const protocol = c.req.header("sec-websocket-protocol");
  const headers = protocol === undefined ? {} : { "sec-websocket-protocol": protocol };
  return new Response(null, { status: 101, webSocket: client, headers });
}

/** Sends the documents until the batch ends. Returns null, or an error for the reason of the end, up to 90 bytes. */
async function sendDocuments(
  env: Env,
  socket: WebSocket,
  { batch: first, version }: { batch: Batch; version: Version },
): Promise<string | null> {
  let isOpen = true;
  socket.addEventListener("close", () => {
    isOpen = false;
  });
  const send = (type: string, data: unknown) => isOpen && socket.send(JSON.stringify({ type, data }));
  send("catchup", { ...toStatus(env, first), data: [] });
  let after = 0;
  let batch = first;
  for (let round = 0; isOpen && round < MAX_WATCH_ROUNDS; round++) {
    const part = { after, limit: WATCH_PAGES, toItem: (page: door.DoorPage) => page };
    const { items, next } = await readItems(env, batch, part);
    // Sends the pages in their order, so that each is read once.
    const running = items.findIndex(({ job }) => (job ?? batch).endedAt === null);
    for (const page of running < 0 ? items : items.slice(0, running)) {
      const document = toPageDocument(page, version);
      if (document !== null) send("document", document);
      after = page.number;
    }
    if (next !== null && running < 0) continue;
    const { endedAt, status, account } = batch;
    if (endedAt !== null && status !== "completed") return "The crawl or batch failed or was canceled.";
    if (endedAt !== null) {
      if (version === "v2") send("done", toStatus(env, batch));
      return null;
    }
    batch = (await findBatch(env, account, { ...batch, waitMs: WATCH_ROUND_MS })) ?? batch;
  }
  return "Read the status instead.";
}
