/** The account that a user sees; null when there is none yet. */
export async function getMembership(db: D1Database, userId: string): Promise<string | null> {
  return await db.prepare("SELECT account_id FROM members WHERE user_id = ?1").bind(userId).first<string>("account_id");
}

/** Returns true if the account has members, but none with a verified address. */
export async function isUnverified(db: D1Database, accountId: string): Promise<boolean> {
  const verified = await db
    .prepare(
      "SELECT MAX(u.email_verified) AS verified FROM members m JOIN users u ON u.id = m.user_id WHERE m.account_id = ?1",
    )
    .bind(accountId)
    .first<number>("verified");
  return verified === 0; // Null: the account has no members.
}

/** Gives the user this account, unless there is one already. Returns the one that holds. */
export async function insertMember(
  db: D1Database,
  { userId, accountId, now }: { userId: string; accountId: string; now: number },
): Promise<string> {
  await db
    .prepare("INSERT OR IGNORE INTO members (user_id, account_id, created_at) VALUES (?1, ?2, ?3)")
    .bind(userId, accountId, now)
    .run();
  const held = await getMembership(db, userId);
  if (held === null) throw new Error(`The user ${userId} was not given an account.`);
  return held;
}
