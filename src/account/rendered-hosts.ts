import { MINUTE_MS } from "../model/limits";
import type { Transaction } from "./transaction";

/** After this many pages in a row without content, the pages of a host are rendered immediately. */
const MIN_PAGES = 2;
/**
 * After this time, a page of the host is fetched without rendering again. Other pages of the host may have content
 * without rendering, which costs less.
 */
const RECHECK_MS = 10 * MINUTE_MS;
const MAX_HOSTS = 1_000;

/**
 * Returns true if the last plain pages of the host had no content until they were rendered. Fetching another plain page
 * would be useless. `needed` is true if a plain page of the host has just had to be rendered, false if it had content,
 * and null if none was fetched.
 */
export function rendersHost(tx: Transaction, host: string, needed: boolean | null): boolean {
  const row = tx.first<{ pages: number; checked_at: number }>(
    "SELECT pages, checked_at FROM rendered_hosts WHERE host = ?1",
    host,
  );
  if (needed === false && row !== null) tx.run("DELETE FROM rendered_hosts WHERE host = ?1", host);
  if (needed === true) insertPage(tx, host);
  const pages = needed === false ? 0 : (row?.pages ?? 0) + (needed === true ? 1 : 0);
  const checkedAt = needed === null ? (row?.checked_at ?? 0) : tx.now;
  return pages >= MIN_PAGES && checkedAt > tx.now - RECHECK_MS;
}

function insertPage(tx: Transaction, host: string): void {
  tx.run(
    `INSERT INTO rendered_hosts (host, pages, checked_at) VALUES (?1, 1, ?2)
     ON CONFLICT DO UPDATE SET pages = pages + 1, checked_at = excluded.checked_at`,
    host,
    tx.now,
  );
  tx.run(
    `DELETE FROM rendered_hosts WHERE host IN
       (SELECT host FROM rendered_hosts ORDER BY checked_at DESC, host LIMIT -1 OFFSET ${MAX_HOSTS})`,
  );
}
