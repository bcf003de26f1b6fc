import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { AccountStub } from "../../src/account/client";
import type { Account } from "../../src/account/object";
import type { AccountSettings, NewJob } from "../../src/account/types";
import { newTag, newTaggedId } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import type { ApiKey } from "../../src/model/api-key";
import { ORIGIN } from "./client";

/** An account's object without an entry in the directory: for tests below the API. */
export async function openObject({
  credits = 100_000,
  createdAt = Date.now(),
  ...settings
}: Partial<AccountSettings> & { credits?: number; createdAt?: number } = {}): Promise<AccountRef> {
  const id = crypto.randomUUID();
  const account = { id, tag: newTag(), object: id, jurisdiction: null };
  await stubOf(account).open({
    account,
    createdAt,
    settings: {
      version: 1,
      plan: "enterprise",
      monthlyCredits: credits,
      suspendedAt: null,
      concurrentJobs: 1_000,
      concurrentRenders: 1_000,
      grantsEnabled: true,
      ...settings,
    },
  });
  return account;
}

/** The object's methods. */
export function stubOf(account: AccountRef): AccountStub {
  return objectOf(account) as unknown as AccountStub;
}

/** The object itself, to look into it. */
export function objectOf(account: AccountRef): DurableObjectStub<Account> {
  return env.ACCOUNT.getByName(account.object);
}

/** Runs a statement in an account's tables, and returns its rows. */
export async function sqlIn<Row extends Record<string, SqlStorageValue>>(
  account: AccountRef,
  statement: string,
  ...values: SqlStorageValue[]
): Promise<Row[]> {
  return await runInDurableObject(objectOf(account), (_, { storage }) =>
    storage.sql.exec<Row>(statement, ...values).toArray(),
  );
}

/** Lets a job's lease expire now. */
export async function expireLease(account: AccountRef, id: string): Promise<void> {
  await sqlIn(account, "UPDATE jobs SET lease_until = 0, due_at = 0 WHERE id = ?1 AND status = 'processing'", id);
}

export function newJob(account: AccountRef, job: Partial<NewJob> = {}): NewJob {
  return {
    mode: "live",
    id: newTaggedId(account.tag),
    keyId: "key",
    endpoint: "scrape",
    request: "{}",
    subject: null,
    rendered: false,
    waiting: false,
    webhookUrl: null,
    origin: ORIGIN,
    credits: 1,
    createdAt: Date.now(),
    idempotency: null,
    ...job,
  };
}

export function callerOf(account: AccountRef, caller: Partial<ApiKey> = {}): ApiKey {
  return { id: "key", account, mode: "live", scopes: [], allowedIps: [], revokedAt: null, ...caller };
}

/** When a call of an object's method fails: before it reaches the object, or after the object has done it. */
type Failure = "before" | "after" | null;

/** The bindings with accounts of which some calls fail. */
export function withFailingAccounts(fails: (method: string) => Failure, { retryable = false } = {}): Env {
  const failure = () => Object.assign(new Error("The object can't be reached."), { retryable });
  const wrap = (stub: DurableObjectStub<Account>) =>
    new Proxy(stub, {
      get: (target, method: string) => {
        const when = fails(method);
        return async (...args: unknown[]) => {
          if (when === "before") throw failure();
          // A method of a stub can't be taken off it.
          const reply = await (target as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>)[method]?.(
            ...args,
          );
          if (when === "after") throw failure();
          return reply;
        };
      },
    });
  return { ...env, ACCOUNT: { getByName: (name: string) => wrap(env.ACCOUNT.getByName(name)) } } as unknown as Env;
}
