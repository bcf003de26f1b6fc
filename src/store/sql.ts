type Column = "account_id" | "mode" | "key_id" | "status" | "endpoint" | "+endpoint";

/** The condition that each column has its value, and what to bind for it from ?1 on; undefined: any value will do. */
export function toWhere(wanted: readonly (readonly [column: Column, value: string | undefined])[]): {
  where: string;
  values: string[];
} {
  const given = wanted.flatMap(([column, value]) => (value === undefined ? [] : [{ column, value }]));
  return {
    where: given.map(({ column }, at) => `${column} = ?${at + 1}`).join(" AND "),
    values: given.map(({ value }) => value),
  };
}

/** From so many of the latest, those are chosen that nobody has looked at yet. */
const LATEST = 5_000;

/**
 * A subselect: the ids of what is due at ?1, `?2` of the longest due, so that everything has its turn, and `?3` that are
 * looked at for the first time, the latest first, so that what got lost just now doesn't wait behind a backlog. What a
 * statement reads doesn't grow with the backlog.
 */
export function dueOf(table: "jobs" | "deliveries"): string {
  const due = `FROM ${table} WHERE wake_at <= ?1 ORDER BY wake_at`;
  return `SELECT id FROM (SELECT id ${due} LIMIT ?2)
    UNION SELECT id FROM (
      SELECT id FROM (SELECT id, looks, wake_at ${due} DESC LIMIT ${LATEST}) WHERE looks = 0 ORDER BY wake_at DESC LIMIT ?3)`;
}

/** How many of `limit` there are of each kind. */
export function toShares(limit: number): [oldest: number, latest: number] {
  const latest = Math.floor(limit / 4);
  return [limit - latest, latest];
}

/** Throws if the database doesn't answer. */
export async function pingDatabase(db: D1Database): Promise<void> {
  await db.prepare("SELECT 1").first();
}
