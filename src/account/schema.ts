import { MIGRATIONS } from "./migrations";

/** The storage key of the schema's version. Reading it creates no table. */
const VERSION = "schema_version";

/** Returns the version of the tables, or 0 if there are none. */
export function readVersion(storage: DurableObjectStorage): number {
  return storage.kv.get<number>(VERSION) ?? 0;
}

/**
 * Brings the tables to the latest version, in one transaction. Tables of a later version stay as they are: the code of the
 * version before must run on them, or a rollback of the Worker would break every object that has migrated.
 */
export function migrate(storage: DurableObjectStorage): void {
  const from = readVersion(storage);
  if (from >= MIGRATIONS.length) return;
  storage.transactionSync(() => {
    for (const statements of MIGRATIONS.slice(from)) storage.sql.exec(statements);
    storage.kv.put(VERSION, MIGRATIONS.length);
  });
}
