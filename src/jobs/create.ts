import { callAccount } from "../account/client";
import { queueOf } from "../account/effects";
import type { CreateReply, NewJob } from "../account/storage/types";
import { splitSecrets } from "../contract/secret-fields";
import { captureNotFound } from "../endpoints/shared/page-captures";
import { insufficientCredits, type ValidatedRequest } from "../endpoints/validate";
import { now, toIso } from "../lib/clock";
import { toCount } from "../lib/count";
import { sha256Hex } from "../lib/crypto";
import { newTaggedId } from "../lib/id";
import { log, toLogged } from "../lib/log";
import { ACCOUNT_SUSPENDED_MESSAGE } from "../model/account";
import type { ApiKey } from "../model/api-key";
import { AppError, MODEL_LIMIT_REACHED } from "../model/errors";
import type { ClaimedJob, Job, JobMessage } from "../model/job";
import { type LabelFields, labelsOf } from "../model/labels";
import { MAX_ROW_REQUEST_BYTES, MAX_URL_CHARS, SECOND_MS } from "../model/limits";
import { totalOf } from "../model/receipt";
import type { UploadedFile } from "../model/uploaded-file";
import { deleteFiles, deleteRequest, putFile, putRequest } from "../store/objects";
import { hashBody, sealSecrets } from "./secrets";

export interface CreateJobInput extends Omit<ValidatedRequest, "request"> {
  /** The validated body. */
  request: {
    webhook_url?: string | undefined;
    url?: string | undefined;
    query?: string | undefined;
    capture_id?: string | undefined;
    store?: boolean | undefined;
    file?: UploadedFile | undefined;
  } & LabelFields;
  caller: ApiKey;
  /** True if the caller waits for the result. The caller's request then runs the job. */
  waiting: boolean;
  origin: string;
  idempotencyKey: string | null;
  /** Returns the job of an earlier request instead of a new one. */
  resumes?: NewJob["idempotency"] | undefined;
  requestId?: string;
  /** The current time (Unix ms). */
  now: number;
}

/** A new job, or the one with the same Idempotency-Key. `next` is `wait` if the plan's concurrency is used up. */
export type CreateJobResult = { kind: "new"; next: "run" | "wait"; job: ClaimedJob } | { kind: "repeated"; job: Job };

/**
 * Reserves the credits and inserts the job. The account sends the job to its queue unless a caller waits. Throws AppError
 * if the balance is too low, if the Idempotency-Key was used with a different body, or if the account can't be reached.
 */
export async function createJob(env: Env, given: CreateJobInput): Promise<CreateJobResult> {
  const id = newTaggedId(given.caller.account.tag);
  const input = await storeFile(env, id, given);
  const { caller, request } = input;
  const { shown, secrets } = splitSecrets(request);
  const json = JSON.stringify(shown);
  const fitsRow = Buffer.byteLength(json) <= MAX_ROW_REQUEST_BYTES;
  if (!fitsRow) await putRequest(env.STORE, id, json);
  const job = await buildJob(env, input, { id, json: fitsRow ? json : null, secrets });
  // Retry after every error. The job may exist although the call failed. The caller would then retry, which would
  // create and charge a second job. If all calls fail, keep the stored request, because the job may need it. A
  // lifecycle rule of R2 deletes the request later.
  const reply = await callAccount(env, caller.account, (account) => account.createJob(job), { retryAlways: true });
  const isStored = reply.kind === "created" || (reply.kind === "repeated" && reply.job.id === id);
  if (!isStored && !fitsRow) await deleteRequest(env.STORE, id);
  if (!isStored && request.file !== undefined) await deleteFiles(env.STORE, [id]);
  if (reply.kind === "repeated") return reply;
  if (reply.kind !== "created") throw describeRefusal(reply, job);
  return { kind: "new", next: reply.next, job: reply.job };
}

/** Stores the file of the request for its runs, and replaces its content by its hash. A test key stores nothing. */
async function storeFile(env: Env, id: string, input: CreateJobInput): Promise<CreateJobInput> {
  const { content, ...facts } = input.request.file ?? {};
  if (content === undefined) return input;
  const bytes = new Uint8Array(await content.blob.arrayBuffer());
  const file = { ...facts, sha256: await sha256Hex(bytes) } as UploadedFile;
  if (input.caller.mode === "live") await putFile(env.STORE, id, bytes);
  content.release();
  return { ...input, request: { ...input.request, file } };
}

async function buildJob(
  env: Env,
  input: CreateJobInput,
  { id, json, secrets }: { id: string; json: string | null; secrets: string | null },
): Promise<NewJob> {
  const { caller, endpoint, request, plan, idempotencyKey, requestId } = input;
  const { mode } = caller;
  // A scrape without `js_render` has the hash of one with its default.
  const defaults = endpoint === "scrape" && !("render" in request) ? { js_render: false } : {};
  const hash = () => hashBody(env, caller.account.id, { ...defaults, ...request }, secrets !== null);
  return {
    mode,
    id,
    keyId: caller.id,
    endpoint,
    request: json,
    secrets: secrets === null ? null : await sealSecrets(env, { mode, id }, secrets),
    subject: (request.url ?? request.query ?? request.file?.name)?.slice(0, MAX_URL_CHARS) ?? null,
    rendered: input.rendered,
    waiting: input.waiting,
    webhookUrl: request.webhook_url ?? null,
    origin: input.origin,
    credits: mode === "test" ? 0 : totalOf(plan.lines),
    plan,
    prices: input.prices,
    creditLimit: caller.creditLimit,
    labels: labelsOf(request),
    ...(request.capture_id !== undefined && { captureId: request.capture_id }),
    ...(request.store === false && { isTemporary: true }),
    ...(requestId !== undefined && { requestId }),
    createdAt: input.now,
    idempotency: idempotencyKey === null ? (input.resumes ?? null) : { key: idempotencyKey, bodyHash: await hash() },
  };
}

type Refusal = Exclude<CreateReply, { kind: "created" | "repeated" }>;

/** Returns the error for a request whose job can't be created. `credits` is the price of the job. */
export function describeRefusal(
  reply: Refusal,
  { credits, captureId = "" }: Pick<NewJob, "credits" | "captureId">,
): AppError {
  switch (reply.kind) {
    case "insufficient_credits":
      return insufficientCredits(credits, reply.balance);
    case "key_limit":
    case "daily_limit":
      return limitReached(credits, reply);
    case "model_limit":
      return modelLimitReached(reply.resetsAt);
    case "conflict":
      return new AppError(
        "idempotency_conflict",
        "This Idempotency-Key was already used with a different request body in the last 24 hours. Use a new key.",
      );
    case "suspended":
      return new AppError("account_suspended", ACCOUNT_SUSPENDED_MESSAGE);
    case "no_capture":
      return captureNotFound(captureId);
    case "full":
      return new AppError("unavailable", "This account's storage is full. Contact the operator.", {
        headers: { "Retry-After": "3600" },
      });
  }
}

function modelLimitReached(resetsAt: number): AppError {
  const message = `${MODEL_LIMIT_REACHED} Requests that can call a model are accepted again at ${toIso(resetsAt)}.`;
  return new AppError("rate_limited", message, {
    hint: "Until the limit resets, use strategy: page, which calls no model. To avoid these errors, check the schema and the prompt.",
    headers: { "Retry-After": String(Math.max(1, Math.ceil((resetsAt - now()) / SECOND_MS))) },
  });
}

function limitReached(price: number, reply: Extract<Refusal, { kind: "key_limit" | "daily_limit" }>): AppError {
  const { limit, used, reserved, resetsAt } = reply;
  const [exceeded, who, period, hint] =
    reply.kind === "key_limit"
      ? [
          "the credit limit of this API key",
          "The key",
          "",
          "Raise the credit limit of the key, use another key, or wait until the limit resets.",
        ]
      : [
          "the daily limit of this account",
          "The account",
          " today",
          "Wait until the limit resets, or ask the operator of this service for a higher limit.",
        ];
  const unfinished = reserved === 0 ? "" : `, and unfinished jobs have reserved ${reserved}`;
  const message = `This request costs ${toCount(price, "credit")}, which would exceed ${exceeded}. ${who} has used ${used} of ${limit} credits${period}${unfinished}. The limit resets at ${toIso(resetsAt)}.`;
  return new AppError("insufficient_credits", message, { hint });
}

/** Sends a job's message to its queue. Never throws, because the account's alarm resends lost messages. */
export async function enqueue(env: Env, job: Job, delayMs = 0): Promise<void> {
  try {
    const message: JobMessage = { kind: "job", account: job.account, mode: job.mode, job: job.id };
    await queueOf(env, job.rendered).send(message, { delaySeconds: Math.ceil(delayMs / 1_000) });
  } catch (error) {
    log("error", "enqueue_failed", { job_id: job.id, account_id: job.account.id, ...toLogged(error) });
  }
}
