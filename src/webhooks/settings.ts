import { callAccount } from "../account/client";
import type { WebhookChange, WebhookReply, WebhookRow } from "../account/deliveries/webhook-settings";
import { invalidParameter } from "../contract/invalid-request";
import { newWebhookSecret } from "../lib/crypto";
import { log, toLogged } from "../lib/log";
import { reseal, seal, unseal } from "../lib/sealing";
import type { AccountRef } from "../model/account";
import type { Mode } from "../model/api-key";
import { ACCOUNT_ENDPOINT } from "../model/delivery";
import { AppError } from "../model/errors";
import { MAX_WEBHOOK_ENDPOINTS, MINUTE_MS, PREVIOUS_SECRET_MS } from "../model/limits";
import { checkReceiver } from "./check-receiver";
import type { SigningSecrets } from "./signature";

/** If a secret is rotated twice in this time, the one before both continues to sign, because receivers have it. */
const ROTATION_GRACE_MS = 5 * MINUTE_MS;

/** The owner of webhook settings and deliveries: an account and a mode. */
export interface Owner {
  account: AccountRef;
  mode: Mode;
  /** The endpoint of the settings. Default: the endpoint with the account's URL. */
  endpointId?: string;
}

/** The settings of an endpoint, with its decrypted secret. */
export interface WebhookConfig extends Pick<WebhookRow, "id" | "url" | "events" | "createdAt"> {
  secret: string;
  /** The time at which the previous secret stops signing (Unix ms). Null if there is no previous secret. */
  previousSecretExpiresAt: number | null;
}

/** Returns the settings. Creates the secret if there is none yet. Throws AppError if the secret can't be decrypted. */
export async function readSettings(env: Env, owner: Owner, now: number): Promise<WebhookConfig> {
  return await openSettings(env, owner, await readRow(env, owner), now);
}

/**
 * Sets the webhook URL for jobs that are created from now on. The retries of pending deliveries are sent to the new URL.
 * Null removes the URL and abandons these deliveries. Throws AppError if events can't be sent to the URL, if there are
 * too many endpoints, or if the secret can't be decrypted.
 */
export async function changeUrl(
  env: Env,
  owner: Owner,
  { url, origin, now }: { url: string | null; origin: string; now: number },
): Promise<WebhookConfig> {
  if (url !== null) checkReceiver(env, { url, origin, accountId: owner.account.id, parameter: "url" });
  const settings = await readSettings(env, owner, now);
  await changeRow(env, owner, { kind: "url", url });
  return { ...settings, url };
}

/** Replaces the secret. For up to 24 hours, the one that `choosePrevious` chooses signs, too. */
export async function rotate(env: Env, owner: Owner, now: number): Promise<WebhookConfig> {
  for (;;) {
    const row = await changeRow(env, owner, null);
    const secret = await newSealed(env, owner);
    const previous = await choosePrevious(env, owner, row, now);
    const rotated = await changeRow(env, owner, { kind: "rotation", from: row.secret, secret, ...previous });
    if (rotated.secret === secret) return await openSettings(env, owner, rotated, now);
    // Another call has rotated the secret in the meantime. The loop starts again from the new secret.
  }
}

/** Decrypts the secrets that sign a delivery, or creates the first. Throws if ENCRYPTION_KEY has changed. */
export async function openSigningSecrets(
  env: Env,
  owner: Owner,
  { secret, previousSecret }: Pick<WebhookRow, "secret" | "previousSecret">,
): Promise<SigningSecrets> {
  return {
    current: await unseal(env, secret ?? (await readRow(env, owner)).secret, contextOf(owner)),
    previous: await openIfPossible(env, owner, previousSecret),
  };
}

type RowWithSecret = WebhookRow & { secret: string };

async function readRow(env: Env, owner: Owner): Promise<RowWithSecret> {
  const row = await changeRow(env, owner, null);
  if (hasSecret(row)) return row;
  const kept = await changeRow(env, owner, { kind: "first_secret", secret: await newSealed(env, owner) });
  if (!hasSecret(kept)) throw new Error(`The webhook secret of account ${owner.account.id} was not stored.`);
  return kept;
}

/**
 * Applies a change to an endpoint unless `change` is null. Returns the resulting settings. Throws AppError if the account
 * or the endpoint is unknown, or if another endpoint has the URL.
 */
export async function changeRow(env: Env, owner: Owner, change: WebhookChange | null): Promise<WebhookRow> {
  const { account, mode, endpointId } = owner;
  return readReply(await callAccount(env, account, (object) => object.webhook(mode, change, endpointId)), endpointId);
}

/** Returns the settings in the reply of the account. Throws AppError if the account refused the change. */
export function readReply(reply: WebhookReply, endpointId = ACCOUNT_ENDPOINT): WebhookRow {
  switch (reply.kind) {
    case "webhook":
      return reply.webhook;
    case "duplicate":
      throw invalidParameter("url", "is already the URL of another webhook endpoint of this mode", {
        hint: "Change the events of that endpoint instead.",
      });
    case "full":
      throw new AppError(
        "invalid_request",
        `An account can have at most ${MAX_WEBHOOK_ENDPOINTS} webhook endpoints in each mode. Delete one first.`,
      );
    case "missing":
      throw endpointNotFound(endpointId);
  }
}

/** Returns the error for an unknown endpoint. */
export function endpointNotFound(id: string): AppError {
  return new AppError(
    "not_found",
    id === ACCOUNT_ENDPOINT
      ? "The account has no webhook URL. Set one with PUT /v1/webhooks."
      : `There is no webhook endpoint '${id}'.`,
  );
}

function hasSecret(row: WebhookRow): row is RowWithSecret {
  return row.secret !== null;
}

/** Returns the secret that continues to sign after a rotation. A secret that can't be decrypted is dropped. */
async function choosePrevious(
  env: Env,
  owner: Owner,
  { secret, previousSecret, previousExpiresAt }: WebhookRow,
  now: number,
): Promise<Pick<WebhookRow, "previousSecret" | "previousExpiresAt">> {
  if (previousExpiresAt !== null && previousExpiresAt > now + PREVIOUS_SECRET_MS - ROTATION_GRACE_MS) {
    return { previousSecret, previousExpiresAt };
  }
  const readable = (await openIfPossible(env, owner, secret)) !== null;
  return readable
    ? { previousSecret: secret, previousExpiresAt: now + PREVIOUS_SECRET_MS }
    : { previousSecret: null, previousExpiresAt: null };
}

/** Decrypts the secret of the settings. Throws AppError if the secret can't be decrypted. */
export async function openSettings(env: Env, owner: Owner, row: WebhookRow, now: number): Promise<WebhookConfig> {
  const secret = await openIfPossible(env, owner, row.secret);
  if (secret === null) {
    throw new AppError(
      "unavailable",
      "The webhook secret can't be decrypted, because this service's ENCRYPTION_KEY was changed.",
      {
        retryable: false,
        headers: { "Retry-After": "3600" },
        hint: `Create a new secret with POST ${toRotatePath(owner)}.`,
      },
    );
  }
  const { id, url, events, createdAt, previousExpiresAt } = row;
  const previousSecretExpiresAt = previousExpiresAt !== null && previousExpiresAt > now ? previousExpiresAt : null;
  return { id, url, events, createdAt, secret, previousSecretExpiresAt };
}

function toRotatePath({ endpointId = ACCOUNT_ENDPOINT }: Owner): string {
  return endpointId === ACCOUNT_ENDPOINT ? "/v1/webhooks/rotate" : `/v1/webhooks/endpoints/${endpointId}/rotate`;
}

/** Returns a new secret, encrypted for the endpoint. */
export async function newSealed(env: Env, owner: Owner): Promise<string> {
  return await seal(env, newWebhookSecret(), contextOf(owner));
}

/** Encrypts a secret with the current ENCRYPTION_KEY. Null if it already is. Throws if no key decrypts it. */
export async function resealWebhookSecret(env: Env, owner: Owner, sealed: string): Promise<string | null> {
  return await reseal(env, sealed, contextOf(owner));
}

async function openIfPossible(env: Env, owner: Owner, sealed: string | null): Promise<string | null> {
  if (sealed === null) return null;
  try {
    return await unseal(env, sealed, contextOf(owner));
  } catch (error) {
    log("error", "secret_not_opened", { account_id: owner.account.id, mode: owner.mode, ...toLogged(error) });
    return null;
  }
}

function contextOf({ account, mode, endpointId = ACCOUNT_ENDPOINT }: Owner): string {
  const context = `webhook secret:${account.id}:${mode}`;
  return endpointId === ACCOUNT_ENDPOINT ? context : `${context}:${endpointId}`;
}
