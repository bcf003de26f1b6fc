import { callAccount } from "../account/client";
import type { WebhookEndpoint, WebhookEndpointWithSecret } from "../contract/webhook-endpoints";
import { toIso } from "../lib/clock";
import { newId } from "../lib/id";
import { DEFAULT_EVENTS, type WebhookEvent } from "../model/delivery";
import { checkReceiver } from "./check-receiver";
import {
  changeRow,
  endpointNotFound,
  newSealed,
  type Owner,
  openSettings,
  readReply,
  readSettings,
  rotate,
  type WebhookConfig,
} from "./settings";

/** Returns an endpoint with its secret. Throws AppError if there is no such endpoint, or if it can't be decrypted. */
export async function openEndpoint(env: Env, owner: Owner, id: string, now: number): Promise<WebhookConfig> {
  const endpoint = await readSettings(env, { ...owner, endpointId: id }, now);
  if (endpoint.url === null) throw endpointNotFound(id);
  return endpoint;
}

/**
 * Creates an endpoint for events that happen from now on. If `events` is null, the endpoint gets DEFAULT_EVENTS. Throws
 * AppError if events can't be sent to the URL, if another endpoint has it, or if there are too many endpoints.
 */
export async function createEndpoint(
  env: Env,
  { account, mode }: Owner,
  { url, events, origin, now }: { url: string; events: WebhookEvent[] | null; origin: string; now: number },
): Promise<WebhookConfig> {
  checkReceiver(env, { url, origin, accountId: account.id, parameter: "url" });
  const id = newId();
  const owner = { account, mode, endpointId: id };
  const secret = await newSealed(env, owner);
  const reply = await callAccount(env, account, (object) => object.createEndpoint({ mode, id, url, events, secret }));
  return await openSettings(env, owner, readReply(reply), now);
}

/**
 * Changes an endpoint's URL or its events. The retries of pending deliveries are sent to the new URL. Throws AppError if
 * there is no such endpoint, if events can't be sent to the URL, or if another endpoint has the URL.
 */
export async function changeEndpoint(
  env: Env,
  owner: Owner,
  id: string,
  { url, events, origin }: { url?: string | undefined; events?: WebhookEvent[] | null | undefined; origin: string },
): Promise<void> {
  if (url !== undefined) checkReceiver(env, { url, origin, accountId: owner.account.id, parameter: "url" });
  const endpoint = await expectEndpoint(env, owner, id);
  if (url !== undefined) await changeRow(env, endpoint, { kind: "url", url });
  if (events !== undefined) await changeRow(env, endpoint, { kind: "events", events });
}

/** Deletes an endpoint. Its unfinished deliveries are abandoned. Throws AppError if there is no such endpoint. */
export async function deleteEndpoint(env: Env, { account, mode }: Owner, id: string): Promise<void> {
  const isDeleted = await callAccount(env, account, (object) => object.deleteEndpoint({ mode, id }));
  if (!isDeleted) throw endpointNotFound(id);
}

/** Replaces the secret of an endpoint, as `rotate` does for the account's URL. Returns the endpoint. */
export async function rotateEndpoint(env: Env, owner: Owner, id: string, now: number): Promise<WebhookConfig> {
  return await rotate(env, await expectEndpoint(env, owner, id), now);
}

/** Returns the owner of an endpoint's settings. Throws AppError if there is no such endpoint. */
async function expectEndpoint(env: Env, owner: Owner, id: string): Promise<Owner> {
  const endpoint = { ...owner, endpointId: id };
  if ((await changeRow(env, endpoint, null)).url === null) throw endpointNotFound(id);
  return endpoint;
}

/** Returns the endpoint in the API's format, without its secret. */
export function toEndpointRecord({
  id,
  url,
  events,
  createdAt,
}: Omit<WebhookConfig, "secret" | "previousSecretExpiresAt">): WebhookEndpoint {
  return {
    id,
    url: url ?? "",
    events: [...(events ?? DEFAULT_EVENTS)],
    created_at: createdAt === null ? null : toIso(createdAt),
  };
}

/** Returns the endpoint in the API's format, with its secret. */
export function toSecretEndpointRecord(endpoint: WebhookConfig): WebhookEndpointWithSecret {
  const { secret, previousSecretExpiresAt: expiresAt } = endpoint;
  const previous_secret_expires_at = expiresAt === null ? null : toIso(expiresAt);
  return { ...toEndpointRecord(endpoint), secret, previous_secret_expires_at };
}
