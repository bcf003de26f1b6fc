import { KINDS } from "./kinds.ts";
import type { PlannedJob } from "./plan.ts";
import type { World } from "./world.ts";

/** What a caller was told. */
export interface Answer {
  status: number;
  jobId: string | null;
  /** Of an error. */
  code: string | null;
}

/** What became of one request. */
export type Sent =
  | { kind: "answered"; answer: Answer }
  /** It can't have arrived. */
  | { kind: "refused" }
  /** Nobody knows how far it came. */
  | { kind: "broken" };

/** A request with all that was heard of it. */
export interface Called {
  job: PlannedJob;
  answers: Answer[];
  /** How often the connection broke before there was an answer. */
  brokenOff: number;
}

/** Longer than any caller is kept waiting. */
const PATIENCE_MS = 90_000;

/** Makes the request of this job, as its caller would. */
export async function send(base: string, secret: string, job: PlannedJob, world: World): Promise<Sent> {
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
      body: JSON.stringify({ ...body(job.id, (behaviour) => world.page(job.id, behaviour)), ...webhook }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const said = (await response.json()) as { job_id?: string; error?: { code: string; job_id?: string } };
    const jobId = said.job_id ?? said.error?.job_id ?? null;
    return { kind: "answered", answer: { status: response.status, jobId, code: said.error?.code ?? null } };
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    return { kind: code === "ECONNREFUSED" ? "refused" : "broken" };
  }
}

/** The address to which the receiver's log knows what was pushed for this job. */
function receiverOf(job: PlannedJob, world: Pick<World, "receiver">): string {
  return `${world.receiver.origin}/${job.id}/${job.receiver}`;
}
