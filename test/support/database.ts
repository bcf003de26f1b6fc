import { env } from "cloudflare:workers";

// Each file has a database of its own: it begins with the whole schema.
const statements = (env as unknown as { TEST_SCHEMA: string }).TEST_SCHEMA.replace(/--.*$/gm, "")
  .split(/;\s*\n/)
  .map((statement) => statement.trim())
  .filter((statement) => statement !== "");
await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
