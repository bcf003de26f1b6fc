import { env } from "cloudflare:workers";
import { createJob } from "../../src/jobs/create";
import type { Job } from "../../src/model/job";
import { createAccount, ORIGIN } from "./client";

const silentQueue = { send: async () => undefined } as unknown as Queue;

/** A job that is admitted and sent to no queue: the test is the only one who runs it. */
export async function admitJob(
  url: string,
  {
    waiting = false,
    accountId,
    request = {},
    bindings = env,
  }: { waiting?: boolean; accountId?: string; request?: Record<string, unknown>; bindings?: Env } = {},
): Promise<Job> {
  const owner = accountId ?? (await createAccount());
  const admitted = await createJob(
    { ...bindings, JOBS: silentQueue },
    {
      caller: { id: "key", accountId: owner, mode: "live", scopes: [], allowedIps: [], revokedAt: null },
      endpoint: "scrape",
      request: { url, formats: ["text"], js_render: false, only_main_content: true, ...request } as never,
      rendered: false,
      waiting,
      origin: ORIGIN,
      idempotencyKey: null,
      now: Date.now(),
    },
  );
  if (admitted.kind !== "new") throw new Error(admitted.kind);
  return admitted.job;
}
