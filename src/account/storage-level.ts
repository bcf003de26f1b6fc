import { toPositiveNumber } from "../lib/env";
import type { Transaction } from "./transaction";

/** How full the object is. `inline`: results go into rows. `r2`: every result goes to R2. `archive`: old days move to R2. `full`: no new jobs. */
export type StorageLevel = "inline" | "r2" | "archive" | "full";

/** Returns how full the object is, by its variables. */
export function storageLevel({ sql, env }: Pick<Transaction, "sql" | "env">): StorageLevel {
  const size = sql.databaseSize;
  if (size >= toPositiveNumber(env.ACCOUNT_MAX_BYTES, 8e9)) return "full";
  if (size >= toPositiveNumber(env.ACCOUNT_ARCHIVE_BYTES, 5e9)) return "archive";
  return size >= toPositiveNumber(env.ACCOUNT_INLINE_BYTES, 2e9) ? "r2" : "inline";
}
