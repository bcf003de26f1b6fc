import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { revokeKeyById } from "../../src/keys/change";
import { type Creator, createKey, invalidateKey, issueKey } from "../../src/keys/issue";
import { sha256Hex } from "../../src/lib/crypto";
import { isId, newId } from "../../src/lib/id";
import { type Mode, SCOPES } from "../../src/model/api-key";
import { createAccount, createClient, ORIGIN } from "../support/client";
import { accountIdOf, signUpBeforeEmail } from "../support/visitor";

async function newCreator(allowedIps: string[]): Promise<Creator> {
  const account = { id: await createAccount() };
  return { mode: "live", scopes: [...SCOPES], allowedIps, expiresAt: null, creditLimit: null, account };
}

describe("a key that a key with allowed IPs creates", () => {
  it.each([
    ["one of its addresses", ["203.0.113.7"]],
    ["a smaller range", ["203.0.113.128/25"]],
    ["the same range", ["203.0.113.0/24"]],
  ])("can be limited to %s", async (_, allowed_ips) => {
    const { key } = await createKey(env, await newCreator(["203.0.113.0/24"]), { allowed_ips }, Date.now());
    expect(key.allowedIps).toEqual(allowed_ips);
  });

  it.each([
    ["a larger range", ["203.0.0.0/16"]],
    ["another address", ["198.51.100.7"]],
    ["every address", []],
  ])("can't be used from %s", async (_, allowed_ips) => {
    const creator = await newCreator(["203.0.113.0/24"]);
    await expect(createKey(env, creator, { allowed_ips }, Date.now())).rejects.toMatchObject({
      code: "ip_not_allowed",
    });
  });

  it("has the same allowed IPs by default", async () => {
    const { key } = await createKey(env, await newCreator(["203.0.113.0/24"]), {}, Date.now());
    expect(key.allowedIps).toEqual(["203.0.113.0/24"]);
  });
});

describe("a new key", () => {
  const newOwner = async (more: Partial<Creator> = {}): Promise<Creator> => ({ ...(await newCreator([])), ...more });

  it("has the properties of its creator by default, and a secret that isn't stored", async () => {
    const creator = await newOwner({ mode: "test", scopes: ["scrape", "keys"], allowedIps: ["203.0.113.0/24"] });
    const { key, secret, ...rest } = await createKey(env, creator, {}, 1_000);
    expect(rest).toEqual({});
    expect(key).toEqual({
      id: expect.toSatisfy(isId),
      name: null,
      mode: "test",
      scopes: ["scrape", "keys"],
      allowedIps: ["203.0.113.0/24"],
      prefix: secret.slice(0, 12),
      last4: secret.slice(-4),
      createdAt: 1_000,
      lastUsedAt: null,
      revokedAt: null,
      expiresAt: null,
      creditLimit: null,
      previousExpiresAt: null,
      receiver: null,
    });
    expect(secret).toMatch(/^sk_test_\w{38}$/);
    const row = await env.DB.prepare("SELECT * FROM api_keys WHERE id = ?1").bind(key.id).first();
    expect(row).toMatchObject({ account_id: creator.account.id, hash: await sha256Hex(secret) });
    expect(JSON.stringify(row)).not.toContain(secret);
  });

  it("has the requested properties if its creator has them", async () => {
    const request = { name: "CI", mode: "test", scopes: ["jobs"], allowed_ips: ["10.0.0.0/8"] } as const;
    const copy = { ...request, scopes: [...request.scopes], allowed_ips: [...request.allowed_ips] };
    const { key } = await createKey(env, await newOwner(), copy, 1);
    expect(key).toMatchObject({ name: "CI", mode: "test", scopes: ["jobs"], allowedIps: ["10.0.0.0/8"] });
  });

  it.each([
    [
      "a scope that its creator doesn't have",
      { scopes: ["keys"] } satisfies Partial<Creator>,
      { scopes: ["keys" as const, "jobs" as const] },
      "This API key can't grant the scope 'jobs', because it doesn't have it.",
    ],
    [
      "the mode live if its creator is a test key",
      { mode: "test" } satisfies Partial<Creator>,
      { mode: "live" as const },
      "A test key can't create a live key. Use a live key.",
    ],
  ])("can't have %s", async (_, more: Partial<Creator>, request, message) => {
    const creating = createKey(env, await newOwner(more), request, 1);
    await expect(creating).rejects.toMatchObject({ code: "insufficient_scope", message });
  });

  it("can have the mode live only after a member has verified the email address", async () => {
    const member = await signUpBeforeEmail();
    const id = await accountIdOf(member);
    const withEmail = { ...env, PUBLIC_URL: ORIGIN };
    const create = (bindings: Env, mode: Mode) =>
      newOwner({ account: { id } }).then((owner) => createKey(bindings, owner, { mode }, 1));
    await expect(create(withEmail, "live")).rejects.toMatchObject({
      code: "email_not_verified",
      message: "Verify your email address before you create a live key. You can create test keys now.",
    });
    await expect(create(withEmail, "test")).resolves.toMatchObject({ key: { mode: "test" } });
    // Without an email service, addresses can't be verified.
    await expect(create(env, "live")).resolves.toMatchObject({ key: { mode: "live" } });
    await env.DB.prepare("UPDATE users SET email_verified = 1 WHERE email = ?1").bind(member.email).run();
    await expect(create(withEmail, "live")).resolves.toMatchObject({ key: { mode: "live" } });
  });

  it("can't exceed the number of active keys of the plan", async () => {
    const id = await createAccount({ plan: "free" });
    const key = { mode: "live", name: null, scopes: ["jobs" as const], allowedIps: [], createdAt: 1 } as const;
    const more = { allowedIps: [], expiresAt: null, creditLimit: null, receiver: null };
    const issue = () => issueKey(env, { id, plan: "free" }, { ...key, scopes: [...key.scopes], ...more });
    const [first] = [await issue(), await issue(), await issue()];
    expect(first).toMatchObject({ hash: await sha256Hex(first?.secret ?? "") });
    await expect(issue()).rejects.toMatchObject({
      code: "key_limit_reached",
      status: 409,
      message: "The plan 'free' allows 3 active keys. Revoke a key before you create another.",
    });
    await revokeKeyById(env, { id: first?.key.id ?? "", accountId: id, mode: null }, Date.now());
    await expect(issue()).resolves.toMatchObject({ key: { mode: "live" } });
  });

  it("is in its verifier's storage before its first use", async () => {
    const { secret } = await createKey(env, await newOwner(), {}, 1);
    const hash = await sha256Hex(secret);
    const stub = env.KEY_VERIFIER.getByName(hash);
    await runInDurableObject(stub, async (_, { storage }) => {
      expect(await storage.get("record")).toMatchObject({ record: { mode: "live", scopes: [...SCOPES] } });
    });
  });
});

describe("a revocation", () => {
  const isRevoked = async ({ keyId }: { keyId: string }) =>
    (await env.DB.prepare("SELECT revoked_at FROM api_keys WHERE id = ?1").bind(keyId).first("revoked_at")) !== null;

  it("has an effect once, and can be repeated", async () => {
    const { accountId, keyId } = await createClient();
    const key = { id: keyId, accountId, mode: "live" as const };
    await revokeKeyById(env, key, 1_000);
    await revokeKeyById(env, key, 2_000);
    const select = env.DB.prepare("SELECT revoked_at FROM api_keys WHERE id = ?1").bind(keyId);
    expect(await select.first("revoked_at")).toBe(1_000);
  });

  it("with the mode null applies to keys of both modes", async () => {
    for (const mode of ["live", "test"] as const) {
      const client = await createClient({ mode });
      await revokeKeyById(env, { id: client.keyId, accountId: client.accountId, mode: null }, 1);
      expect(await isRevoked(client)).toBe(true);
    }
  });

  it("refuses a key of another account or mode, and an unknown id", async () => {
    const client = await createClient();
    const other = await createAccount();
    for (const [id, accountId, mode] of [
      [client.keyId, other, "live"],
      [client.keyId, client.accountId, "test"],
      [newId(), client.accountId, null],
      ["' OR 1=1", client.accountId, null],
    ] as const) {
      const message = `There is no key '${id}'.`;
      await expect(revokeKeyById(env, { id, accountId, mode }, 1)).rejects.toMatchObject({
        code: "not_found",
        message,
      });
    }
    expect(await isRevoked(client)).toBe(false);
  });

  it.each(["local-live", "local-test", "local-test-0a1b2c3d"])("accepts the id of a local key: %s", async (id) => {
    const client = await createClient();
    await env.DB.prepare("UPDATE api_keys SET id = ?2 WHERE id = ?1").bind(client.keyId, id).run();
    await revokeKeyById(env, { id, accountId: client.accountId, mode: null }, 1);
    expect(await isRevoked({ keyId: id })).toBe(true);
    await env.DB.prepare("DELETE FROM api_keys WHERE id = ?1").bind(id).run();
  });

  it.each([
    ["fails", async () => false],
    ["can't be reached", () => Promise.reject(new Error("The object was reset."))],
  ])("can be retried if the verifier %s", async (_, revoke) => {
    const client = await createClient();
    const KEY_VERIFIER = { getByName: () => ({ revoke }) } as unknown as Env["KEY_VERIFIER"];
    const key = { id: client.keyId, accountId: client.accountId, mode: null };
    await expect(revokeKeyById({ ...env, KEY_VERIFIER }, key, 1)).rejects.toMatchObject({
      code: "unavailable",
      status: 503,
      headers: { "Retry-After": "5" },
    });
  });
});

describe("the invalidation of a key", () => {
  it("makes its verifier read the database again", async () => {
    const client = await createClient();
    await client.call("GET", "/v1/usage");
    await env.DB.prepare("UPDATE api_keys SET revoked_at = 1 WHERE id = ?1").bind(client.keyId).run();
    expect((await client.call("GET", "/v1/usage")).status).toBe(200);
    expect(await invalidateKey(env, await sha256Hex(client.secret))).toBe(true);
    expect((await client.call("GET", "/v1/usage")).status).toBe(401);
  });

  it.each([
    ["fails", async () => false],
    ["can't be reached", () => Promise.reject(new Error("The object was reset."))],
  ])("returns false if the verifier %s", async (_, refresh) => {
    const KEY_VERIFIER = { getByName: () => ({ refresh }) } as unknown as Env["KEY_VERIFIER"];
    expect(await invalidateKey({ ...env, KEY_VERIFIER }, "hash")).toBe(false);
  });
});
