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
