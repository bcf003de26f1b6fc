import { toPrice } from "../endpoints/endpoints";
import { insufficientCredits, type ValidatedRequest } from "../endpoints/validate";
import { sha256Hex } from "../lib/crypto";
import { newId } from "../lib/id";
import { toCanonicalJson } from "../lib/json";
import { log, toLogged } from "../lib/log";
import type { ApiKey } from "../model/api-key";
import { AppError } from "../model/errors";
import type { Job } from "../model/job";
import { MAX_ROW_REQUEST_BYTES } from "../model/limits";
import { getAccount } from "../store/accounts";
import { type Idempotency, insertJob } from "../store/jobs";
import { deleteRequest, putRequest } from "../store/objects";
import { enqueue } from "./queues";

export interface CreateJobInput extends Omit<ValidatedRequest, "request"> {
  /** The validated body. */
  request: { webhook_url?: string | undefined };
  caller: ApiKey;
  /** True if a caller waits: the job begins with that caller's run. False: it is sent to its queue. */
  waiting: boolean;
  origin: string;
  /** The caller's Idempotency-Key, or null. */
  idempotencyKey: string | null;
  /** Unix ms. */
  now: number;
}

/** A new job, or the job that an equal request with the same Idempotency-Key created earlier. */
export type CreateJobResult = { kind: "new"; job: Job } | { kind: "repeated"; jobId: string };

/**
 * Reserves the credits, inserts the job and sends it to its queue unless a caller waits for it. From then on the row is
 * the truth. Throws AppError if the balance is too low, or if the Idempotency-Key was used for another body.
 */
export async function createJob(env: Env, input: CreateJobInput): Promise<CreateJobResult> {
  const { caller, endpoint, request, rendered, waiting, origin, now } = input;
  const id = newId();
  const credits = caller.mode === "test" ? 0 : toPrice(endpoint, rendered);
  const json = JSON.stringify(request);
  const idempotency: Idempotency | null =
    input.idempotencyKey === null
      ? null
      : { key: input.idempotencyKey, bodyHash: await sha256Hex(toCanonicalJson(request)) };
  const fitsRow = new TextEncoder().encode(json).byteLength <= MAX_ROW_REQUEST_BYTES;
  if (!fitsRow) await putRequest(env.STORE, id, json);
  const insertion = await insertJob(
    env.DB,
    {
      id,
      accountId: caller.accountId,
      keyId: caller.id,
      mode: caller.mode,
      endpoint,
      request: fitsRow ? json : null,
      rendered,
      waiting,
      webhookUrl: request.webhook_url ?? null,
      origin,
      credits,
      createdAt: now,
    },
    idempotency,
  );
  if (insertion.kind !== "inserted" && !fitsRow) await deleteRequest(env.STORE, id);
  if (insertion.kind === "insufficient_credits") {
    const balance = (await getAccount(env.DB, caller.accountId))?.balance ?? 0;
    throw insufficientCredits(credits, balance);
  }
  if (insertion.kind === "repeated") {
    if (insertion.bodyHash === idempotency?.bodyHash) return { kind: "repeated", jobId: insertion.jobId };
    throw new AppError(
      "idempotency_conflict",
      "This Idempotency-Key was used for another request body within 24 hours.",
    );
  }
  if (!waiting) {
    try {
      await enqueue(env, insertion.job);
    } catch (error) {
      // The row exists, so the caller gets the job. The cron sends the lost message again.
      log("error", "enqueue_failed", { job_id: id, ...toLogged(error) });
    }
  }
  return { kind: "new", job: insertion.job };
}
