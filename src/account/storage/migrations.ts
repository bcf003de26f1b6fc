import schema from "./schema.sql";

/**
 * The tables of an account's Durable Object. Each entry is one version. A new entry may only add tables, columns and
 * indexes. After a rollback, the old code must work with the new tables. Never change or remove an entry that was
 * released. Version 1 was released with 0.2.0.
 */
export const MIGRATIONS: readonly string[] = [schema];
