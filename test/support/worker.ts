// The Worker that the tests run: the service, except that a plain job doesn't wait for the queue's previous batch. The
// local queue delivers a batch only after the previous one has ended. A test would therefore wait for the slow jobs of
// other tests. On Cloudflare, batches run concurrently.
import { waitUntil } from "cloudflare:workers";
import worker from "../../src/index";
import type { JobMessage } from "../../src/model/job";
import { consumeBatch } from "../../src/queue";
import { reportMessage } from "./queue-messages";
// The first jobs of a runtime run at the same time, and must not import these modules simultaneously (loaded-modules.ts).
import "../../src/browser/prepare-tab";
import "../../src/browser/render";
import "../../src/endpoints/runs";

export * from "../../src/index";

const JOBS = "web-data-extraction-jobs";

export default {
  ...worker,
  queue: async (batch, env, ctx) => {
    for (const { body } of batch.messages) reportMessage(body);
    if (batch.queue !== JOBS) return await worker.queue(batch, env, ctx);
    // The Workers pool doesn't wait for this `waitUntil`. It would wait for that of `ctx` at the end of a test file.
    for (const message of batch.messages as Message<JobMessage>[]) waitUntil(consume(message, env));
  },
} satisfies ExportedHandler<Env, unknown>;

/** Runs one job. If the consumer retries the message, sends a new one, because the queue has removed the old one. */
async function consume({ id, timestamp, body }: Message<JobMessage>, env: Env) {
  const retries: QueueRetryOptions[] = [];
  const message: Message<JobMessage> = {
    ...{ id, timestamp, body, attempts: 1 },
    ack: () => {},
    retry: (options = {}) => void retries.push(options),
  };
  await consumeBatch({ queue: JOBS, messages: [message] }, env, { waitUntil });
  for (const options of retries) await env.JOBS.send(body, options);
}
