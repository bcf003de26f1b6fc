import { callAccountOrGone } from "../account/client";
import { now } from "../lib/clock";
import { log, logAs, toLogged } from "../lib/log";
import type { ClaimedJob, JobRef } from "../model/job";
import { SECOND_MS } from "../model/limits";
import { enqueue } from "./create";
import { type RunOutcome, runClaimedJob, runJob } from "./run-job";

const MAX_RETRY_DELAY_S = 15 * 60;
/**
 * After a page of a batch, the same message also runs the next pages, because a message for each of them would wait in
 * the queue. After this number of pages or this time, it starts no other page. The next page then gets a new message,
 * so that other jobs in the queue aren't delayed.
 */
const MAX_PAGES = 20;
const PAGES_MS = 5 * SECOND_MS;

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
    const outcome = await runPages(message.body, env);
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

/** Runs the job, and then the next pages of its batch. Returns the outcome of the job in the message. */
async function runPages(ref: JobRef, env: Env): Promise<RunOutcome> {
  const startedAt = now();
  const first = await runJob(env, ref, { claimsNext: true });
  let next = nextOf(first);
  for (let pages = 1; next !== null; pages++) {
    const job = next;
    const claimsNext = pages + 1 < MAX_PAGES && now() < startedAt + PAGES_MS;
    const run = () => runClaimedJob(env, job, { claimsNext });
    const outcome = await logAs({ job_id: job.id, account_id: job.account.id }, run);
    // The message that started this run can't be retried for this page, because it belongs to another page.
    if (outcome.kind === "requeued") await enqueue(env, job, outcome.delayMs);
    next = nextOf(outcome);
  }
  return first;
}

function nextOf(outcome: RunOutcome): ClaimedJob | null {
  return outcome.kind === "completed" || outcome.kind === "failed" ? (outcome.next ?? null) : null;
}

async function wakeAccount(message: Message<JobRef>, env: Env): Promise<void> {
  const { account, job } = message.body;
  log("warn", "dead_letter", { job_id: job, account_id: account.id });
  try {
    await callAccountOrGone(env, account, (stub) => stub.wake());
    message.ack();
  } catch {
    message.retry({ delaySeconds: MAX_RETRY_DELAY_S });
  }
}
