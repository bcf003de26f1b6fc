import { toPositiveNumber } from "../lib/env";
import type { Transaction } from "./transaction";

/**
 * The fill level of the account's storage. `inline`: small results are stored in rows. `r2`: every result goes to R2.
 * `archive`: old days also move to R2. `full`: new jobs are refused.
 */
export type StorageLevel = "inline" | "r2" | "archive" | "full";

/** Returns the fill level. The limits are ACCOUNT_INLINE_BYTES, ACCOUNT_ARCHIVE_BYTES and ACCOUNT_MAX_BYTES. */
export function storageLevel({ sql, env }: Pick<Transaction, "sql" | "env">): StorageLevel {
  const size = sql.databaseSize;
  if (size >= toPositiveNumber(env.ACCOUNT_MAX_BYTES, 8e9)) return "full";
  if (size >= toPositiveNumber(env.ACCOUNT_ARCHIVE_BYTES, 5e9)) return "archive";
  return size >= toPositiveNumber(env.ACCOUNT_INLINE_BYTES, 2e9) ? "r2" : "inline";
}
