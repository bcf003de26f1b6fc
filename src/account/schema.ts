import { MIGRATIONS } from "./migrations";

/** The storage key of the schema's version. Reading it creates no table. */
const VERSION = "schema_version";

/** Returns the version of the tables, or 0 if there are no tables. */
export function readVersion(storage: DurableObjectStorage): number {
  return storage.kv.get<number>(VERSION) ?? 0;
}

/**
 * Migrates the tables to the latest version in one transaction. Doesn't change tables of a later version. They exist
 * after a rollback of the Worker, and the old code works with them.
 */
export function migrate(storage: DurableObjectStorage): void {
  const from = readVersion(storage);
  if (from >= MIGRATIONS.length) return;
  storage.transactionSync(() => {
    for (const statements of MIGRATIONS.slice(from)) storage.sql.exec(statements);
    storage.kv.put(VERSION, MIGRATIONS.length);
  });
}
