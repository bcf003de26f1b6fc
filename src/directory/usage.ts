import type { z } from "zod";
import type { Usage } from "../contract/usage";
import { toIso } from "../lib/clock";
import type { Mode } from "../model/api-key";
import { DAY_MS, USAGE_DAYS } from "../model/limits";
import { listUsage, mustGetAccount } from "../store/accounts";

/** The account's balance and period, and its last days in this mode, as the contract tells them. */
export async function readUsage(
  env: Env,
  { accountId, mode }: { accountId: string; mode: Mode },
  now: number,
): Promise<z.infer<typeof Usage>["data"]> {
  const account = await mustGetAccount(env.DB, accountId);
  const since = toIso(now - USAGE_DAYS * DAY_MS).slice(0, 10);
  const days = await listUsage(env.DB, { accountId, mode, since });
  const { balance, reserved, granted, used, periodStart, nextGrantAt } = account;
  const period = { start: toIso(periodStart), end: toIso(nextGrantAt), granted, used };
  return { balance, reserved, period, days };
}
