import type { Context } from "hono";
import { PLAN_LIMITS } from "../../accounts/plan";
import type { Endpoint } from "../../contract/common";
import { AppError } from "../../errors";
import { toOrigin } from "../../jobs/origin";
import { readWork } from "../../jobs/prepare";
import { start } from "../../jobs/start";
import { SCOPES } from "../../keys/api-key";
import { rateLimited } from "../../keys/refusals";
import { now } from "../../lib/clock";
import type { DashboardEnv } from "../env";
import { toBody, type Values } from "./values";

/**
 * Runs the form's request as an asynchronous job of the account and returns the job's id. It is held to what a key of the
 * account would be; throws AppError for what is refused.
 */
export async function runValues(c: Context<DashboardEnv>, endpoint: Endpoint, values: Values): Promise<string> {
  const { account, mode } = c.var;
  if (account.suspendedAt !== null) throw new AppError("account_suspended", "This account is suspended.");
  await countRun(c);
  const origin = toOrigin(c.env, c.req.url);
  const work = readWork(endpoint, toBody(endpoint, values), { env: c.env, mode, origin });
  const started = await start(c.env, work, {
    caller: { id: "dashboard", accountId: account.id, mode, scopes: [...SCOPES], allowedIps: [], revokedAt: null },
    origin,
    idempotencyKey: null,
    until: null,
    hangUp: c.req.raw.signal,
    waitUntil: (promise) => c.executionCtx.waitUntil(promise),
    requestId: c.var.requestId,
  });
  if (started.kind !== "accepted") throw new Error(`A job that nobody waits for was ${started.kind} at once.`);
  return started.job.id;
}

/** The account has a window here as each of its keys has one. */
async function countRun(c: Context<DashboardEnv>): Promise<void> {
  const { id, plan, ratePerMinute } = c.var.account;
  const limit = ratePerMinute ?? PLAN_LIMITS[plan].ratePerMinute;
  const rate = await c.env.ADDRESS_GATE.getByName(`account:${id}`).take(limit);
  if (!rate.allowed) throw rateLimited(rate, `The playground may run ${limit} requests a minute.`, now());
}
