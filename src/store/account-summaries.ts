import type { AccountRef } from "../model/account";
import type { AccountSummary } from "../model/summary";
import { ACCOUNT_COLUMNS, type Account, type AccountRow, toAccount } from "./accounts";

/** An account as lists show it. The figures are up to 15 minutes old. They are null if there is no summary yet. */
export interface ListedAccount extends Account {
  balance: number | null;
  used: number | null;
}

/**
 * Returns accounts, newest first, without erased ones. `search` matches any part of a name, or the beginning of an id,
 * a tag or a member's email address. Returns up to `limit` + 1 accounts; the last one shows that there is a next page.
 */
export async function listAccounts(
  db: D1Database,
  { search, limit, offset }: { search: string; limit: number; offset: number },
): Promise<ListedAccount[]> {
  const { results } = await db
    .prepare(
      `SELECT ${ACCOUNT_COLUMNS}, s.balance, s.used FROM accounts a LEFT JOIN account_summaries s ON s.account_id = a.id
       WHERE a.erased_at IS NULL
         AND (?1 = '' OR instr(lower(a.name), lower(?1)) > 0 OR substr(a.id, 1, length(?1)) = ?1
           OR substr(a.tag, 1, length(?1)) = ?1 OR a.id IN
             (SELECT m.account_id FROM users u JOIN memberships m ON m.user_id = u.id
              WHERE u.email >= lower(?1) AND u.email < lower(?1) || char(1114111)))
       ORDER BY a.created_at DESC, a.id LIMIT ?2 OFFSET ?3`,
    )
    .bind(search, limit + 1, offset)
    .all<AccountRow & Pick<ListedAccount, "balance" | "used">>();
  return results.map(({ balance, used, ...row }) => ({ ...toAccount(row), balance, used }));
}

/** Writes summaries with one statement. Ignores a summary that is older than the stored one. */
export async function putSummaries(db: D1Database, summaries: AccountSummary[]): Promise<void> {
  await db
    .prepare(
      `INSERT INTO account_summaries (account_id, balance, reserved, granted, used, queued, processing, waiting,
         browser_waits, queued_since, last_job_at, next_due_at, updated_at)
       SELECT a.id, value ->> 'balance', value ->> 'reserved', value ->> 'granted', value ->> 'used', value ->> 'queued',
         value ->> 'processing', COALESCE(value ->> 'waiting', 0), COALESCE(value ->> 'browserWaits', 0),
         value ->> 'queuedSince', value ->> 'lastJobAt', value ->> 'nextDueAt', value ->> 'at'
       FROM json_each(?1) JOIN accounts a ON a.id = value ->> 'accountId' WHERE a.erased_at IS NULL
       ORDER BY value ->> 'at'
       ON CONFLICT (account_id) DO UPDATE SET balance = excluded.balance, reserved = excluded.reserved,
         granted = excluded.granted, used = excluded.used, queued = excluded.queued, processing = excluded.processing,
         waiting = excluded.waiting, browser_waits = excluded.browser_waits, queued_since = excluded.queued_since,
         last_job_at = excluded.last_job_at, next_due_at = excluded.next_due_at, updated_at = excluded.updated_at
       WHERE excluded.updated_at >= updated_at`,
    )
    .bind(JSON.stringify(summaries.map(({ periods: _, ...summary }) => summary)))
    .run();
}

/** The waiting jobs of an account. Times are Unix ms. */
export interface AccountQueue {
  accountId: string;
  name: string;
  queued: number;
  waiting: number;
  browserWaits: number;
  queuedSince: number | null;
  updatedAt: number;
}

/** Returns the accounts with waiting jobs. The accounts whose jobs wait in the service's own queue come first. */
export async function listQueues(db: D1Database, limit: number): Promise<AccountQueue[]> {
  const { results } = await db
    .prepare(
      `SELECT s.account_id AS accountId, a.name, s.queued, s.waiting, s.browser_waits AS browserWaits,
         s.queued_since AS queuedSince, s.updated_at AS updatedAt
       FROM account_summaries s JOIN accounts a ON a.id = s.account_id WHERE s.queued > 0
       ORDER BY s.queued_since IS NULL, s.queued_since, s.queued DESC LIMIT ?1`,
    )
    .bind(limit)
    .all<AccountQueue>();
  return results;
}

/** The sums of the accounts' summaries. */
export interface Totals {
  queued: number;
  processing: number;
  used: number;
  reserved: number;
}

export async function readTotals(db: D1Database): Promise<Totals | null> {
  return await db
    .prepare(
      `SELECT COALESCE(SUM(queued), 0) AS queued, COALESCE(SUM(processing), 0) AS processing,
         COALESCE(SUM(used), 0) AS used, COALESCE(SUM(reserved), 0) AS reserved FROM account_summaries`,
    )
    .first<Totals>();
}

/** Returns the time (Unix ms) of the latest summary of an account, or null if there is none. */
export async function readCountedAt(db: D1Database): Promise<number | null> {
  return await db.prepare("SELECT MAX(updated_at) AS at FROM account_summaries").first<number>("at");
}

/**
 * Returns the accounts that were used last. Accounts with unfinished jobs come first, and accounts without a known use
 * last. The last use of a key counts too, because the summary doesn't contain the jobs that were created after it.
 */
export async function listRecentAccounts(db: D1Database, limit: number): Promise<AccountRef[]> {
  const { results } = await db
    .prepare(
      `SELECT a.id, a.tag, a.object, a.jurisdiction FROM accounts a
       LEFT JOIN account_summaries s ON s.account_id = a.id
       WHERE a.erased_at IS NULL
       ORDER BY COALESCE(s.queued + s.processing, 0) > 0 DESC,
         MAX(COALESCE(s.last_job_at, 0),
           COALESCE((SELECT MAX(k.last_used_at) FROM api_keys k WHERE k.account_id = a.id), 0)) DESC,
         a.created_at DESC LIMIT ?1`,
    )
    .bind(limit)
    .all<AccountRef>();
  return results;
}

/**
 * Returns the accounts whose alarm was due before `before` (Unix ms). Sets their due time to `now`. An account that
 * sends a new summary gets a new due time and isn't returned again.
 */
export async function takeOverdueAccounts(
  db: D1Database,
  { before, now, limit }: { before: number; now: number; limit: number },
): Promise<AccountRef[]> {
  const { results } = await db
    .prepare(
      `UPDATE account_summaries SET next_due_at = ?2 WHERE account_id IN (
         SELECT account_id FROM account_summaries WHERE next_due_at <= ?1 ORDER BY next_due_at LIMIT ?3)
       RETURNING account_id AS id`,
    )
    .bind(before, now, limit)
    .all<{ id: string }>();
  return await listRefs(
    db,
    results.map(({ id }) => id),
  );
}

async function listRefs(db: D1Database, ids: string[]): Promise<AccountRef[]> {
  if (ids.length === 0) return [];
  const { results } = await db
    .prepare(
      `SELECT id, tag, object, jurisdiction FROM accounts
       WHERE id IN (SELECT value FROM json_each(?1)) AND erased_at IS NULL`,
    )
    .bind(JSON.stringify(ids))
    .all<AccountRef>();
  return results;
}
