import type { AccountRef, LocationHint } from "../model/account";
import type { Plan } from "../model/plan";
import { type OwnPrices, readOwnPrices } from "../model/prices";
import { type AuditEntry, auditIfChanged } from "./audit";
import { accountEntryStatement, keyEntriesStatement, type OutboxEntry } from "./outbox";

/** An account in the directory. Times are Unix ms. A null limit means that the plan's limit applies. */
export interface Account extends AccountRef {
  name: string;
  plan: Plan;
  ratePerMinute: number | null;
  monthlyCredits: number | null;
  concurrentJobs: number | null;
  concurrentRenders: number | null;
  /** False if email is configured and no member has verified an email address. The account then gets no credits. */
  grantsEnabled: boolean;
  /** True if the account pays for pages whose outcome would make them free. An operator sets it against abuse. */
  chargeFreeOutcomes: boolean;
  /** The credits that the account may spend in a day (UTC). Null: no limit. */
  dailyCredits: number | null;
  /** The prices that the account has instead of those of the service, or null. */
  prices: OwnPrices | null;
  suspendedAt: number | null;
  version: number;
  location: LocationHint | null;
  createdAt: number;
  erasedAt: number | null;
}

/** A row of `accounts` with the columns in ACCOUNT_COLUMNS. */
export type AccountRow = Omit<Account, "grantsEnabled" | "chargeFreeOutcomes" | "prices"> & {
  grantsEnabled: number;
  chargeFreeOutcomes: number;
  prices: string | null;
};

/** The columns of an account. The table must have the alias `a`. */
export const ACCOUNT_COLUMNS = `a.id, a.tag, a.name, a.plan, a.rate_per_minute AS ratePerMinute,
  a.monthly_credits AS monthlyCredits, a.concurrent_jobs AS concurrentJobs, a.concurrent_renders AS concurrentRenders,
  a.grants_enabled AS grantsEnabled, a.charge_free_outcomes AS chargeFreeOutcomes, a.daily_credits AS dailyCredits,
  a.prices, a.suspended_at AS suspendedAt, a.version, a.object, a.jurisdiction, a.location, a.created_at AS createdAt,
  a.erased_at AS erasedAt`;

export function toAccount(row: AccountRow): Account {
  const { grantsEnabled, chargeFreeOutcomes, prices, ...others } = row;
  return {
    ...others,
    grantsEnabled: grantsEnabled === 1,
    chargeFreeOutcomes: chargeFreeOutcomes === 1,
    prices: readOwnPrices(prices),
  };
}

/** Returns the data that is necessary to call the account's Durable Object. */
export function toAccountRef({ id, tag, object, jurisdiction }: AccountRef): AccountRef {
  return { id, tag, object, jurisdiction };
}

/** Returns an account. Returns null if it doesn't exist or was erased. */
export async function getAccount(db: D1Database, id: string): Promise<Account | null> {
  return await getAccountWhere(db, "a.id = ?1", id);
}

/** Returns the account with this tag, with which its job ids end. Null if it doesn't exist or was erased. */
export async function getAccountByTag(db: D1Database, tag: string): Promise<Account | null> {
  return await getAccountWhere(db, "a.tag = ?1", tag);
}

async function getAccountWhere(db: D1Database, condition: string, value: string): Promise<Account | null> {
  const row = await db
    .prepare(`SELECT ${ACCOUNT_COLUMNS} FROM accounts a WHERE ${condition} AND a.erased_at IS NULL`)
    .bind(value)
    .first<AccountRow>();
  return row === null ? null : toAccount(row);
}

/** Returns up to `limit` accounts whose ids follow `after`, in the order of their ids. Omits erased accounts. */
export async function listAccountRefs(
  db: D1Database,
  { after, limit }: { after: string; limit: number },
): Promise<AccountRef[]> {
  const { results } = await db
    .prepare(
      `SELECT id, tag, object, jurisdiction FROM accounts WHERE id > ?1 AND erased_at IS NULL ORDER BY id LIMIT ?2`,
    )
    .bind(after, limit)
    .all<AccountRef>();
  return results;
}

/** Returns an account. Throws if it doesn't exist or was erased. */
export async function mustGetAccount(db: D1Database, id: string): Promise<Account> {
  const account = await getAccount(db, id);
  if (account === null) throw new Error(`There is no account '${id}'.`);
  return account;
}

export type NewAccount = AccountRef &
  Pick<Account, "name" | "plan" | "ratePerMinute" | "monthlyCredits" | "grantsEnabled" | "location" | "createdAt">;

/**
 * Inserts an account and the outbox entry that opens its Durable Object. Returns false if another account has the same
 * id or tag. `audit` is the entry of the operator who creates the account.
 */
export async function insertAccount(db: D1Database, account: NewAccount, audit?: AuditEntry): Promise<boolean> {
  const insert = db
    .prepare(
      `INSERT OR IGNORE INTO accounts (id, tag, name, plan, rate_per_minute, monthly_credits, grants_enabled, object,
         jurisdiction, location, created_at)
       SELECT ?1 ->> 'id', ?1 ->> 'tag', ?1 ->> 'name', ?1 ->> 'plan', ?1 ->> 'ratePerMinute',
         ?1 ->> 'monthlyCredits', ?1 ->> 'grantsEnabled', ?1 ->> 'object', ?1 ->> 'jurisdiction', ?1 ->> 'location',
         ?1 ->> 'createdAt'`,
    )
    .bind(JSON.stringify(account));
  const [inserted] = await db.batch([
    insert,
    ...(audit === undefined ? [] : [auditIfChanged(db, audit)]),
    accountEntryStatement(db, account.id, account.createdAt),
  ]);
  return inserted?.meta.changes === 1;
}

/** The properties of an account that can be changed. An undefined property stays unchanged. */
export type AccountChange = Partial<
  Omit<Account, keyof AccountRef | "version" | "location" | "createdAt" | "erasedAt">
>;

/** Returns the values of the changed columns. The value of an unchanged column is undefined. */
export function toColumns(change: AccountChange) {
  return {
    name: change.name,
    plan: change.plan,
    rate_per_minute: change.ratePerMinute,
    monthly_credits: change.monthlyCredits,
    concurrent_jobs: change.concurrentJobs,
    concurrent_renders: change.concurrentRenders,
    grants_enabled: change.grantsEnabled,
    charge_free_outcomes: change.chargeFreeOutcomes,
    daily_credits: change.dailyCredits,
    prices: change.prices,
    suspended_at: change.suspendedAt,
  };
}

/**
 * Changes an account and adds the account and its keys to the outbox, in one transaction. Returns the outbox entries,
 * which are due at `dueAt` (Unix ms). `audit` is the entry of the operator who makes the change.
 */
export async function updateAccount(
  db: D1Database,
  { id, change, dueAt, audit }: { id: string; change: AccountChange; dueAt: number; audit?: AuditEntry },
): Promise<OutboxEntry[]> {
  const columns = { ...toColumns(change), prices: change.prices && JSON.stringify(change.prices) };
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  const sets = ["version = version + 1", ...given.map(([name], i) => `${name} = ?${i + 2}`)];
  const results = await db.batch<OutboxEntry>([
    db
      .prepare(`UPDATE accounts SET ${sets.join(", ")} WHERE id = ?1 AND erased_at IS NULL`)
      .bind(id, ...given.map(([, value]) => value ?? null)),
    ...(audit === undefined ? [] : [auditIfChanged(db, audit)]),
    accountEntryStatement(db, id, dueAt),
    keyEntriesStatement(db, id, dueAt),
  ]);
  return results.slice(-2).flatMap(({ results: entries }) => entries);
}

/**
 * Returns accounts whose monthly credits must be enabled or disabled. If `verifiedOnly` is true, an account gets
 * credits only if a member has verified an email address. Never disables the credits of an account without members.
 */
export async function listGrantChanges(
  db: D1Database,
  { limit, verifiedOnly }: { limit: number; verifiedOnly: boolean },
): Promise<{ id: string; grantsEnabled: boolean }[]> {
  const isVerified = `EXISTS (SELECT 1 FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.account_id = a.id AND u.email_verified = 1)`;
  const [enabled, disabled] = await db.batch<{ id: string }>([
    db
      .prepare(
        `SELECT a.id FROM accounts a WHERE a.grants_enabled = 0 AND a.erased_at IS NULL AND (?2 = 0 OR ${isVerified}) LIMIT ?1`,
      )
      .bind(limit, verifiedOnly ? 1 : 0),
    db
      .prepare(
        `SELECT DISTINCT a.id FROM users v JOIN memberships n ON n.user_id = v.id JOIN accounts a ON a.id = n.account_id
         WHERE ?2 = 1 AND v.email_verified = 0 AND a.grants_enabled = 1 AND a.erased_at IS NULL AND NOT ${isVerified} LIMIT ?1`,
      )
      .bind(limit, verifiedOnly ? 1 : 0),
  ]);
  return [
    ...(enabled?.results ?? []).map(({ id }) => ({ id, grantsEnabled: true })),
    ...(disabled?.results ?? []).map(({ id }) => ({ id, grantsEnabled: false })),
  ];
}
