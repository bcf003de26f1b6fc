/** How many jobs that were made since (Unix ms) aren't over, or their deliveries. */
export async function countOpen(db: D1Database, since: number): Promise<number> {
  const open = await db
    .prepare(
      `SELECT (SELECT COUNT(*) FROM jobs WHERE ended_at IS NULL AND created_at >= ?1)
         + (SELECT COUNT(*) FROM deliveries WHERE wake_at IS NOT NULL AND created_at >= ?1) AS open`,
    )
    .bind(since)
    .first<number>("open");
  return open ?? 0;
}
