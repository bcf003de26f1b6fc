// The Worker imports these modules when it first needs them. In tests, Vitest loads each module over a connection.
// Durable Objects that load the same module at the same time would block each other, so this file loads the modules
// first.
import "../../src/browser/browser";
import "../../src/browser/connection";
import "../../src/dashboard/app";
import "../../src/dashboard/auth/better-auth";
import "../../src/mcp/server";
import "../../src/routes/admin/admin";
import { env } from "cloudflare:workers";
import { afterAll } from "vitest";
import { sleep } from "../../src/lib/clock";
import { countUnfinished, ignoreExistingAccounts } from "./unfinished";

/** The statements of each version of the schema. */
export const { TEST_SCHEMA } = env as unknown as { TEST_SCHEMA: string[][] };

// The schema can already exist, because test files that run one after another in the same runtime share its database.
const existing = await env.DB.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_versions'").first();
if (existing === null) await env.DB.batch(TEST_SCHEMA.flat().map((statement) => env.DB.prepare(statement)));
await ignoreExistingAccounts();

const LAST_WORK_MS = 3_000;

// Waits for running jobs and deliveries, because the runtime can't stop before they end. The wait is limited, because
// jobs that a test inserted into the database may never end.
afterAll(async () => {
  const deadline = Date.now() + LAST_WORK_MS;
  while (Date.now() < deadline && (await isUnfinished())) await sleep(50);
});

async function isUnfinished(): Promise<boolean> {
  try {
    return (await countUnfinished()) > 0;
  } catch {
    // Checks again later. Vitest rejects the first call of a Durable Object whose module it has just reloaded.
    return true;
  }
}
