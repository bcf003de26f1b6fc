import { now } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import type { JobMessage } from "../model/job";
import { enqueue } from "./queues";
import { endIfExhausted, run } from "./run";

const MAX_RETRY_DELAY_S = 15 * 60;

/**
 * Work inside a batch goes side by side, since the local runtime hands out one batch at a time. Each message is
 * acknowledged on its own; the queue's own counter ends nothing, the row's does.
 */
export async function consume(batch: MessageBatch<JobMessage>, env: Env): Promise<void> {
  const handle = batch.queue.endsWith("-dead") ? buryOrSendAgain : runJob;
  await Promise.all(batch.messages.map((message) => handle(message, env, batch.queue)));
}

async function runJob(message: Message<JobMessage>, env: Env): Promise<void> {
  try {
    const outcome = await run(env, message.body.jobId);
    if (outcome.kind === "released") message.retry({ delaySeconds: Math.ceil(outcome.delayMs / 1_000) });
    else if (outcome.kind === "leased")
      message.retry({ delaySeconds: Math.max(1, Math.ceil((outcome.until - now()) / 1_000)) });
    else message.ack();
  } catch (error) {
    log("error", "consume_failed", { job_id: message.body.jobId, attempts: message.attempts, ...toLogged(error) });
    message.retry({ delaySeconds: Math.min(2 ** message.attempts, MAX_RETRY_DELAY_S) });
  }
}

/** A message that the queue gave up on: ends a job that has had its runs. Any other isn't over for that. */
async function buryOrSendAgain(message: Message<JobMessage>, env: Env, queue: string): Promise<void> {
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
