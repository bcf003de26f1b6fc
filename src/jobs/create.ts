import { insufficientCredits, toPrice } from "../endpoints/price";
import { sha256Hex } from "../lib/crypto";
import { newId } from "../lib/id";
import { toCanonicalJson } from "../lib/json";
import { log, toLogged } from "../lib/log";
import type { ApiKey } from "../model/api-key";
import type { Endpoint } from "../model/endpoint";
import { AppError } from "../model/errors";
import type { Job } from "../model/job";
import { MAX_ROW_REQUEST_BYTES } from "../model/limits";
import { getAccount } from "../store/accounts";
import { type Idempotency, insertJob } from "../store/jobs";
import { deleteRequest, putRequest } from "../store/objects";
import { enqueue } from "./queues";

export interface Admission {
  caller: ApiKey;
  endpoint: Endpoint;
  /** The validated body. */
  request: { webhook_url?: string | undefined };
  rendered: boolean;
  /** True: a caller waits, whose run the job begins with. False: it goes to its queue. */
  waiting: boolean;
  origin: string;
  /** The caller's Idempotency-Key. */
  idempotencyKey: string | null;
  now: number;
}

/** A job made for this request, or the one that an equal request made before. */
export type Admitted = { kind: "new"; job: Job } | { kind: "repeated"; jobId: string };

/**
 * Decides what can be decided, reserves the credits and stores it: from here on the row is the truth. Throws AppError
 * when the balance is too low, or the Idempotency-Key was used for another body.
 */
export async function admit(env: Env, admission: Admission): Promise<Admitted> {
  const { caller, endpoint, request, rendered, waiting, origin, now } = admission;
  const id = newId();
  const credits = caller.mode === "test" ? 0 : toPrice(endpoint, rendered);
  const json = JSON.stringify(request);
  const idempotency: Idempotency | null =
    admission.idempotencyKey === null
      ? null
      : { key: admission.idempotencyKey, bodyHash: await sha256Hex(toCanonicalJson(request)) };
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
      // The row stands, so the answer is the job: the sweep sends what was lost here.
      log("error", "enqueue_failed", { job_id: id, ...toLogged(error) });
    }
  }
  return { kind: "new", job: insertion.job };
}
