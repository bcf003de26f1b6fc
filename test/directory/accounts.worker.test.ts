import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { app } from "../../src/app";
import { changeAccount, createAccount as createDirectoryAccount } from "../../src/directory/accounts";
import { adjustCredits } from "../../src/directory/credits";
import { pushDueEntries } from "../../src/directory/push";
import { newId, newTag } from "../../src/lib/id";
import { MINUTE_MS } from "../../src/model/limits";
import type { Plan } from "../../src/model/plan";
import { getAccount, getAccountByTag, insertAccount, toAccountRef } from "../../src/store/accounts";
import { listAudit } from "../../src/store/audit";
import { updateAllGrants } from "../support/account";
import { createAccount, createClient, ORIGIN, objectOf, page, refOf, request } from "../support/client";
import { openAccount } from "../support/open-account";
import { WITH_EMAIL } from "../support/visitor";

afterEach(() => vi.useRealTimers());

const actor = "operator";
const today = { mode: "live" as const, since: "2000-01-01" };

/** A binding whose account objects can't be reached. */
const ACCOUNT = {
  getByName: () => {
    const fail = () => Promise.reject(new Error("the object is down"));
    return { open: fail, update: fail, usage: fail, adjust: fail, wake: fail };
  },
} as unknown as Env["ACCOUNT"];

/** Inserts a user whose email address isn't verified. */
async function newUser() {
  const id = newId();
  await env.DB.prepare(
    `INSERT INTO users (id, name, email, email_verified, created_at, updated_at)
     VALUES (?1, 'Jane Doe', ?1 || '@example.com', 0, '', '')`,
  )
    .bind(id)
    .run();
  return { id, name: "Jane Doe", emailVerified: false };
}

async function creditsOf(accountId: string): Promise<{ balance: number; granted: number } | "gone"> {
  const usage = await (await objectOf(accountId)).usage(today);
  return "kind" in usage ? "gone" : { balance: usage.balance, granted: usage.period.granted };
}

async function pendingEntries(target: string): Promise<unknown[]> {
  const { results } = await env.DB.prepare("SELECT kind, version FROM outbox WHERE target = ?1").bind(target).all();
  return results;
}

describe("a user's first session", () => {
  it("creates an account on the free plan with the first month's credits", async () => {
    const user = await newUser();
    const account = await openAccount(env, user, Date.now());
    expect(account).toMatchObject({ id: user.id, plan: "free", object: user.id, version: 1 });
    expect(account.tag).toMatch(/^[0-9a-f]{10}$/);
    expect(await creditsOf(account.id)).toEqual({ balance: 500, granted: 500 });
    expect(await pendingEntries(account.id)).toEqual([]);
    expect(await getAccountByTag(env.DB, account.tag)).toMatchObject({ id: user.id });
  });

  it("creates only one account if there are several first sessions at the same time", async () => {
    const user = await newUser();
    const accounts = await Promise.all(Array.from({ length: 5 }, () => openAccount(env, user, Date.now())));
    expect(new Set(accounts.map(({ tag }) => tag)).size).toBe(1);
    expect(await creditsOf(user.id)).toEqual({ balance: 500, granted: 500 });
  });

  it("works while the Durable Object can't be reached; the next session opens it", async () => {
    const user = await newUser();
    await openAccount({ ...env, ACCOUNT }, user, Date.now());
    expect(await pendingEntries(user.id)).toEqual([{ kind: "account", version: 1 }]);
    expect(await creditsOf(user.id)).toBe("gone");
    await openAccount(env, user, Date.now());
    expect(await creditsOf(user.id)).toEqual({ balance: 500, granted: 500 });
  });

  it("works while the Durable Object can't be reached; the cron opens it", async () => {
    const user = await newUser();
    const now = Date.now();
    await openAccount({ ...env, ACCOUNT }, user, now);
    await pushDueEntries(env, now + MINUTE_MS);
    expect(await creditsOf(user.id)).toEqual({ balance: 500, granted: 500 });
    expect(await pendingEntries(user.id)).toEqual([]);
  });

  it("creates the Durable Object in the operator's location, if there is one", async () => {
    const unset = { location: null, jurisdiction: null };
    expect(await openAccount(env, await newUser(), Date.now())).toMatchObject(unset);
    const fixed = { ...env, ACCOUNT_LOCATION: "weur" } as Env;
    expect(await openAccount(fixed, await newUser(), Date.now())).toMatchObject({ location: "weur" });
    const wrong = { ...env, ACCOUNT_LOCATION: "mars" } as Env;
    await expect(openAccount(wrong, await newUser(), Date.now())).rejects.toThrow('ACCOUNT_LOCATION is "mars".');
  });

  it("uses the jurisdiction's namespace and passes the location as a hint", async () => {
    const calls: unknown[] = [];
    const getByName = (name: string, options: unknown) => {
      calls.push([name, options]);
      return { open: async () => ({ kind: "open" }) };
    };
    const namespace = {
      getByName: () => Promise.reject(new Error("The object must be in its jurisdiction.")),
      jurisdiction: (name: string) => {
        calls.push(name);
        return { getByName };
      },
    } as unknown as Env["ACCOUNT"];
    const bindings = { ...env, ACCOUNT: namespace, ACCOUNT_LOCATION: "weur", ACCOUNT_JURISDICTION: "eu" } as Env;
    const user = await newUser();
    const account = await openAccount(bindings, user, Date.now());
    // The first call checks that the jurisdiction is supported. The second call gets the Durable Object.
    expect(calls).toEqual(["eu", "eu", [user.id, { locationHint: "weur" }]]);
    expect(account).toMatchObject({ jurisdiction: "eu", location: "weur" });
    expect(await pendingEntries(user.id)).toEqual([]);
  });
});

describe("an account", () => {
  it("isn't inserted with a tag that another account has", async () => {
    const tag = newTag();
    const account = (id: string) => ({
      ...{ id, tag, object: id, jurisdiction: null, location: null, name: "Twin", plan: "free" as Plan },
      ...{ ratePerMinute: null, monthlyCredits: null, grantsEnabled: true, createdAt: Date.now() },
    });
    expect(await insertAccount(env.DB, account(newId()))).toBe(true);
    expect(await insertAccount(env.DB, account(newId()))).toBe(false);
  });

  it("sends changes of its plan and limits to its Durable Object, which ignores older versions", async () => {
    const accountId = await createAccount({ plan: "free" });
    const object = await objectOf(accountId);
    const change = { plan: "pro" as Plan, monthlyCredits: null, concurrentJobs: 7 };
    await changeAccount(env, { accountId, change, actor, now: Date.now() });
    await expect.poll(() => pendingEntries(accountId)).toEqual([]);
    // A settings update with an older version arrives late and must have no effect.
    const late = { ...{ version: 1, plan: "free" as Plan, monthlyCredits: 1, suspendedAt: Date.now() } };
    await object.update({
      ...late,
      concurrentJobs: 1,
      concurrentRenders: 1,
      grantsEnabled: true,
      chargeFreeOutcomes: false,
      dailyCredits: null,
    });
    const client = await createClient({ accountId });
    expect((await client.scrape({ url: page("article") })).status).toBe(200);
    const entries = await listAudit(env.DB, { accountId, limit: 10, before: null });
    expect(entries[0]).toMatchObject({ action: "account.change", detail: { plan: "pro", concurrent_jobs: 7 } });
  });

  it("that was erased can't be found, and its keys are unknown", async () => {
    const client = await createClient();
    expect((await client.call("GET", "/v1/usage")).status).toBe(200);
    const account = await getAccount(env.DB, client.accountId);
    await env.DB.prepare("UPDATE accounts SET erased_at = 1 WHERE id = ?1").bind(client.accountId).run();
    await env.KEY_VERIFIER.getByName(await hashOf(client.keyId)).refresh(await hashOf(client.keyId));
    const unknown = await request("/v1/usage", { headers: { authorization: `Bearer ${client.secret}` } });
    expect(unknown.status).toBe(401);
    expect(await unknown.json()).toMatchObject({ error: { code: "invalid_api_key" } });
    expect(await getAccount(env.DB, client.accountId)).toBeNull();
    expect(await getAccountByTag(env.DB, account?.tag ?? "")).toBeNull();
  });
});

async function hashOf(keyId: string): Promise<string> {
  return (await env.DB.prepare("SELECT hash FROM api_keys WHERE id = ?1").bind(keyId).first<string>("hash")) ?? "";
}

describe("the monthly credits", () => {
  it("are granted after a member has verified an address, if email is configured", async () => {
    const withMail = { ...env, ...WITH_EMAIL } as Env;
    const user = await newUser();
    const now = Date.now();
    await openAccount(withMail, user, now);
    expect(await creditsOf(user.id)).toEqual({ balance: 0, granted: 0 });
    await openAccount(withMail, { ...user, emailVerified: true }, now);
    expect(await creditsOf(user.id)).toEqual({ balance: 500, granted: 500 });
  });

  it("are enabled by the cron for a user who doesn't come back after verifying", async () => {
    const withMail = { ...env, ...WITH_EMAIL } as Env;
    const user = await newUser();
    await openAccount(withMail, user, Date.now());
    await updateAllGrants(withMail);
    expect(await creditsOf(user.id)).toEqual({ balance: 0, granted: 0 });
    await env.DB.prepare("UPDATE users SET email_verified = 1 WHERE id = ?1").bind(user.id).run();
    await updateAllGrants(withMail);
    expect(await creditsOf(user.id)).toEqual({ balance: 500, granted: 500 });
  });

  it("are those of the plan's variable, or the account's own number", async () => {
    const created = (plan: Plan, monthlyCredits: number | null, bindings = env) =>
      createDirectoryAccount(bindings, {
        name: "Paid",
        plan,
        ratePerMinute: null,
        monthlyCredits,
        actor,
        now: Date.now(),
      });
    expect(await creditsOf((await created("pro", null)).id)).toMatchObject({ balance: 20_000 });
    expect(await creditsOf((await created("pro", 7)).id)).toMatchObject({ balance: 7 });
    expect(await creditsOf((await created("enterprise", null)).id)).toMatchObject({ balance: 0 });
    expect(await creditsOf((await created("free", null, { ...env, CREDITS_FREE: "0" })).id)).toMatchObject({
      balance: 0,
    });
  });
});

describe("an operator's adjustment", () => {
  it("changes the balance once for each key, and never below zero", async () => {
    const accountId = await createAccount({ credits: 10 });
    const adjust = (by: number, key: string) => adjustCredits(env, { accountId, by, key, actor, now: Date.now() });
    await expect(adjust(-11, "a")).rejects.toThrow("would make the balance negative");
    await adjust(-10, "b");
    await adjust(-10, "b");
    expect(await creditsOf(accountId)).toMatchObject({ balance: 0 });
    await adjust(25, "c");
    expect(await creditsOf(accountId)).toMatchObject({ balance: 25 });
    const entries = await listAudit(env.DB, { accountId, limit: 10, before: null });
    expect(entries.filter(({ action }) => action === "credits.adjust")[0]).toMatchObject({
      detail: { change: 25, key: "c" },
    });
  });

  it("returns 503 while the Durable Object can't be reached", async () => {
    const accountId = await createAccount();
    const adjustment = adjustCredits({ ...env, ACCOUNT }, { accountId, by: 1, actor, now: Date.now() });
    await expect(adjustment).rejects.toMatchObject({ code: "unavailable", status: 503 });
  });
});

describe("a request while the schema is older than the code", () => {
  const oldDatabase = () =>
    new Proxy(env.DB, {
      get: (object, name) => {
        if (name === "prepare") {
          return (sql: string) => (sql.includes("schema_versions") ? { first: async () => 0 } : object.prepare(sql));
        }
        const value = Reflect.get(object, name);
        return typeof value === "function" ? value.bind(object) : value;
      },
    });

  it("returns 503 if the dashboard reads the account", async () => {
    const opened = openAccount({ ...env, DB: oldDatabase() }, await newUser(), Date.now());
    await expect(opened).rejects.toMatchObject({ code: "unavailable", status: 503 });
  });

  it("succeeds if the key's verifier has the key in memory", async () => {
    const client = await createClient();
    expect((await client.call("GET", "/v1/usage")).status).toBe(200);
    const ctx = createExecutionContext();
    const headers = { authorization: `Bearer ${client.secret}` };
    const response = await app.fetch(
      new Request(`${ORIGIN}/v1/usage`, { headers }),
      { ...env, DB: oldDatabase() },
      ctx,
    );
    await waitOnExecutionContext(ctx);
    expect(response.status).toBe(200);
  });
});

describe("the key verifier", () => {
  it("returns the account reference of a key", async () => {
    const client = await createClient();
    const hash = await hashOf(client.keyId);
    const result = await env.KEY_VERIFIER.getByName(hash).verify(hash, {
      address: "203.0.113.1",
      countedAs: "poll",
    });
    const account = await getAccount(env.DB, client.accountId);
    if (account === null || result.kind !== "verified") throw new Error("The key isn't verified.");
    expect(result.key.account).toEqual(toAccountRef(account));
    expect(await refOf(client.accountId)).toEqual(result.key.account);
  });
});
