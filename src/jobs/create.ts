import { accountGone, callAccount } from "../account/client";
import { queueOf } from "../account/queues";
import type { CreateReply, NewJob } from "../account/types";
import { insufficientCredits, type ValidatedRequest } from "../endpoints/validate";
import { toIso } from "../lib/clock";
import { sha256Hex } from "../lib/crypto";
import { newTaggedId } from "../lib/id";
import { toCanonicalJson } from "../lib/json";
import { log, toLogged } from "../lib/log";
import { ACCOUNT_SUSPENDED_MESSAGE } from "../model/account";
import type { ApiKey } from "../model/api-key";
import type { Endpoint } from "../model/endpoint";
import { AppError } from "../model/errors";
import type { Job, JobMessage } from "../model/job";
import { MAX_ROW_REQUEST_BYTES, MAX_URL_CHARS } from "../model/limits";
import { deleteRequest, putRequest } from "../store/objects";

export interface CreateJobInput extends Omit<ValidatedRequest, "request"> {
  /** The validated body. */
  request: { webhook_url?: string | undefined; url?: string | undefined; query?: string | undefined };
  caller: ApiKey;
  /**
   * True if the caller waits for the result. The caller's request then runs the job. Otherwise, the job is sent to its
   * queue.
   */
  waiting: boolean;
  origin: string;
  /** The caller's Idempotency-Key, or null. */
  idempotencyKey: string | null;
  /** The current time (Unix ms). */
  now: number;
}

/**
 * A new job, or the job that an earlier request with the same Idempotency-Key created. `next` is `run` if the job can
 * start now, and `wait` if the plan's concurrency is used up.
 */
export type CreateJobResult = { kind: "new"; next: "run" | "wait"; job: Job } | { kind: "repeated"; job: Job };

/**
 * Reserves the credits and inserts the job. Sends the job to its queue unless a caller waits for it. Throws AppError if
 * the balance is too low, if the Idempotency-Key was used with a different body, or if the account can't be reached.
 */
export async function createJob(env: Env, input: CreateJobInput): Promise<CreateJobResult> {
  const { caller, request } = input;
  const id = newTaggedId(caller.account.tag);
  const json = JSON.stringify(request);
  const fitsRow = new TextEncoder().encode(json).byteLength <= MAX_ROW_REQUEST_BYTES;
  if (!fitsRow) await putRequest(env.STORE, id, json);
  const job = await toNewJob(input, id, fitsRow ? json : null);
  // Retry after every error. The job may exist although the call failed. The caller would then retry, which would
  // create and charge a second job. If all calls fail, keep the stored request, because the job may need it. A
  // lifecycle rule of R2 deletes the request later.
  const reply = await callAccount(env, caller.account, (account) => account.createJob(job), { retryAlways: true });
  if (reply.kind !== "created" && !fitsRow) await deleteRequest(env.STORE, id);
  if (reply.kind === "repeated") return reply;
  if (reply.kind !== "created") throw toRefusal(reply, job);
  if (reply.next === "run" && !input.waiting) await enqueue(env, reply.job);
  return { kind: "new", next: reply.next, job: reply.job };
}

async function toNewJob(
  { caller, endpoint, request, rendered, price, waiting, origin, idempotencyKey, now }: CreateJobInput,
  id: string,
  json: string | null,
): Promise<NewJob> {
  return {
    mode: caller.mode,
    id,
    keyId: caller.id,
    endpoint,
    request: json,
    subject: (request.url ?? request.query)?.slice(0, MAX_URL_CHARS) ?? null,
    rendered,
    waiting,
    webhookUrl: request.webhook_url ?? null,
    origin,
    credits: caller.mode === "test" ? 0 : price,
    creditLimit: caller.creditLimit,
    createdAt: now,
    idempotency:
      idempotencyKey === null ? null : { key: idempotencyKey, bodyHash: await toBodyHash(endpoint, request) },
  };
}

/**
 * Returns the hash that a repeated request must have. A scrape without `js_render` has the hash of one with its default,
 * as in the versions before `render`.
 */
async function toBodyHash(endpoint: Endpoint, request: object): Promise<string> {
  const defaults = endpoint === "scrape" && !("render" in request) ? { js_render: false } : {};
  return await sha256Hex(toCanonicalJson({ ...defaults, ...request }));
}

type Refusal = Exclude<CreateReply, { kind: "created" | "repeated" }>;

function toRefusal(reply: Refusal, { credits }: NewJob): AppError {
  switch (reply.kind) {
    case "insufficient_credits":
      return insufficientCredits(credits, reply.balance);
    case "key_limit":
      return keyLimitReached(credits, reply);
    case "conflict":
      return new AppError(
        "idempotency_conflict",
        "This Idempotency-Key was already used with a different request body in the last 24 hours. Use a new key.",
      );
    case "suspended":
      return new AppError("account_suspended", ACCOUNT_SUSPENDED_MESSAGE);
    case "full":
      return new AppError("unavailable", "This account's storage is full. Contact the operator.", {
        headers: { "Retry-After": "3600" },
      });
    case "gone":
      return accountGone();
  }
}

function keyLimitReached(
  price: number,
  { limit, used, reserved, resetsAt }: Extract<Refusal, { kind: "key_limit" }>,
): AppError {
  const unfinished = reserved === 0 ? "" : `, and unfinished jobs have reserved ${reserved}`;
  const message = `This request costs ${price} credits, which would exceed the credit limit of this API key. The key has used ${used} of ${limit} credits${unfinished}. The limit resets at ${toIso(resetsAt)}.`;
  const hint = "Raise the credit limit of the key, use another key, or wait until the limit resets.";
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
