import { callAccount } from "../account/client";
import type { CheckedJob } from "../account/types";
import type { DryRun } from "../contract/price-options";
import type { ValidatedRequest } from "../endpoints/validate";
import { toIso } from "../lib/clock";
import type { ApiKey } from "../model/api-key";
import { toReceipt, totalOf } from "../model/receipt";
import { toRefusal } from "./create";

/**
 * Returns the highest price of a request and the method that its job would use. Creates no job and reserves nothing.
 * Throws an AppError if the account would refuse the job.
 */
export async function previewJob(
  env: Env,
  { endpoint, request, rendered, plan }: ValidatedRequest,
  { caller, waiting }: { caller: ApiKey; waiting: boolean },
): Promise<DryRun> {
  const isFree = caller.mode === "test";
  const job: CheckedJob = {
    mode: caller.mode,
    keyId: caller.id,
    endpoint,
    credits: isFree ? 0 : totalOf(plan.lines),
    creditLimit: caller.creditLimit,
    rendered,
    waiting,
    ...("capture_id" in request && request.capture_id !== undefined && { captureId: request.capture_id }),
  };
  const reply = await callAccount(env, caller.account, (account) => account.checkJob(job));
  if (reply.kind !== "possible") throw toRefusal(reply, job);
  const { total, lines } = toReceipt(plan.lines, job.credits, "test_key");
  const { balance, key, next } = reply;
  return {
    max_credits: total,
    method: plan.method,
    ...(plan.model !== undefined && { model: plan.model }),
    ...(plan.strategy !== undefined && { strategy: plan.strategy }),
    lines,
    balance,
    ...(key !== null && {
      key_limit: { limit: key.limit, used: key.used, reserved: key.reserved, resets_at: toIso(key.resetsAt) },
    }),
    would_wait: next === "wait",
  };
}
