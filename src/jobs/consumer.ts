import { callAccount } from "../account/client";
import { now } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import type { JobRef } from "../model/job";
import { runJob } from "./run";

const MAX_RETRY_DELAY_S = 15 * 60;

/**
 * Runs the jobs of a batch in parallel, because the local runtime delivers one batch at a time. Acknowledges each
 * message separately. A job ends when the attempts in its row are used up, so the queue's own retry counter has no
 * effect.
 */
export async function consumeJobs(messages: readonly Message<JobRef>[], env: Env): Promise<void> {
  await Promise.all(messages.map((message) => runMessage(message, env)));
}

/**
 * Handles messages from a dead-letter queue. Wakes the account of each message, whose alarm then resends or ends the
 * job.
 */
export async function consumeDeadJobs(messages: readonly Message<JobRef>[], env: Env): Promise<void> {
  await Promise.all(messages.map((message) => wakeAccount(message, env)));
}

async function runMessage(message: Message<JobRef>, env: Env): Promise<void> {
  try {
    const outcome = await runJob(env, message.body);
    if (outcome.kind === "requeued") message.retry({ delaySeconds: Math.ceil(outcome.delayMs / 1_000) });
    else if (outcome.kind === "leased")
      message.retry({ delaySeconds: Math.max(1, Math.ceil((outcome.until - now()) / 1_000)) });
    else message.ack();
  } catch (error) {
    const { account, job } = message.body;
    const fields = { job_id: job, account_id: account.id, attempts: message.attempts };
    log("error", "consume_failed", { ...fields, ...toLogged(error) });
    message.retry({ delaySeconds: Math.min(2 ** message.attempts, MAX_RETRY_DELAY_S) });
  }
}

async function wakeAccount(message: Message<JobRef>, env: Env): Promise<void> {
  const { account, job } = message.body;
  log("warn", "dead_letter", { job_id: job, account_id: account.id });
  try {
    await callAccount(env, account, (stub) => stub.wake());
    message.ack();
  } catch {
    message.retry({ delaySeconds: MAX_RETRY_DELAY_S });
  }
}
