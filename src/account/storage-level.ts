import { toPositiveNumber } from "../lib/env";

const INLINE_BYTES = 2e9;
const ARCHIVE_BYTES = 5e9;
const MAX_BYTES = 8e9;

/**
 * How full an account's object is.
 * - `inline`: results of up to 16 KB are stored in it.
 * - `stored`: every result goes to R2.
 * - `archive`: the oldest days of jobs go to R2, too.
 * - `full`: it takes no new jobs. Jobs still end, and are deleted.
 */
export type StorageLevel = "inline" | "stored" | "archive" | "full";

/** Returns the level of an object that holds `bytes`. The bounds are variables, because an object holds 10 GB at most. */
export function toStorageLevel(env: Env, bytes: number): StorageLevel {
  if (bytes >= toPositiveNumber(env.ACCOUNT_MAX_BYTES, MAX_BYTES)) return "full";
  if (bytes >= toPositiveNumber(env.ACCOUNT_ARCHIVE_BYTES, ARCHIVE_BYTES)) return "archive";
  return bytes >= toPositiveNumber(env.ACCOUNT_INLINE_BYTES, INLINE_BYTES) ? "stored" : "inline";
}

/** Returns the level of the account's object. Reading the size costs no row. */
export function storageLevel({ sql, env }: { sql: SqlStorage; env: Env }): StorageLevel {
  return toStorageLevel(env, sql.databaseSize);
}
