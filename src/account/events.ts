import { writeDataPoint } from "../lib/log";
import { type Job, targetHost, wasRendered } from "../model/job";

/**
 * Writes the event of an ended job to Analytics Engine. The event has no page content, and only the host of the target's
 * URL. Don't change the order of the blobs and doubles: queries use their positions (docs/operating.md).
 */
export function writeJobEvent(env: Env, job: Job): void {
  if (job.endedAt === null) return;
  const processingMs = job.processingTimeMs ?? 0;
  const method = wasRendered(job) ? "rendered" : "plain";
  writeDataPoint(env, {
    account: job.account.id,
    blobs: [
      ...["job", job.endpoint, job.status, job.error?.code, job.mode, method, job.keyId, job.outcome],
      ...[targetHost(job), job.id],
    ],
    doubles: [processingMs, Math.max(0, job.endedAt - job.createdAt - processingMs), job.creditsUsed, job.run],
  });
}
