import { callAccount } from "../account/client";
import type { WebhookEndpointRow } from "../account/deliveries/webhook-settings";
import type { WebhookEndpoint, WebhookEndpointWithSecret } from "../contract/webhook-endpoints";
import { toIso } from "../lib/clock";
import { newId } from "../lib/id";
import { DEFAULT_EVENTS, type WebhookEvent } from "../model/delivery";
import { checkReceiver } from "./check-receiver";
import {
  changeRow,
  duplicateUrl,
  endpointNotFound,
  newSealed,
  type Owner,
  openSettings,
  rotate,
  tooManyEndpoints,
} from "./settings";

/** A webhook endpoint without its secrets. */
export type ListedEndpoint = Pick<WebhookEndpointRow, "id" | "url" | "events" | "createdAt" | "previousExpiresAt">;

/** A webhook endpoint with its decrypted secret. */
export interface OpenEndpoint extends ListedEndpoint {
  secret: string;
}

/** Returns an endpoint without its secret. Throws AppError if the owner has no such endpoint. */
export async function getEndpoint(env: Env, owner: Owner, id: string): Promise<WebhookEndpointRow> {
  const endpoints = await callAccount(env, owner.account, (object) => object.listEndpoints(owner.mode));
  const found = endpoints.find((endpoint) => endpoint.id === id);
  if (found === undefined) throw endpointNotFound(id);
  return found;
}

/** Returns an endpoint with its secret. Throws AppError if there is no such endpoint, or if it can't be decrypted. */
export async function openEndpoint(env: Env, owner: Owner, id: string, now: number): Promise<OpenEndpoint> {
  const row = await getEndpoint(env, owner, id);
  // The secret of the account's URL is created when it is first read.
  if (row.secret === null) await changeRow(env, owner, { kind: "first_secret", secret: await newSealed(env, owner) });
  return await openRow(env, owner, row.secret === null ? await getEndpoint(env, owner, id) : row, now);
}

/**
 * Creates an endpoint for events that happen from now on. If `events` is null, the endpoint gets DEFAULT_EVENTS. Throws
 * AppError if events can't be sent to the URL, if another endpoint has it, or if there are too many endpoints.
 */
export async function createEndpoint(
  env: Env,
  { account, mode }: Owner,
  { url, events, origin, now }: { url: string; events: WebhookEvent[] | null; origin: string; now: number },
): Promise<OpenEndpoint> {
  checkReceiver(env, { url, origin, accountId: account.id, parameter: "url" });
  const id = newId();
  const owner = { account, mode, endpointId: id };
  const secret = await newSealed(env, owner);
  const reply = await callAccount(env, account, (object) => object.createEndpoint({ mode, id, url, events, secret }));
  switch (reply.kind) {
    case "webhook":
      return await openRow(env, owner, reply.webhook, now);
    case "duplicate":
      throw duplicateUrl();
    case "full":
      throw tooManyEndpoints();
  }
}

/**
 * Changes an endpoint's URL or its events. The retries of pending deliveries are sent to the new URL. Throws AppError if there is no such endpoint, if events
 * can't be sent to the URL, or if another endpoint has the URL.
 */
export async function changeEndpoint(
  env: Env,
  owner: Owner,
  id: string,
  { url, events, origin }: { url?: string | undefined; events?: WebhookEvent[] | null | undefined; origin: string },
): Promise<WebhookEndpointRow> {
  if (url !== undefined) checkReceiver(env, { url, origin, accountId: owner.account.id, parameter: "url" });
  const row = await getEndpoint(env, owner, id);
  const endpoint = { ...owner, endpointId: id };
  if (url !== undefined) await changeRow(env, endpoint, { kind: "url", url });
  if (events !== undefined) await changeRow(env, endpoint, { kind: "events", events });
  return { ...row, url: url ?? row.url, events: events === undefined ? row.events : events };
}

/** Deletes an endpoint. Its unfinished deliveries are abandoned. Throws AppError if there is no such endpoint. */
export async function deleteEndpoint(env: Env, { account, mode }: Owner, id: string): Promise<void> {
  const isDeleted = await callAccount(env, account, (object) => object.deleteEndpoint({ mode, id }));
  if (!isDeleted) throw endpointNotFound(id);
}

/** Replaces the secret of an endpoint, as `rotate` does for the account's URL. Returns the endpoint. */
export async function rotateEndpoint(env: Env, owner: Owner, id: string, now: number): Promise<OpenEndpoint> {
  const row = await getEndpoint(env, owner, id);
  const { secret, previousSecretExpiresAt } = await rotate(env, { ...owner, endpointId: id }, now);
  return { ...row, secret, previousExpiresAt: previousSecretExpiresAt };
}

async function openRow(env: Env, owner: Owner, row: WebhookEndpointRow, now: number): Promise<OpenEndpoint> {
  const { secret, previousSecretExpiresAt } = await openSettings(env, { ...owner, endpointId: row.id }, row, now);
  return { ...row, secret, previousExpiresAt: previousSecretExpiresAt };
}

/** Returns the endpoint in the API's format, without its secret. */
export function toEndpointRecord({ id, url, events, createdAt }: ListedEndpoint): WebhookEndpoint {
  return {
    id,
    url,
    events: [...(events ?? DEFAULT_EVENTS)],
    created_at: createdAt === null ? null : toIso(createdAt),
  };
}

/** Returns the endpoint in the API's format, with its secret. */
export function toSecretEndpointRecord(endpoint: OpenEndpoint): WebhookEndpointWithSecret {
  const expiresAt = endpoint.previousExpiresAt;
  return {
    ...toEndpointRecord(endpoint),
    secret: endpoint.secret,
    previous_secret_expires_at: expiresAt === null ? null : toIso(expiresAt),
  };
}
