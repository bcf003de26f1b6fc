import { callAccount } from "../account/client";
import type { AttemptReport, BeginReply, BegunAttempt } from "../account/types";
import { withTimeout } from "../lib/async";
import { sleep } from "../lib/clock";
import { newNonce } from "../lib/crypto";
import { log, logAs, toLogged } from "../lib/log";
import type { DeliveryMessage } from "../model/delivery";
import { SECOND_MS } from "../model/limits";
import { EventGone, readEventBody } from "./event";
import { type Parcel, readExcerpt, type Sent, send } from "./send";
import { openSigningSecrets } from "./settings";

const RETRY_DELAY_S = 5;
const PREPARE_TIMEOUT_MS = 10 * SECOND_MS;
/** An answer's body that comes within this time is reported with the status, which saves a call and a row. */
const BODY_GRACE_MS = 50;
/** How often a report is tried if the account can't be reached: for about 15 s. */
const REPORT_TRIES = 5;

type Begun = Extract<BeginReply, { kind: "send" }>;

/**
 * Sends the events of a batch to their receivers. Returns as soon as the attempts have begun, and goes on under `waitUntil`: a
 * receiver that hangs must not hold up the queue.
 */
export async function consumeDeliveries(
  batch: MessageBatch<DeliveryMessage>,
  env: Env,
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  await Promise.all(batch.messages.map((message) => beginDelivery(message, env, ctx)));
}

async function beginDelivery(
  message: Message<DeliveryMessage>,
  env: Env,
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  const attempt: BegunAttempt = { ...message.body, token: newNonce() };
  const fields = { delivery_id: attempt.delivery, account_id: attempt.account.id };
  try {
    const begun = await callAccount(env, attempt.account, (account) => account.beginAttempt(attempt));
    if (begun.kind === "send") ctx.waitUntil(logAs(fields, () => deliver(env, attempt, begun)));
    message.ack();
  } catch (error) {
    log("warn", "delivery_not_begun", { ...fields, ...toLogged(error) });
    message.retry({ delaySeconds: RETRY_DELAY_S });
  }
}

/** Makes the attempt and reports what came of it. Never throws: the account's alarm settles an attempt without a report. */
async function deliver(env: Env, attempt: BegunAttempt, begun: Begun): Promise<void> {
  try {
    const parcel = await prepare(env, attempt, begun);
    if ("kind" in parcel) await report(env, attempt, parcel);
    else await sendAndReport(env, attempt, parcel);
  } catch (error) {
    log("error", "delivery_not_reported", toLogged(error));
  }
}

/** Returns what is sent, or the report that it couldn't be prepared. */
async function prepare(env: Env, attempt: BegunAttempt, begun: Begun): Promise<Parcel | AttemptReport> {
  const { delivery, job, number } = begun;
  const { id, url, origin } = delivery;
  const read = async (): Promise<Parcel> => ({
    ...{ id, url, origin, attempt: number },
    body: await readEventBody(env, delivery, job),
    secrets: await openSigningSecrets(env, { account: attempt.account, mode: attempt.mode }, begun),
  });
  try {
    return await withTimeout(PREPARE_TIMEOUT_MS, read());
  } catch (error) {
    log("error", "delivery_not_prepared", toLogged(error));
    return { kind: "unprepared", reason: error instanceof EventGone ? error.message : null };
  }
}

async function sendAndReport(env: Env, attempt: BegunAttempt, parcel: Parcel): Promise<void> {
  const sent = await send(env, parcel);
  const { response: answer, ...outcome } = sent;
  const excerpt = answer === null ? Promise.resolve(null) : readExcerpt(answer);
  const early = await Promise.race([excerpt, sleep(BODY_GRACE_MS).then(() => undefined)]);
  // The outcome is reported before the rest of the answer is read: what was answered isn't sent again for that.
  await report(env, attempt, { kind: "sent", ...outcome, response: early ?? null }, { parcel, sent });
  const text = await excerpt;
  if (early !== undefined || text === null) return;
  await callAccount(env, attempt.account, (account) => account.recordResponse(attempt, text));
}

/** Reports what came of an attempt, and tries again while the account can't be reached. Logs the outcome. */
async function report(
  env: Env,
  attempt: BegunAttempt,
  outcome: AttemptReport,
  made?: { parcel: Parcel; sent: Sent },
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      const reply = await callAccount(env, attempt.account, (account) => account.reportAttempt(attempt, outcome));
      if (made === undefined) return;
      const { parcel, sent } = made;
      const status = reply.kind === "recorded" ? reply.status : reply.kind;
      const fields = { attempt: parcel.attempt, status, status_code: sent.statusCode, duration_ms: sent.durationMs };
      return log("info", "webhook", fields);
    } catch (error) {
      if (tries === REPORT_TRIES) throw error;
      await sleep(SECOND_MS * 2 ** (tries - 1));
    }
  }
}
