// The versions of the tables of Durable Objects. Each class has a list of migrations, one for each version.

/** The storage key of the version. Reading it creates no table. */
const VERSION = "schema_version";

/** Returns the version of the tables, or 0 if there are no tables. */
export function readVersion(storage: DurableObjectStorage): number {
  return storage.kv.get<number>(VERSION) ?? 0;
}

/**
 * Migrates the tables to the latest version in one transaction. Doesn't change tables of a later version. They exist
 * after a rollback of the Worker, and the old code works with them.
 */
export function migrate(storage: DurableObjectStorage, migrations: readonly string[]): void {
  const from = readVersion(storage);
  if (from >= migrations.length) return;
  storage.transactionSync(() => {
    for (const statements of migrations.slice(from)) storage.sql.exec(statements);
    storage.kv.put(VERSION, migrations.length);
  });
}
