// The table `two_factors` belongs to better-auth, except for the column `last_step`.

/** Returns the encrypted secret of the user's authenticator app, or null if two-factor sign-in was never set up. */
export async function getTwoFactorSecret(db: D1Database, userId: string): Promise<string | null> {
  return await db.prepare("SELECT secret FROM two_factors WHERE user_id = ?1").bind(userId).first<string>("secret");
}

/** Records the use of a code of this time step. Returns false if this or a later one was used already. */
export async function useStep(db: D1Database, { userId, step }: { userId: string; step: number }): Promise<boolean> {
  const { meta } = await db
    .prepare("UPDATE two_factors SET last_step = ?2 WHERE user_id = ?1 AND (last_step IS NULL OR last_step < ?2)")
    .bind(userId, step)
    .run();
  return meta.changes === 1;
}

/** The encrypted values of a user's two-factor sign-in. */
interface TwoFactorSecrets {
  id: string;
  secret: string;
  backupCodes: string;
}

/** Returns up to `limit` rows whose ids follow `after`, in the order of their ids. */
export async function listTwoFactorSecrets(
  db: D1Database,
  { after, limit }: { after: string; limit: number },
): Promise<TwoFactorSecrets[]> {
  const { results } = await db
    .prepare("SELECT id, secret, backup_codes AS backupCodes FROM two_factors WHERE id > ?1 ORDER BY id LIMIT ?2")
    .bind(after, limit)
    .all<TwoFactorSecrets>();
  return results;
}

/** Replaces the encrypted values. Returns false if they have changed in the meantime. */
export async function replaceTwoFactorSecrets(
  db: D1Database,
  { from, to }: { from: TwoFactorSecrets; to: Omit<TwoFactorSecrets, "id"> },
): Promise<boolean> {
  const { meta } = await db
    .prepare(
      "UPDATE two_factors SET secret = ?4, backup_codes = ?5 WHERE id = ?1 AND secret = ?2 AND backup_codes = ?3",
    )
    .bind(from.id, from.secret, from.backupCodes, to.secret, to.backupCodes)
    .run();
  return meta.changes === 1;
}
