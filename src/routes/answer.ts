import type { Context } from "hono";
import type { AppEnv } from "../env";
import { AppError } from "../errors";
import { type Admission, admit, insufficientCredits } from "../jobs/admit";
import type { Job, JobMeta } from "../jobs/job";
import { toPrice } from "../jobs/price";
import { runWaiting } from "../jobs/run-waiting";
import { waitForEnd } from "../jobs/wait";
import { now } from "../lib/clock";
import { MAX_IDEMPOTENCY_KEY_CHARS, SYNC_WAIT_MS } from "../limits";
import { toScript } from "../mock/outcome";
import { getJob } from "../store/jobs";
import { toOrigin } from "./http";
import { readResult, toMeta } from "./job-record";

type Work = Pick<Admission, "endpoint" | "rendered"> & {
  request: Admission["request"] & { url?: string | undefined; query?: string | undefined };
};

/** Admits the job, then either answers 202 or runs it while the caller waits: for all extraction endpoints. */
export async function answer<Data, Meta extends JobMeta = JobMeta>(c: Context<AppEnv>, waiting: boolean, work: Work) {
  const { caller, startedAt } = c.var;
  if (caller.mode === "test") refuseByScript(work);
  const until = startedAt + SYNC_WAIT_MS;
  const admitted = await admit(c.env, {
    ...work,
    waiting,
    caller,
    origin: toOrigin(c),
    idempotencyKey: readIdempotencyKey(c),
    now: now(),
  });

  if (admitted.kind === "repeated") {
    const job = waiting ? await waitForEnd(c.env, admitted.jobId, until) : await getJob(c.env.DB, admitted.jobId);
    if (job === null) throw new Error(`The repeated job ${admitted.jobId} is not there.`);
    return waiting && job.endedAt !== null ? await ended<Data, Meta>(c, job) : accepted(c, job);
  }

  if (!waiting) return accepted(c, admitted.job);
  const reached = await runWaiting(c.env, admitted.job, {
    until,
    hangUp: c.req.raw.signal,
    waitUntil: (promise) => c.executionCtx.waitUntil(promise),
  });
  if (reached === null) return accepted(c, admitted.job);
  if (reached.kind === "job") return await ended<Data, Meta>(c, reached.job);
  const { data, meta } = reached.end;
  return c.json({ success: true as const, data: data as Data, meta: meta as Meta, job_id: admitted.job.id }, 200);
}

/** The synchronous answer of a job that was read back: its result, or its error with the status of its code. */
async function ended<Data, Meta>(c: Context<AppEnv>, job: Job) {
  if (job.error !== null) {
    const { code, message, status, retryable } = job.error;
    throw new AppError(code, message, { status, retryable, jobId: job.id });
  }
  const data = (await readResult(c.env, job)) as Data;
  return c.json({ success: true as const, data, meta: toMeta(job) as Meta, job_id: job.id }, 200);
}

function accepted(c: Context<AppEnv>, job: Job) {
  c.header("Location", `/v1/jobs/${job.id}`);
  c.header("Retry-After", "1");
  const meta = { processing_time_ms: now() - c.var.startedAt, credits_used: 0, credits_reserved: job.credits };
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

/** The outcomes that a test key can ask for which end a request before there is a job. */
function refuseByScript({ endpoint, rendered, request }: Work): void {
  const { url, query } = request;
  const script = toScript(endpoint, {
    ...(url === undefined ? {} : { url }),
    ...(query === undefined ? {} : { query }),
  });
  if (script.kind !== "refused") return;
  if (script.code === "insufficient_credits") throw insufficientCredits(toPrice(endpoint, rendered), 0);
  throw new AppError("rate_limited", "This target plays a used-up rate window. Try again in 60 seconds.", {
    headers: { "Retry-After": "60" },
  });
}
