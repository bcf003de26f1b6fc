import { type Period, toPeriod } from "../model/period";

/** Credits of an account. `funds` includes what unfinished jobs have reserved. */
export interface Credits {
  funds: number;
  granted: number;
  used: number;
  periodStart: number;
  nextGrantAt: number;
}

/** A row of the ledger. `key` makes a repeated entry do nothing. */
export interface LedgerEntry {
  kind: "grant" | "expiry" | "adjustment";
  key: string;
  amount: number;
}

/**
 * Begins the period that `now` falls into: unspent credits expire, and the month's credits are granted. What jobs have
 * reserved stays until they end. Returns null if no grant is due.
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
 * Charges a job that has ended with `charge` of the credits that it reserved, and releases the others. Credits that were
 * reserved in an earlier period expire when they are released.
 */
export function settle(
  credits: Credits,
  { reserved, charge, createdAt }: { reserved: number; charge: number; createdAt: number },
): Credits {
  const spent = createdAt < credits.periodStart ? reserved : charge;
  return { ...credits, funds: credits.funds - spent, used: credits.used + charge };
}
