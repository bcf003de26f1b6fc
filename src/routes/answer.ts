import type { Context } from "hono";
import type { AppEnv } from "../env";
import { AppError } from "../errors";
import { type Admission, admit, insufficientCredits } from "../jobs/admit";
import type { Job, JobMeta } from "../jobs/job";
import { toPrice } from "../jobs/price";
import { runWaiting, sendAway } from "../jobs/run-waiting";
import { waitForEnd } from "../jobs/wait";
import { now } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import { MAX_IDEMPOTENCY_KEY_CHARS, SYNC_WAIT_MS } from "../limits";
import { toScript } from "../mock/outcome";
import { getJob } from "../store/jobs";
import { toOrigin } from "./http";
import { readResult, toMeta } from "./job-record";
import { answerStored } from "./stored-result";

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

  try {
    if (admitted.kind === "repeated") return await repeated<Data, Meta>(c, admitted.jobId, waiting ? until : null);
    if (!waiting) return accepted(c, admitted.job);
    const reached = await runWaiting(c.env, admitted.job, {
      until,
      hangUp: c.req.raw.signal,
      waitUntil: (promise) => c.executionCtx.waitUntil(promise),
    });
    if (reached === null) return accepted(c, admitted.job);
    if (reached.kind === "job") return await ended<Data, Meta>(c, reached.job);
    const { data, meta } = reached.end;
    const { id, run } = admitted.job;
    if (data === null) return await stored(c, { jobId: id, run, meta });
    return c.json({ success: true as const, data: data as Data, meta: meta as Meta, job_id: id }, 200);
  } catch (error) {
    if (error instanceof AppError || admitted.kind === "repeated") throw error;
    // The row exists: a 5xx would invite a second POST, and a second charge.
    log("error", "answer_failed", { request_id: c.var.requestId, job_id: admitted.job.id, ...toLogged(error) });
    if (waiting) c.executionCtx.waitUntil(sendAway(c.env, admitted.job.id));
    return accepted(c, admitted.job);
  }
}

/** What an equal request made before: as it ended by `until` (Unix ms), or as it stands. */
async function repeated<Data, Meta>(c: Context<AppEnv>, jobId: string, until: number | null) {
  const job = until === null ? await getJob(c.env.DB, jobId) : await waitForEnd(c.env, jobId, until);
  if (job === null) throw new Error(`The repeated job ${jobId} is not there.`);
  if (until !== null && job.endedAt !== null) return await ended<Data, Meta>(c, job);
  // The promise of a 202 holds for this caller, whoever else waits for the same job.
  await sendAway(c.env, jobId);
  return accepted(c, job);
}

/** The synchronous answer of a job that was read back: its result, or its error with the status of its code. */
async function ended<Data, Meta>(c: Context<AppEnv>, job: Job) {
  if (job.error !== null) {
    const { code, message, status, retryable } = job.error;
    throw new AppError(code, message, { status, retryable, jobId: job.id });
  }
  if (job.resultStored) return await stored(c, { jobId: job.id, run: job.run, meta: toMeta(job) });
  const data = readResult(job) as Data;
  return c.json({ success: true as const, data, meta: toMeta(job) as Meta, job_id: job.id }, 200);
}

async function stored(c: Context<AppEnv>, { jobId, run, meta }: { jobId: string; run: number; meta: JobMeta }) {
  const answer = { success: true as const, meta, job_id: jobId };
  // The contract's types know answers from memory alone.
  return (await answerStored(c, answer, { jobId, run, as: "data" })) as never;
}

function accepted(c: Context<AppEnv>, job: Job) {
  c.header("Location", `/v1/jobs/${job.id}`);
  c.header("Retry-After", "1");
  const meta = {
    processing_time_ms: now() - c.var.startedAt,
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
