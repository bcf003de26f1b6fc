import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { changeAccount } from "../../src/directory/accounts";
import { pushDueEntries } from "../../src/directory/push";
import type { KeyVerifier } from "../../src/keys/key-verifier";
import { sha256Hex } from "../../src/lib/crypto";
import { DAY_MS, MINUTE_MS } from "../../src/model/limits";
import { type Client, createAccount, createClient, read, request } from "../support/client";

afterEach(() => vi.useRealTimers());

const ADDRESS = "203.0.113.9";

async function verifierOf(client: Client) {
  const hash = await sha256Hex(client.secret);
  return { hash, stub: env.KEY_VERIFIER.getByName(hash) };
}

async function verify(client: Client) {
  const { hash, stub } = await verifierOf(client);
  const result = await stub.verify(hash, { address: ADDRESS, countedAs: "request" });
  return "reason" in result ? result.reason : result.kind;
}

/** Returns a database whose `prepare` throws if `fails` returns true for the statement. */
function failing(database: D1Database, fails: (sql: string) => boolean): D1Database {
  const wrap = <T extends { prepare: D1Database["prepare"] }>(target: T): T =>
    new Proxy(target, {
      get: (object, name) => {
        if (name === "prepare") {
          return (sql: string) => {
            if (fails(sql)) throw new Error("D1_ERROR: the database is down");
            return object.prepare(sql);
          };
        }
        if (name === "withSession")
          return (...args: [string]) => wrap((object as unknown as D1Database).withSession(...args));
        const value = Reflect.get(object, name);
        return typeof value === "function" ? value.bind(object) : value;
      },
    });
  return wrap(database);
}

/**
 * Returns a database that reads a key's record slowly if `delays` returns true. The result arrives when `until`
 * resolves.
 */
function delayingFirstRead(database: D1Database, delays: () => boolean, until: Promise<void>): D1Database {
  const hold = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get: (object, name) => {
        if (name === "bind") return (...values: unknown[]) => hold(object.bind(...values));
        if (name === "first") {
          return async () => {
            const isDelayed = delays();
            const row = await object.first();
            if (isDelayed) await until;
            return row;
          };
        }
        const value = Reflect.get(object, name);
        return typeof value === "function" ? value.bind(object) : value;
      },
    });
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    return sql.startsWith("SELECT k.id") ? hold(statement) : statement;
  };
  return { prepare, batch: database.batch.bind(database), withSession: () => ({ prepare }) } as unknown as D1Database;
}

/** Replaces bindings of the running verifier. */
async function withEnv(stub: DurableObjectStub<KeyVerifier>, change: Partial<Env>): Promise<void> {
  await runInDurableObject(stub, (instance) => {
    const holder = instance as unknown as { env: Env };
    holder.env = { ...holder.env, ...change };
  });
}

/** Returns the names of the values that the verifier has stored. */
async function listStored(stub: DurableObjectStub<KeyVerifier>) {
  return await runInDurableObject(stub, async (_, { storage }) => [...(await storage.list()).keys()]);
}

/** Returns the stored rate window of requests. */
async function readStoredWindow(stub: DurableObjectStub<KeyVerifier>) {
  const windows = await runInDurableObject(stub, (_, state) =>
    state.storage.get<{ requests: { used: number } | null }>("windows"),
  );
  return windows?.requests;
}

describe("a revocation", () => {
  it("applies from the next request, also among concurrent requests", async () => {
    const owner = await createClient();
    const client = await createClient({ accountId: owner.accountId });
    expect(await verify(client)).toBe("verified");
    let revoked = false;
    const raced: Promise<{ startedAfter: boolean; outcome: string }>[] = [];
    const race = () => {
      const startedAfter = revoked;
      raced.push(verify(client).then((outcome) => ({ startedAfter, outcome })));
    };
    for (let i = 0; i < 25; i++) race();
    const revocation = owner.call("DELETE", `/v1/keys/${client.keyId}`).then((response) => {
      expect(response.status).toBe(204);
      revoked = true;
      for (let i = 0; i < 25; i++) race();
    });
    await revocation;
    const outcomes = await Promise.all(raced);
    expect(outcomes).toHaveLength(50);
    expect(outcomes.filter(({ startedAfter, outcome }) => startedAfter && outcome === "verified")).toEqual([]);
    expect(await verify(client)).toBe("revoked_api_key");
  });

  it("isn't overwritten by a load that began before it", async () => {
    const client = await createClient();
    const { hash, stub } = await verifierOf(client);
    const [, outcome] = await Promise.all([verify(client), stub.revoke(hash, Date.now()).then(() => verify(client))]);
    expect(outcome).toBe("revoked_api_key");
  });

  it("isn't lost after a crash between the write to the database and the reload", async () => {
    const client = await createClient();
    const { hash, stub } = await verifierOf(client);
    expect(await verify(client)).toBe("verified");
    // The write to D1 succeeds, but the read after it fails, as if the object had crashed in between.
    await withEnv(stub, { DB: failing(env.DB, (sql) => sql.startsWith("SELECT k.id")) });
    expect(await stub.revoke(hash, Date.now())).toBe(false);
    await evictDurableObject(stub);
    expect(await verify(client)).toBe("revoked_api_key");
  });

  it("that fails in the database leaves the key valid after the next load", async () => {
    const client = await createClient();
    const { hash, stub } = await verifierOf(client);
    expect(await verify(client)).toBe("verified");
    await withEnv(stub, { DB: failing(env.DB, (sql) => sql.startsWith("UPDATE api_keys SET revoked_at")) });
    expect(await stub.revoke(hash, Date.now())).toBe(false);
    expect(await verify(client)).toBe("verified");
  });
});

describe("an account's change", () => {
  it("reaches 50 verifiers, with the help of the cron for 10 that couldn't be reached", async () => {
    const accountId = await createAccount();
    const clients = await Promise.all(Array.from({ length: 50 }, () => createClient({ accountId })));
    for (const client of clients) expect(await verify(client)).toBe("verified");
    const deaf = new Set(await Promise.all(clients.slice(0, 10).map((client) => sha256Hex(client.secret))));
    const KEY_VERIFIER = {
      getByName: (name: string) =>
        deaf.has(name)
          ? { refresh: async () => Promise.reject(new Error("unreachable")) }
          : env.KEY_VERIFIER.getByName(name),
    } as unknown as Env["KEY_VERIFIER"];
    // Pushes the entries that are due at `now`. Returns the number of verifiers that still have an entry.
    const countLeft = async (now: number) => {
      await pushDueEntries(env, now);
      const query = "SELECT COUNT(*) AS n FROM outbox WHERE target IN (SELECT value FROM json_each(?1))";
      const hashes = JSON.stringify(await Promise.all(clients.map(({ secret }) => sha256Hex(secret))));
      return await env.DB.prepare(query).bind(hashes).first<number>("n");
    };
    const now = Date.now();
    await changeAccount(
      { ...env, KEY_VERIFIER },
      { accountId, change: { suspendedAt: now }, actor: "operator", now: now },
    );

    const outcomes = await Promise.all(clients.map(verify));
    expect(outcomes.slice(10)).toEqual(Array(40).fill("account_suspended"));
    expect(outcomes.slice(0, 10)).toEqual(Array(10).fill("verified"));
    expect(await countLeft(now)).toBe(10); // The failed entries are due again after a minute.
    expect(await countLeft(now + MINUTE_MS)).toBe(0);
    expect(await Promise.all(clients.map(verify))).toEqual(Array(50).fill("account_suspended"));
  });

  it("reaches all verifiers of a large account before the call returns", async () => {
    const accountId = await createAccount();
    const clients = await Promise.all(Array.from({ length: 230 }, () => createClient({ accountId })));
    await Promise.all(clients.map(verify));
    await changeAccount(env, {
      accountId,
      change: { suspendedAt: Date.now() },
      actor: "operator",
      now: Date.now(),
    });
    expect(new Set(await Promise.all(clients.map(verify)))).toEqual(new Set(["account_suspended"]));
  });

  it("applies after ten minutes even if the verifier wasn't informed", async () => {
    const client = await createClient();
    expect(await verify(client)).toBe("verified");
    await env.DB.prepare("UPDATE accounts SET suspended_at = 1 WHERE id = ?1").bind(client.accountId).run();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * MINUTE_MS - 1_000 });
    for (let i = 0; i < 3; i++) expect(await verify(client)).toBe("verified");
    vi.setSystemTime(Date.now() + 1_000);
    // This request starts the refresh and doesn't wait for it.
    expect(await verify(client)).toBe("verified");
    await expect.poll(() => verify(client)).toBe("account_suspended");
  });

  it("ends a suspension and changes the rate from the next request", async () => {
    const accountId = await createAccount({ plan: "free", ratePerMinute: null });
    const client = await createClient({ accountId });
    const limit = async () => Number((await client.call("GET", "/v1/jobs")).headers.get("x-ratelimit-limit"));
    expect(await limit()).toBe(10);
    await changeAccount(env, { accountId, change: { plan: "pro" }, actor: "operator", now: Date.now() });
    expect(await limit()).toBe(100);
    await changeAccount(env, {
      accountId,
      change: { suspendedAt: Date.now() },
      actor: "operator",
      now: Date.now(),
    });
    const refused = await client.call("GET", "/v1/jobs");
    expect([refused.status, (await read(refused)).error.code]).toEqual([403, "account_suspended"]);
    await changeAccount(env, {
      accountId,
      change: { suspendedAt: null, plan: "enterprise", ratePerMinute: 7 },
      actor: "operator",
      now: Date.now(),
    });
    expect(await limit()).toBe(7);
  });
});

describe("a key that was never used", () => {
  it("is accepted from an IP address with too many failed authentications", async () => {
    const owner = await createClient();
    const { data } = await (await owner.call("POST", "/v1/keys", {})).json<{ data: { key: string } }>();
    const address = "198.51.100.88";
    const guess = () =>
      request("/v1/jobs", { headers: { authorization: "Bearer sk_live_guess", "cf-connecting-ip": address } });
    for (let i = 0; i < 61; i++) await guess();
    expect((await guess()).status).toBe(429);
    const headers = { authorization: `Bearer ${data.key}`, "cf-connecting-ip": address };
    expect((await request("/v1/jobs", { headers })).status).toBe(200);
  });
});

describe("a verifier", () => {
  it("doesn't read the database if its record is cached", async () => {
    const client = await createClient();
    const { stub } = await verifierOf(client);
    expect(await verify(client)).toBe("verified");
    await withEnv(stub, { DB: failing(env.DB, () => true) });
    for (let i = 0; i < 5; i++) expect(await verify(client)).toBe("verified");
  });

  it("restores its rate windows and its record after an eviction", async () => {
    const accountId = await createAccount({ ratePerMinute: 3 });
    const client = await createClient({ accountId });
    const { stub } = await verifierOf(client);
    for (let i = 0; i < 3; i++) expect(await verify(client)).toBe("verified");
    // Requests are written together after SAVE_AFTER_MS.
    await expect.poll(async () => (await readStoredWindow(stub))?.used).toBe(3);
    await evictDurableObject(stub);
    expect(await verify(client)).toBe("rate_limited");
  });

  it("responds even if the write of its rate window never ends", async () => {
    const client = await createClient();
    const { stub } = await verifierOf(client);
    expect(await verify(client)).toBe("verified");
    const writes: [unknown, unknown, unknown][] = [];
    await runInDurableObject(stub, (_, { storage }) => {
      const put = (...write: [unknown, unknown, unknown]) => {
        writes.push(write);
        return new Promise<void>(() => {});
      };
      Object.defineProperty(storage, "put", { value: put });
    });
    expect(await verify(client)).toBe("verified");
    await expect.poll(() => writes.length).toBeGreaterThan(0);
    // With `allowUnconfirmed`, the response doesn't wait for the write.
    expect(writes[0]).toEqual(["windows", expect.anything(), { allowUnconfirmed: true }]);
    expect(await verify(client)).toBe("verified");
  });

  it("writes nothing for an unknown key", async () => {
    const hash = await sha256Hex(`sk_live_${crypto.randomUUID()}`);
    const stub = env.KEY_VERIFIER.getByName(hash);
    expect(await stub.verify(hash, { address: "198.51.100.1", countedAs: "request" })).toMatchObject({
      kind: "unauthorized",
      reason: "invalid_api_key",
    });
    await stub.refresh(hash);
    expect(await runInDurableObject(stub, async (_, state) => (await state.storage.list()).size)).toBe(0);
  });

  it("doesn't read the database for unknown keys if the address's window is exhausted, but still accepts valid keys", async () => {
    const address = "198.51.100.77";
    const valid = await createClient();
    const { hash: validHash, stub: validStub } = await verifierOf(valid);
    expect((await validStub.verify(validHash, { address, countedAs: "request" })).kind).toBe("verified");
    const guess = async (database: D1Database) => {
      const hash = await sha256Hex(crypto.randomUUID());
      const stub = env.KEY_VERIFIER.getByName(hash);
      await withEnv(stub, { DB: database });
      return await stub.verify(hash, { address, countedAs: "request" });
    };
    for (let i = 0; i < 60; i++) expect(await guess(env.DB)).toMatchObject({ rate: { allowed: true } });
    const down = failing(env.DB, () => true);
    for (let i = 0; i < 5; i++)
      expect(await guess(down)).toMatchObject({ kind: "unauthorized", rate: { allowed: false, remaining: 0 } });
    expect((await validStub.verify(validHash, { address, countedAs: "request" })).kind).toBe("verified");
  });

  it("limits the database reads for unknown keys, even for concurrent requests", async () => {
    let reads = 0;
    const counting = failing(env.DB, (sql) => {
      if (sql.startsWith("SELECT k.id")) reads++;
      return false;
    });
    const guesses = Array.from({ length: 100 }, async () => {
      const hash = await sha256Hex(crypto.randomUUID());
      const stub = env.KEY_VERIFIER.getByName(hash);
      await withEnv(stub, { DB: counting });
      return await stub.verify(hash, { address: "198.51.100.99", countedAs: "request" });
    });
    await Promise.all(guesses);
    expect(reads).toBe(60);
  });

  it("is unavailable while the database's schema is older than the code", async () => {
    const client = await createClient();
    const { hash, stub } = await verifierOf(client);
    const outdated = failing(env.DB, () => false);
    const DB = new Proxy(outdated, {
      get: (object, name) => {
        if (name !== "prepare") return Reflect.get(object, name);
        return (sql: string) => (sql.includes("schema_versions") ? { first: async () => 0 } : object.prepare(sql));
      },
    });
    await withEnv(stub, { DB });
    expect((await stub.verify(hash, { address: ADDRESS, countedAs: "request" })).kind).toBe("unavailable");
    await withEnv(stub, { DB: env.DB });
    expect(await verify(client)).toBe("verified");
  });

  it("returns unavailable, with a rate window, if the database can't be read", async () => {
    const client = await createClient();
    const { hash, stub } = await verifierOf(client);
    await withEnv(stub, { DB: failing(env.DB, () => true) });
    expect(await stub.verify(hash, { address: ADDRESS, countedAs: "request" })).toMatchObject({
      kind: "unavailable",
      rate: { limit: 60 },
    });
  });

  it("uses its record for one day while the database can't be reached", async () => {
    const client = await createClient();
    const { stub } = await verifierOf(client);
    expect(await verify(client)).toBe("verified");
    await withEnv(stub, { DB: failing(env.DB, () => true) });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + DAY_MS - MINUTE_MS });
    for (let i = 0; i < 3; i++) expect(await verify(client)).toBe("verified");
    vi.setSystemTime(Date.now() + 2 * MINUTE_MS);
    expect(await verify(client)).toBe("unavailable");
    await withEnv(stub, { DB: env.DB });
    expect(await verify(client)).toBe("verified");
  });

  it("doesn't accept a revoked key after a refresh that began before the revocation", async () => {
    const client = await createClient();
    const { hash, stub } = await verifierOf(client);
    expect(await verify(client)).toBe("verified");
    // The refresh has started to read the key's record. The read ends only after the revocation.
    const { promise: revoked, resolve } = Promise.withResolvers<void>();
    let reads = 0;
    await withEnv(stub, { DB: delayingFirstRead(env.DB, () => ++reads === 1, revoked) });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11 * MINUTE_MS });
    expect(await verify(client)).toBe("verified");
    expect(await stub.revoke(hash, Date.now())).toBe(true);
    resolve();
    for (let i = 0; i < 3; i++) expect(await verify(client)).toBe("revoked_api_key");
    expect(reads).toBe(2);
  });

  it("informs the directory at a key's first use, then at most every 15 minutes", async () => {
    const client = await createClient();
    const { stub } = await verifierOf(client);
    const lastUsed = () =>
      env.DB.prepare("SELECT last_used_at FROM api_keys WHERE id = ?1")
        .bind(client.keyId)
        .first<number>("last_used_at");
    const sent: unknown[] = [];
    const SUMMARIES = {
      send: async (message: unknown) => {
        sent.push(message);
        await env.SUMMARIES.send(message);
      },
    } as unknown as Queue;
    await withEnv(stub, { SUMMARIES });
    for (let i = 0; i < 3; i++) await verify(client);
    expect(sent).toEqual([{ kind: "key_used", keyId: client.keyId, at: expect.any(Number) }]);
    await expect.poll(lastUsed).toBeGreaterThan(0);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 15 * MINUTE_MS });
    await verify(client);
    expect(sent).toHaveLength(2);
  });

  it("removes the mark of a change after it has loaded the record again", async () => {
    const { hash, stub } = await verifierOf(await createClient());
    expect(await stub.refresh(hash)).toBe(true);
    expect(await listStored(stub)).toEqual(["record"]);
    expect(await stub.revoke(hash, 1)).toBe(true);
    expect(await listStored(stub)).not.toContain("changing");
  });

  it("informs the directory at most every 15 minutes, even if it is evicted", async () => {
    const { hash, stub } = await verifierOf(await createClient());
    const verify = () => stub.verify(hash, { address: null, countedAs: "request" });
    await verify();
    await expect.poll(() => listStored(stub)).toContain("windows");
    await evictDurableObject(stub);
    const sent: unknown[] = [];
    const send = async (message: unknown) => void sent.push(message);
    await withEnv(stub, { SUMMARIES: { send } as unknown as Queue });
    expect((await verify()).kind).toBe("verified");
    expect(sent).toEqual([]);
  });

  it("retries a failed refresh after a minute, and not with each request", async () => {
    const { hash, stub } = await verifierOf(await createClient());
    const verify = async () => (await stub.verify(hash, { address: null, countedAs: "request" })).kind;
    await verify();
    let reads = 0;
    await withEnv(stub, { DB: failing(env.DB, () => ++reads > 0) });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * MINUTE_MS });
    for (let i = 0; i < 3; i++) expect(await verify()).toBe("verified");
    expect(reads).toBe(1);
    vi.setSystemTime(Date.now() + MINUTE_MS);
    for (let i = 0; i < 3; i++) expect(await verify()).toBe("verified");
    expect(reads).toBe(2);
  });
});

describe("the rate of a verified key", () => {
  async function newVerifier() {
    const accountId = await createAccount({ ratePerMinute: 3 });
    const { hash, stub } = await verifierOf(await createClient({ accountId }));
    const verify = (countedAs: "request" | "poll") => stub.verify(hash, { address: null, countedAs });
    return { stub, verify };
  }

  it("is counted apart from the rate of polling", async () => {
    const { verify } = await newVerifier();
    const remaining = [];
    for (let i = 0; i < 4; i++) {
      const { kind, rate } = await verify("request");
      remaining.push([kind, rate.limit, rate.remaining]);
    }
    expect(remaining).toEqual([
      ["verified", 3, 2],
      ["verified", 3, 1],
      ["verified", 3, 0],
      ["refused", 3, 0],
    ]);
    expect(await verify("poll")).toMatchObject({ kind: "verified", rate: { limit: 30, remaining: 29 } });
  });

  it("is known while the database can't be reached and the record is too old", async () => {
    const { stub, verify } = await newVerifier();
    await verify("request");
    await withEnv(stub, { DB: failing(env.DB, () => true) });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + DAY_MS + MINUTE_MS });
    expect(await verify("request")).toMatchObject({ kind: "unavailable", rate: { limit: 3, remaining: 3 } });
    expect(await verify("poll")).toMatchObject({ kind: "unavailable", rate: { limit: 30, remaining: 30 } });
  });
});
