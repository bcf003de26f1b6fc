import type { AccountChange } from "../store/accounts";
import type { AuditEntry } from "../store/audit";

interface Change {
  accountId: string;
  change: AccountChange;
  actor: string;
  now: number;
}

/** What the audit log says of a change: the columns that were given, as they are from then on. */
export function toChangeEntry({ accountId, change, actor, now }: Change): AuditEntry {
  const { plan, ratePerMinute, monthlyCredits, suspendedAt } = change;
  const detail = {
    ...(plan === undefined ? {} : { plan }),
    ...(ratePerMinute === undefined ? {} : { rate_per_minute: ratePerMinute }),
    ...(monthlyCredits === undefined ? {} : { monthly_credits: monthlyCredits }),
    ...(suspendedAt === undefined ? {} : { suspended: suspendedAt !== null }),
  };
  return { actor, action: "account.change", accountId, detail, at: now };
}
