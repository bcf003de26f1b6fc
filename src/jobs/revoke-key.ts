import { AccountUnreachableError, callAccount } from "../account/client";
import { revokeKeyById } from "../keys/change";
import { now } from "../lib/clock";
import type { AccountRef } from "../model/account";
import type { Mode } from "../model/api-key";

interface Revocation {
  id: string;
  /** The mode of the keys that the caller can revoke. Null: both modes. */
  mode: Mode | null;
  /** True to let the unfinished work of the key continue. */
  keepsJobs: boolean;
}

/**
 * Revokes a key and stops its unfinished work. Returns the number of cancelled jobs. If the account can't be reached, the
 * number is 0, and the cron stops the work. Throws AppError if the key doesn't exist, or if the revocation couldn't be
 * confirmed.
 */
export async function revokeKey(env: Env, account: AccountRef, revocation: Revocation): Promise<number> {
  const { id: keyId, keepsJobs } = revocation;
  await revokeKeyById(env, { ...revocation, accountId: account.id }, now());
  if (keepsJobs) return 0;
  try {
    const { cancelled } = await callAccount(env, account, (stub) => stub.stopKey({ keyId, reason: "revoked_api_key" }));
    return cancelled;
  } catch (error) {
    if (error instanceof AccountUnreachableError) return 0;
    throw error;
  }
}
