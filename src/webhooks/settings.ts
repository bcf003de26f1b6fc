import { newWebhookSecret, seal, unseal } from "../lib/crypto";
import { log, toLogged } from "../lib/log";
import type { Mode } from "../model/api-key";
import { AppError } from "../model/errors";
import { MINUTE_MS, PREVIOUS_SECRET_MS } from "../model/limits";
import { getWebhook, keepSecret, type Rotation, rotateSecret, setWebhookUrl, type WebhookRow } from "../store/webhooks";
import { checkReceiver } from "./check-receiver";
import type { SigningSecrets } from "./signature";

/** A second rotation within this time replaces a secret that no receiver can know yet: the one before it stays. */
const ROTATION_GRACE_MS = 5 * MINUTE_MS;

/** Whose settings: an account has them for each mode. */
export interface Owner {
  accountId: string;
  mode: Mode;
}

export interface WebhookConfig {
  url: string | null;
  secret: string;
  /** Unix ms until which the secret before the last rotation signs as well; null when there is none. */
  previousSecretExpiresAt: number | null;
}

/** The settings as they are; the secret is made when it is first read. Throws AppError when it can't be decrypted. */
export async function readSettings(env: Env, owner: Owner, now: number): Promise<WebhookConfig> {
  return await toSettings(env, owner, await readRow(env, owner), now);
}

/**
 * Changes where results are pushed, for jobs that are created from now on. Throws AppError for a receiver that isn't public,
 * and as `readSettings` does.
 */
export async function changeUrl(
  env: Env,
  owner: Owner,
  { url, origin, now }: { url: string | null; origin: string; now: number },
): Promise<WebhookConfig> {
  if (url !== null) checkReceiver(env, { url, origin, parameter: "url" });
  const settings = await readSettings(env, owner, now);
  await setWebhookUrl(env.DB, owner, url);
  return { ...settings, url };
}

/** A new secret signs from now on; the one before signs beside it for 24 hours, one before that no longer. */
export async function rotate(env: Env, owner: Owner, now: number): Promise<WebhookConfig> {
  for (;;) {
    const row = await getWebhook(env.DB, owner);
    const rotation = { secret: await newSealed(env, owner), ...(await toPrevious(env, owner, row, now)) };
    const rotated = await rotateSecret(env.DB, owner, row?.secret ?? null, rotation);
    if (rotated !== null) return await toSettings(env, owner, rotated, now);
    // Somebody else rotated meanwhile: once more, from there.
  }
}

/** What a delivery is signed with. Throws when ENCRYPTION_KEY isn't the one that encrypted the secret. */
export async function readSigningSecrets(env: Env, owner: Owner, now: number): Promise<SigningSecrets> {
  const row = await readRow(env, owner);
  return {
    current: await open(env, owner, row.secret),
    previous: isCurrent(row, now) ? await openIfPossible(env, owner, row.previous_secret) : null,
  };
}

type RowWithSecret = WebhookRow & { secret: string };

async function readRow(env: Env, owner: Owner): Promise<RowWithSecret> {
  const row = await getWebhook(env.DB, owner);
  if (row !== null && hasSecret(row)) return row;
  const kept = await keepSecret(env.DB, owner, await newSealed(env, owner));
  if (!hasSecret(kept)) throw new Error(`The webhook secret of account ${owner.accountId} was not kept.`);
  return kept;
}

function hasSecret(row: WebhookRow): row is RowWithSecret {
  return row.secret !== null;
}

function isCurrent(row: WebhookRow, now: number): boolean {
  return row.previous_expires_at !== null && row.previous_expires_at > now;
}

/** Which secret goes on signing beside the new one. One that can't be read signs nothing. */
async function toPrevious(
  env: Env,
  owner: Owner,
  row: WebhookRow | null,
  now: number,
): Promise<Omit<Rotation, "secret">> {
  const none = { previous: null, previousExpiresAt: null };
  if (row === null || row.secret === null) return none;
  const expiresAt = row.previous_expires_at;
  if (expiresAt !== null && expiresAt > now + PREVIOUS_SECRET_MS - ROTATION_GRACE_MS) {
    return { previous: row.previous_secret, previousExpiresAt: expiresAt };
  }
  const readable = (await openIfPossible(env, owner, row.secret)) !== null;
  return readable ? { previous: row.secret, previousExpiresAt: now + PREVIOUS_SECRET_MS } : none;
}

async function toSettings(env: Env, owner: Owner, row: WebhookRow, now: number): Promise<WebhookConfig> {
  const secret = await openIfPossible(env, owner, row.secret);
  if (secret === null) {
    throw new AppError(
      "unavailable",
      "The webhook secret can't be decrypted: this service's ENCRYPTION_KEY was changed. POST /v1/webhooks/rotate makes a new one.",
      { retryable: false, headers: { "Retry-After": "3600" } },
    );
  }
  return { url: row.url, secret, previousSecretExpiresAt: isCurrent(row, now) ? row.previous_expires_at : null };
}

async function newSealed(env: Env, owner: Owner): Promise<string> {
  return await seal(env.ENCRYPTION_KEY, newWebhookSecret(), contextOf(owner));
}

async function open(env: Env, owner: Owner, sealed: string): Promise<string> {
  return await unseal(env.ENCRYPTION_KEY, sealed, contextOf(owner));
}

async function openIfPossible(env: Env, owner: Owner, sealed: string | null): Promise<string | null> {
  if (sealed === null) return null;
  try {
    return await open(env, owner, sealed);
  } catch (error) {
    log("error", "secret_not_opened", { account_id: owner.accountId, mode: owner.mode, ...toLogged(error) });
    return null;
  }
}

function contextOf({ accountId, mode }: Owner): string {
  return `webhook secret:${accountId}:${mode}`;
}
