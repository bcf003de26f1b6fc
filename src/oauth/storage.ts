import { now } from "../lib/clock";
import { type AccountRef, JURISDICTIONS } from "../model/account";
import { DAY_MS, SECOND_MS } from "../model/limits";
import { hasJurisdiction, oauthStore } from "../store/namespaces";
import { readClientDocument } from "./client-document";
import { endConnection } from "./end-connection";

/** A registered client that no user has connected is deleted after this time. */
const UNUSED_CLIENT_MS = DAY_MS;
/** The lifetime of the registration of a client that is used. Each use after half of it renews it. */
export const CLIENT_TTL_S = (400 * DAY_MS) / SECOND_MS;

/** The methods of a KV namespace that the library calls. */
export interface OAuthStorage {
  get(key: string, options?: { type: "json" }): Promise<unknown>;
  put(key: string, value: string, options?: { expirationTtl?: number; expiration?: number }): Promise<void>;
  delete(key: string): Promise<void>;
  list(options: { prefix: string }): Promise<{ keys: { name: string }[]; list_complete: true }>;
}

/** Returns the id under which the library knows a user of an account. Its beginning names the account's store. */
export function toOwner({ id, jurisdiction }: Pick<AccountRef, "id" | "jurisdiction">, userId: string): string {
  return `${jurisdiction ?? "any"}.${id}.${userId}`;
}

/** Ends the connections that a user made for an account, because the user leaves the account. */
export async function endConnectionsOf(env: Env, account: AccountRef, userId: string): Promise<void> {
  const storage = openStorage(env, "");
  const { keys } = await storage.list({ prefix: `grant:${toOwner(account, userId)}:` });
  for (const { name } of keys) await storage.delete(name);
}

/**
 * Returns the storage of the library. The keys `grant:<owner>:…` and `token:<owner>:…` are in the store of the account,
 * `client:<id>` is in the store of all clients. `origin` is the origin of this service.
 */
export function openStorage(env: Env, origin: string): OAuthStorage {
  const locate = (key: string) => locateStore(env, key);
  return {
    get: async (key, options) => {
      if (key.startsWith("client:https://")) return await readClientDocument(env, key.slice("client:".length), origin);
      const value = (await locate(key)?.get(key)) ?? null;
      return value === null || options?.type !== "json" ? value : JSON.parse(value);
    },
    put: async (key, value, { expirationTtl, expiration } = {}) => {
      const store = locate(key);
      const isNewClient = key.startsWith("client:") && (await store?.get(key)) === null;
      const ttlMs = isNewClient ? UNUSED_CLIENT_MS : expirationTtl && expirationTtl * SECOND_MS;
      const expiresAt = ttlMs === undefined ? expiration && expiration * SECOND_MS : now() + ttlMs;
      await store?.put(key, value, expiresAt ?? null);
    },
    delete: async (key) => {
      const store = locate(key);
      const value = (await store?.get(key)) ?? null;
      // The key is revoked first, so that a failure leaves the grant, and the caller tries again.
      if (value !== null) await endConnection(env, key, value);
      await store?.delete(key);
    },
    list: async ({ prefix }) => {
      const names = (await locate(prefix)?.list(prefix)) ?? [];
      return { keys: names.map((name) => ({ name })), list_complete: true };
    },
  };
}

/** Keeps a client that a user has connected. */
export async function keepClient(storage: OAuthStorage, clientId: string): Promise<void> {
  const key = `client:${clientId}`;
  const value = await storage.get(key);
  if (typeof value === "string") await storage.put(key, value, { expirationTtl: CLIENT_TTL_S });
}

/** Returns the store of a key of the library, or null if it can't be one. Strangers can write any token. */
export function locateStore(env: Env, key: string) {
  const owner = key.startsWith("client:") ? "clients" : readUser(env, key);
  return owner === null ? null : oauthStore(env, owner);
}

function readUser(env: Env, key: string): Pick<AccountRef, "id" | "jurisdiction"> | null {
  const [, name, id] = /^(?:grant|token):(\w+)\.([\w-]{1,64})\./.exec(key) ?? [];
  if (id === undefined) return null;
  const jurisdiction = JURISDICTIONS.find((known) => known === name) ?? null;
  return hasJurisdiction(env, jurisdiction) ? { id, jurisdiction } : null;
}
