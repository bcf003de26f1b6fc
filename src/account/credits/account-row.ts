import type { AccountRef } from "../../model/account";
import { MINUTE_MS } from "../../model/limits";
import { toPeriod } from "../../model/period";
import type { AccountState, RowOf, Totals, Transaction } from "../storage/transaction";
import type { AccountSettings, Credits, OpenInput } from "../storage/types";
import { grantDifference, grantPeriod, type LedgerEntry } from "./credits";

/** The interval at which an account in use sends a summary to the directory. */
export const SUMMARY_INTERVAL_MS = 15 * MINUTE_MS;

type AccountRow = RowOf<
  AccountRef & AccountSettings & Credits & Omit<AccountState, "account" | "settings" | "credits">
>;

export function readState(sql: SqlStorage): AccountState | null {
  const row = sql
    .exec<AccountRow>(
      `SELECT id, tag, object, jurisdiction, created_at AS createdAt, version, plan, monthly_credits AS monthlyCredits,
         suspended_at AS suspendedAt, concurrent_jobs AS concurrentJobs, concurrent_renders AS concurrentRenders,
         grants_enabled AS grantsEnabled, charge_free_outcomes AS chargeFreeOutcomes, daily_credits AS dailyCredits,
         funds, granted, added, used, period_start AS periodStart, next_grant_at AS nextGrantAt,
         maintenance_at AS maintenanceAt, keep_captures AS keepsCaptures
       FROM account`,
    )
    .toArray()[0];
  if (row === undefined) return null;
  const { id, tag, object, jurisdiction, createdAt, maintenanceAt, keepsCaptures, ...others } = row;
  const { funds, granted, added, used, periodStart, nextGrantAt, ...settings } = others;
  return {
    account: { id, tag, object, jurisdiction },
    createdAt,
    settings: {
      ...settings,
      grantsEnabled: settings.grantsEnabled === 1,
      chargeFreeOutcomes: settings.chargeFreeOutcomes === 1,
    },
    credits: { funds, granted, added, used, periodStart, nextGrantAt },
    maintenanceAt,
    keepsCaptures: keepsCaptures === 1,
  };
}

/** Inserts the account's row with a balance of 0. Its first grant is due immediately. */
export function insertState(sql: SqlStorage, { account, createdAt, settings }: OpenInput): void {
  sql.exec(
    `INSERT INTO account (one, id, tag, object, jurisdiction, created_at, version, plan, monthly_credits, suspended_at,
       concurrent_jobs, concurrent_renders, grants_enabled, charge_free_outcomes, daily_credits, period_start, next_grant_at)
     VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)`,
    account.id,
    account.tag,
    account.object,
    account.jurisdiction,
    createdAt,
    ...toValues(settings),
    toPeriod(createdAt, createdAt).start,
    createdAt,
  );
}

/** Replaces the settings unless the stored ones have a later version. After an upgrade, grants the difference. */
export function updateSettings(tx: Transaction, settings: AccountSettings): void {
  if (settings.version < tx.state.settings.version) return;
  tx.state.settings = settings;
  tx.run(
    `UPDATE account SET version = ?1, plan = ?2, monthly_credits = ?3, suspended_at = ?4, concurrent_jobs = ?5,
       concurrent_renders = ?6, grants_enabled = ?7, charge_free_outcomes = ?8, daily_credits = ?9`,
    ...toValues(settings),
  );
  if (!settings.grantsEnabled) return;
  const upgrade = grantDifference(tx.state.credits, { monthlyCredits: settings.monthlyCredits, now: tx.now });
  if (upgrade === null) return;
  tx.state.credits = upgrade.credits;
  writeCredits(tx);
  insertEntry(tx, upgrade.entry);
}

/**
 * Grants the monthly credits if a new period has started. Call this before each read of the balance. Grants therefore
 * need no alarm, and a lost alarm can't cause a wrong 402.
 */
export function applyDueGrant(tx: Transaction): void {
  const { state, totals, now } = tx;
  if (!state.settings.grantsEnabled) return;
  const { monthlyCredits } = state.settings;
  const granted = grantPeriod(state.credits, {
    createdAt: state.createdAt,
    reserved: totals.reserved,
    monthlyCredits,
    now,
  });
  if (granted === null) return;
  state.credits = granted.credits;
  writeCredits(tx);
  for (const entry of granted.entries) insertEntry(tx, entry);
}

export function balanceOf({ credits }: AccountState, { reserved }: Totals): number {
  return credits.funds - reserved;
}

/**
 * Adds credits, or removes credits if `amount` is negative. A repeated `key` has no effect. Refuses a change that would
 * make the balance negative.
 */
export function adjust(
  tx: Transaction,
  { key, amount }: { key: string; amount: number },
): { kind: "adjusted" | "insufficient_credits" } {
  applyDueGrant(tx);
  const ledgerKey = `adjustment:${key}`;
  if (tx.first("SELECT 1 AS found FROM ledger WHERE key = ?1", ledgerKey) !== null) return { kind: "adjusted" };
  if (balanceOf(tx.state, tx.totals) + amount < 0) return { kind: "insufficient_credits" };
  const { funds, added } = tx.state.credits;
  tx.state.credits = { ...tx.state.credits, funds: funds + amount, added: added + amount };
  writeCredits(tx);
  insertEntry(tx, { kind: "adjustment", key: ledgerKey, amount });
  return { kind: "adjusted" };
}

export function writeCredits(tx: Transaction): void {
  const { funds, granted, added, used, periodStart, nextGrantAt } = tx.state.credits;
  tx.run(
    "UPDATE account SET funds = ?1, granted = ?2, added = ?3, used = ?4, period_start = ?5, next_grant_at = ?6",
    ...[funds, granted, added, used, periodStart, nextGrantAt],
  );
}

/** Sets the time (Unix ms) at which maintenance is due next. Null means that no maintenance is due. */
export function setMaintenance(tx: Transaction, at: number | null): void {
  tx.state.maintenanceAt = at;
  tx.run("UPDATE account SET maintenance_at = ?1", at);
  if (at !== null) tx.wakeAt(at);
}

/** Makes maintenance due at `at` (Unix ms) or earlier. */
export function maintainBy(tx: Transaction, at: number): void {
  if ((tx.state.maintenanceAt ?? Number.POSITIVE_INFINITY) > at) setMaintenance(tx, at);
}

function insertEntry(tx: Transaction, { kind, key, amount }: LedgerEntry): void {
  tx.run("INSERT INTO ledger (kind, key, amount, created_at) VALUES (?1, ?2, ?3, ?4)", kind, key, amount, tx.now);
}

/** Returns the settings in the order of the columns from `version` to `daily_credits`. */
function toValues(settings: AccountSettings): SqlStorageValue[] {
  return [
    settings.version,
    settings.plan,
    settings.monthlyCredits,
    settings.suspendedAt,
    settings.concurrentJobs,
    settings.concurrentRenders,
    settings.grantsEnabled ? 1 : 0,
    settings.chargeFreeOutcomes ? 1 : 0,
    settings.dailyCredits,
  ];
}
