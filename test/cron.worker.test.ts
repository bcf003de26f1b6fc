import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { runCron } from "../src/cron";
import { changeAccount } from "../src/directory/accounts";
import { sha256Hex } from "../src/lib/crypto";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../src/model/limits";
import { sqlIn } from "./support/account";
import { createAccount, createClient, refOf } from "./support/client";
import { recordLines } from "./support/lines";

/** A binding whose verifiers can't be reached. */
const KEY_VERIFIER = {
  getByName: () => ({ refresh: () => Promise.reject(new Error("the verifier is down")) }),
} as unknown as Env["KEY_VERIFIER"];

/** A binding whose account objects can't be reached. */
const ACCOUNT = {
  getByName: () => ({ open: () => Promise.reject(new Error("the object is down")) }),
} as unknown as Env["ACCOUNT"];

/** Returns a database that calls `fails` instead of running a statement that begins with `start`. */
function failing(start: string, fails: () => Promise<never> | D1PreparedStatement): D1Database {
  return new Proxy(env.DB, {
    get: (object, name) => {
      if (name === "prepare") {
        return (sql: string) => {
          if (!sql.trim().startsWith(start)) return object.prepare(sql);
          return { bind: () => ({ run: fails, all: fails, first: fails }) };
        };
      }
      const value = Reflect.get(object, name);
      return typeof value === "function" ? value.bind(object) : value;
    },
  });
}

async function insertExpiredSession(): Promise<() => Promise<unknown>> {
  const id = crypto.randomUUID();
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO users (id, name, email, email_verified, created_at, updated_at) VALUES (?1, '', ?1, 0, '', '')",
    ).bind(id),
    env.DB.prepare(
      "INSERT INTO sessions (id, token, user_id, expires_at, created_at, updated_at) VALUES (?1, ?1, ?1, '2000-01-01', '', '')",
    ).bind(id),
  ]);
  return () => env.DB.prepare("SELECT 1 FROM sessions WHERE id = ?1").bind(id).first();
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("the cron", () => {
  it("deletes keys that were revoked more than 30 days ago", async () => {
    const client = await createClient({ revoked: true });
    const isListed = () => env.DB.prepare("SELECT 1 FROM api_keys WHERE id = ?1").bind(client.keyId).first();
    await runCron(env, Date.now() + 29 * DAY_MS);
    expect(await isListed()).not.toBeNull();
    await runCron(env, Date.now() + 31 * DAY_MS);
    expect(await isListed()).toBeNull();
  });

  it("invalidates a deleted key, and retries if its verifier can't be reached", async () => {
    const client = await createClient({ revoked: true });
    expect((await client.call("GET", "/v1/usage")).status).toBe(401);
    const verifier = env.KEY_VERIFIER.getByName(await sha256Hex(client.secret));
    const stored = () => runInDurableObject(verifier, async (_, state) => (await state.storage.list()).size);
    expect(await stored()).toBe(1);
    await env.DB.prepare("UPDATE api_keys SET revoked_at = 1 WHERE id = ?1").bind(client.keyId).run();
    const now = Date.now();
    await runCron({ ...env, KEY_VERIFIER }, now);
    await runCron({ ...env, KEY_VERIFIER }, now + MINUTE_MS);
    expect(await stored()).toBe(1);
    await runCron(env, now + 2 * MINUTE_MS);
    expect(await stored()).toBe(0);
  });

  it("updates the verifiers and the Durable Object of a changed account if the first attempt failed", async () => {
    const client = await createClient();
    expect((await client.call("GET", "/v1/usage")).status).toBe(200);
    const now = Date.now();
    const { accountId } = client;
    const isSuspended = async () => {
      const [row] = await sqlIn(await refOf(accountId), "SELECT suspended_at FROM account");
      return row?.suspended_at !== null;
    };
    const change = { accountId, change: { suspendedAt: now }, actor: "operator", now };
    await changeAccount({ ...env, KEY_VERIFIER, ACCOUNT }, change);
    expect([(await client.call("GET", "/v1/usage")).status, await isSuspended()]).toEqual([200, false]);
    await runCron(env, now + MINUTE_MS);
    expect([(await client.call("GET", "/v1/usage")).status, await isSuspended()]).toEqual([403, true]);
  });

  it("keeps the outbox entry of a change that was made while an older one was being sent", async () => {
    const accountId = await createAccount();
    const suspend = (suspendedAt: number | null, bindings: Env = env) =>
      changeAccount(bindings, { accountId, change: { suspendedAt }, actor: "operator", now: Date.now() });
    // Makes a second change while the first change is being sent. Sending the second change fails.
    let second: Promise<void> | null = null;
    const slow = {
      getByName: (name: string, options: DurableObjectNamespaceGetDurableObjectOptions) => ({
        open: async (input: never) => {
          second ??= suspend(null, { ...env, ACCOUNT });
          await second;
          return await env.ACCOUNT.getByName(name, options).open(input);
        },
      }),
    } as unknown as Env["ACCOUNT"];
    await suspend(1, { ...env, ACCOUNT: slow });
    const { results } = await env.DB.prepare("SELECT version FROM outbox WHERE target = ?1").bind(accountId).all();
    expect(results).toEqual([{ version: 3 }]);
    await runCron(env, Date.now() + MINUTE_MS);
    const states = await sqlIn(await refOf(accountId), "SELECT version, suspended_at FROM account");
    expect(states).toEqual([{ version: 3, suspended_at: null }]);
  });

  it("deletes expired links, old counters of attempts and old checks of search engines, but no newer ones", async () => {
    const now = Date.now();
    const iso = (ms: number) => new Date(ms).toISOString();
    const ids = { old: crypto.randomUUID(), recent: crypto.randomUUID() };
    const link =
      "INSERT INTO verifications (id, identifier, value, expires_at, created_at, updated_at) VALUES (?1, ?1, '', ?2, '', '')";
    const attempt = "INSERT INTO sign_in_attempts (id, key, count, last_request) VALUES (?1, ?1, 1, ?2)";
    const check = "INSERT INTO serp_checks (engine, source, checked_at) VALUES ('bing', ?1, ?2)";
    await env.DB.batch([
      env.DB.prepare(link).bind(ids.old, iso(now)),
      env.DB.prepare(link).bind(ids.recent, iso(now + 1_000)),
      env.DB.prepare(attempt).bind(ids.old, now - DAY_MS),
      env.DB.prepare(attempt).bind(ids.recent, now - DAY_MS + 1_000),
      env.DB.prepare(check).bind(ids.old, now - 7 * DAY_MS),
      env.DB.prepare(check).bind(ids.recent, now - 7 * DAY_MS + 1_000),
    ]);
    const lines = recordLines();
    await runCron(env, now);
    for (const [table, column] of [
      ["verifications", "id"],
      ["sign_in_attempts", "id"],
      ["serp_checks", "source"],
    ]) {
      const select = env.DB.prepare(`SELECT ${column} AS id FROM ${table} WHERE ${column} IN (?1, ?2)`);
      const { results } = await select.bind(ids.old, ids.recent).all();
      expect([table, results]).toEqual([table, [{ id: ids.recent }]]);
    }
    // The log has only parts that did something.
    const [line] = lines.of("cron");
    expect(line).toMatchObject({ links: expect.any(Number), attempts: expect.any(Number) });
    expect(Object.values(line ?? {})).not.toContain(0);
  });

  it("writes nothing to the log if there was no work", async () => {
    const now = Date.now();
    await runCron(env, now);
    const lines = recordLines();
    await runCron(env, now);
    // A delivery of an earlier test may still end meanwhile.
    expect([...lines.of("cron"), ...lines.of("cron_failed")]).toEqual([]);
  });

  it("wakes an account whose alarm is late", async () => {
    const accountId = await createAccount();
    const now = Date.now();
    const update = "UPDATE account_summaries SET next_due_at = ?2 WHERE account_id = ?1";
    const insert =
      "INSERT OR IGNORE INTO account_summaries (account_id, balance, reserved, granted, used, queued, processing, updated_at) VALUES (?1, 0, 0, 0, 0, 0, 0, ?2)";
    await env.DB.batch([
      env.DB.prepare(insert).bind(accountId, now),
      env.DB.prepare(update).bind(accountId, now - 60 * MINUTE_MS),
    ]);
    const lines = recordLines();
    await runCron(env, now);
    expect(lines.of("cron")).toMatchObject([{ accounts_woken: expect.any(Number) }]);
  });

  it("checks the search engines if SERP_CANARY is on", async () => {
    const DB = failing("INSERT INTO serp_checks", () => Promise.reject(new Error("the database is down")));
    const lines = recordLines();
    await expect(runCron({ ...env, DB, SERP_CANARY: "on" } as Env, Date.now())).rejects.toThrow("A part of the cron");
    expect(lines.of("cron_failed")).toMatchObject([{ part: "checked" }]);
  });

  it("runs its other parts if one fails, and throws an error at the end", async () => {
    const session = await insertExpiredSession();
    const DB = failing("UPDATE outbox", () => Promise.reject(new Error("the database is down")));
    await expect(runCron({ ...env, DB }, Date.now())).rejects.toThrow("A part of the cron failed");
    expect(await session()).toBeNull();
  });

  it("stops waiting for a part that hangs, and runs the others", async () => {
    const session = await insertExpiredSession();
    const DB = failing("UPDATE outbox", () => new Promise<never>(() => undefined));
    await expect(runCron({ ...env, DB }, Date.now(), 3 * SECOND_MS)).rejects.toThrow("A part of the cron failed.");
    expect(await session()).toBeNull();
  });

  it("changes nothing while the schema is older than the code", async () => {
    const session = await insertExpiredSession();
    const DB = new Proxy(env.DB, {
      get: (object, name) => {
        if (name !== "prepare") return Reflect.get(object, name);
        return (sql: string) => (sql.includes("schema_versions") ? { first: async () => 0 } : object.prepare(sql));
      },
    });
    await expect(runCron({ ...env, DB }, Date.now())).rejects.toThrow("The database has no tables.");
    expect(await session()).not.toBeNull();
  });
});
