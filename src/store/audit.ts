/** An action of an operator. `detail` never contains a secret. Times are Unix ms. */
export interface AuditEntry {
  actor: string;
  action: AuditAction;
  accountId: string | null;
  detail: Record<string, unknown>;
  at: number;
}

export type AuditAction =
  | "account.create"
  | "account.change"
  | "credits.adjust"
  | "account.view"
  | "result.view"
  | "deny.add"
  | "deny.remove"
  | "key.create"
  | "link.create"
  | "account.restore"
  | "account.erase"
  | "member.invite"
  | "member.join"
  | "member.role"
  | "member.remove"
  | "member.leave"
  | "member.revoke"
  | "incident.create"
  | "incident.update";

/** Returns the statement that inserts an entry if the condition is true. `values` are its values from ?6 on. */
function insertIf(
  db: D1Database,
  { actor, action, accountId, detail, at }: AuditEntry,
  condition: string,
  ...values: (string | number)[]
): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO audit_log (actor, action, account_id, detail, created_at) SELECT ?1, ?2, ?3, ?4, ?5 WHERE ${condition}`,
    )
    .bind(actor, action, accountId, JSON.stringify(detail), at, ...values);
}

/**
 * Returns a statement for a batch. Place it directly after the statement of the audited change: it inserts the entry
 * only if that statement has changed exactly one row.
 */
export function auditIfChanged(db: D1Database, entry: AuditEntry): D1PreparedStatement {
  return insertIf(db, entry, "changes() = 1");
}

/** Inserts an entry unless the account already has an entry of this action with the same key in its detail. */
export async function insertAuditOnce(db: D1Database, entry: AuditEntry, key: string): Promise<void> {
  const known = "SELECT 1 FROM audit_log WHERE account_id = ?3 AND action = ?2 AND detail ->> 'key' = ?6";
  await insertIf(db, entry, `NOT EXISTS (${known})`, key).run();
}

/** Inserts an entry unless the actor has an entry with the same action, account and detail since `since` (Unix ms). */
export async function insertAuditSince(db: D1Database, entry: AuditEntry, since: number): Promise<void> {
  const known = `SELECT 1 FROM audit_log
    WHERE account_id = ?3 AND action = ?2 AND actor = ?1 AND detail = ?4 AND created_at > ?6`;
  await insertIf(db, entry, `NOT EXISTS (${known})`, since).run();
}

export async function insertAudit(db: D1Database, entry: AuditEntry): Promise<void> {
  await insertIf(db, entry, "true").run();
}

/**
 * Returns entries, newest first. `accountId` is null for the entries of all accounts. Returns up to `limit` + 1
 * entries; the last one shows that there are older ones.
 */
export async function listAudit(
  db: D1Database,
  { accountId, limit, before }: { accountId: string | null; limit: number; before: number | null },
): Promise<(AuditEntry & { id: number })[]> {
  const selected = "SELECT id, actor, action, account_id AS accountId, detail, created_at AS at FROM audit_log";
  const condition = accountId === null ? "id < ?2" : "account_id = ?3 AND id < ?2";
  const { results } = await db
    .prepare(`${selected} WHERE ${condition} ORDER BY id DESC LIMIT ?1`)
    .bind(limit + 1, before ?? Number.MAX_SAFE_INTEGER, ...(accountId === null ? [] : [accountId]))
    .all<Omit<AuditEntry, "detail"> & { id: number; detail: string }>();
  return results.map((row) => ({ ...row, detail: JSON.parse(row.detail) }));
}
