import type { Endpoint } from "../contract/common";
import type { ApiKey } from "../keys/api-key";
import { newId } from "../lib/id";
import { log, toLogged } from "../lib/log";
import { MAX_ROW_REQUEST_BYTES } from "../limits";
import { insertJob } from "../store/jobs";
import { putRequest } from "../store/objects";
import type { Job } from "./job";
import { toPrice } from "./price";
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
  now: number;
}

/** Decides what can be decided, and stores it: from here on the row is the truth. */
export async function admit(env: Env, admission: Admission): Promise<Job> {
  const { caller, endpoint, request, rendered, waiting, origin, now } = admission;
  const id = newId();
  const credits = caller.mode === "test" ? 0 : toPrice(endpoint, rendered);
  const json = JSON.stringify(request);
  const fitsRow = new TextEncoder().encode(json).byteLength <= MAX_ROW_REQUEST_BYTES;
  if (!fitsRow) await putRequest(env.STORE, id, json);
  const job = await insertJob(env.DB, {
    id,
    accountId: caller.accountId,
    mode: caller.mode,
    endpoint,
    request: fitsRow ? json : null,
    rendered,
    waiting,
    webhookUrl: request.webhook_url ?? null,
    origin,
    credits,
    createdAt: now,
  });
  if (!waiting) {
    try {
      await enqueue(env, { id, rendered });
    } catch (error) {
      // The row stands, so the answer is the job: the sweep sends what was lost here.
      log("error", "enqueue_failed", { job_id: id, ...toLogged(error) });
    }
  }
  return job;
}
