// The Worker that the tests run: the service, except that a job doesn't wait for the queue's previous batch. The local
// queue delivers a batch only after the previous one has ended. A test would therefore wait for the slow jobs of other
// tests. On Cloudflare, batches run concurrently.
import { waitUntil } from "cloudflare:workers";
import { queueOf } from "../../src/account/queues";
import worker from "../../src/index";
import { Semaphore } from "../../src/lib/async";
import type { JobMessage } from "../../src/model/job";
import { consumeBatch } from "../../src/queue";
import { reportMessage } from "./queue-messages";

export * from "../../src/index";

const JOBS = "web-data-extraction-jobs";
const RENDERS = "web-data-extraction-renders";

/** The number of concurrent jobs of each queue. For renders, wrangler.toml has 3 consumers with batches of 2. */
const SLOTS: Record<string, Semaphore> = { [JOBS]: new Semaphore(16), [RENDERS]: new Semaphore(6) };

export default {
  ...worker,
  queue: async (batch, env, ctx) => {
    for (const { body } of batch.messages) reportMessage(body);
    const slots = SLOTS[batch.queue];
    if (slots === undefined) return await worker.queue(batch, env, ctx);
    // The Workers pool doesn't wait for this `waitUntil`. It would wait for that of `ctx` at the end of a test file.
    for (const message of batch.messages as Message<JobMessage>[]) waitUntil(consume(message, batch.queue, slots, env));
  },
} satisfies ExportedHandler<Env, unknown>;

/** Runs one job. If the consumer retries the message, sends a new one, because the queue has removed the old one. */
async function consume({ id, timestamp, body }: Message<JobMessage>, queue: string, slots: Semaphore, env: Env) {
  const release = await slots.acquire(new AbortController().signal);
  const retries: QueueRetryOptions[] = [];
  const message: Message<JobMessage> = {
    ...{ id, timestamp, body, attempts: 1 },
    ack: () => {},
    retry: (options = {}) => void retries.push(options),
  };
  try {
    await consumeBatch({ queue, messages: [message] }, env, { waitUntil });
  } finally {
    release();
  }
  for (const options of retries) await queueOf(env, queue === RENDERS).send(body, options);
}
