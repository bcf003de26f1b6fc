import { withTimeout } from "../lib/async";
import { log, toLogged, writeDataPoint } from "../lib/log";
import type { DeliveryMessage, WebhookAlertMessage } from "../model/delivery";
import { type Job, type JobMessage, targetHost, wasRendered } from "../model/job";
import { QUEUE_SEND_BATCH, R2_TIMEOUT_MS, SECOND_MS } from "../model/limits";
import { deleteFiles } from "../store/objects";
import { wakeCrawls } from "./lifecycle/crawls";
import type { Transaction } from "./storage/transaction";

/** The time after which a send no longer holds up later messages. */
const SEND_TIMEOUT_MS = 10 * SECOND_MS;

/** Sends messages to one queue. All messages that arrive during a send are sent together afterward. */
class QueueSender<Message> {
  readonly #waiting: Message[] = [];
  #isSending = false;

  /** Returns when the messages that waited were sent. Never rejects: the account's alarm resends lost messages. */
  async send(queue: Queue, messages: Message[]): Promise<void> {
    this.#waiting.push(...messages);
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, QUEUE_SEND_BATCH).map((body) => ({ body }));
      await withTimeout(SEND_TIMEOUT_MS, queue.sendBatch(batch)).catch((error) =>
        log("warn", "not_sent", toLogged(error)),
      );
    }
    this.#isSending = false;
  }
}

/** Handles what a committed transaction leaves behind: messages, events and files of ended jobs, and crawls to wake. */
export class Effects {
  readonly #jobs = new QueueSender<JobMessage>();
  readonly #renders = new QueueSender<JobMessage>();
  readonly #webhooks = new QueueSender<DeliveryMessage | WebhookAlertMessage>();

  /** The object must stay alive until the returned promise has settled. It never rejects. */
  async start(env: Env, { dispatched, deliveries, alerts, ended, files, crawls, state }: Transaction): Promise<void> {
    for (const job of ended) writeJobEvent(env, job);
    const toMessages = (rendered: boolean) =>
      dispatched.filter((job) => job.rendered === rendered).map(({ message }) => message);
    await Promise.all([
      this.#jobs.send(env.JOBS, toMessages(false)),
      this.#renders.send(env.RENDERS, toMessages(true)),
      this.#webhooks.send(env.WEBHOOKS, [...deliveries, ...alerts]),
      files.length > 0 && dropFiles(env, files),
      crawls.size > 0 && wakeCrawls(env, state.account, [...crawls.values()]),
    ]);
  }
}

/** Deletes the files of ended jobs. Never rejects: retention and a lifecycle rule delete remaining ones. */
async function dropFiles(env: Env, jobIds: readonly string[]): Promise<void> {
  await withTimeout(R2_TIMEOUT_MS, deleteFiles(env.STORE, jobIds)).catch((error) =>
    log("warn", "files_not_deleted", toLogged(error)),
  );
}

/** Returns the queue for a job. Rendered jobs have a separate queue, so that plain jobs don't wait behind them. */
export function queueOf(env: Env, rendered: boolean): Queue {
  return rendered ? env.RENDERS : env.JOBS;
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
