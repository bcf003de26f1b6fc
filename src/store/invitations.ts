// The open invitations to accounts. Each link works once. Only the hash of a link's token is stored.
import type { Role } from "../model/role";
import { MAX_MEMBERS } from "./memberships";
import { deleteSome } from "./users";

/** An invitation. Times are Unix ms. */
export interface Invitation {
  id: string;
  accountId: string;
  /** Null if any user who has the link can accept the invitation. */
  email: string | null;
  role: Role;
  /** The email address of the owner who created the invitation. */
  invitedBy: string;
  /** The user id of this owner. */
  inviterId: string;
  createdAt: number;
  expiresAt: number;
}

const COLUMNS = `i.id, i.account_id AS accountId, i.email, i.role, i.invited_by AS invitedBy,
  i.inviter_id AS inviterId, i.created_at AS createdAt, i.expires_at AS expiresAt`;

/** Inserts an invitation. Returns false if the account has too many members and open invitations. */
export async function insertInvitation(
  db: D1Database,
  { id, accountId, email, role, invitedBy, inviterId, createdAt, expiresAt }: Invitation,
  tokenHash: string,
): Promise<boolean> {
  const { meta } = await db
    .prepare(
      `INSERT INTO invitations (id, account_id, token_hash, email, role, invited_by, created_at, expires_at, inviter_id)
       SELECT ?1, ?2, ?3, lower(?4), ?5, ?6, ?7, ?8, ?9
       WHERE (SELECT COUNT(*) FROM memberships WHERE account_id = ?2)
         + (SELECT COUNT(*) FROM invitations WHERE account_id = ?2 AND expires_at > ?7) < ${MAX_MEMBERS}`,
    )
    .bind(id, accountId, tokenHash, email, role, invitedBy, createdAt, expiresAt, inviterId)
    .run();
  return meta.changes === 1;
}

/** Returns the open invitations of an account, newest first. */
export async function listInvitations(db: D1Database, accountId: string, now: number): Promise<Invitation[]> {
  const { results } = await db
    .prepare(
      `SELECT ${COLUMNS} FROM invitations i WHERE i.account_id = ?1 AND i.expires_at > ?2 ORDER BY i.created_at DESC`,
    )
    .bind(accountId, now)
    .all<Invitation>();
  return results;
}

/** Returns an open invitation and the name of its account. Returns null if it was used or revoked, or has expired. */
export async function getInvitation(
  db: D1Database,
  tokenHash: string,
  now: number,
): Promise<(Invitation & { accountName: string }) | null> {
  return await db
    .prepare(
      `SELECT ${COLUMNS}, a.name AS accountName FROM invitations i JOIN accounts a ON a.id = i.account_id
       WHERE i.token_hash = ?1 AND i.expires_at > ?2 AND a.erased_at IS NULL`,
    )
    .bind(tokenHash, now)
    .first<Invitation & { accountName: string }>();
}

/** The SQL condition that the user with the email address ?3 can accept the invitation with the token hash ?1. */
const IS_ACCEPTABLE = "token_hash = ?1 AND expires_at > ?2 AND (email IS NULL OR email = lower(?3))";

/** Adds the user to the account and deletes the invitation, in one transaction. Returns false if it isn't open. */
export async function acceptInvitation(
  db: D1Database,
  { tokenHash, userId, email, now }: { tokenHash: string; userId: string; email: string; now: number },
): Promise<boolean> {
  const [, deleted] = await db.batch([
    db
      .prepare(
        `INSERT OR IGNORE INTO memberships (user_id, account_id, role, created_at)
         SELECT ?4, account_id, role, ?2 FROM invitations WHERE ${IS_ACCEPTABLE}`,
      )
      .bind(tokenHash, now, email, userId),
    db.prepare(`DELETE FROM invitations WHERE ${IS_ACCEPTABLE}`).bind(tokenHash, now, email),
  ]);
  return deleted?.meta.changes === 1;
}

/** Revokes an invitation of the account. Returns false if it isn't open. */
export async function deleteInvitation(
  db: D1Database,
  { id, accountId }: { id: string; accountId: string },
): Promise<boolean> {
  const { meta } = await db
    .prepare("DELETE FROM invitations WHERE id = ?1 AND account_id = ?2")
    .bind(id, accountId)
    .run();
  return meta.changes === 1;
}

/** Deletes expired invitations. Returns the number of deleted invitations. */
export async function deleteOldInvitations(db: D1Database, now: number, limit: number): Promise<number> {
  return await deleteSome(db, "invitations", "expires_at <= ?1", [now, limit]);
}
