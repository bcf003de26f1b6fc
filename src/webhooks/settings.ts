import type { Mode } from "../keys/api-key";
import { newWebhookSecret, seal, unseal } from "../lib/crypto";
import { PREVIOUS_SECRET_MS } from "../limits";
import { getWebhook, keepSecret, rotateSecret, setWebhookUrl, type WebhookRow } from "../store/webhooks";
import type { SigningSecrets } from "./signature";

/** Whose settings: an account has them for each mode. */
export interface Owner {
  accountId: string;
  mode: Mode;
}

export interface WebhookSettings {
  url: string | null;
  secret: string;
  /** Unix ms until which the secret before the last rotation signs as well; null when there is none. */
  previousSecretExpiresAt: number | null;
}

/** The settings as they are; the secret is made when it is first read. */
export async function readSettings(env: Env, owner: Owner, now: number): Promise<WebhookSettings> {
  return await toSettings(env, owner, await readRow(env, owner), now);
}

/** Changes where results are pushed, of the jobs admitted from now on. */
export async function changeUrl(env: Env, owner: Owner, url: string | null, now: number): Promise<WebhookSettings> {
  await setWebhookUrl(env.DB, owner, url);
  return await readSettings(env, owner, now);
}

/** A new secret signs from now on; the one before signs beside it for 24 hours, one before that no longer. */
export async function rotate(env: Env, owner: Owner, now: number): Promise<WebhookSettings> {
  const row = await rotateSecret(env.DB, owner, await newSealed(env, owner), now + PREVIOUS_SECRET_MS);
  return await toSettings(env, owner, row, now);
}

/** What a delivery is signed with. Throws when ENCRYPTION_KEY isn't the one that encrypted it. */
export async function readSigningSecrets(env: Env, owner: Owner, now: number): Promise<SigningSecrets> {
  const row = await readRow(env, owner);
  const previous = isCurrent(row, now) ? row.previous_secret : null;
  return {
    current: await open(env, owner, row.secret),
    previous: previous === null ? null : await open(env, owner, previous),
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

async function toSettings(env: Env, owner: Owner, row: WebhookRow, now: number): Promise<WebhookSettings> {
  if (row.secret === null) throw new Error(`The account ${owner.accountId} has no webhook secret.`);
  return {
    url: row.url,
    secret: await open(env, owner, row.secret),
    previousSecretExpiresAt: isCurrent(row, now) ? row.previous_expires_at : null,
  };
}

async function newSealed(env: Env, owner: Owner): Promise<string> {
  return await seal(env.ENCRYPTION_KEY, newWebhookSecret(), contextOf(owner));
}

async function open(env: Env, owner: Owner, sealed: string): Promise<string> {
  return await unseal(env.ENCRYPTION_KEY, sealed, contextOf(owner));
}

function contextOf({ accountId, mode }: Owner): string {
  return `webhook secret:${accountId}:${mode}`;
}
