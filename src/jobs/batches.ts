// Creates, reads, cancels and resumes batches and crawls.
import { type BatchLine, UNFINISHED } from "../account/batches/batch-list";
import type { CreateBatchReply, NewBatch, PagesReply, ResumeReply } from "../account/batches/batch-types";
import { callAccount } from "../account/client";
import type { BatchDryRun, BatchListQuery, BatchRequest, InvalidEntry } from "../contract/batches";
import type { CrawlRequest } from "../contract/crawls";
import { splitSecrets } from "../contract/secret-fields";
import { now } from "../lib/clock";
import { toCount } from "../lib/count";
import { isId, newTaggedId, toTag } from "../lib/id";
import { addToLogs } from "../lib/log";
import { seal } from "../lib/sealing";
import type { AccountRef } from "../model/account";
import { type ApiKey, DASHBOARD_CALLER, isExpired } from "../model/api-key";
import type { Batch, BatchKind, BatchPage, PageEndpoint } from "../model/batch";
import { type Hook, toHookContext } from "../model/delivery";
import { AppError } from "../model/errors";
import type { JobKey } from "../model/job";
import { labelsOf } from "../model/labels";
import { toPrices } from "../model/prices";
import { totalOf } from "../model/receipt";
import { getListedKey } from "../store/keys";
import { checkReceiver } from "../webhooks/check-receiver";
import { validateBatchPages } from "./batch-pages";
import { describeRefusal } from "./create";
import { getOwnJob } from "./read-job";
import { hashBody } from "./secrets";

/** The request for a batch or crawl, and its caller. */
export interface PagesInput<Request = BatchRequest | CrawlRequest> {
  caller: ApiKey;
  request: Request;
  origin: string;
  idempotencyKey: string | null;
  requestId?: string;
  /** The webhook of a client of Firecrawl, with its headers. */
  hook?: (Omit<Hook, "headers"> & { headers: Record<string, string> }) | undefined;
}

/** The outcome of a request for a batch. `creditsMax` is the highest price of the whole batch. */
export type BatchSubmission =
  | { kind: "dry_run"; data: BatchDryRun }
  | { kind: "accepted"; batch: Batch; creditsMax: number; invalid: InvalidEntry[] };

/**
 * Creates a batch. Its pages start as slots become free. Throws AppError if a request is invalid, if the account can't
 * pay for the first page, if the Idempotency-Key was used with a different body, or if the account can't be reached.
 */
export async function submitBatch(env: Env, input: PagesInput<BatchRequest>): Promise<BatchSubmission> {
  const { caller, request } = input;
  const { endpoint, requests, defaults = {}, webhook_url, webhook_events, ...others } = request;
  const key = { mode: caller.mode, id: newTaggedId(caller.account.tag) };
  const context = toPagesContext(env, input);
  const { pages, invalid, ...shared } = await validateBatchPages(request, { ...context, key });
  const livePrice = pages.reduce((sum, { plan }) => sum + totalOf(plan.lines), 0);
  const creditsMax = caller.mode === "test" ? 0 : livePrice;
  checkMaxCredits(request, livePrice, "send fewer requests");
  const { rendered = false, credits = 0, plan } = pages[0] ?? {};
  const first = { rendered, credits, plan };
  if (request.dry_run === true) {
    const data = await previewPages(env, { caller, endpoint, first, pages: pages.length, creditsMax });
    return { kind: "dry_run", data: { ...data, ...(invalid.length > 0 && { invalid }) } };
  }
  const built = await buildBatch(env, input, {
    ...key,
    ...shared,
    kind: "batch",
    endpoint,
    request: JSON.stringify({ endpoint, defaults: splitSecrets(defaults).shown, ...others }),
    pages,
    prices: context.prices,
    first,
    hasSecrets: shared.secrets !== null || pages.some(({ secrets }) => secrets !== null),
  });
  return { kind: "accepted", batch: await createBatch(env, caller, built, creditsMax), creditsMax, invalid };
}

/** Returns the context in which the pages are validated. Throws AppError if events can't be sent to the webhook URL. */
export function toPagesContext(env: Env, { caller, request, origin }: PagesInput) {
  const { mode, account, prices } = caller;
  const { webhook_url: url } = request;
  if (url !== undefined) checkReceiver(env, { url, origin, accountId: account.id, parameter: "webhook_url" });
  return { env, mode, origin, prices: toPrices(env, prices), accountId: account.id };
}

/**
 * Creates a batch or crawl, or returns the one that an earlier request with the same Idempotency-Key created. Throws
 * AppError if the account refuses it. `creditsMax` is the highest price of all its pages.
 */
export async function createBatch(env: Env, caller: ApiKey, batch: NewBatch, creditsMax: number): Promise<Batch> {
  const reply = await callAccount(env, caller.account, (stub) => stub.createBatch(batch), { retryAlways: true });
  if (reply.kind !== "created" && reply.kind !== "repeated")
    throw describeBatchRefusal(reply, batch.first.credits, creditsMax);
  addToLogs({ batch_id: reply.batch.id });
  return reply.batch;
}

type OwnFields =
  | "mode"
  | "id"
  | "kind"
  | "endpoint"
  | "request"
  | "defaults"
  | "secrets"
  | "pages"
  | "prices"
  | "first";

/** Returns a new batch or crawl with its `own` fields and those of the request and the caller. */
export async function buildBatch(
  env: Env,
  { caller, request, origin, idempotencyKey, requestId, hook }: PagesInput,
  { hasSecrets, ...own }: Pick<NewBatch, OwnFields> & { hasSecrets: boolean },
): Promise<NewBatch> {
  const events: readonly string[] = request.webhook_events ?? [];
  const hash = () => hashBody(env, caller.account.id, request, hasSecrets);
  return {
    ...own,
    keyId: caller.id,
    creditLimit: caller.creditLimit,
    origin,
    webhookUrl: request.webhook_url ?? null,
    pageEvents: events.includes(`${own.kind}.page`),
    hook: hook && { ...hook, headers: await seal(env, JSON.stringify(hook.headers), toHookContext(own.id)) },
    labels: labelsOf(request),
    ...(requestId !== undefined && { requestId }),
    idempotency: idempotencyKey === null ? null : { key: idempotencyKey, bodyHash: await hash() },
  };
}

/**
 * Throws AppError `price_limit` if all pages together can cost more than `max_credits`. `price` is the highest price with
 * a live key. `advice` says how the caller can lower the price.
 */
export function checkMaxCredits(
  { max_credits: max }: { max_credits?: number | undefined },
  price: number,
  advice: string,
): void {
  if (max === undefined || price <= max) return;
  const message = `This request can cost ${toCount(price, "credit")}, which is more than 'max_credits' (${max}).`;
  throw new AppError("price_limit", message, {
    details: [{ path: "max_credits", message: `must be at least ${price} for this request` }],
    hint: `Set max_credits to ${price} or more, or ${advice}.`,
  });
}

/** The pages of a batch or crawl for which a price is calculated. */
interface Preview {
  caller: ApiKey;
  endpoint: PageEndpoint;
  first: NewBatch["first"];
  /** The maximum number of pages. */
  pages: number;
  /** The highest price of all these pages. */
  creditsMax: number;
}

/** Returns the highest price of a batch or crawl. Throws an AppError if the account would refuse the first page. */
export async function previewPages(env: Env, preview: Preview): Promise<Omit<BatchDryRun, "invalid">> {
  const { caller, endpoint, first, pages, creditsMax } = preview;
  const { mode, account, id: keyId, creditLimit } = caller;
  const job = { ...first, mode, keyId, creditLimit, endpoint, waiting: false };
  const reply = await callAccount(env, account, (stub) => stub.checkJob(job));
  if (reply.kind !== "possible") throw describeBatchRefusal(reply, first.credits, creditsMax);
  return { pages, max_credits: creditsMax, balance: reply.balance };
}

type BatchRefusal = Exclude<CreateBatchReply, { kind: "created" | "repeated" }>;

/** Returns the error for a refused batch. `credits` is the price of its first page, `creditsMax` that of all. */
export function describeBatchRefusal(reply: BatchRefusal, credits: number, creditsMax: number): AppError {
  const whole = `The highest total price of all pages is ${toCount(creditsMax, "credit")}.`;
  if (reply.kind === "insufficient_credits") {
    const message = `The first page costs ${toCount(credits, "credit")}; the balance is ${reply.balance}. ${whole}`;
    return new AppError("insufficient_credits", message);
  }
  const refusal = describeRefusal(reply, { credits });
  if (reply.kind !== "key_limit") return refusal;
  return new AppError(refusal.code, `${refusal.message} ${whole}`, { hint: refusal.hint });
}

/**
 * Returns the account's batch or crawl of this mode. `id` may be any string. If it hasn't ended, first waits up to
 * `waitMs` for its end. Throws AppError `not_found` if it doesn't exist.
 */
export async function getOwnBatch(
  env: Env,
  account: AccountRef,
  { kind, ...key }: JobKey & { kind: BatchKind; waitMs?: number },
): Promise<Batch> {
  const batch = await findBatch(env, account, key);
  if (batch?.kind === kind) return batch;
  if (batch !== null) throw isOtherKind(key.id, kind, batch.kind);
  throw (await getOwnJob(env, account, key)) === null ? batchNotFound(key.id, kind) : isOtherKind(key.id, kind, "job");
}

/** Returns the batch or crawl as `getOwnBatch` does, or null if it doesn't exist. */
export async function findBatch(
  env: Env,
  account: AccountRef,
  { mode, id, waitMs = 0 }: JobKey & { waitMs?: number },
): Promise<Batch | null> {
  if (!isId(id) || toTag(id) !== account.tag) return null;
  const until = now() + waitMs;
  const reply = await callAccount(env, account, (stub) => stub.getBatch({ mode, id }, Math.max(0, until - now())));
  return reply.kind === "batch" ? reply.batch : null;
}

/** Returns batches or crawls of the caller's account and mode, newest first. A test key lists only its own. */
export async function listOwnBatches(
  env: Env,
  { account, mode, id }: ApiKey,
  { status, ...filter }: BatchListQuery & { kind: BatchKind },
): Promise<{ batches: BatchLine[]; next: string | null }> {
  const statuses = status === "unfinished" ? UNFINISHED : status && [status];
  const listed = { ...filter, mode, statuses, keyId: mode === "test" ? id : undefined };
  return await callAccount(env, account, (stub) => stub.listBatches(listed));
}

/** Cancels a batch or crawl, and returns it. A batch that has ended is returned unchanged. */
export async function cancelBatch(env: Env, batch: Batch): Promise<Batch> {
  const reply = await callAccount(env, batch.account, (stub) => stub.cancelBatch(toKey(batch)));
  if (reply.kind !== "batch") throw batchNotFound(batch.id, batch.kind);
  return reply.batch;
}

/**
 * Continues a batch or crawl that stopped because the account couldn't pay for its next page, or because its key was
 * revoked or has expired. It continues with its key and the key's current credit limit, even if another caller resumes
 * it. If its key is no longer active, it continues with the caller's. Throws AppError if the account can't pay for the
 * next page. `isResumed` is false if the batch can't be resumed.
 */
export async function resumeBatch(
  env: Env,
  batch: Batch,
  caller: ApiKey,
): Promise<{ isResumed: boolean; batch: Batch }> {
  const owner = caller.id === batch.keyId ? caller : await findOwner(env, batch);
  const { id: keyId, creditLimit } = owner ?? caller;
  const call = { ...toKey(batch), owner: { keyId, creditLimit } };
  const reply = await callAccount(env, batch.account, (stub) => stub.resumeBatch(call));
  if (reply.kind === "missing") throw batchNotFound(batch.id, batch.kind);
  if (reply.kind === "refused") throw describeResumeRefusal(reply);
  return { isResumed: reply.kind === "resumed", batch: reply.batch };
}

/** Returns the key of a batch or job. Returns null if the key is no longer active. */
export async function findOwner(
  env: Env,
  { keyId, account }: Pick<Batch, "keyId" | "account">,
): Promise<Pick<ApiKey, "id" | "creditLimit"> | null> {
  if (keyId === DASHBOARD_CALLER) return { id: keyId, creditLimit: null };
  const key = await getListedKey(env.DB, { id: keyId, accountId: account.id });
  return key === null || key.revokedAt !== null || isExpired(key, now()) ? null : key;
}

function describeResumeRefusal({ refusal, credits }: Extract<ResumeReply, { kind: "refused" }>): AppError {
  if (refusal.kind !== "insufficient_credits") return describeRefusal(refusal, { credits });
  const message = `The next page costs ${toCount(credits, "credit")}; the balance is ${refusal.balance}.`;
  return new AppError("insufficient_credits", message);
}

/** Reads one part of the pages. `after` is the number of the page before the part. */
export async function readPages(
  env: Env,
  batch: Pick<Batch, "account" | "mode" | "id" | "kind">,
  { after, limit, isFull = false }: { after: number; limit: number; isFull?: boolean },
): Promise<{ pages: BatchPage[]; next: number | null }> {
  const filter = { ...toKey(batch), after, limit, isFull };
  const reply: PagesReply = await callAccount(env, batch.account, (stub) => stub.listPages(filter));
  if (reply.kind !== "pages") throw batchNotFound(batch.id, batch.kind);
  return reply;
}

function toKey({ mode, id }: JobKey): JobKey {
  return { mode, id };
}

/** Returns the error for the id of another kind of record, with the operation that reads the record. */
export function isOtherKind(id: string, kind: BatchKind | "job", found: BatchKind | "job"): AppError {
  return new AppError("not_found", `There is no ${kind} '${id}'. This is the id of a ${found}.`, {
    hint: `Use GET /v1/${found === "job" ? "jobs" : found}/${id}.`,
  });
}

/** Returns the error for an unknown batch or crawl. `id` may be any string. */
export function batchNotFound(id: string, kind: BatchKind): AppError {
  return new AppError("not_found", `There is no ${kind} '${id}'.`, {
    hint: `Check the id. You need a key of the same account and mode. A ${kind} can be read for 400 days.`,
  });
}
