import type { Context } from "hono";
import { readWork } from "../../../endpoints/prepare";
import { toOrigin } from "../../../http/origin";
import { start } from "../../../jobs/start";
import { SCOPES } from "../../../model/api-key";
import type { Endpoint } from "../../../model/endpoint";
import { AppError } from "../../../model/errors";
import { assertNotSuspended, consumeRateLimit } from "../../auth/account-checks";
import type { DashboardEnv } from "../../ui/env";
import { toBody, type Values } from "./values";

/**
 * Runs the form's request as an asynchronous job of the account and returns the job's id. It is held to what a key of the
 * account would be; throws AppError for what is refused.
 */
export async function runValues(c: Context<DashboardEnv>, endpoint: Endpoint, values: Values): Promise<string> {
  const { account, mode } = c.var;
  assertNotSuspended(account);
  // A switch in another tab would make a test cost credits, and ask a real page.
  if ((values.get("mode") ?? mode) !== mode) {
    const message = `You have switched to ${mode} data since this form was shown, and nothing was run. Run it again if it is meant for ${mode} data.`;
    throw new AppError("invalid_request", message);
  }
  await consumeRateLimit(c);
  const origin = toOrigin(c.env, c.req.url);
  const work = readWork(endpoint, toBody(endpoint, values), { env: c.env, mode, origin });
  const started = await start(c.env, work, {
    caller: { id: "dashboard", accountId: account.id, mode, scopes: [...SCOPES], allowedIps: [], revokedAt: null },
    origin,
    idempotencyKey: null,
    until: null,
    hangUp: c.req.raw.signal,
    waitUntil: (promise) => c.executionCtx.waitUntil(promise),
  });
  if (started.kind !== "accepted") throw new Error(`A job that nobody waits for was ${started.kind} at once.`);
  return started.job.id;
}
