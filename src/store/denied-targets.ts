// Stores the hosts and networks that jobs and webhooks must not request.
import { type AuditEntry, auditIfChanged } from "./audit";

/** The value of `account_id` for entries that apply to all accounts. */
export const ALL_ACCOUNTS = "";
/** The maximum number of entries for all accounts, and for one account. Each isolate has all entries in memory. */
export const MAX_DENIED = 2_000;
export const MAX_DENIED_PER_ACCOUNT = 200;

/** An entry of the deny list. `createdAt` is in Unix ms. */
export interface DeniedTarget {
  /** ALL_ACCOUNTS if the entry applies to all accounts. */
  accountId: string;
  /** A host, a domain such as `*.example.com`, or a network. */
  target: string;
  note: string;
  createdBy: string;
  createdAt: number;
}

/** Returns the entries of all accounts, for the check of requests. */
export async function readAllDenied(db: D1Database): Promise<Pick<DeniedTarget, "accountId" | "target">[]> {
  const { results } = await db
    .prepare("SELECT account_id AS accountId, target FROM denied_targets")
    .all<Pick<DeniedTarget, "accountId" | "target">>();
  return results;
}

/** Returns the entries of one account, or the entries that apply to all accounts, in the order of their targets. */
export async function listDenied(db: D1Database, accountId: string): Promise<DeniedTarget[]> {
  const { results } = await db
    .prepare(
      `SELECT account_id AS accountId, target, note, created_by AS createdBy, created_at AS createdAt
       FROM denied_targets WHERE account_id = ?1 ORDER BY target`,
    )
    .bind(accountId)
    .all<DeniedTarget>();
  return results;
}

/** Inserts an entry and its audit entry. Returns false if the entry exists, or if there are already `limit` entries. */
export async function insertDenied(
  db: D1Database,
  { accountId, target, note, createdBy, createdAt }: DeniedTarget,
  { audit, limit }: { audit: AuditEntry; limit: number },
): Promise<boolean> {
  const [inserted] = await db.batch([
    db
      .prepare(
        `INSERT OR IGNORE INTO denied_targets (account_id, target, note, created_by, created_at)
         SELECT ?1, ?2, ?3, ?4, ?5 WHERE (SELECT COUNT(*) FROM denied_targets WHERE account_id = ?1) < ?6`,
      )
      .bind(accountId, target, note, createdBy, createdAt, limit),
    auditIfChanged(db, audit),
  ]);
  return inserted?.meta.changes === 1;
}

/** Deletes an entry and inserts its audit entry. Returns false if there is no such entry. */
export async function deleteDenied(
  db: D1Database,
  { accountId, target }: { accountId: string; target: string },
  audit: AuditEntry,
): Promise<boolean> {
  const [deleted] = await db.batch([
    db.prepare("DELETE FROM denied_targets WHERE account_id = ?1 AND target = ?2").bind(accountId, target),
    auditIfChanged(db, audit),
  ]);
  return deleted?.meta.changes === 1;
}
