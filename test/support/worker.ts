// The Worker that the tests run: the service, except that a job doesn't wait for the queue's previous batch. The local
// queue delivers a batch only after the previous one has ended. A test would therefore wait for the slow jobs of other
// tests. On Cloudflare, batches run concurrently.
import { waitUntil } from "cloudflare:workers";
import { queueOf } from "../../src/account/effects";
import worker from "../../src/index";
import { sleep } from "../../src/lib/clock";
import type { JobMessage } from "../../src/model/job";
import { consumeBatch } from "../../src/queue";
import { reportMessage } from "./queue-messages";

export * from "../../src/index";

const JOBS = "web-data-extraction-jobs";
const RENDERS = "web-data-extraction-renders";

/** The free slots of each queue. For renders, wrangler.toml has 3 consumers with batches of 2. */
const FREE: Record<string, number> = { [JOBS]: 16, [RENDERS]: 6 };
const POLL_MS = 20;

export default {
  ...worker,
  queue: async (batch, env, ctx) => {
    for (const { body } of batch.messages) reportMessage(body);
    if (FREE[batch.queue] === undefined) return await worker.queue(batch, env, ctx);
    // The Workers pool doesn't wait for this `waitUntil`. It would wait for that of `ctx` at the end of a test file.
    for (const message of batch.messages as Message<JobMessage>[]) waitUntil(consume(message, batch.queue, env));
  },
} satisfies ExportedHandler<Env, unknown>;

/** Runs one job. If the consumer retries the message, sends a new one, because the queue has removed the old one. */
async function consume({ id, timestamp, body }: Message<JobMessage>, queue: string, env: Env) {
  const free = () => FREE[queue] ?? 0;
  // Each message waits with its own timer. If it waited for a promise of another message, the runtime would end it, or
  // would continue it in the other message's context, which can't use its I/O: the Workers pool sets the compatibility
  // flag no_handle_cross_request_promise_resolution.
  while (free() === 0) await sleep(POLL_MS);
  FREE[queue] = free() - 1;
  const retries: QueueRetryOptions[] = [];
  const message: Message<JobMessage> = {
    ...{ id, timestamp, body, attempts: 1 },
    ack: () => {},
    retry: (options = {}) => void retries.push(options),
  };
  try {
    await consumeBatch({ queue, messages: [message] }, env, { waitUntil });
  } finally {
    FREE[queue] = free() + 1;
  }
  for (const options of retries) await queueOf(env, queue === RENDERS).send(body, options);
}
