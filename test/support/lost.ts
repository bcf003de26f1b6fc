import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { newId } from "../../src/lib/id";
import { FIRST_WAKE_MS } from "../../src/model/limits";
import { createAccount } from "./client";

/** Jobs whose messages got lost. */
export async function insertJobs(count: number, createdAt: number, rendered = 0): Promise<string[]> {
  const accountId = await createAccount();
  const ids = Array.from({ length: count }, newId);
  await env.DB.prepare(
    `INSERT INTO jobs (id, account_id, key_id, mode, endpoint, status, request, rendered, waiting, origin, credits, created_at, wake_at)
     SELECT value, ?2, 'key', 'live', 'scrape', 'queued', '{}', ?3, 0, 'https://x', 1, ?4, ?5 FROM json_each(?1)`,
  )
    .bind(JSON.stringify(ids), accountId, rendered, createdAt, createdAt + FIRST_WAKE_MS)
    .run();
  return ids;
}

/** Queues that write down what is sent to them. */
export function recordingQueues() {
  const sent = { jobs: [] as string[], renders: [] as string[] };
  const queue = (name: "jobs" | "renders") =>
    ({
      sendBatch: async (messages: { body: { jobId: string } }[]) => {
        expect(messages.length).toBeLessThanOrEqual(100);
        sent[name].push(...messages.map((message) => message.body.jobId));
      },
    }) as unknown as Queue;
  return { sent, bindings: { ...env, JOBS: queue("jobs"), RENDERS: queue("renders") } as Env };
}
