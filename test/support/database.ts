// Imports the modules that the Worker loads only on demand. In tests, Vitest loads each module over a connection. Two
// Durable Objects that load the same module at the same time would block each other.
import "../../src/browser/browser";
import "../../src/browser/connection";
import "../../src/dashboard/app";
import "../../src/dashboard/auth/better-auth";
import "../../src/mcp/server";
import "../../src/routes/admin/admin";
import { env } from "cloudflare:workers";
import { afterAll } from "vitest";
import { sleep } from "../../src/lib/clock";
import { countUnfinished, deleteUnfinished, ignoreExistingAccounts } from "./unfinished";

/** The SQL statements of each schema version. */
export const { TEST_SCHEMA } = env as unknown as { TEST_SCHEMA: string[][] };

// The schema can already exist, because test files that run one after another in the same runtime share its database.
const existing = await env.DB.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_versions'").first();
if (existing === null) await env.DB.batch(TEST_SCHEMA.flat().map((statement) => env.DB.prepare(statement)));
await ignoreExistingAccounts();

const LAST_WORK_MS = 3_000;

// Waits for running jobs and deliveries, because the runtime can't stop before they end. The wait has a time limit,
// because a job that a test inserted into the database may never end. Such a job is deleted, because it would delay the
// jobs of the next test files: they share the queues.
afterAll(async () => {
  const deadline = Date.now() + LAST_WORK_MS;
  while (Date.now() < deadline && (await isUnfinished())) await sleep(50);
  await deleteUnfinished();
});

async function isUnfinished(): Promise<boolean> {
  try {
    return (await countUnfinished()) > 0;
  } catch {
    // The caller checks again later. After Vitest has reloaded a Durable Object's module, it rejects the first call to
    // the object.
    return true;
  }
}
