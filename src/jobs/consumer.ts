import { now } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import type { JobMessage } from "../model/job";
import { enqueue } from "./queues";
import { endIfExhausted, runJob } from "./run";

const MAX_RETRY_DELAY_S = 15 * 60;

/**
 * Runs the jobs of a batch in parallel, since the local runtime delivers one batch at a time. Each message is acknowledged
 * separately. The queue's retry counter never ends a job; the attempts in its row do.
 */
export async function consume(batch: MessageBatch<JobMessage>, env: Env): Promise<void> {
  const handle = batch.queue.endsWith("-dead") ? endOrResend : runMessage;
  await Promise.all(batch.messages.map((message) => handle(message, env, batch.queue)));
}

async function runMessage(message: Message<JobMessage>, env: Env): Promise<void> {
  try {
    const outcome = await runJob(env, message.body.jobId);
    if (outcome.kind === "requeued") message.retry({ delaySeconds: Math.ceil(outcome.delayMs / 1_000) });
    else if (outcome.kind === "leased")
      message.retry({ delaySeconds: Math.max(1, Math.ceil((outcome.until - now()) / 1_000)) });
    else message.ack();
  } catch (error) {
    log("error", "consume_failed", { job_id: message.body.jobId, attempts: message.attempts, ...toLogged(error) });
    message.retry({ delaySeconds: Math.min(2 ** message.attempts, MAX_RETRY_DELAY_S) });
  }
}

/** Handles a message that the queue gave up on. Ends the job if its attempts are used up, and sends it again otherwise. */
async function endOrResend(message: Message<JobMessage>, env: Env, queue: string): Promise<void> {
  const { jobId } = message.body;
  try {
    const ended = await endIfExhausted(env, jobId);
    log("warn", "dead_letter", { job_id: jobId, sent_again: !ended });
    if (!ended) await enqueue(env, { id: jobId, rendered: queue.startsWith("renders") }, MAX_RETRY_DELAY_S);
    message.ack();
  } catch (error) {
    log("error", "dead_letter_failed", { job_id: jobId, ...toLogged(error) });
    message.retry({ delaySeconds: MAX_RETRY_DELAY_S });
  }
}
