import { toIso } from "../lib/clock";
import { DAY_MS } from "../model/limits";
import type { Transaction } from "./transaction";
import type { CheckedJob, CreateReply } from "./types";

/**
 * Returns the refusal of a job that would exceed the account's daily limit, or null. Counts the credits that jobs of
 * this day (UTC) were charged, and the credits that all unfinished jobs have reserved.
 */
export function checkDailyLimit(
  tx: Transaction,
  { mode, credits }: CheckedJob,
): Extract<CreateReply, { kind: "daily_limit" }> | null {
  const { dailyCredits: limit } = tx.state.settings;
  if (limit === null || mode === "test") return null;
  const { used = 0 } =
    tx.first<{ used: number }>(
      "SELECT COALESCE(SUM(credits), 0) AS used FROM usage WHERE mode = 'live' AND date = ?1",
      toIso(tx.now).slice(0, 10),
    ) ?? {};
  const { reserved } = tx.totals;
  if (used + reserved + credits <= limit) return null;
  return { kind: "daily_limit", limit, used, reserved, resetsAt: tx.now - (tx.now % DAY_MS) + DAY_MS };
}
