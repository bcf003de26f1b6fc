import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/id";
import { DAY_MS } from "../../src/model/limits";
import { revokeKey } from "../../src/store/key-changes";
import {
  countActiveKeys,
  deleteRevokedKeys,
  getKeyHashes,
  getKeyRecord,
  getListedKey,
  insertKey,
  listKeys,
  type NewKey,
  setLastUsed,
} from "../../src/store/keys";
import { createAccount, refOf } from "../support/client";

async function insert(accountId: string, more: Partial<NewKey> = {}) {
  const id = newId();
  return await insertKey(env.DB, {
    ...{ id, accountId, hash: `hash ${id}`, mode: "live", name: "Main", prefix: "sk_live", last4: "abcd" },
    ...{
      scopes: ["jobs"] as NewKey["scopes"],
      allowedIps: ["10.0.0.0/8"],
      createdAt: 5,
      expiresAt: null,
      creditLimit: null,
      limit: 10,
      receiver: null,
      ...more,
    },
  });
}

/** Inserts a key. Returns its id and its hash. */
async function mustInsert(accountId: string, more: Partial<NewKey> = {}) {
  const key = await insert(accountId, more);
  if (key === null) throw new Error("The key wasn't inserted.");
  return { ...key, hash: more.hash ?? `hash ${key.id}` };
}

describe("a key", () => {
  it("is found by its hash, with the data of its account", async () => {
    const accountId = await createAccount({ plan: "pro", ratePerMinute: null });
    const { id, hash } = await mustInsert(accountId, { mode: "test" });
    const record = {
      ...{
        id,
        mode: "test",
        scopes: ["jobs"],
        allowedIps: ["10.0.0.0/8"],
        revokedAt: null,
        expiresAt: null,
        creditLimit: null,
      },
      ...{ account: await refOf(accountId), suspended: false, limit: 100 },
    };
    expect(await getKeyRecord(env, hash)).toEqual(record);
    await env.DB.prepare("UPDATE accounts SET suspended_at = 1, rate_per_minute = 3 WHERE id = ?1")
      .bind(accountId)
      .run();
    await revokeKey(env.DB, { hash: hash, now: 50, keepsJobs: false });
    await revokeKey(env.DB, { hash: hash, now: 60, keepsJobs: false });
    expect(await getKeyRecord(env, hash)).toEqual({ ...record, suspended: true, limit: 3, revokedAt: 50 });
    expect(await getKeyRecord(env, "unknown")).toBeNull();
    await env.DB.prepare("UPDATE accounts SET erased_at = 1 WHERE id = ?1").bind(accountId).run();
    expect(await getKeyRecord(env, hash)).toBeNull();
  });

  it("isn't inserted if the account has reached its limit of active keys", async () => {
    const [accountId, other] = [await createAccount(), await createAccount()];
    const first = await mustInsert(accountId, { limit: 2 });
    await mustInsert(accountId, { limit: 2, mode: "test" });
    expect(await insert(accountId, { limit: 2 })).toBeNull();
    expect(await countActiveKeys(env.DB, accountId, 5)).toBe(2);
    expect(await countActiveKeys(env.DB, other, 5)).toBe(0);
    await mustInsert(other, { limit: 1 });
    await revokeKey(env.DB, { hash: first.hash, now: 1, keepsJobs: false });
    expect(await countActiveKeys(env.DB, accountId, 5)).toBe(1);
    await mustInsert(accountId, { limit: 2 });
  });

  it("is listed and found only in its account", async () => {
    const [accountId, other] = [await createAccount(), await createAccount()];
    const { hash, ...key } = await mustInsert(accountId, { name: null });
    expect(key).toEqual({
      ...{ id: key.id, mode: "live", scopes: ["jobs"], allowedIps: ["10.0.0.0/8"], revokedAt: null, name: null },
      ...{ prefix: "sk_live", last4: "abcd", createdAt: 5, lastUsedAt: null },
      ...{ expiresAt: null, creditLimit: null, previousExpiresAt: null, receiver: null },
    });
    expect(await getListedKey(env.DB, { id: key.id, accountId })).toEqual(key);
    expect(await getListedKey(env.DB, { id: key.id, accountId: other })).toBeNull();
    const hashOf = (filter: { accountId?: string; mode?: "live" | "test" | null; id?: string }) =>
      getKeyHashes(env.DB, { id: key.id, accountId, mode: null, ...filter });
    for (const filter of [{}, { mode: "live" as const }])
      expect(await hashOf(filter)).toEqual({ hash, previous: null });
    expect(await hashOf({ mode: "test" })).toBeNull();
    expect(await hashOf({ accountId: other })).toBeNull();
    expect(await hashOf({ id: "unknown" })).toBeNull();
  });
});

describe("the list of keys", () => {
  it("is sorted newest first, and includes revoked keys for 30 days", async () => {
    const [accountId, now] = [await createAccount(), 100 * DAY_MS];
    const keys = [];
    for (const mode of ["live", "test", "live", "live"] as const) keys.unshift(await mustInsert(accountId, { mode }));
    await mustInsert(await createAccount());
    const [d, c, b, a] = keys.map(({ id }) => id);
    const list = async (more: Partial<Parameters<typeof listKeys>[1]> = {}) => {
      const page = await listKeys(env.DB, { accountId, mode: null, now, limit: 10, offset: 0, ...more });
      return [page.keys.map(({ id }) => id), page.total];
    };
    expect(await list()).toEqual([[d, c, b, a], 4]);
    expect(await list({ limit: 2, offset: 1 })).toEqual([[c, b], 4]);
    expect(await list({ mode: "test" })).toEqual([[b], 1]);
    await revokeKey(env.DB, { hash: keys[0]?.hash ?? "", now: now - 30 * DAY_MS + 1, keepsJobs: false });
    await revokeKey(env.DB, { hash: keys[1]?.hash ?? "", now: now - 30 * DAY_MS, keepsJobs: false });
    expect(await list()).toEqual([[d, b, a], 3]);
  });
});

describe("the last use of keys", () => {
  it("is stored for several keys, and only moves forward", async () => {
    const accountId = await createAccount();
    const [first, second, unused] = [
      await mustInsert(accountId),
      await mustInsert(accountId),
      await mustInsert(accountId),
    ];
    const used = async (...uses: [string, number][]) => {
      await setLastUsed(
        env.DB,
        uses.map(([keyId, at]) => ({ keyId, at })),
      );
      return await Promise.all(
        [first, second, unused].map(async ({ id }) => (await getListedKey(env.DB, { id, accountId }))?.lastUsedAt),
      );
    };
    expect(await used([first.id, 5], [first.id, 7], [first.id, 6], [second.id, 3])).toEqual([7, 3, null]);
    expect(await used([first.id, 6], [second.id, 4])).toEqual([7, 4, null]);
  });
});

describe("old revoked keys", () => {
  it("are deleted after 30 days, the oldest first, and their verifiers are told", async () => {
    const accountId = await createAccount();
    // Other keys are revoked later than these.
    const now = -100 * DAY_MS;
    const [oldest, old, young, active] = [
      await mustInsert(accountId),
      await mustInsert(accountId),
      await mustInsert(accountId),
      await mustInsert(accountId),
    ];
    await revokeKey(env.DB, { hash: oldest.hash, now: now - 31 * DAY_MS, keepsJobs: false });
    await revokeKey(env.DB, { hash: old.hash, now: now - 30 * DAY_MS, keepsJobs: false });
    await revokeKey(env.DB, { hash: young.hash, now: now - 30 * DAY_MS + 1, keepsJobs: false });
    const left = async () => {
      const query = env.DB.prepare("SELECT id FROM api_keys WHERE account_id = ?1 ORDER BY id").bind(accountId);
      return (await query.all<{ id: string }>()).results.map(({ id }) => id);
    };
    const told = async (hash: string) =>
      await env.DB.prepare("SELECT kind, version, due_at FROM outbox WHERE target = ?1").bind(hash).first();
    expect(await deleteRevokedKeys(env.DB, now, 1)).toBe(1);
    expect(await left()).toEqual([old.id, young.id, active.id]);
    expect(await told(oldest.hash)).toEqual({ kind: "key", version: 0, due_at: now });
    expect(await told(old.hash)).toBeNull();
    expect(await deleteRevokedKeys(env.DB, now, 10)).toBe(1);
    expect(await deleteRevokedKeys(env.DB, now, 10)).toBe(0);
    expect(await left()).toEqual([young.id, active.id]);
    expect(await told(young.hash)).toBeNull();
  });
});
