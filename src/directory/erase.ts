import { hmacHex } from "../lib/crypto";
import { ACCOUNT_COLUMNS, type Account, type AccountRow, toAccount } from "../store/accounts";
import { KEY_HASHES, type OutboxEntry } from "../store/outbox";
import { pushEntries } from "./push";

/** Returns an account, including an erased one. Returns null if no account ever had this id. */
export async function getAnyAccount(db: D1Database, id: string): Promise<Account | null> {
  const row = await db
    .prepare(`SELECT ${ACCOUNT_COLUMNS} FROM accounts a WHERE a.id = ?1`)
    .bind(id)
    .first<AccountRow>();
  return row === null ? null : toAccount(row);
}

const PSEUDONYM = "erased-";

/** Returns true if the text is the pseudonym that replaces an erased account's id in the audit log. */
export function isPseudonym(text: string): boolean {
  return text.startsWith(PSEUDONYM);
}

/**
 * Returns the pseudonym that replaces an erased account's id in the audit log. The pseudonym is an HMAC of the id with
 * SIGNING_SECRET. An operator who knows both can therefore find the account's entries.
 */
export async function toPseudonym(env: Env, accountId: string): Promise<string> {
  return `${PSEUDONYM}${(await hmacHex(env.SIGNING_SECRET, `erased:${accountId}`)).slice(0, 20)}`;
}

/**
 * Removes an account from the directory in one transaction: its name, keys, members, invitations, links and summary,
 * and the details of its audit entries. Deletes the users who belong to no other account. The row keeps the id, the tag and the Durable Object's name, so that they are never used again.
 * Idempotent.
 */
export async function removeFromDirectory(
  env: Env,
  { accountId, actor, now }: { accountId: string; actor: string; now: number },
): Promise<void> {
  const pseudonym = await toPseudonym(env, accountId);
  // The users who belong to no other account.
  const ofMembers = `(SELECT user_id FROM memberships WHERE account_id = ?1
    EXCEPT SELECT user_id FROM memberships WHERE account_id <> ?1)`;
  const emails = `(SELECT email FROM users WHERE id IN ${ofMembers})`;
  const bind = (sql: string, ...values: (string | number)[]) => env.DB.prepare(sql).bind(accountId, ...values);
  const [entries] = await env.DB.batch<OutboxEntry>([
    // Adds all keys of the account to the outbox, so that their verifiers are updated. This includes revoked keys,
    // because their verifiers cache them too.
    bind(
      `INSERT INTO outbox (kind, target, version, due_at) SELECT 'key', k.hash, a.version + 1, ?2
       FROM ${KEY_HASHES} k JOIN accounts a ON a.id = k.account_id WHERE a.id = ?1
       ON CONFLICT (kind, target) DO UPDATE SET version = excluded.version, due_at = excluded.due_at
       RETURNING kind, target, version`,
      now,
    ),
    bind("DELETE FROM api_keys WHERE account_id = ?1"),
    bind(
      `DELETE FROM verifications WHERE value IN ${ofMembers}
         OR (json_valid(value) AND value ->> 'email' IN ${emails})`,
    ),
    bind(`DELETE FROM users WHERE id IN ${ofMembers}`),
    bind("DELETE FROM memberships WHERE account_id = ?1"),
    bind("DELETE FROM invitations WHERE account_id = ?1"),
    bind("DELETE FROM account_summaries WHERE account_id = ?1"),
    bind("DELETE FROM denied_targets WHERE account_id = ?1"),
    bind("DELETE FROM account_periods WHERE account_id = ?1"),
    bind("DELETE FROM outbox WHERE kind = 'account' AND target = ?1"),
    bind("UPDATE audit_log SET account_id = ?2, detail = '{}' WHERE account_id = ?1", pseudonym),
    bind(
      `INSERT INTO audit_log (actor, action, account_id, detail, created_at)
       SELECT ?2, 'account.erase', ?3, '{}', ?4 FROM accounts WHERE id = ?1 AND erased_at IS NULL`,
      actor,
      pseudonym,
      now,
    ),
    bind(
      `UPDATE accounts SET name = '', rate_per_minute = NULL, monthly_credits = NULL, concurrent_jobs = NULL,
         concurrent_renders = NULL, charge_free_outcomes = 0, daily_credits = NULL, prices = NULL,
         suspended_at = COALESCE(suspended_at, ?2), erased_at = COALESCE(erased_at, ?2), version = version + 1 WHERE id = ?1`,
      now,
    ),
  ]);
  await pushEntries(env, entries?.results ?? []);
}
