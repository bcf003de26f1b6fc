// Loaded late by the product: two Durable Objects that load it at once would stand in each other's way here, where a module
// comes over a connection. A bundle has it at hand.
import "../../src/browser/browser";
import { env } from "cloudflare:workers";
import { afterAll } from "vitest";
import { sleep } from "../../src/lib/clock";
import { countUnfinished } from "./unfinished";

/** The statements of each version of the schema. */
export const { TEST_SCHEMA } = env as unknown as { TEST_SCHEMA: string[][] };

// Each file begins with the whole schema, and nothing else.
await env.DB.batch(TEST_SCHEMA.flat().map((statement) => env.DB.prepare(statement)));

const LAST_WORK_MS = 3_000;

// A file that ends before its jobs and deliveries do never ends. Rows that a test made by hand have no end to be waited for.
afterAll(async () => {
  const deadline = Date.now() + LAST_WORK_MS;
  while (Date.now() < deadline && (await isUnfinished())) await sleep(50);
});

async function isUnfinished(): Promise<boolean> {
  try {
    return (await countUnfinished()) > 0;
  } catch {
    // The test runner refuses the first call of an object whose module it has loaded again.
    return true;
  }
}
