import { WorkerEntrypoint } from "cloudflare:workers";
import { callAccountOrGone } from "../account/client";
import { RUNS_HOST } from "../browser/browser-host";
import { now } from "../lib/clock";
import { log, logAs, toLogged } from "../lib/log";
import type { ClaimedJob, JobRef } from "../model/job";
import { SECOND_MS } from "../model/limits";
import { browserHost, requireRegion } from "../store/namespaces";
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
  await Promise.all(messages.map((message) => consume(message, () => runMessage(message.body, env))));
}

/** Hands over the jobs of a batch. Doesn't wait for them, because the queue delivers no others while pages hang. */
export async function consumeRenders(messages: readonly Message<JobRef>[], env: Env): Promise<void> {
  const host = browserHost(env, RUNS_HOST);
  await Promise.all(messages.map((message) => consume(message, () => host.startRun(message.body))));
}

/** Runs the jobs of the queue `renders`. If it fails, the account's alarm resends the job's message. */
export class RenderRunner extends WorkerEntrypoint<Env> {
  async run(ref: JobRef): Promise<void> {
    requireRegion(this.env);
    const delayMs = await runMessage(ref, this.env);
    if (delayMs === null) return;
    await this.env.RENDERS.send({ kind: "job", ...ref }, { delaySeconds: Math.ceil(delayMs / 1_000) });
  }
}

/** Handles messages from a dead-letter queue. Wakes each account, whose alarm resends or ends the job. */
export async function consumeDeadJobs(messages: readonly Message<JobRef>[], env: Env): Promise<void> {
  await Promise.all(messages.map((message) => wakeAccount(message, env)));
}

/** Handles a message. `handle` returns the delay (ms) after which the message must be sent again, or null. */
async function consume(message: Message<JobRef>, handle: () => Promise<number | null>): Promise<void> {
  try {
    const delayMs = await handle();
    if (delayMs === null) message.ack();
    else message.retry({ delaySeconds: Math.ceil(delayMs / 1_000) });
  } catch (error) {
    const { account, job } = message.body;
    const fields = { job_id: job, account_id: account.id, attempts: message.attempts };
    log("error", "consume_failed", { ...fields, ...toLogged(error) });
    message.retry({ delaySeconds: Math.min(2 ** message.attempts, MAX_RETRY_DELAY_S) });
  }
}

/** Runs the job of a message. Returns the delay (ms) after which the message must be sent again, or null. */
async function runMessage(ref: JobRef, env: Env): Promise<number | null> {
  const outcome = await runPages(ref, env);
  if (outcome.kind === "requeued") return outcome.delayMs;
  return outcome.kind === "leased" ? Math.max(SECOND_MS, outcome.until - now()) : null;
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
