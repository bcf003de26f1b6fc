// Loaded late by the product: two Durable Objects that load it at once would stand in each other's way here, where a module
// comes over a connection. A bundle has it at hand.
import "../../src/browser/browser";
import { env } from "cloudflare:workers";
import { afterAll } from "vitest";
import { sleep } from "../../src/lib/clock";

const { TEST_SCHEMA } = env as unknown as { TEST_SCHEMA: string[] };

export async function applySchema(): Promise<void> {
  await env.DB.batch(TEST_SCHEMA.map((statement) => env.DB.prepare(statement)));
}

// Each file begins with the whole schema, and nothing else.
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
