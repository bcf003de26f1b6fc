import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import {
  beginRestore,
  DirectoryExport,
  exportDirectory,
  finishRestore,
  toNextObject,
} from "../../src/directory/directory-export";
import { getAnyAccount, removeFromDirectory } from "../../src/directory/erase";
import { newId, newTag } from "../../src/lib/id";
import { getAccount, mustGetAccount } from "../../src/store/accounts";
import { listAudit } from "../../src/store/audit";
import { createAccount, createClient } from "../support/client";

const free = async () => true;

async function exportOf(accountId: string): Promise<DirectoryExport> {
  return await exportDirectory(env.DB, await mustGetAccount(env.DB, accountId));
}

async function createExported() {
  const { accountId, keyId } = await createClient();
  await env.DB.prepare(
    `UPDATE accounts SET rate_per_minute = 1, monthly_credits = 2, concurrent_jobs = 3, concurrent_renders = 4,
       charge_free_outcomes = 1, prices = '{"scrape":2}', location = 'apac', plan = 'pro' WHERE id = ?1`,
  )
    .bind(accountId)
    .run();
  await env.DB.prepare(
    `UPDATE api_keys SET name = 'Main', allowed_ips = '["10.0.0.0/8"]', last_used_at = 5, revoked_at = 6,
       expires_at = 7, credit_limit = 8 WHERE id = ?1`,
  )
    .bind(keyId)
    .run();
  return { accountId, keyId, header: await exportOf(accountId) };
}

it.each([
  ["id", "id:2"],
  ["id:2", "id:3"],
  ["id:10", "id:11"],
])("the Durable Object after %s is %s", (object, next) => {
  expect(toNextObject({ id: "id", object })).toBe(next);
});

describe("the export of the directory", () => {
  it("contains the account and its keys, without those of other accounts", async () => {
    const { accountId, keyId, header } = await createExported();
    await createClient();
    const account = await mustGetAccount(env.DB, accountId);
    expect(header).toEqual({
      account: {
        ...{ id: accountId, tag: account.tag, name: "Test", plan: "pro", jurisdiction: null, location: "apac" },
        ...{ rate_per_minute: 1, monthly_credits: 2, concurrent_jobs: 3, concurrent_renders: 4, suspended_at: null },
        ...{ charge_free_outcomes: true, daily_credits: null, prices: { scrape: 2 }, created_at: account.createdAt },
      },
      keys: [
        {
          ...{ id: keyId, hash: expect.stringMatching(/^[0-9a-f]{64}$/), mode: "live", name: "Main" },
          ...{ prefix: expect.any(String), last4: expect.any(String), scopes: expect.any(String) },
          ...{ allowed_ips: '["10.0.0.0/8"]', created_at: 0, last_used_at: 5, revoked_at: 6 },
          ...{ expires_at: 7, credit_limit: 8, previous_hash: null, previous_expires_at: null },
        },
      ],
    });
    expect(DirectoryExport.parse(header)).toEqual(header);
  });

  it.each([
    { id: "" },
    { id: "x".repeat(101) },
    { tag: "0123" },
    { tag: "0123456789a" },
    { tag: "012345678G" },
    { plan: "gold" },
    { jurisdiction: "uk" },
    { location: "mars" },
    { suspended_at: 1.5 },
    { created_at: null },
    { charge_free_outcomes: 1 },
  ])("isn't accepted with %j", async (wrong) => {
    const { account, keys } = await exportOf(await createAccount());
    expect(DirectoryExport.safeParse({ account: { ...account, ...wrong }, keys }).success).toBe(false);
  });
});

describe("a restore in the directory", () => {
  it("gets the next Durable Object if the present one can't be used, and keeps one that can", async () => {
    const { accountId, header } = await createExported();
    await removeFromDirectory(env, { accountId, actor: "me", now: 7 });
    const asked: string[] = [];
    const begin = async (isUsable: boolean) =>
      await beginRestore(env, header, {
        isFree: async ({ object }) => {
          asked.push(object);
          return isUsable;
        },
        now: 8,
      });
    expect(await begin(true)).toMatchObject({ id: accountId, object: accountId, erasedAt: 7 });
    expect(await begin(false)).toMatchObject({ object: `${accountId}:2`, location: "apac", erasedAt: 7 });
    expect(await begin(true)).toMatchObject({ object: `${accountId}:2` });
    expect(asked).toEqual([accountId, accountId, `${accountId}:2`]);
    expect(await getAccount(env.DB, accountId)).toBeNull();
  });

  it("is possible for an account that this directory never had", async () => {
    const { header } = await createExported();
    const account = { ...header.account, id: newId(), tag: newTag(), created_at: 3 };
    expect(await beginRestore(env, { ...header, account }, { isFree: free, now: 8 })).toMatchObject({
      ...{ id: account.id, tag: account.tag, object: account.id, location: "apac", createdAt: 3 },
      ...{ suspendedAt: 8, erasedAt: 8 },
    });
  });

  it("is refused if an account with this id or tag exists", async () => {
    const { accountId, header } = await createExported();
    const begin = (account: Partial<DirectoryExport["account"]>) =>
      beginRestore(env, { ...header, account: { ...header.account, ...account } }, { isFree: free, now: 8 });
    expect(await begin({})).toBeNull();
    expect(await begin({ id: newId() })).toBeNull();
    expect(await getAccount(env.DB, accountId)).toMatchObject({ object: accountId, suspendedAt: null });
    await removeFromDirectory(env, { accountId, actor: "me", now: 7 });
    expect(await begin({ tag: newTag() })).toBeNull();
    expect(await begin({})).not.toBeNull();
  });

  it("brings back the settings and the keys, once", async () => {
    const { accountId, keyId, header } = await createExported();
    await removeFromDirectory(env, { accountId, actor: "me", now: 7 });
    for (const name of ["First", "Second"]) {
      const account = { ...header.account, name, suspended_at: 4 };
      await finishRestore(env, { ...header, account }, { actor: "me", now: 9 });
    }
    const restored = await mustGetAccount(env.DB, accountId);
    expect(restored).toMatchObject({
      ...{ name: "First", plan: "pro", ratePerMinute: 1, monthlyCredits: 2, concurrentJobs: 3, concurrentRenders: 4 },
      ...{ chargeFreeOutcomes: true, suspendedAt: 4, erasedAt: null },
    });
    expect((await exportOf(accountId)).keys).toEqual(header.keys);
    expect(header.keys).toMatchObject([{ id: keyId }]);
    // The version is higher than the exported one, so that the Durable Object accepts the settings.
    expect(restored.version).toBeGreaterThan(2);
    const [entry] = await listAudit(env.DB, { accountId, limit: 1, before: null });
    expect(entry).toMatchObject({ actor: "me", action: "account.restore", accountId, detail: {}, at: 9 });
    expect(await getAnyAccount(env.DB, accountId)).toEqual(restored);
  });
});
