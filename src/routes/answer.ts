import type { Context } from "hono";
import type { Work } from "../endpoints/prepare";
import { originOf } from "../http/router";
import { start } from "../jobs/start";
import { now } from "../lib/clock";
import type { AppEnv } from "../model/env";
import { AppError } from "../model/errors";
import type { Job, JobMeta } from "../model/job";
import { MAX_IDEMPOTENCY_KEY_CHARS, SYNC_WAIT_MS } from "../model/limits";
import { answerStored } from "./stored-result";

/** Starts the work as a job and answers with what comes of it, for all extraction endpoints: 200, or 202. */
export async function answer<Data, Meta extends JobMeta = JobMeta>(c: Context<AppEnv>, waiting: boolean, work: Work) {
  const started = await start(c.env, work, {
    caller: c.get("caller"),
    origin: originOf(c),
    idempotencyKey: readIdempotencyKey(c),
    until: waiting ? c.get("startedAt") + SYNC_WAIT_MS : null,
    hangUp: c.req.raw.signal,
    waitUntil: (promise) => c.executionCtx.waitUntil(promise),
  });
  c.set("jobId", started.kind === "accepted" ? started.job.id : started.jobId);
  if (started.kind === "accepted") return accepted(c, started.job);
  const answer = { success: true as const, meta: started.meta as Meta, job_id: started.jobId };
  // The contract's types know answers from memory alone.
  if (started.kind === "stored") return answerStored(c, answer, "data", started.object) as never;
  return c.json({ ...answer, data: started.data as Data }, 200);
}

function accepted(c: Context<AppEnv>, job: Job) {
  c.header("Location", `/v1/jobs/${job.id}`);
  c.header("Retry-After", "1");
  const meta = {
    processing_time_ms: now() - c.get("startedAt"),
    credits_used: job.creditsUsed,
    credits_reserved: job.endedAt === null ? job.credits : 0,
  };
  return c.json({ success: true as const, job_id: job.id, status: job.status, meta }, 202);
}

function readIdempotencyKey(c: Context<AppEnv>): string | null {
  const key = c.req.header("idempotency-key");
  if (key === undefined) return null;
  if (key.trim() !== "" && key.length <= MAX_IDEMPOTENCY_KEY_CHARS) return key;
  const message = `must have 1 to ${MAX_IDEMPOTENCY_KEY_CHARS} characters`;
  throw new AppError("invalid_request", `The header 'Idempotency-Key' ${message}.`, {
    details: [{ path: "Idempotency-Key", message }],
  });
}
