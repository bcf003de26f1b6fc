// The versions of the D1 schema. schema.sql is version 1, and each file in migrations/ migrates a database to the next
// version.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One version of the schema. */
export interface Migration {
  version: number;
  /** The file's path, relative to the project. */
  file: string;
  /** The statements of the file, followed by the statement that records the version. */
  sql: string;
}

const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;
const FIRST_FILE = "schema.sql";
/** Version 1 of the tables of the Durable Objects. */
const OBJECT_FILES = ["src/account/storage/schema.sql", "src/crawl/schema.sql"];

/**
 * Reads every version of the schema in `project`, in order. Throws if a file's name is invalid or a number is missing.
 */
export function readMigrations(project: string): Migration[] {
  const folder = join(project, "migrations");
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  const later = names.map((name, index) => {
    const version = index + 2;
    const number = FILE_NAME.exec(name)?.[1];
    if (number === undefined) throw new Error(`migrations/${name} must have a name like 0002_some_change.sql.`);
    if (Number(number) !== version) {
      throw new Error(
        `migrations/${name} must have the number ${toNumber(version)}: numbers have no gaps and no repeats.`,
      );
    }
    return readMigration(project, version, join("migrations", name));
  });
  return [readMigration(project, 1, FIRST_FILE), ...later];
}

function readMigration(project: string, version: number, file: string): Migration {
  const sql = readFileSync(join(project, file), "utf8");
  return {
    version,
    file,
    // This INSERT fails if the version was already applied, which rolls back the transaction of the migration.
    sql: `${sql.trimEnd()}\n\nINSERT INTO schema_versions (version, applied_at) VALUES (${version}, unixepoch() * 1000);\n`,
  };
}

function toNumber(version: number): string {
  return String(version).padStart(4, "0");
}

/**
 * Returns a hash of version 1 of all tables: of D1, of accounts and of crawls. Before release 0.2.0, changes edited
 * version 1, so a state with another hash can't be used.
 */
export function hashFirstTables(project: string): string {
  return hashStatements([FIRST_FILE, ...OBJECT_FILES].map((file) => readFileSync(join(project, file), "utf8")));
}

/** Returns a hash of SQL statements. Comments and white space don't change it. */
export function hashStatements(texts: string[]): string {
  const text = texts.join("\n").replace(/--.*$/gm, "").replace(/\s+/g, " ").trim();
  return createHash("sha256").update(text).digest("hex");
}

/** Lists the tables, except those of SQLite and Cloudflare. */
export const TABLES_QUERY =
  "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'";
/** Lists the applied versions. Fails if the table `schema_versions` doesn't exist. */
export const VERSIONS_QUERY = "SELECT version FROM schema_versions ORDER BY version";

/**
 * Returns the migrations that aren't in `applied`. Throws if the applied versions have a gap. If the database is newer
 * than the code, returns no migrations, because version N of the schema also supports the code of version N-1.
 */
export function toPending<Version extends { version: number }>(migrations: Version[], applied: number[]): Version[] {
  const gap = applied.find((version, index) => version !== index + 1);
  if (gap !== undefined)
    throw new Error(`The database has the versions ${applied.join(", ")}. A version before ${gap} is missing.`);
  return migrations.filter(({ version }) => version > applied.length);
}
