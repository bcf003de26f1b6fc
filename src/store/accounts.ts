import type { Mode } from "../model/api-key";
import type { Endpoint } from "../model/endpoint";
import type { Period } from "../model/period";
import type { Plan } from "../model/plan";
import { type AuditEntry, auditIfChanged } from "./audit";
import { type KeyInvalidation, type KeyInvalidationRow, toKeyInvalidation } from "./key-invalidations";

/** An account as the code knows it. Times are Unix ms. */
export interface Account {
  id: string;
  name: string;
  plan: Plan;
  /** Null: the plan's. */
  ratePerMinute: number | null;
  monthlyCredits: number | null;
  suspendedAt: number | null;
  version: number;
  balance: number;
  reserved: number;
  granted: number;
  used: number;
  periodStart: number;
  nextGrantAt: number;
  createdAt: number;
}

interface AccountRow {
  id: string;
  name: string;
  plan: Plan;
  rate_per_minute: number | null;
  monthly_credits: number | null;
  suspended_at: number | null;
  version: number;
  balance: number;
  reserved: number;
  granted: number;
  used: number;
  period_start: number;
  next_grant_at: number;
  created_at: number;
}

const COLUMNS = `id, name, plan, rate_per_minute, monthly_credits, suspended_at, version, balance, reserved, granted, used,
  period_start, next_grant_at, created_at`;

function toAccount(row: AccountRow): Account {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    ratePerMinute: row.rate_per_minute,
    monthlyCredits: row.monthly_credits,
    suspendedAt: row.suspended_at,
    version: row.version,
    balance: row.balance,
    reserved: row.reserved,
    granted: row.granted,
    used: row.used,
    periodStart: row.period_start,
    nextGrantAt: row.next_grant_at,
    createdAt: row.created_at,
  };
}

export async function getAccount(db: D1Database, id: string): Promise<Account | null> {
  const row = await db.prepare(`SELECT ${COLUMNS} FROM accounts WHERE id = ?1`).bind(id).first<AccountRow>();
  return row === null ? null : toAccount(row);
}

/** The plan of an account; null when there is no such account. */
export async function getPlan(db: D1Database, id: string): Promise<Plan | null> {
  return await db.prepare("SELECT plan FROM accounts WHERE id = ?1").bind(id).first<Plan>("plan");
}

/** An account that has to be there: throws when it isn't. */
export async function mustGetAccount(db: D1Database, id: string): Promise<Account> {
  const account = await getAccount(db, id);
  if (account === null) throw new Error(`There is no account '${id}'.`);
  return account;
}

/**
 * Newest first. `search`: a part of an account's name, or the beginning of its id or of a member's address. One more than
 * `limit` tells that there are more.
 */
export async function listAccounts(
  db: D1Database,
  { search, limit, offset }: { search: string; limit: number; offset: number },
): Promise<Account[]> {
  const { results } = await db
    .prepare(
      `SELECT ${COLUMNS} FROM accounts
       WHERE ?1 = '' OR instr(lower(name), lower(?1)) > 0 OR substr(id, 1, length(?1)) = ?1 OR id IN
         (SELECT m.account_id FROM users u JOIN members m ON m.user_id = u.id
          WHERE u.email >= lower(?1) AND u.email < lower(?1) || char(1114111))
       ORDER BY created_at DESC, id LIMIT ?2 OFFSET ?3`,
    )
    .bind(search, limit + 1, offset)
    .all<AccountRow>();
  return results.map(toAccount);
}

export interface NewAccount {
  id: string;
  name: string;
  plan: Plan;
  ratePerMinute: number | null;
  monthlyCredits: number | null;
  createdAt: number;
}

/** Inserts the account, which is granted nothing yet: `next_grant_at` is now. May be repeated. `audit`: of who made it. */
export async function insertAccount(db: D1Database, account: NewAccount, audit?: AuditEntry): Promise<void> {
  const insert = db
    .prepare(
      `INSERT OR IGNORE INTO accounts (id, name, plan, rate_per_minute, monthly_credits, period_start, next_grant_at, created_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?6)`,
    )
    .bind(account.id, account.name, account.plan, account.ratePerMinute, account.monthlyCredits, account.createdAt);
  await db.batch(audit === undefined ? [insert] : [insert, auditIfChanged(db, audit)]);
}

/**
 * Lists accounts whose next period has begun. `verifiedOnly` leaves out accounts that have members, but none with a verified
 * address.
 */
export async function listDueGrants(
  db: D1Database,
  { now, limit, verifiedOnly }: { now: number; limit: number; verifiedOnly: boolean },
): Promise<Account[]> {
  const { results } = await db
    .prepare(
      `SELECT ${COLUMNS} FROM accounts a WHERE next_grant_at <= ?1
         AND (?3 = 0 OR NOT EXISTS (SELECT 1 FROM members WHERE account_id = a.id)
           OR EXISTS (SELECT 1 FROM members m JOIN users u ON u.id = m.user_id
             WHERE m.account_id = a.id AND u.email_verified = 1))
       ORDER BY next_grant_at LIMIT ?2`,
    )
    .bind(now, limit, verifiedOnly ? 1 : 0)
    .all<AccountRow>();
  return results.map(toAccount);
}

/**
 * Begins a period: what is left runs out, the month's credits come in. Unique per account and period: false when it
 * was granted already.
 */
export async function grantPeriod(
  db: D1Database,
  { accountId, period, credits, now }: { accountId: string; period: Period; credits: number; now: number },
): Promise<boolean> {
  const [begun] = await db.batch<{ id: string }>([
    db
      .prepare(
        `UPDATE accounts SET granted = ?4, used = 0, period_start = ?2, next_grant_at = ?3
         WHERE id = ?1 AND next_grant_at <= ?5 AND next_grant_at < ?3
           AND NOT EXISTS (SELECT 1 FROM ledger WHERE account_id = ?1 AND kind = 'grant' AND period = ?2)
         RETURNING id`,
      )
      .bind(accountId, period.start, period.end, credits, now),
    ledgerOfPeriod(db, "expiry", "-balance", "balance > 0").bind(accountId, period.start, now),
    // Also one of nothing: the row says that the period was begun.
    ledgerOfPeriod(db, "grant", "?4", "TRUE").bind(accountId, period.start, now, credits),
  ]);
  return (begun?.results.length ?? 0) > 0;
}

/** A row of the ledger for an account whose period has just begun, once. */
function ledgerOfPeriod(
  db: D1Database,
  kind: "expiry" | "grant",
  change: string,
  condition: string,
): D1PreparedStatement {
  return db.prepare(
    `INSERT INTO ledger (account_id, kind, period, balance_change, created_at)
     SELECT id, '${kind}', ?2, ${change}, ?3 FROM accounts
     WHERE id = ?1 AND period_start = ?2 AND ${condition}
       AND NOT EXISTS (SELECT 1 FROM ledger WHERE account_id = ?1 AND kind = 'grant' AND period = ?2)`,
  );
}

/** An operator's correction; false, and nothing changed, when it would leave less than nothing. */
export async function insertAdjustment(
  db: D1Database,
  { accountId, change, audit }: { accountId: string; change: number; audit: AuditEntry },
): Promise<boolean> {
  const [adjusted] = await db.batch([
    db
      .prepare(
        `INSERT INTO ledger (account_id, kind, balance_change, created_at)
         SELECT id, 'adjustment', ?2, ?3 FROM accounts WHERE id = ?1 AND balance + ?2 >= 0 RETURNING id`,
      )
      .bind(accountId, change, audit.at),
    auditIfChanged(db, audit),
  ]);
  return (adjusted?.results.length ?? 0) > 0;
}

export interface AccountChange {
  plan?: Plan;
  ratePerMinute?: number | null;
  monthlyCredits?: number | null;
  suspendedAt?: number | null;
}

/**
 * Changes the account and inserts an invalidation for each of its keys, in one transaction. Returns the invalidations, which
 * are due at `wakeAt` (Unix ms).
 */
export async function updateAccount(
  db: D1Database,
  { id, change, wakeAt, audit }: { id: string; change: AccountChange; wakeAt: number; audit: AuditEntry },
): Promise<KeyInvalidation[]> {
  const columns = {
    plan: change.plan,
    rate_per_minute: change.ratePerMinute,
    monthly_credits: change.monthlyCredits,
    suspended_at: change.suspendedAt,
  };
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  const sets = ["version = version + 1", ...given.map(([name], i) => `${name} = ?${i + 2}`)];
  const [, , invalidations] = await db.batch<KeyInvalidationRow>([
    db
      .prepare(`UPDATE accounts SET ${sets.join(", ")} WHERE id = ?1`)
      .bind(id, ...given.map(([, value]) => value ?? null)),
    auditIfChanged(db, audit),
    db
      .prepare(
        `INSERT INTO key_invalidations (key_hash, version, wake_at)
         SELECT k.hash, a.version, ?2 FROM api_keys k JOIN accounts a ON a.id = k.account_id
         WHERE a.id = ?1 AND k.revoked_at IS NULL
         ON CONFLICT (key_hash) DO UPDATE SET version = excluded.version, wake_at = excluded.wake_at
         RETURNING key_hash, version`,
      )
      .bind(id, wakeAt),
  ]);
  return (invalidations?.results ?? []).map(toKeyInvalidation);
}

export interface UsageDay {
  date: string;
  endpoint: Endpoint;
  requests: number;
  credits: number;
}

/** What the account did since `date` (YYYY-MM-DD, UTC), newest first. */
export async function listUsage(
  db: D1Database,
  { accountId, mode, since }: { accountId: string; mode: Mode; since: string },
): Promise<UsageDay[]> {
  const { results } = await db
    .prepare(
      `SELECT date, endpoint, requests, credits FROM usage_days
       WHERE account_id = ?1 AND mode = ?2 AND date >= ?3 ORDER BY date DESC, endpoint`,
    )
    .bind(accountId, mode, since)
    .all<UsageDay>();
  return results;
}
