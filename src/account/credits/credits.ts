import { type Period, toPeriod } from "../../model/period";
import type { Credits } from "../storage/types";

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
    added: 0,
    used: 0,
    periodStart: period.start,
    nextGrantAt: period.end,
  };
  return { credits: next, entries, period };
}

/**
 * Grants the difference immediately if the monthly credits are now higher than what was granted in this period. A
 * downgrade removes no credits. Another upgrade in the same period therefore grants nothing twice. Returns null if there
 * is no difference, or if a new period has started: its grant has the new amount.
 */
export function grantDifference(
  credits: Credits,
  { monthlyCredits, now }: { monthlyCredits: number; now: number },
): { credits: Credits; entry: LedgerEntry } | null {
  const amount = monthlyCredits - credits.granted;
  if (amount <= 0 || credits.nextGrantAt <= now) return null;
  return {
    credits: { ...credits, funds: credits.funds + amount, granted: monthlyCredits },
    entry: { kind: "grant", key: `upgrade:${credits.periodStart}:${monthlyCredits}`, amount },
  };
}

/**
 * Charges `charge` credits of a job's reservation, and releases the other reserved credits. If they were reserved in an
 * earlier period, the released credits expire, and the charge doesn't count as used in this period.
 */
export function settle(
  credits: Credits,
  { reserved, charge, createdAt }: { reserved: number; charge: number; createdAt: number },
): Credits {
  if (createdAt < credits.periodStart) return { ...credits, funds: credits.funds - reserved };
  return { ...credits, funds: credits.funds - charge, used: credits.used + charge };
}
