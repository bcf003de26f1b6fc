// The members of accounts and their roles.
import type { Role } from "../model/role";
import { ACCOUNT_COLUMNS, type Account, type AccountRow, toAccount } from "./accounts";

/** An account of a user. `isPushPending` is true if the account's Durable Object hasn't received the last change. */
export interface AccountOfUser {
  account: Account;
  role: Role;
  isPushPending: boolean;
}

/** A user with the role in one account. */
export interface Member {
  id: string;
  email: string;
  name: string;
  emailVerified: boolean;
  role: Role;
  /** When the user joined the account (Unix ms). */
  joinedAt: number;
}

/** The maximum number of accounts of a user that the dashboard shows. */
const MAX_ACCOUNTS = 50;
/** The maximum number of members and open invitations of an account. */
export const MAX_MEMBERS = 100;

/** Returns the accounts of a user, the oldest membership first. */
export async function listAccountsOfUser(db: D1Database, userId: string): Promise<AccountOfUser[]> {
  const { results } = await db
    .prepare(
      `SELECT ${ACCOUNT_COLUMNS}, m.role,
         EXISTS (SELECT 1 FROM outbox WHERE kind = 'account' AND target = a.id) AS isPushPending
       FROM memberships m JOIN accounts a ON a.id = m.account_id
       WHERE m.user_id = ?1 AND a.erased_at IS NULL ORDER BY m.created_at, a.id LIMIT ${MAX_ACCOUNTS}`,
    )
    .bind(userId)
    .all<AccountRow & { role: Role; isPushPending: number }>();
  return results.map(({ role, isPushPending, ...row }) => ({
    account: toAccount(row),
    role,
    isPushPending: isPushPending === 1,
  }));
}

/** Returns the members of an account, the oldest first. */
export async function listMembers(db: D1Database, accountId: string): Promise<Member[]> {
  const { results } = await db
    .prepare(
      `SELECT u.id, u.email, u.name, u.email_verified AS emailVerified, m.role, m.created_at AS joinedAt
       FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.account_id = ?1
       ORDER BY m.created_at, u.id LIMIT ${MAX_MEMBERS}`,
    )
    .bind(accountId)
    .all<Omit<Member, "emailVerified"> & { emailVerified: number }>();
  return results.map((row) => ({ ...row, emailVerified: row.emailVerified === 1 }));
}

/** Returns true if the user belongs to the account. */
export async function isMember(
  db: D1Database,
  { userId, accountId }: { userId: string; accountId: string },
): Promise<boolean> {
  const row = await db
    .prepare("SELECT 1 FROM memberships WHERE user_id = ?1 AND account_id = ?2")
    .bind(userId, accountId)
    .first();
  return row !== null;
}

/** Returns the verified email addresses of the account's owners. */
export async function listOwnerEmails(db: D1Database, accountId: string): Promise<string[]> {
  const { results } = await db
    .prepare(
      `SELECT u.email FROM memberships m JOIN users u ON u.id = m.user_id
       WHERE m.account_id = ?1 AND m.role = 'owner' AND u.email_verified = 1 ORDER BY m.created_at LIMIT 20`,
    )
    .bind(accountId)
    .all<{ email: string }>();
  return results.map(({ email }) => email);
}

/** Returns true if the account has members, but no member has verified an email address. */
export async function isUnverified(db: D1Database, accountId: string): Promise<boolean> {
  const verified = await db
    .prepare(
      "SELECT MAX(u.email_verified) AS verified FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.account_id = ?1",
    )
    .bind(accountId)
    .first<number>("verified");
  // `verified` is null if the account has no members, and 0 if no member is verified.
  return verified === 0;
}

/** Adds a user to an account. Has no effect if the user is already a member. */
export async function insertMember(
  db: D1Database,
  { userId, accountId, role, now }: { userId: string; accountId: string; role: Role; now: number },
): Promise<void> {
  await db
    .prepare("INSERT OR IGNORE INTO memberships (user_id, account_id, role, created_at) VALUES (?1, ?2, ?3, ?4)")
    .bind(userId, accountId, role, now)
    .run();
}

/** Makes the user the owner of the account with the user's id, if its creation was interrupted. */
export async function adoptAccount(db: D1Database, userId: string): Promise<void> {
  await db
    .prepare(
      `INSERT OR IGNORE INTO memberships (user_id, account_id, role, created_at)
       SELECT ?1, a.id, 'owner', a.created_at FROM accounts a WHERE a.id = ?1 AND a.erased_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM memberships WHERE account_id = a.id)`,
    )
    .bind(userId)
    .run();
}

/** The SQL condition that the account keeps an owner if the member ?2 of the account ?1 isn't an owner any longer. */
const KEEPS_OWNER = `(role <> 'owner'
  OR EXISTS (SELECT 1 FROM memberships o WHERE o.account_id = ?1 AND o.role = 'owner' AND o.user_id <> ?2))`;

/**
 * Changes a member's role. Returns false if the user isn't a member, or if the account would have no owner. Deletes the
 * open invitations of a user who was an owner, so that the user can't get the role back with one of them.
 */
export async function setRole(
  db: D1Database,
  { accountId, userId, role }: { accountId: string; userId: string; role: Role },
): Promise<boolean> {
  const [updated] = await db.batch([
    db
      .prepare(
        `UPDATE memberships SET role = ?3 WHERE account_id = ?1 AND user_id = ?2 AND (?3 = 'owner' OR ${KEEPS_OWNER})`,
      )
      .bind(accountId, userId, role),
    deleteInvitationsOfFormerOwner(db, accountId, userId),
  ]);
  return updated?.meta.changes === 1;
}

/** Removes a member and the member's invitations. Returns false for a user who isn't one or is the only owner. */
export async function deleteMember(
  db: D1Database,
  { accountId, userId }: { accountId: string; userId: string },
): Promise<boolean> {
  const [deleted] = await db.batch([
    db
      .prepare(`DELETE FROM memberships WHERE account_id = ?1 AND user_id = ?2 AND ${KEEPS_OWNER}`)
      .bind(accountId, userId),
    deleteInvitationsOfFormerOwner(db, accountId, userId),
  ]);
  return deleted?.meta.changes === 1;
}

function deleteInvitationsOfFormerOwner(db: D1Database, accountId: string, userId: string): D1PreparedStatement {
  return db
    .prepare(
      `DELETE FROM invitations WHERE account_id = ?1 AND inviter_id = ?2
         AND NOT EXISTS (SELECT 1 FROM memberships WHERE account_id = ?1 AND user_id = ?2 AND role = 'owner')`,
    )
    .bind(accountId, userId);
}
