import { type Period, toPeriod } from "../model/period";

/** The credits of an account. `funds` includes the credits that unfinished jobs have reserved. Times are Unix ms. */
export interface Credits {
  funds: number;
  granted: number;
  used: number;
  periodStart: number;
  nextGrantAt: number;
}

/** A row of the ledger. `key` is unique, so inserting the same entry again has no effect. */
export interface LedgerEntry {
  kind: "grant" | "expiry" | "adjustment";
  key: string;
  amount: number;
}

/**
 * Starts the period that contains `now` (Unix ms). Unspent credits expire, and the monthly credits are granted. Credits
 * that unfinished jobs have reserved stay reserved. Returns null if no grant is due.
 */
export function grantPeriod(
  credits: Credits,
  {
    createdAt,
    reserved,
    monthlyCredits,
    now,
  }: { createdAt: number; reserved: number; monthlyCredits: number; now: number },
): { credits: Credits; entries: LedgerEntry[]; period: Period } | null {
  if (credits.nextGrantAt > now) return null;
  const period = toPeriod(createdAt, now);
  const unspent = credits.funds - reserved;
  const entries: LedgerEntry[] = [
    ...(unspent > 0 ? [{ kind: "expiry" as const, key: `expiry:${period.start}`, amount: -unspent }] : []),
    { kind: "grant", key: `grant:${period.start}`, amount: monthlyCredits },
  ];
  const next = {
    funds: reserved + monthlyCredits,
    granted: monthlyCredits,
    used: 0,
    periodStart: period.start,
    nextGrantAt: period.end,
  };
  return { credits: next, entries, period };
}

/**
 * Charges `charge` credits of a job's reservation, and releases the other reserved credits. Released credits expire if
 * they were reserved in an earlier period.
 */
export function settle(
  credits: Credits,
  { reserved, charge, createdAt }: { reserved: number; charge: number; createdAt: number },
): Credits {
  const spent = createdAt < credits.periodStart ? reserved : charge;
  return { ...credits, funds: credits.funds - spent, used: credits.used + charge };
}
