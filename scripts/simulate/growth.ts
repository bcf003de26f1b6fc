import { DatabaseSync } from "node:sqlite";
import type { Growth } from "./measured.ts";

const JOBS = 20_000;
const ROUNDS = 5;

/** What jobs leave in the database for good, by table with its indexes, and what it takes to count them. */
export function growth(schema: string): Growth {
  const db = new DatabaseSync(":memory:");
  db.exec(schema);
  db.exec(`INSERT INTO accounts (id, name, balance, period_start, next_grant_at, created_at)
    VALUES ('${uuid(0)}', 'Growth', 1000000, 0, 0, 0)`);
  const insert = db.prepare(
    `INSERT INTO jobs (id, account_id, key_id, mode, endpoint, status, request, rendered, waiting, webhook_url, origin,
       credits, created_at, run, wake_at)
     VALUES (?1, '${uuid(0)}', '${uuid(1)}', 'live', 'scrape', 'queued', ?3, 0, 0, 'https://receiver.example/hook',
       'https://api.extraction.example', 1, ?2, 0, ?2)`,
  );
  const end = db.prepare(
    `UPDATE jobs SET status = 'completed', meta = '{}', credits_used = 1, processing_time_ms = 500, ended_at = ?2,
       wake_at = NULL WHERE id = ?1`,
  );
  const delivered = db.prepare(
    `UPDATE deliveries SET status = 'succeeded', wake_at = NULL, next_attempt_at = NULL, attempts = ?2 WHERE id = ?1`,
  );
  const request = JSON.stringify({ url: `https://target.example/${"p".repeat(60)}`, formats: ["markdown"] });
  const attempts = JSON.stringify([{ at: 0, status_code: 200, duration_ms: 100, error: null, response: null }]);
  db.exec("BEGIN");
  for (let i = 2; i < JOBS + 2; i++) {
    insert.run(uuid(i), i, request);
    end.run(uuid(i), i + 500);
    delivered.run(uuid(i), attempts);
  }
  db.exec("COMMIT");
  const sizes = db
    .prepare(
      `SELECT m.tbl_name AS name, SUM(s.pgsize) AS bytes FROM dbstat s JOIN sqlite_master m ON m.name = s.name
       WHERE m.tbl_name IN ('jobs', 'ledger', 'deliveries') GROUP BY m.tbl_name`,
    )
    .all() as { name: string; bytes: number }[];
  const count = db.prepare("SELECT COUNT(*) AS total FROM jobs WHERE account_id = ?1 AND mode = 'live'");
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    count.get(uuid(0));
    return performance.now() - start;
  });
  db.close();
  return {
    jobs: JOBS,
    bytesPerJob: Object.fromEntries(sizes.map(({ name, bytes }) => [name, Math.round(bytes / JOBS)])),
    countOfAllMs: Math.round(Math.min(...times) * 1_000) / 1_000,
  };
}

/** As long as an identifier is, and in order. */
function uuid(n: number): string {
  return `01890000-0000-7000-8000-${String(n).padStart(12, "0")}`;
}
