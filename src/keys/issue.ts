import { invalidParameter } from "../contract/invalid-request";
import type { KeyRequest } from "../contract/keys";
import { withTimeout } from "../lib/async";
import { toIso } from "../lib/clock";
import { sha256Hex } from "../lib/crypto";
import { newId } from "../lib/id";
import { isRangeSubset } from "../lib/ip-ranges";
import { log, toLogged } from "../lib/log";
import type { ApiKey, ListedKey, Mode } from "../model/api-key";
import { AppError } from "../model/errors";
import { MIN_CONNECTIONS } from "../model/limits";
import { toPlanLimits } from "../model/plan";
import { canSendEmail } from "../net/email";
import { type Account, mustGetAccount } from "../store/accounts";
import { insertKey, type NewKey } from "../store/keys";
import { isUnverified } from "../store/memberships";
import { keyVerifier } from "../store/namespaces";
import { newSecret, toLabel } from "./secret";

/** A new key with its secret. Only a hash of the secret is stored, so it can't be shown again. */
export interface IssuedKey {
  key: ListedKey;
  secret: string;
}

/** The key, or the dashboard's user, that creates a key. The new key can't have more permissions than its creator. */
export type Creator = Pick<ApiKey, "mode" | "scopes" | "allowedIps" | "expiresAt" | "creditLimit"> & {
  /** The id of the key. Undefined for a user of the dashboard. */
  id?: string;
  account: { id: string };
};

/** The permissions that a key gets. An undefined permission stays unchanged. */
type Grant = { [P in "scopes" | "allowedIps" | "expiresAt" | "creditLimit"]?: ApiKey[P] | undefined } & { mode: Mode };

/**
 * Throws AppError if the caller would grant permissions that it doesn't have. `present` is the key that is changed: it
 * can keep the permissions that it has. Null for a new key or a new secret.
 */
export function checkGrant(
  caller: Creator,
  { mode, scopes = [], allowedIps, expiresAt, creditLimit }: Grant,
  { present, now }: { present: Pick<ApiKey, "scopes" | "allowedIps"> | null; now: number },
): void {
  const missing = scopes.find((scope) => !caller.scopes.includes(scope) && !present?.scopes.includes(scope));
  if (missing !== undefined) {
    const message = `This API key can't grant the scope '${missing}', because it doesn't have it.`;
    throw new AppError("insufficient_scope", message, {
      hint: "Use an API key that has the scope, or omit the scope.",
    });
  }
  if (mode === "live" && caller.mode === "test") {
    throw new AppError("insufficient_scope", "A test key can't create a live key. Use a live key.", {
      hint: "Send the request with a live key (sk_live_…), or set mode to test.",
    });
  }
  const isWithin = (outer: string[] | undefined) =>
    allowedIps === undefined || (outer !== undefined && isRangeSubset(allowedIps, outer));
  if (!isWithin(caller.allowedIps) && !isWithin(present?.allowedIps)) {
    throw new AppError("ip_not_allowed", "The parameter 'allowed_ips' must be within this API key's own allowed IPs.", {
      hint: "Choose a smaller range, or use an API key that may be used from all these addresses.",
    });
  }
  checkExpiry(caller, expiresAt, now);
  checkCreditLimit(caller, mode, creditLimit, present === null);
}

/** Throws AppError if the expiry isn't in the future, or if it is after the caller's own. */
function checkExpiry(caller: Creator, expiresAt: number | null | undefined, now: number): void {
  if (expiresAt === undefined) return;
  if (expiresAt !== null && expiresAt <= now) throw invalidParameter("expires_at", "must be in the future");
  if (caller.expiresAt !== null && (expiresAt === null || expiresAt > caller.expiresAt)) {
    const message = `This API key expires at ${toIso(caller.expiresAt)}. It can't create a key that expires later.`;
    throw new AppError("insufficient_scope", message, {
      hint: "Use an API key that expires later. If this is the previous secret of a rotated key, use the new secret.",
    });
  }
}

/** Throws AppError if the caller has a credit limit, which it could exceed with keys that it creates. */
function checkCreditLimit(caller: Creator, mode: Mode, creditLimit: number | null | undefined, isNew: boolean): void {
  if (mode === "test" && creditLimit != null)
    throw invalidParameter("credit_limit", "can't be set for a test key, because test keys are free");
  if (mode === "test" || caller.creditLimit === null || (!isNew && creditLimit === undefined)) return;
  const message = "This API key has a credit limit, so it can't create live keys or change credit limits.";
  throw new AppError("insufficient_scope", message, {
    hint: "Use an API key without a credit limit, or the page API keys of the dashboard.",
  });
}

/**
 * Creates a key. Omitted properties are the creator's. `receiver` is the address of the application that the key connects.
 * Throws AppError if the key would have more permissions than its creator.
 */
export async function createKey(
  env: Env,
  creator: Creator,
  request: KeyRequest,
  now: number,
  receiver: string | null = null,
): Promise<IssuedKey> {
  const {
    name = null,
    mode = creator.mode,
    scopes = creator.scopes,
    allowed_ips: allowedIps = creator.allowedIps,
    expires_at,
    credit_limit: creditLimit = null,
  } = request;
  const expiresAt = expires_at == null ? creator.expiresAt : Date.parse(expires_at);
  checkGrant(creator, { mode, scopes, allowedIps, expiresAt, creditLimit }, { present: null, now });
  if (mode === "live" && canSendEmail(env) && (await isUnverified(env.DB, creator.account.id))) {
    const message = "Verify your email address before you create a live key. You can create test keys now.";
    throw new AppError("email_not_verified", message);
  }
  const account = await mustGetAccount(env.DB, creator.account.id);
  const key = { mode, name, scopes, allowedIps, expiresAt, creditLimit, createdAt: now, receiver };
  const { hash, ...issued } = await issueKey(env, account, key);
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
  key: Omit<NewKey, "id" | "accountId" | "hash" | "prefix" | "last4" | "limit">,
): Promise<IssuedKey & { hash: string }> {
  const secret = newSecret(key.mode);
  const hash = await sha256Hex(secret);
  const { activeKeys } = toPlanLimits(env)[account.plan];
  const limit = key.receiver === null ? activeKeys : Math.max(MIN_CONNECTIONS, activeKeys);
  const inserted = await insertKey(env.DB, {
    ...key,
    ...toLabel(secret),
    id: newId(),
    accountId: account.id,
    hash,
    limit,
  });
  if (inserted === null) {
    const message =
      key.receiver === null
        ? `The plan '${account.plan}' allows ${limit} active keys. Revoke a key before you create another.`
        : `The plan '${account.plan}' allows ${limit} connected applications. Disconnect one before you connect another.`;
    throw new AppError("key_limit_reached", message);
  }
  return { key: inserted, secret, hash };
}

const TIMEOUT_MS = 5_000;

/** Makes the key's `KeyVerifier` reload the key's record. Returns false if it can't be reached. Never throws. */
export async function invalidateKey(env: Env, hash: string): Promise<boolean> {
  try {
    return await withTimeout(TIMEOUT_MS, keyVerifier(env, hash).refresh(hash));
  } catch (error) {
    log("warn", "key_verifier_unreachable", toLogged(error));
    return false;
  }
}
