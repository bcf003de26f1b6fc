import schema from "./schema.sql";

/** The tables of a crawl's Durable Object, with the same rules as those of an account (account/storage/migrations.ts). */
export const MIGRATIONS: readonly string[] = [schema];
