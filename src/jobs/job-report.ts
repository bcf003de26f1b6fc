import { log, writeDataPoint } from "../lib/log";
import type { ErrorCode } from "../model/errors";
import type { Job } from "../model/job";

interface End {
  outcome: "completed" | "failed";
  code?: ErrorCode;
  /** Unix ms at which the run began that ended it. */
  startedAt: number;
  endedAt: number;
}

/** One line and one data point a job, from the run that ended it. */
export function reportEnd(env: Env, job: Job, { outcome, code, startedAt, endedAt }: End): void {
  const queueMs = startedAt - job.createdAt;
  const processingMs = endedAt - startedAt;
  const credits = outcome === "completed" ? job.credits : 0;
  log("info", "job", {
    job_id: job.id,
    account_id: job.accountId,
    mode: job.mode,
    endpoint: job.endpoint,
    rendered: job.rendered,
    outcome,
    code,
    runs: job.run,
    queue_ms: queueMs,
    processing_ms: processingMs,
    credits,
  });
  writeDataPoint(env, {
    account: job.accountId,
    blobs: ["job", job.endpoint, outcome, code, job.mode, job.rendered ? "rendered" : "plain"],
    doubles: [processingMs, queueMs, credits, job.run],
  });
}
