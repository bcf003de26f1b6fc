import schema from "./schema.sql";

/**
 * The tables of an account's Durable Object. Each entry is one version. A new entry may only add tables, columns and
 * indexes. After a rollback, the old code must work with the new tables. Until release 0.2.0, changes edit version 1,
 * which is schema.sql. After it, never change or remove an entry.
 */
export const MIGRATIONS: readonly string[] = [schema];
