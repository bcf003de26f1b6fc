import type { DeliveryMessage, WebhookAlertMessage } from "../model/delivery";
import { QUEUE_SEND_BATCH } from "../model/limits";
import type { DispatchedJob } from "./transaction";

/** Returns the queue for a job. Rendered jobs have a separate queue, so that plain jobs don't wait behind them. */
export function queueOf(env: Env, rendered: boolean): Queue {
  return rendered ? env.RENDERS : env.JOBS;
}

/** Sends the messages of jobs and webhooks to their queues. Tries every queue, then throws the first error. */
export async function sendDispatched(
  env: Env,
  jobs: DispatchedJob[],
  webhooks: (DeliveryMessage | WebhookAlertMessage)[],
): Promise<void> {
  const toRequests = (rendered: boolean) =>
    jobs.filter((job) => job.rendered === rendered).map(({ message }) => ({ body: message }));
  const sent = await Promise.allSettled([
    sendAll(env.JOBS, toRequests(false)),
    sendAll(env.RENDERS, toRequests(true)),
    sendAll(
      env.WEBHOOKS,
      webhooks.map((body) => ({ body })),
    ),
  ]);
  for (const { reason } of sent.filter((one) => one.status === "rejected")) throw reason;
}

async function sendAll(queue: Queue, messages: MessageSendRequest[]): Promise<void> {
  for (let i = 0; i < messages.length; i += QUEUE_SEND_BATCH) {
    await queue.sendBatch(messages.slice(i, i + QUEUE_SEND_BATCH));
  }
}
