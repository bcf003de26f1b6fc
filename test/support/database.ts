// Loaded late by the product: two Durable Objects that load it at once would stand in each other's way here, where a module
// comes over a connection. A bundle has it at hand.
import "../../src/upstream/browser/browser";
import { env } from "cloudflare:workers";
import { afterAll } from "vitest";
import { sleep } from "../../src/lib/clock";

const { TEST_SCHEMA } = env as unknown as { TEST_SCHEMA: string[] };

export async function applySchema(): Promise<void> {
  await env.DB.batch(TEST_SCHEMA.map((statement) => env.DB.prepare(statement)));
}

/** What the file before has left, where files share a runtime: the newest table first, since it may refer to older ones. */
async function dropTables(): Promise<void> {
  const tables = "type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT GLOB '_cf*'";
  const sql = `SELECT name FROM sqlite_master WHERE ${tables} ORDER BY rowid DESC`;
  const { results } = await env.DB.prepare(sql).all<{ name: string }>();
  if (results.length > 0) await env.DB.batch(results.map(({ name }) => env.DB.prepare(`DROP TABLE ${name}`)));
}

// Each file begins with the whole schema, and nothing else.
await dropTables();
await applySchema();

const LAST_WORK_MS = 3_000;

// A file that ends before its jobs and deliveries do never ends. Rows that a test made by hand have no end to be waited for.
afterAll(async () => {
  const deadline = Date.now() + LAST_WORK_MS;
  while (Date.now() < deadline && (await isUnderWay())) await sleep(50);
});

async function isUnderWay(): Promise<boolean> {
  const sql = `SELECT (SELECT COUNT(*) FROM jobs WHERE wake_at IS NOT NULL)
    + (SELECT COUNT(*) FROM deliveries WHERE status = 'pending' AND next_attempt_at <= ?1) AS n`;
  const count = await env.DB.prepare(sql).bind(Date.now()).first<number>("n");
  return count !== null && count > 0;
}
