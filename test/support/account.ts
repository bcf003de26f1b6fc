import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { AccountStub } from "../../src/account/client";
import type { Account } from "../../src/account/object";
import type { AccountSettings, NewJob } from "../../src/account/storage/types";
import { updateGrants } from "../../src/directory/accounts";
import { newTag, newTaggedId } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import type { ApiKey } from "../../src/model/api-key";
import type { JobMessage } from "../../src/model/job";
import { toPrices } from "../../src/model/prices";
import { ORIGIN } from "./origin";

/** Opens an account's Durable Object without inserting a row into D1, for tests below the API. */
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
      chargeFreeOutcomes: false,
      dailyCredits: null,
      ...settings,
    },
  });
  return account;
}

const SILENT_QUEUE = { send: async () => {}, sendBatch: async () => {} } as unknown as Queue;

/**
 * Returns a stub that has the types of the object's RPC methods. Its `createJob` sends no queue message, so that only the
 * test runs the job.
 */
export function stubOf(account: AccountRef): AccountStub {
  return toSilentStub(objectOf(account)) as unknown as AccountStub;
}

/** Returns a stub whose `createJob` sends no queue message. */
function toSilentStub(stub: DurableObjectStub<Account>): DurableObjectStub<Account> {
  const createJob = (job: NewJob) =>
    runInDurableObject(stub, (instance) => {
      const object = instance as unknown as { env: Env };
      const { env: bindings } = object;
      object.env = { ...bindings, JOBS: SILENT_QUEUE, RENDERS: SILENT_QUEUE };
      try {
        return instance.createJob(job);
      } finally {
        object.env = bindings;
      }
    });
  return new Proxy(stub, {
    get: (target, name) => {
      if (name === "createJob") return createJob;
      const methods = target as unknown as Record<string | symbol, (...args: unknown[]) => unknown>;
      if (typeof methods[name] !== "function") return methods[name];
      // Calls the method on its stub, because a detached stub method has no `this`.
      return (...args: unknown[]) => methods[name]?.(...args);
    },
  });
}

/** Returns bindings with which new jobs send no queue messages. */
export function withSilentJobs(bindings: Env): Env {
  const getByName = (name: string) => toSilentStub(bindings.ACCOUNT.getByName(name));
  return { ...bindings, ACCOUNT: { getByName } as unknown as Env["ACCOUNT"] };
}

/** Records the messages that the object sends to its job queues instead of sending them. */
export async function recordJobMessages(account: AccountRef, { fails = false } = {}): Promise<[string, JobMessage][]> {
  const sent: [string, JobMessage][] = [];
  const queue = (name: string) => {
    const sendBatch = async (messages: MessageSendRequest<JobMessage>[]) => {
      for (const { body } of messages) sent.push([name, body]);
      if (fails) throw new Error("The queue is down.");
    };
    return { sendBatch } as unknown as Queue;
  };
  await runInDurableObject(objectOf(account), (instance) => {
    (instance as unknown as { env: Env }).env = { ...env, JOBS: queue("jobs"), RENDERS: queue("renders") };
  });
  return sent;
}

/** Returns the plain Durable Object stub, which the helpers of `cloudflare:test` need. */
export function objectOf(account: AccountRef): DurableObjectStub<Account> {
  return env.ACCOUNT.getByName(account.object);
}

/** Runs an SQL statement in an account's Durable Object and returns the rows. */
export async function sqlIn<Row extends Record<string, SqlStorageValue>>(
  account: AccountRef,
  statement: string,
  ...values: SqlStorageValue[]
): Promise<Row[]> {
  return await runInDurableObject(objectOf(account), (_, { storage }) =>
    storage.sql.exec<Row>(statement, ...values).toArray(),
  );
}

/** Sets a processing job's lease to expired. */
export async function expireLease(account: AccountRef, id: string): Promise<void> {
  await sqlIn(account, "UPDATE jobs SET lease_until = 0, due_at = 0 WHERE id = ?1 AND status = 'processing'", id);
}

export function newJob(account: AccountRef, job: Partial<NewJob> = {}): NewJob {
  return {
    mode: "live",
    id: newTaggedId(account.tag),
    keyId: "key",
    endpoint: "scrape",
    request: `{"url":"https://example.com/"}`,
    subject: null,
    rendered: false,
    waiting: false,
    webhookUrl: null,
    origin: ORIGIN,
    credits: 1,
    plan: { method: "plain", lines: [{ item: job.endpoint ?? "scrape", credits: job.credits ?? 1 }] },
    prices: toPrices({}),
    createdAt: Date.now(),
    idempotency: null,
    ...job,
  };
}

export function callerOf(account: AccountRef, caller: Partial<ApiKey> = {}): ApiKey {
  return {
    id: "key",
    account,
    mode: "live",
    scopes: [],
    allowedIps: [],
    revokedAt: null,
    expiresAt: null,
    creditLimit: null,
    ...caller,
  };
}

/** Selects the failure of an RPC call: before or after the object runs the method. Null if the call succeeds. */
type Failure = "before" | "after" | null;

/**
 * Returns bindings whose account objects can fail. For each method call, `fails` selects the failure. Each error has
 * the property `retryable`.
 */
export function withFailingAccounts(fails: (method: string) => Failure, { retryable = false } = {}): Env {
  const failure = () => Object.assign(new Error("The account's object can't be reached."), { retryable });
  const wrap = (stub: DurableObjectStub<Account>) =>
    new Proxy(stub, {
      get: (target, method: string) => {
        const when = fails(method);
        return async (...args: unknown[]) => {
          if (when === "before") throw failure();
          // Calls the method on its stub, because a detached stub method has no `this`.
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

/** Counts the rows that the account's Durable Object reads and writes while `work` runs. */
export async function countRows(
  account: AccountRef,
  work: () => Promise<unknown>,
): Promise<{ read: number; written: number }> {
  const rows = { read: 0, written: 0 };
  const restore = await runInDurableObject(objectOf(account), (_, { storage }) => {
    const { sql } = storage;
    const exec = sql.exec.bind(sql);
    sql.exec = ((query: string, ...values: SqlStorageValue[]) => {
      const cursor = exec(query, ...values);
      const all = cursor.toArray();
      rows.read += cursor.rowsRead;
      rows.written += cursor.rowsWritten;
      return { toArray: () => all, one: () => all[0], rowsWritten: cursor.rowsWritten };
    }) as typeof sql.exec;
    return () => {
      sql.exec = exec as typeof sql.exec;
    };
  });
  await work();
  restore();
  return rows;
}

/** Updates the grants of the accounts of all tests. One call of `updateGrants` updates a limited number of accounts. */
export async function updateAllGrants(bindings: Env, now = Date.now()): Promise<void> {
  while ((await updateGrants(bindings, now)) > 0);
}
