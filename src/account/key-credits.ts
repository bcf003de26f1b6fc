// Counts the credits of each API key in the account's period, for the credit limits of keys. The table `usage` holds the
// charged credits. The credits that unfinished jobs have reserved are part of the totals in memory.
import { toIso } from "../lib/clock";
import { DAY_MS } from "../model/limits";
import { type Period, toPeriod } from "../model/period";
import type { Transaction } from "./transaction";

/** The credits that live keys have used in a period. */
export interface KeyCredits {
  /** The days (UTC) of the period. Times are Unix ms. */
  period: Period;
  /** The charged credits by key id. Keys without charges are missing. */
  used: Record<string, number>;
}

/**
 * Returns the period of credit limits that contains `now`. It consists of whole days (UTC), because `usage` counts whole
 * days. It starts on the day on which the account's own period starts.
 */
export function toKeyPeriod(createdAt: number, now: number): Period {
  return toPeriod(createdAt - (createdAt % DAY_MS), now);
}

/** Returns the credits that each live key has used in this period. */
export function readKeyCredits(tx: Transaction): KeyCredits {
  const period = toKeyPeriod(tx.state.createdAt, tx.now);
  const rows = tx.all<{ key_id: string; credits: number }>(
    `SELECT key_id, SUM(credits) AS credits FROM usage
     WHERE mode = 'live' AND date >= ?1 GROUP BY key_id HAVING SUM(credits) > 0`,
    toIso(period.start).slice(0, 10),
  );
  return { period, used: Object.fromEntries(rows.map(({ key_id, credits }) => [key_id, credits])) };
}
