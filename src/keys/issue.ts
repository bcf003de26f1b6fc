import type { KeyRequest } from "../contract/keys";
import { sha256Hex } from "../lib/crypto";
import { isId, newId } from "../lib/id";
import { isRangeSubset } from "../lib/ip-ranges";
import { type ApiKey, type ListedKey, type Mode, newSecret, toLabel } from "../model/api-key";
import { AppError } from "../model/errors";
import { PLAN_LIMITS } from "../model/plan";
import { canSendEmail } from "../net/email";
import { type Account, mustGetAccount } from "../store/accounts";
import { getKeyHash, insertKey, type NewKey } from "../store/keys";
import { keyVerifier } from "../store/namespaces";
import { isUnverified } from "../store/users";
import { invalidateKey } from "./invalidate";

/** A new key with its secret. Only a hash of the secret is stored, so it can't be shown again. */
export interface IssuedKey {
  key: ListedKey;
  secret: string;
}

/** The key, or the dashboard's user, that creates a key. The new key can't have more permissions than its creator. */
export type Creator = Pick<ApiKey, "mode" | "scopes" | "allowedIps"> & { account: { id: string } };

/**
 * Creates a key. Omitted properties default to the creator's. Throws AppError if the key would have more permissions.
 */
export async function createKey(env: Env, creator: Creator, request: KeyRequest, now: number): Promise<IssuedKey> {
  const {
    name = null,
    mode = creator.mode,
    scopes = creator.scopes,
    allowed_ips: allowedIps = creator.allowedIps,
  } = request;
  const missing = scopes.find((scope) => !creator.scopes.includes(scope));
  if (missing !== undefined) {
    throw new AppError(
      "insufficient_scope",
      `This API key can't grant the scope '${missing}', because it doesn't have it.`,
    );
  }
  if (mode === "live" && creator.mode === "test") {
    throw new AppError("insufficient_scope", "A test key can't create a live key. Use a live key.");
  }
  if (!isRangeSubset(allowedIps, creator.allowedIps)) {
    throw new AppError(
      "ip_not_allowed",
      "'allowed_ips' must be within this API key's own allowed IPs. Choose a smaller range, or use a key that allows it.",
    );
  }
  if (mode === "live" && canSendEmail(env) && (await isUnverified(env.DB, creator.account.id))) {
    const message = "Verify your email address before you create a live key. You can create test keys now.";
    throw new AppError("email_not_verified", message);
  }
  const account = await mustGetAccount(env.DB, creator.account.id);
  const { hash, ...issued } = await issueKey(env, account, { mode, name, scopes, allowedIps, createdAt: now });
  // Loads the new key's record into its verifier. Until then, a request with the key is first counted as a failed
  // authentication, and is refused if its network has reached that limit. If this call fails, the first request with the
  // key loads the record.
  await invalidateKey(env, hash);
  return issued;
}

/**
 * Creates a key. Call `invalidateKey(hash)` afterwards. Throws AppError `key_limit_reached` at the plan's limit of
 * keys.
 */
export async function issueKey(
  env: Env,
  account: Pick<Account, "id" | "plan">,
  key: Pick<NewKey, "mode" | "name" | "scopes" | "allowedIps" | "createdAt">,
): Promise<IssuedKey & { hash: string }> {
  const secret = newSecret(key.mode);
  const hash = await sha256Hex(secret);
  const limit = PLAN_LIMITS[account.plan].activeKeys;
  const inserted = await insertKey(env.DB, {
    ...key,
    ...toLabel(secret),
    id: newId(),
    accountId: account.id,
    hash,
    limit,
  });
  if (inserted === null) {
    throw new AppError(
      "key_limit_reached",
      `The plan '${account.plan}' allows ${limit} active keys. Revoke a key before you create another.`,
    );
  }
  return { key: inserted, secret, hash };
}

/**
 * Revokes a key of the mode, or of either mode if `mode` is null. The key's next request is refused. Idempotent. Throws
 * AppError `not_found`, or `unavailable` if the revocation couldn't be confirmed.
 */
export async function revokeKeyById(
  env: Env,
  { id, accountId, mode }: { id: string; accountId: string; mode: Mode | null },
  now: number,
): Promise<void> {
  const hash = isKeyId(id) ? await getKeyHash(env.DB, { id, accountId, mode }) : null;
  if (hash === null) throw new AppError("not_found", `There is no key '${id}'.`);
  const revoked = await keyVerifier(env, hash)
    .revoke(hash, now)
    .catch(() => false);
  if (!revoked) {
    throw new AppError("unavailable", "The revocation couldn't be confirmed. Try again in 5 seconds.", {
      headers: { "Retry-After": "5" },
    });
  }
}

/** Returns true for a UUIDv7, and for the key ids that scripts/local-state.ts creates for `npm start`. */
function isKeyId(id: string): boolean {
  return isId(id) || /^local-(?:live|test)(?:-[0-9a-f]{8})?$/.test(id);
}
