import { AppError } from "../model/errors";
import { SCHEMA_VERSION } from "../model/limits";

/** The databases whose schema is recent enough. They need no further check. */
const recent = new WeakSet<D1Database>();

/** Throws AppError `unavailable` while the schema of the database is older than the code. */
export async function requireSchema(db: D1Database): Promise<void> {
  if (recent.has(db)) return;
  const version = await readSchemaVersion(db);
  if (version < SCHEMA_VERSION)
    throw new AppError("unavailable", describeOldSchema(version), { headers: { "Retry-After": "30" } });
  recent.add(db);
}

/** Returns the version of the database's schema, or 0 if there are no tables. */
export async function readSchemaVersion(db: D1Database): Promise<number> {
  try {
    const version = await db.prepare("SELECT MAX(version) AS version FROM schema_versions").first<number>("version");
    return version ?? 0;
  } catch (error) {
    if (error instanceof Error && error.message.includes("no such table: schema_versions")) return 0;
    throw error;
  }
}

/** Returns the message for an outdated schema. */
export function describeOldSchema(version: number): string {
  if (version === 0) return "The database has no tables. Run 'npm run deploy', which creates them.";
  return `The database's schema is version ${version}, but this code needs version ${SCHEMA_VERSION}. Run 'npm run deploy'.`;
}
