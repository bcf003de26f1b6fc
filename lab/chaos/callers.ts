import { KINDS } from "./kinds.ts";
import type { PlannedJob } from "./plan.ts";
import type { World } from "./world.ts";

/** The fields of a response that the checks compare with the job's row. */
export interface JobResponse {
  status: number;
  jobId: string | null;
  /** The error code. Null for a success. */
  code: string | null;
}

/** The outcome of one request. */
export type SendResult =
  | { kind: "response"; response: JobResponse }
  /** The connection was refused, so the service can't have received the request. */
  | { kind: "refused" }
  /** The connection broke, so the service may have received the request. */
  | { kind: "broken" };

/** A planned job with all responses that its caller received. */
export interface CallRecord {
  job: PlannedJob;
  responses: JobResponse[];
  /** The number of requests whose connection broke before the response. */
  brokenConnections: number;
}

/** This timeout is longer than the 60 seconds that a synchronous request may wait for its job. */
const REQUEST_TIMEOUT_MS = 90_000;

/** Sends the request of a planned job. Never rejects. */
export async function send(base: string, secret: string, job: PlannedJob, world: World): Promise<SendResult> {
  const { endpoint, body } = KINDS[job.kind];
  const webhook = job.receiver === null ? {} : { webhook_url: receiverOf(job, world) };
  try {
    const response = await fetch(`${base}/v1/${endpoint}${job.waits ? "?wait=true" : ""}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${secret}`,
        "content-type": "application/json",
        ...(job.idempotencyKey === null ? {} : { "idempotency-key": job.idempotencyKey }),
      },
      body: JSON.stringify({ ...body(job.id, (behavior) => world.page(job.id, behavior)), ...webhook }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const json = (await response.json()) as { job_id?: string; error?: { code: string; job_id?: string } };
    const jobId = json.job_id ?? json.error?.job_id ?? null;
    return { kind: "response", response: { status: response.status, jobId, code: json.error?.code ?? null } };
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    return { kind: code === "ECONNREFUSED" ? "refused" : "broken" };
  }
}

/** Returns the job's webhook URL. Its path identifies the job in the receiver's log. */
function receiverOf(job: PlannedJob, world: Pick<World, "receiver">): string {
  return `${world.receiver.origin}/${job.id}/${job.receiver}`;
}
