// Changes keys that exist: their properties, their secrets and their revocation. Each change goes through the verifiers of
// the key, so that it applies from the next request.
import type { KeyChangeRequest } from "../contract/keys";
import { sha256Hex } from "../lib/crypto";
import { isId } from "../lib/id";
import { isExpired, type ListedKey, type Mode } from "../model/api-key";
import { AppError } from "../model/errors";
import { SECOND_MS } from "../model/limits";
import { getKeyHashes, getListedKey, type KeyHashes } from "../store/keys";
import { keyVerifier } from "../store/namespaces";
import { type Creator, checkGrant, type IssuedKey, invalidateKey } from "./issue";
import { newSecret, toLabel } from "./secret";

/** Selects a key of the account. A null `mode` selects keys of both modes. */
interface KeySelector {
  id: string;
  accountId: string;
  mode: Mode | null;
}

/**
 * Revokes a key. The key's next request is refused. Unless `keepsJobs` is true, the cron stops the key's work, so the
 * caller should do it earlier. Idempotent. Throws AppError `not_found`, or `unavailable` if the revocation couldn't be
 * confirmed.
 */
export async function revokeKeyById(
  env: Env,
  { keepsJobs, ...selector }: KeySelector & { keepsJobs?: boolean },
  now: number,
): Promise<void> {
  const { hash, previous } = await mustGetHashes(env, selector);
  const hashes = previous === null ? [hash] : [hash, previous];
  const revoked = await Promise.all(
    hashes.map((each) =>
      keyVerifier(env, each)
        .revoke(each, now, keepsJobs)
        .catch(() => false),
    ),
  );
  if (revoked.includes(false)) throw unconfirmed("The revocation");
}

/**
 * Changes the name, the scopes, the allowed IPs, the expiry or the credit limit of a key. The change applies from the
 * next request. Omitted properties stay unchanged. Throws AppError if the key doesn't exist or isn't active, if the
 * caller can't grant the new permissions, or if the change couldn't be confirmed.
 */
export async function changeKeyById(
  env: Env,
  { caller, id, mode }: { caller: Creator; id: string; mode: Mode | null },
  request: KeyChangeRequest,
  now: number,
): Promise<ListedKey> {
  const selector = { id, accountId: caller.account.id, mode };
  const { hash, previous } = await mustGetHashes(env, selector);
  const key = await mustBeActive(env, selector, now);
  const { name, scopes, allowed_ips: allowedIps, expires_at, credit_limit: creditLimit } = request;
  const expiresAt = expires_at == null ? expires_at : Date.parse(expires_at);
  checkGrant(caller, { mode: key.mode, scopes, allowedIps, expiresAt, creditLimit }, { present: key, now });
  const change = { name, scopes, allowedIps, expiresAt, creditLimit };
  const changed = await keyVerifier(env, hash)
    .edit(hash, change, now)
    .catch(() => undefined);
  if (changed === null) throw changedMeanwhile();
  const isPreviousDone = previous === null || (await invalidateKey(env, previous));
  if (changed === undefined || !isPreviousDone) throw unconfirmed("The change");
  return changed;
}

/**
 * Replaces the secret of a key. The current secret works for `gracePeriodS` more seconds, and the secret before it stops
 * working immediately. The id, the usage and the credit limit of the key stay the same. Throws AppError if the key doesn't
 * exist or isn't active, or if it has more permissions than the caller.
 */
export async function rotateKeyById(
  env: Env,
  { caller, id, mode }: { caller: Creator; id: string; mode: Mode | null },
  gracePeriodS: number,
  now: number,
): Promise<IssuedKey> {
  const selector = { id, accountId: caller.account.id, mode };
  const { hash, previous } = await mustGetHashes(env, selector);
  const key = await mustBeActive(env, selector, now);
  if (key.receiver !== null)
    throw new AppError(
      "invalid_request",
      "The key of a connected application can't be rotated. Disconnect the application instead.",
    );
  // The caller gets a secret with all permissions of the key. A key can rotate itself despite its credit limit, because
  // the limit applies to the new secret too. It can't do so with its previous secret, which expires earlier.
  if (caller.id === id) checkGrant(caller, { ...key, creditLimit: undefined }, { present: key, now });
  else checkGrant(caller, key, { present: null, now });
  const secret = newSecret(key.mode);
  const to = {
    hash: await sha256Hex(secret),
    ...toLabel(secret),
    previousExpiresAt: now + gracePeriodS * SECOND_MS,
  };
  const rotated = await keyVerifier(env, hash)
    .rotate(hash, to, now)
    .catch(() => undefined);
  if (rotated === undefined) throw unconfirmed("The rotation");
  if (rotated === null) throw changedMeanwhile();
  // If a call fails, the cron updates the earlier verifier, and the first request with the new secret loads its record.
  await Promise.all([invalidateKey(env, to.hash), previous === null ? null : invalidateKey(env, previous)]);
  return { key: rotated, secret };
}

async function mustGetHashes(env: Env, selector: KeySelector): Promise<KeyHashes> {
  const hashes = isKeyId(selector.id) ? await getKeyHashes(env.DB, selector) : null;
  if (hashes === null) throw keyNotFound(selector.id);
  return hashes;
}

async function mustBeActive(env: Env, selector: KeySelector, now: number): Promise<ListedKey> {
  const key = await getListedKey(env.DB, selector);
  if (key === null) throw keyNotFound(selector.id);
  const hint = "Create another key with POST /v1/keys.";
  if (key.revokedAt !== null) throw new AppError("invalid_request", "This key was revoked.", { hint });
  if (isExpired(key, now)) throw new AppError("invalid_request", "This key has expired.", { hint });
  return key;
}

function unconfirmed(what: string): AppError {
  return new AppError("unavailable", `${what} couldn't be confirmed. Try again in 5 seconds.`, {
    headers: { "Retry-After": "5" },
  });
}

function changedMeanwhile(): AppError {
  return new AppError("invalid_request", "The key was rotated or revoked by another request. Read it again.");
}

/** Returns true for a UUIDv7, and for the key ids that scripts/local-state.ts creates for `npm start`. */
function isKeyId(id: string): boolean {
  return isId(id) || /^local-(?:live|test)(?:-[0-9a-f]{8})?$/.test(id);
}

function keyNotFound(id: string): AppError {
  return new AppError("not_found", `There is no key '${id}'.`, {
    hint: "GET /v1/keys lists the keys with their ids. The id isn't the secret of the key.",
  });
}
