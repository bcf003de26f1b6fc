import { ExtractionError } from "./errors";
import { type CallOptions, sleep } from "./transport";
import type { JobStatus } from "./wire";

export interface WaitOptions extends CallOptions {
  /**
   * The maximum total wait, in milliseconds. After this time, the call throws a `wait_timeout` error. Default: no limit.
   */
  maxWaitMs?: number | undefined;
}

/** The job or batch for which a call waits. */
interface Waiting<Resource> {
  /** The name in error messages, such as `job 0199…`. */
  name: string;
  /** The id of the job, or null for a batch. */
  jobId: string | null;
  /** The timeout of one attempt, in milliseconds. */
  timeoutMs: number;
  /** Requests the resource. The service holds the response for `holdSeconds` at most. */
  read: (holdSeconds: number) => Promise<Resource>;
}

/** Reads a job or a batch until it has completed or failed. Throws `wait_timeout` after `maxWaitMs`. */
export async function waitForEnd<Resource extends { status: JobStatus }>(
  { name, jobId, timeoutMs, read }: Waiting<Resource>,
  { maxWaitMs = Number.POSITIVE_INFINITY, signal }: WaitOptions,
): Promise<Resource> {
  const startedAt = Date.now();
  const deadline = startedAt + maxWaitMs;
  // The service holds the response for at most half of the timeout, so that the response arrives before the attempt
  // times out.
  const holdMs = timeoutMs / 2;
  for (;;) {
    const requestedAt = Date.now();
    const resource = await read(toHoldSeconds(Math.min(deadline - requestedAt, holdMs)));
    if (resource.status === "completed" || resource.status === "failed") return resource;
    if (requestedAt >= deadline) {
      const message = `The ${name} has not ended within ${maxWaitMs} ms. It is still running. Read it again later.`;
      throw new ExtractionError("wait_timeout", message, { jobId, retryable: true });
    }
    // The last request is sent at the deadline.
    const next = Math.min(requestedAt + toPollDelay(requestedAt - startedAt), deadline);
    await sleep(Math.max(0, next - Date.now()), signal);
  }
}

/**
 * The maximum `?wait=` of a request, in seconds. The service holds the response until the job ends, so a wait takes a
 * quarter of the requests that polling takes. The value is low, because a held request occupies one of only six
 * connections of a Worker, or of a page that uses HTTP/1.1.
 */
const HOLD_S = 10;

function toHoldSeconds(remainingMs: number): number {
  return Math.max(0, Math.min(HOLD_S, Math.floor(remainingMs / 1_000)));
}

/** Returns the polling interval that the API reference recommends: 1 second for the first 5 seconds, then 3 seconds. */
export function toPollDelay(elapsedMs: number): number {
  return elapsedMs < 5_000 ? 1_000 : 3_000;
}
