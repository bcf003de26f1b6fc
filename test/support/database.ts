// Loaded late by the product: two Durable Objects that load it at once would stand in each other's way here, where a module
// comes over a connection. A bundle has it at hand.
import "../../src/upstream/browser/browser";
import { env } from "cloudflare:workers";

const { TEST_SCHEMA } = env as unknown as { TEST_SCHEMA: string[] };

/** Each file has a database of its own: it begins with the whole schema. */
export async function applySchema(): Promise<void> {
  await env.DB.batch(TEST_SCHEMA.map((statement) => env.DB.prepare(statement)));
}

await applySchema();
