// The versions of D1's schema: schema.sql is version 1, and each file of migrations/ brings a database to the next version.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One version of the schema. */
export interface Migration {
  version: number;
  /** The file, relative to the project. */
  file: string;
  /** The statements of the file, and the one that records the version. */
  sql: string;
}

const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;
const FIRST_FILE = "schema.sql";

/** Reads every version of the schema in `project`, in order. Throws if a file has another name or a number is missing. */
export function readMigrations(project: string): Migration[] {
  const folder = join(project, "migrations");
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  const later = names.map((name, index) => {
    const version = index + 2;
    const number = FILE_NAME.exec(name)?.[1];
    if (number === undefined) throw new Error(`migrations/${name} isn't named like 0002_some_change.sql.`);
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
    // Fails if the version was applied before, and with it everything that is applied in the same transaction.
    sql: `${sql.trimEnd()}\n\nINSERT INTO schema_versions (version, applied_at) VALUES (${version}, unixepoch() * 1000);\n`,
  };
}

function toNumber(version: number): string {
  return String(version).padStart(4, "0");
}

/** The question for the tables of a database. */
export const TABLES_QUERY =
  "SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN ('schema_versions', 'jobs')";
/** The question for its versions. It fails without the table `schema_versions`. */
export const VERSIONS_QUERY = "SELECT version FROM schema_versions ORDER BY version";

/**
 * Returns the migrations that a database with these versions lacks. Throws if its versions have a gap. A database that is newer
 * than the code lacks none: code N-1 runs on schema N.
 */
export function toPending(migrations: Migration[], applied: number[]): Migration[] {
  const gap = applied.find((version, index) => version !== index + 1);
  if (gap !== undefined)
    throw new Error(`The database has the versions ${applied.join(", ")}: one is missing before ${gap}.`);
  return migrations.filter(({ version }) => version > applied.length);
}
