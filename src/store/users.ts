/** Who may sign in, as an admin sees it. */
export interface UserRow {
  id: string;
  email: string;
  name: string;
  email_verified: number;
  created_at: string;
}

const COLUMNS = "u.id, u.email, u.name, u.email_verified, u.created_at";

export async function getUser(db: D1Database, id: string): Promise<UserRow | null> {
  return await db.prepare(`SELECT ${COLUMNS} FROM users u WHERE u.id = ?1`).bind(id).first<UserRow>();
}

export async function listMembers(db: D1Database, accountId: string): Promise<UserRow[]> {
  const { results } = await db
    .prepare(
      `SELECT ${COLUMNS} FROM members m JOIN users u ON u.id = m.user_id WHERE m.account_id = ?1 ORDER BY u.created_at LIMIT 100`,
    )
    .bind(accountId)
    .all<UserRow>();
  return results;
}
