import type { Context, MiddlewareHandler } from "hono";
import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { z } from "zod";
import { callAccount } from "../account/client";
import { toUsageRange, type UsageReport } from "../account/credits/usage";
import { wholeNumber } from "../contract/common";
import { invalidParameter, parseWith } from "../contract/invalid-request";
import { validateBody } from "../endpoints/validate";
import { toErrorObject, toHandledError } from "../http/responses";
import { originOf } from "../http/router";
import { readWholePages } from "../jobs/batch-stream";
import { getOwnBatch, submitBatch } from "../jobs/batches";
import { readResult } from "../jobs/read-job";
import { readRequestContext, submitRequest, submitResumable } from "../jobs/submit";
import { discardResult } from "../jobs/temporary";
import { checkScope } from "../keys/errors";
import { countPages, verifyKey } from "../keys/middleware";
import { now, toIso } from "../lib/clock";
import { suggest } from "../lib/suggest";
import type { Batch, BatchPage } from "../model/batch";
import type { Endpoint } from "../model/endpoint";
import type { AppEnv } from "../model/env";
import { AppError, type ErrorCode, type ErrorDetail } from "../model/errors";
import type { Job, JobMeta } from "../model/job";
import { SYNC_WAIT_MS } from "../model/limits";
import { type DoorName, isDoorOpen } from "../model/variables";
import { openResult } from "../store/objects";

export type DoorContext = Context<AppEnv>;

/** The status of an operation that the peer has and this service doesn't. No other error has it. */
const UNSUPPORTED_STATUS = 501;

/** An error as doors use it. Clients of the peers ignore `members`, which are our own facts. */
export interface DoorError {
  code: ErrorCode;
  status: number;
  message: string;
  details: ErrorDetail[] | undefined;
  members: { error_code?: string; job_id?: string; hint?: string | undefined; doc_url?: string | undefined };
}

/**
 * Creates a door: the interface of a peer, which translates requests and responses and calls the functions of our own
 * routes. `respond` returns an error in the peer's form. The door answers 404 if the variable DOORS doesn't name it.
 */
export function createDoor(name: DoorName, respond: (c: DoorContext, error: DoorError) => Response): Hono<AppEnv> {
  const door = new Hono<AppEnv>();
  door.onError((thrown, c) => {
    const error = toHandledError(c, thrown);
    const { message, details, ...help } = toErrorObject(c, error);
    c.set("errorCode", error.code);
    if (error.jobId !== undefined) c.set("jobId", error.jobId);
    for (const [header, value] of Object.entries(error.headers)) c.header(header, value);
    const { code, retryable: _, doc_url, ...others } = help;
    // The codes of our API have none for the operations of a peer.
    const known = error.status === UNSUPPORTED_STATUS ? {} : { error_code: code, doc_url };
    const members = { ...known, ...others, ...(error.jobId !== undefined && { job_id: error.jobId }) };
    return respond(c, { code: error.code, status: error.status, message, details, members });
  });
  door.use(async (c, next) => {
    if (!isDoorOpen(c.env, name)) throw new AppError("not_found", "This service doesn't offer this interface.");
    await next();
  });
  return door;
}

/**
 * Returns the middleware that verifies the API key and counts the request. `readKey` returns the key from the place in
 * which the peer's clients send it, or undefined if it is in the Authorization header. Requests that `isPoll` accepts
 * count in the window of polling.
 */
export function authenticateAt({
  readKey,
  isPoll = () => false,
}: {
  readKey?: (c: DoorContext) => string | undefined;
  isPoll?: (c: DoorContext) => boolean;
}): MiddlewareHandler<AppEnv> {
  return createMiddleware<AppEnv>(async (c, next) => {
    const key = readKey?.(c);
    if (key !== undefined) {
      const headers = new Headers(c.req.raw.headers);
      headers.set("authorization", `Bearer ${key}`);
      c.req.raw = new Request(c.req.raw, { headers });
    }
    await verifyKey(c, isPoll(c) ? "poll" : "request");
    await next();
  });
}

/** Returns the error for an operation of the peer that this service doesn't have. Some clients read only its message. */
export function notSupported(message: string, hint: string): AppError {
  return new AppError("invalid_request", `${message} ${hint}`, { status: UNSUPPORTED_STATUS, hint });
}

/** The translation of a peer's parameters. `warnings` are sentences about what is done differently. */
export interface Translation {
  fields: Record<string, unknown>;
  warnings: string[];
}

/** The translation of one parameter of the peer. */
export type Rule =
  /** Our parameter with the same meaning and the same values, which our schema checks. */
  | string
  /** The parameter can't change the result, so every value is accepted. */
  | null
  /** Refused with this sentence, except for these values, which ask for nothing. */
  | { refused: string; except?: readonly unknown[] }
  /** Adds our parameters to the translation. `ours` are their names, for errors about them. `path` is the peer's. */
  | { ours?: readonly string[]; convert: (value: unknown, to: Translation, path: string) => void };

/** Returns the rule of a parameter whose value is converted to the value of one of ours. Undefined adds nothing. */
export function put(ours: string, toOurs: (value: unknown, path: string) => unknown): Rule {
  return {
    ours: [ours],
    convert(value, to, path) {
      const converted = toOurs(value, path);
      if (converted !== undefined) to.fields[ours] = converted;
    },
  };
}

/** Returns the rule of a parameter whose values, in lower case, stand for the values of one of ours. */
export function choice(ours: string, values: Readonly<Record<string, string>>): Rule {
  return put(ours, (value, path) => values[as(z.enum(Object.keys(values)), toText(value).toLowerCase(), path)]);
}

/** Returns the rule of a parameter that is a whole number, in a URL or in JSON. */
export function whole(ours: string, min: number, max: number, convert = (number: number): unknown => number): Rule {
  return put(ours, (value, path) => convert(as(wholeNumber(min, max), toText(value), path)));
}

const TIME_RANGES: Readonly<Record<string, string>> = { d: "day", w: "week", m: "month", y: "year" };

/** Converts Google's parameter for times: `qdr:d`, or a range such as `cdr:1,cd_min:1/31/2026,cd_max:2/28/2026`. */
export function toTimeRange(value: unknown, path: string): unknown {
  const [, unit = "", from, to] =
    /^(?:qdr:([dwmy])|cdr:1,cd_min:([^,]+)(?:,cd_max:([^,]+))?)$/.exec(String(value)) ?? [];
  if (from !== undefined) return { from: toDate(from), ...(to !== undefined && { to: toDate(to) }) };
  const rule = "must be qdr:d, qdr:w, qdr:m, qdr:y, or a range such as cdr:1,cd_min:1/31/2026,cd_max:2/28/2026";
  if (unit === "") throw invalidParameter(path, rule, { given: String(value) });
  return TIME_RANGES[unit];
}

/** Converts a date such as 1/31/2026. Returns other text unchanged, which our schema then refuses. */
function toDate(text: string): string {
  const [month = "", day = "", year] = text.split("/");
  return year === undefined ? text : `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

/** Returns a value as a URL contains it. The text of a list or object is the value of no parameter. */
function toText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Returns the rules of parameters that are refused with this advice, except for the values `except`. */
export function refuse(names: readonly string[], refused: string, ...except: unknown[]): Rules {
  return Object.fromEntries(names.map((name) => [name, { refused, except }]));
}

export type Rules = Readonly<Record<string, Rule>>;

/** Translates a peer's parameters. Throws AppError for an unknown or refused one. Null means not given. */
export function translate(
  input: object,
  rules: Rules,
  { path = "", to = { fields: {}, warnings: [] } as Translation } = {},
): Translation {
  for (const [name, value] of Object.entries(input)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) {
      const suggestion = suggest(name, Object.keys(rules));
      throw invalidParameter(path + name, "is not a known parameter", { suggestion });
    }
    if (value === undefined || value === null || rule === null) continue;
    if (typeof rule === "string") to.fields[rule] = value;
    else if ("convert" in rule) rule.convert(value, to, path + name);
    else if (!rule.except?.some((each) => JSON.stringify(each) === JSON.stringify(value)))
      throw invalidParameter(path + name, `isn't supported here. ${rule.refused}`);
  }
  return to;
}

/** Returns the rule of a parameter with these values. Each adds our fields, or a warning. */
export function choose(values: Readonly<Record<string, Record<string, unknown> | string>>): Rule {
  const flags = ["true", "false"];
  return {
    // An error can name a parameter with its value, such as 'store: false'.
    ours: Object.values(values).flatMap((each) =>
      typeof each === "string" ? [] : Object.entries(each).flatMap(([name, ours]) => [name, `${name}: ${ours}`]),
    ),
    convert(value, to, path) {
      const text = toText(value);
      const isFlag = flags.includes(text) === (typeof value === "boolean");
      const chosen = isFlag && Object.hasOwn(values, text) ? values[text] : undefined;
      if (chosen === undefined) throw invalidParameter(path, `must be one of ${Object.keys(values).join(", ")}`);
      if (typeof chosen === "string") to.warnings.push(chosen);
      else Object.assign(to.fields, chosen);
    },
  };
}

/** Returns the rule of a parameter that is true or false. */
export function flag(on: Record<string, unknown> | string, off: Record<string, unknown> | string = {}): Rule {
  return choose({ true: on, false: off });
}

/** Returns the rules of parameters that can't change the result. */
export function accepted(...names: string[]): Rules {
  return Object.fromEntries(names.map((name) => [name, null]));
}

/** Returns the value as the schema parses it. Throws AppError that names `path` if it is invalid. */
export function as<Schema extends z.ZodType>(schema: Schema, value: unknown, path: string): z.output<Schema> {
  const parsed = parseWith(z.strictObject({ [path]: schema }), { [path]: value });
  return parsed[path] as z.output<Schema>;
}

/** The peer's name of each of our parameters. `*` stands for an index: `requests.*.url` is `urls.*`. */
export type Names = ReadonlyMap<string, string>;

/** Returns the names by which errors about our parameters name the peer's. Prefixes are where each of them has `rules`. */
export function toNames(rules: Rules, { ours = "", theirs = "" } = {}): Names {
  const entries = Object.entries(rules).flatMap(([name, rule]): [string, string][] => {
    const all = typeof rule === "string" ? [rule] : rule !== null && "convert" in rule ? (rule.ours ?? []) : [];
    return all.map((our) => [ours + our, theirs + name]);
  });
  return new Map(entries);
}

/** Runs `work`. An error about our parameters then names the parameters of the peer. */
export async function withNames<T>(names: Names, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof AppError ? rename(error, names) : error;
  }
}

function rename(error: AppError, names: Names): AppError {
  const { code, status, retryable, headers, jobId, details } = error;
  const inText = (text: string) =>
    text.replace(/'([a-z_]+(?:\.\w+)*(?:: \w+)?)'/g, (_, path) => `'${toPeerPath(path, names)}'`);
  // This hint lists our parameters. The peer's are in the peer's own documentation.
  const hint = /^The (?:only )?known parameter/.test(error.hint ?? "") ? undefined : error.hint;
  return new AppError(code, inText(error.message), {
    ...{ status, retryable, headers, cause: error },
    ...(jobId !== undefined && { jobId }),
    hint: hint && inText(hint),
    ...(details && {
      details: details.map((each) => ({ path: toPeerPath(each.path, names), message: inText(each.message) })),
    }),
  });
}

/** Returns the peer's name of the longest beginning of the path that has one, followed by the rest of the path. */
function toPeerPath(path: string, names: Names): string {
  const parts = path.split(".");
  for (let length = parts.length; length > 0; length--) {
    const start = parts.slice(0, length);
    const indices = start.filter((part) => /^\d+$/.test(part));
    const known = names.get(start.map((part) => (/^\d+$/.test(part) ? "*" : part)).join("."));
    if (known === undefined) continue;
    const renamed = known.replaceAll("*", () => indices.shift() ?? "*");
    return [...(renamed === "" ? [] : [renamed]), ...parts.slice(length)].join(".");
  }
  return path;
}

/** The outcome of a request whose caller waits. */
export type DoorResult =
  | { kind: "completed"; jobId: string; meta: JobMeta; data: Record<string, unknown>; discard: () => Promise<void> }
  /** The job hasn't ended in time and continues, or the caller doesn't wait. */
  | { kind: "accepted"; job: Job };

/**
 * Validates `body` as a request of the endpoint, creates the job and, unless `isAsync` is true, waits for its result.
 * Throws AppError if the request is invalid, with the peer's `names`, or if the job fails. After a result of a request
 * with `store: false` was sent, `discard` deletes it. With `isResumable`, a repeated request waits for the same job.
 */
export async function submit(
  c: DoorContext,
  endpoint: Endpoint,
  body: Record<string, unknown>,
  { names, isAsync = false, isResumable = false }: { names: Names; isAsync?: boolean; isResumable?: boolean },
): Promise<DoorResult> {
  const caller = c.get("caller");
  const input = { body, origin: originOf(c), waitMs: isAsync ? undefined : SYNC_WAIT_MS };
  const submitted = await withNames(names, async () => {
    const request = validateBody(endpoint, body, await readRequestContext(c.env, caller, input));
    return await (isResumable ? submitResumable : submitRequest)(c.env, request, {
      ...toCall(c),
      until: isAsync ? null : dueAt(c),
      disconnected: c.req.raw.signal,
      waitUntil: (promise) => c.executionCtx.waitUntil(promise),
    });
  });
  const submission = checkStarted(submitted);
  c.set("jobId", submission.kind === "accepted" ? submission.job.id : submission.jobId);
  if (submission.kind === "accepted") return submission;
  const { jobId, meta } = submission;
  const data = submission.kind === "stored" ? await submission.object.json<Record<string, unknown>>() : submission.data;
  if (data === null) throw new AppError("not_found", "The result of this job was deleted.", { jobId });
  const discard = async () => {
    if (body.store === false) await discardResult(c.env, { ...caller, id: jobId });
  };
  return { kind: "completed", jobId, meta, data, discard };
}

export function checkStarted<S extends { kind: string }>(submission: S): Exclude<S, { kind: "dry_run" }> {
  if (submission.kind === "dry_run") throw new Error("A door doesn't translate dry runs.");
  return submission as Exclude<S, { kind: "dry_run" }>;
}

/** Submits a request as `submit` does. Throws AppError `job_timeout` if its job doesn't end in time. */
export async function submitAndWait(c: DoorContext, endpoint: Endpoint, body: Record<string, unknown>, names: Names) {
  const result = await submit(c, endpoint, body, { names });
  if (result.kind === "completed") return result;
  const { id: jobId } = result.job;
  const message = `The request takes longer than a minute and continues as the job ${jobId}.`;
  throw new AppError("job_timeout", message, { jobId });
}

/** Returns the fields with which each request is sent: the caller, the origin and the id of the request. */
export function toCall(c: DoorContext, idempotencyKey: string | null = null) {
  return { caller: c.get("caller"), origin: originOf(c), idempotencyKey, requestId: c.get("requestId") };
}

/** Returns the time (Unix ms) at which the response of a waiting caller is due. */
export function dueAt(c: DoorContext): number {
  return c.get("startedAt") + SYNC_WAIT_MS;
}

/** Throws AppError if the caller can't scrape pages with these options. A search before the pages is charged. */
export async function checkPages(c: DoorContext, options: Record<string, unknown>, names: Names): Promise<void> {
  const caller = c.get("caller");
  checkScope(caller, "scrape");
  const body = { ...options, url: "https://example.com/" };
  const context = await readRequestContext(c.env, caller, { body, origin: originOf(c) });
  await withNames(names, () => validateBody("scrape", body, context));
}

/** The error of a URL that has no page in the response, and no job with an error. */
export const NOT_INCLUDED =
  "The page isn't included, because its URL is invalid, it wasn't loaded in time, or the response is too large.";

/**
 * Scrapes the URLs as a batch with the same options, and waits until it ends or the response is due. The batch is null
 * if no URL is given. `pageOf` has the pages by URL.
 */
export async function scrapeAll(
  c: DoorContext,
  urls: readonly string[],
  { options, names }: { options: Record<string, unknown>; names: Names },
): Promise<{ batch: Batch | null; pageOf: ReadonlyMap<string | undefined, DoorPage> }> {
  if (urls.length === 0) return { batch: null, pageOf: new Map() };
  await countPages(c, urls.length);
  const requests = urls.map((url) => ({ url }));
  const request = { endpoint: "scrape" as const, requests, defaults: options, ignore_invalid: true };
  const submission = checkStarted(await withNames(names, () => submitBatch(c.env, { ...toCall(c), request })));
  const { account, mode } = c.get("caller");
  const { id } = submission.batch;
  const waitMs = Math.max(0, dueAt(c) - now());
  const batch = await getOwnBatch(c.env, account, { mode, id, kind: "batch", waitMs });
  const left = new Set(submission.invalid.map(({ index }) => index));
  const all = { after: 0, limit: urls.length, toItem: (page: DoorPage) => page };
  const { items: pages } = await readItems(c.env, batch, all);
  const valid = urls.filter((_, index) => !left.has(index));
  return { batch, pageOf: new Map(pages.map((page) => [valid[page.number - 1], page])) };
}

/** The size of all results in a response. */
const MAX_DATA_BYTES = 10 * 1024 * 1024;

/** A page of a batch or crawl with its complete result. */
export interface DoorPage extends BatchPage {
  /** Null if the page has no result, or if it was deleted. */
  result: Record<string, unknown> | null;
}

/**
 * Reads the pages with numbers above `after`, and converts them with `toItem`. Stops after `limit` items, or when their
 * results have MAX_DATA_BYTES. If another item follows, `next` is the `after` of the request that reads it.
 */
export async function readItems<Item>(
  env: Env,
  batch: Batch,
  { after, limit, toItem }: { after: number; limit: number; toItem: (page: DoorPage) => Item | null },
): Promise<{ items: Item[]; next: number | null }> {
  const items: Item[] = [];
  let [bytes, last] = [0, after];
  for await (const read of readWholePages(env, batch, { after, isRead: true })) {
    if ("next" in read) return { items, next: read.next };
    const text = (await read.stored?.text()) ?? read.page.job?.result ?? null;
    const item = toItem({ ...read.page, result: text === null ? null : JSON.parse(text) });
    if (item === null) continue;
    if (items.length === limit || bytes > MAX_DATA_BYTES) return { items, next: last };
    items.push(item);
    bytes += text?.length ?? 0;
    last = read.page.number;
  }
  return { items, next: null };
}

/** Reads the credits of the caller's account, and their use on the days since `from`, by default today. */
export async function readUsage(c: DoorContext, from = toIso(now()).slice(0, 10)): Promise<UsageReport> {
  const { account, mode } = c.get("caller");
  const { from: since, to: until } = toUsageRange({ from }, now());
  return await callAccount(c.env, account, (stub) => stub.usage({ mode, since, until }));
}

/** Returns the complete result of a job. Returns null if it has none, or if it was deleted. */
export async function readWholeResult(env: Env, job: Job): Promise<Record<string, unknown> | null> {
  if (!job.resultStored) return readResult(job);
  return (await (await openResult(env.STORE, job.id, job.run))?.json()) ?? null;
}
