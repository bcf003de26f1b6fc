import { toPositiveNumber } from "../lib/env";
import { SECOND_MS } from "../model/limits";
import { PLAN_LIMITS } from "../model/plan";
import { NoCapacityError } from "../model/run";
import { getPlan } from "../store/accounts";
import { type AccountRender, NoBrowserError, renderPage } from "./client";
import type { RenderedPage } from "./protocol";

const NO_BROWSER_RETRY_MS = 15 * SECOND_MS;
/** Whose renders the service's own are, such as the canary's. */
const SERVICE = "service";

export type RenderOrder = Omit<AccountRender, "account" | "concurrentRenders">;

/**
 * A render on behalf of an account, or of the service itself (null). Throws NoCapacityError when no browser has a place free, and
 * AppError for an answer.
 */
export async function renderInBrowser(
  env: Env,
  accountId: string | null,
  order: RenderOrder,
  signal: AbortSignal,
): Promise<RenderedPage> {
  const concurrentRenders = await toConcurrentRenders(env, accountId);
  try {
    return await renderPage(env, { ...order, account: accountId ?? SERVICE, concurrentRenders }, signal);
  } catch (error) {
    if (error instanceof NoBrowserError)
      throw new NoCapacityError(error.message, NO_BROWSER_RETRY_MS, { cause: error });
    throw error;
  }
}

/** Returns the number of renders that the account's plan allows at a time. */
async function toConcurrentRenders(env: Env, accountId: string | null): Promise<number> {
  const plan = accountId === null ? "enterprise" : ((await getPlan(env.DB, accountId)) ?? "free");
  const { concurrentRenders } = PLAN_LIMITS[plan];
  return plan === "enterprise" ? toPositiveNumber(env.ENTERPRISE_RENDERS, concurrentRenders) : concurrentRenders;
}
