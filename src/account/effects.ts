import { log, toLogged, writeDataPoint } from "../lib/log";
import type { DeliveryMessage, WebhookAlertMessage } from "../model/delivery";
import { type Job, targetHost, wasRendered } from "../model/job";
import { QUEUE_SEND_BATCH } from "../model/limits";
import { wakeCrawls } from "./lifecycle/crawls";
import type { DispatchedJob, Transaction } from "./storage/transaction";

/**
 * Sends the messages of a committed transaction, wakes its crawls, and writes the events of ended jobs. The object must stay
 * alive until the returned promises have settled. They never reject.
 */
export function startEffects(
  env: Env,
  { dispatched, deliveries, alerts, ended, crawls, state }: Transaction,
): Promise<void>[] {
  for (const job of ended) writeJobEvent(env, job);
  const work: Promise<void>[] = [];
  if (dispatched.length + deliveries.length + alerts.length > 0) {
    // A failure is only logged, because the alarm resends lost messages.
    const sent = sendDispatched(env, dispatched, [...deliveries, ...alerts]).catch((error) =>
      log("warn", "not_sent", toLogged(error)),
    );
    work.push(sent);
  }
  if (crawls.size > 0) work.push(wakeCrawls(env, state.account, [...crawls.values()]));
  return work;
}

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

/**
 * Writes the event of an ended job to Analytics Engine. The event has no page content, and only the host of the target's
 * URL. Don't change the order of the blobs and doubles: queries use their positions (docs/operating.md).
 */
export function writeJobEvent(env: Env, job: Job): void {
  if (job.endedAt === null) return;
  const processingMs = job.processingTimeMs ?? 0;
  const method = wasRendered(job) ? "rendered" : "plain";
  writeDataPoint(env, {
    account: job.account.id,
    blobs: [
      ...["job", job.endpoint, job.status, job.error?.code, job.mode, method, job.keyId, job.outcome],
      ...[targetHost(job), job.id],
    ],
    doubles: [processingMs, Math.max(0, job.endedAt - job.createdAt - processingMs), job.creditsUsed, job.run],
  });
}
