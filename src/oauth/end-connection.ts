import { revokeKey } from "../jobs/revoke-key";
import type { AccountRef } from "../model/account";
import { AppError } from "../model/errors";

/** The metadata of a grant, which the library stores without encryption. */
export interface GrantMetadata {
  account: AccountRef;
  /** The id of the connection's API key. */
  keyId: string;
}

/**
 * Revokes the API key of a grant that was deleted from the store. Ignores other entries. Idempotent. Throws AppError if the revocation
 * couldn't be confirmed.
 */
export async function endConnection(env: Env, key: string, value: string): Promise<void> {
  if (!key.startsWith("grant:")) return;
  const { account, keyId } = (JSON.parse(value) as { metadata: GrantMetadata }).metadata;
  try {
    await revokeKey(env, account, { id: keyId, mode: null, keepsJobs: false });
  } catch (error) {
    // The key was deleted 30 days after its revocation, or with its account.
    if (!(error instanceof AppError) || error.code !== "not_found") throw error;
  }
}
