import { callAccountOrGone } from "../account/client";
import type { AttemptReport, BeginReply, BegunAttempt } from "../account/deliveries/delivery-types";
import { withTimeout } from "../lib/async";
import { sleep } from "../lib/clock";
import { newNonce } from "../lib/crypto";
import { log, logAs, toLogged } from "../lib/log";
import { redact } from "../lib/redact";
import { unseal } from "../lib/sealing";
import { type AttemptRef, toHookContext } from "../model/delivery";
import { SECOND_MS } from "../model/limits";
import { findEventJob, ResultDeletedError, readEventBody } from "./event";
import { readExcerpt, type SendResult, send, type WebhookRequest } from "./send";
import { openSigningSecrets } from "./settings";

const RETRY_DELAY_S = 5;
const PREPARE_TIMEOUT_MS = 10 * SECOND_MS;
/**
 * After the status has arrived, the report waits this long for the response body. If the body arrives in time, status
 * and body are reported with one call and one written row.
 */
const BODY_GRACE_MS = 50;
/** The maximum number of attempts to report an outcome if the account can't be reached. They take about 15 s. */
const REPORT_TRIES = 5;

type Begun = Extract<BeginReply, { kind: "send" }>;

/** Starts to send the events of a batch. Requests continue under `waitUntil`, so that none blocks the queue. */
export async function consumeDeliveries(
  messages: readonly Message<AttemptRef>[],
  env: Env,
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  await Promise.all(messages.map((message) => beginDelivery(message, env, ctx)));
}

async function beginDelivery(
  message: Message<AttemptRef>,
  env: Env,
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  const attempt: BegunAttempt = { ...message.body, token: newNonce() };
  const fields = { delivery_id: attempt.delivery, account_id: attempt.account.id };
  try {
    const begun = await callAccountOrGone(env, attempt.account, (account) => account.beginAttempt(attempt));
    if (begun.kind === "send") ctx.waitUntil(logAs(fields, () => deliver(env, attempt, begun)));
    message.ack();
  } catch (error) {
    log("warn", "delivery_not_begun", { ...fields, ...toLogged(error) });
    message.retry({ delaySeconds: RETRY_DELAY_S });
  }
}

/** Sends an event and reports the outcome. Never throws. Without a report, the alarm ends the attempt. */
async function deliver(env: Env, attempt: BegunAttempt, begun: Begun): Promise<void> {
  try {
    const request = await prepare(env, attempt, begun);
    if ("kind" in request) return await report(env, attempt, request);
    const sent = await send(env, request).catch((error: unknown) => {
      log("error", "delivery_not_sent", toLogged(error));
      return null;
    });
    // An error on our side prevented the request.
    if (sent === null) return await report(env, attempt, { kind: "unprepared", reason: null });
    const { response, ...outcome } = sent;
    const excerpt = response === null ? Promise.resolve(null) : readExcerpt(response);
    const early = await Promise.race([excerpt, sleep(BODY_GRACE_MS).then(() => undefined)]);
    const reported = { kind: "sent", url: request.url, ...outcome, response: early ?? null } as const;
    // Reports the status before the body is read completely. Otherwise, a failure to read the body would cause a second
    // delivery.
    await report(env, attempt, reported, { request, sent });
    const text = await excerpt;
    if (early !== undefined || text === null) return;
    await callAccountOrGone(env, attempt.account, (account) => account.recordResponse(attempt, text));
  } catch (error) {
    log("error", "delivery_not_reported", toLogged(error));
  }
}

/** Returns the request to send, or an `unprepared` report if the event couldn't be prepared. */
async function prepare(env: Env, attempt: BegunAttempt, begun: Begun): Promise<WebhookRequest | AttemptReport> {
  const { delivery, job, number } = begun;
  const { id, url, origin, hook } = delivery;
  const read = async (): Promise<WebhookRequest> => ({
    id,
    url,
    origin,
    accountId: attempt.account.id,
    attempt: number,
    ...(hook !== null && { headers: JSON.parse(await unseal(env, hook.headers, toHookContext(hook.id))) }),
    body: await readEventBody(env, delivery, await findEventJob(env, attempt.account, delivery, job)),
    secrets: await openSigningSecrets(
      env,
      { account: attempt.account, mode: attempt.mode, endpointId: begun.signedBy },
      begun,
    ),
  });
  try {
    return await withTimeout(PREPARE_TIMEOUT_MS, read());
  } catch (error) {
    log("error", "delivery_not_prepared", toLogged(error));
    return { kind: "unprepared", reason: error instanceof ResultDeletedError ? error.message : null };
  }
}

/** Reports the outcome of an attempt, with retries while the account can't be reached. Logs the outcome. */
async function report(
  env: Env,
  attempt: BegunAttempt,
  outcome: AttemptReport,
  made?: { request: WebhookRequest; sent: SendResult },
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      const reply = await callAccountOrGone(env, attempt.account, (account) => account.reportAttempt(attempt, outcome));
      if (made === undefined) return;
      const { request, sent } = made;
      const status = reply.kind === "recorded" ? reply.status : reply.kind;
      const host = URL.parse(request.url)?.host;
      const reason = sent.error === null ? null : redact(sent.error);
      const fields = { attempt: request.attempt, status, host, reason };
      return log("info", "webhook", { ...fields, status_code: sent.statusCode, duration_ms: sent.durationMs });
    } catch (error) {
      if (tries === REPORT_TRIES) throw error;
      await sleep(SECOND_MS * 2 ** (tries - 1));
    }
  }
}
