import { env } from "cloudflare:workers";

// Each file has a database of its own: it begins with the whole schema.
const { TEST_SCHEMA } = env as unknown as { TEST_SCHEMA: string[] };
await env.DB.batch(TEST_SCHEMA.map((statement) => env.DB.prepare(statement)));
