import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { getAnyAccount, isPseudonym, removeFromDirectory, toPseudonym } from "../../src/directory/erase";
import { newId } from "../../src/lib/id";
import { getAccount } from "../../src/store/accounts";
import { insertAudit, listAudit } from "../../src/store/audit";
import { createClient } from "../support/client";

async function insertMember(accountId: string): Promise<string> {
  const id = newId();
  const email = `${id}@example.com`;
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO users (id, name, email, email_verified, created_at, updated_at) VALUES (?1, 'Ada', ?2, 1, '', '')",
    ).bind(id, email),
    env.DB.prepare("INSERT INTO memberships VALUES (?1, ?2, 'owner', 0)").bind(id, accountId),
    ...[id, JSON.stringify({ email })].map((value) =>
      env.DB.prepare("INSERT INTO verifications VALUES (?1, ?1, ?2, '', '', '')").bind(newId(), value),
    ),
  ]);
  return id;
}

async function count(query: string, ...values: string[]): Promise<number> {
  return (
    (await env.DB.prepare(`SELECT COUNT(*) AS n FROM ${query}`)
      .bind(...values)
      .first<number>("n")) ?? -1
  );
}

async function insertSummary(accountId: string): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO account_summaries (account_id, balance, reserved, granted, used, queued, processing, updated_at)
     VALUES (?1, 1, 1, 1, 1, 1, 1, 1)`,
  )
    .bind(accountId)
    .run();
}

/** Creates an account with a key, a member, links, an audit entry, a summary and a pending change. */
async function createFullAccount() {
  const { accountId, keyId } = await createClient();
  const hash = await env.DB.prepare("SELECT hash FROM api_keys WHERE id = ?1").bind(keyId).first<string>("hash");
  await env.DB.prepare(
    `UPDATE accounts SET rate_per_minute = 1, monthly_credits = 2, concurrent_jobs = 3, concurrent_renders = 4,
       charge_free_outcomes = 1, prices = '{"map":2}' WHERE id = ?1`,
  )
    .bind(accountId)
    .run();
  await env.DB.prepare("INSERT INTO outbox VALUES ('account', ?1, 1, 5)").bind(accountId).run();
  const userId = await insertMember(accountId);
  await insertSummary(accountId);
  await env.DB.prepare("INSERT INTO account_periods VALUES (600000, ?1, '{}', 1)").bind(accountId).run();
  const detail = { email: "ada@example.com" };
  await insertAudit(env.DB, { actor: "operator", action: "link.create", accountId, detail, at: 5 });
  return { accountId, userId, hash: hash ?? "" };
}

async function leftOf({ accountId, userId, hash }: { accountId: string; userId: string; hash: string }) {
  return {
    keys: await count("api_keys WHERE hash = ?1", hash),
    users: await count("users WHERE id = ?1", userId),
    members: await count("memberships WHERE user_id = ?1", userId),
    links: await count("verifications WHERE value LIKE '%' || ?1 || '%'", userId),
    summaries: await count("account_summaries WHERE account_id = ?1", accountId),
    periods: await count("account_periods WHERE account_id = ?1", accountId),
    changes: await count("outbox WHERE target = ?1", accountId),
    audit: await count("audit_log WHERE account_id = ?1", accountId),
  };
}

describe("the erasure of an account in the directory", () => {
  it("deletes its data, and nothing of other accounts", async () => {
    const [account, other] = [await createFullAccount(), await createFullAccount()];
    const before = await leftOf(other);
    expect(before).toEqual({ keys: 1, users: 1, members: 1, links: 2, summaries: 1, periods: 1, changes: 1, audit: 1 });
    await removeFromDirectory(env, { accountId: account.accountId, actor: "me", now: 7 });
    expect(await leftOf(account)).toEqual({
      ...{ keys: 0, users: 0, members: 0, links: 0, summaries: 0, periods: 0, changes: 0, audit: 0 },
    });
    expect(await leftOf(other)).toEqual(before);
    expect(await getAccount(env.DB, other.accountId)).toMatchObject({ ratePerMinute: 1, erasedAt: null });
  });

  it("keeps the row without personal data, so that its id and tag are never used again", async () => {
    const { accountId } = await createFullAccount();
    const before = await getAnyAccount(env.DB, accountId);
    await removeFromDirectory(env, { accountId, actor: "me", now: 7 });
    expect(await getAccount(env.DB, accountId)).toBeNull();
    const erased = {
      ...{ ...before, name: "", ratePerMinute: null, monthlyCredits: null, concurrentJobs: null },
      ...{ concurrentRenders: null, chargeFreeOutcomes: false, prices: null, suspendedAt: 7, erasedAt: 7, version: 2 },
    };
    expect(await getAnyAccount(env.DB, accountId)).toEqual(erased);
    await removeFromDirectory(env, { accountId, actor: "me", now: 8 });
    expect(await getAnyAccount(env.DB, accountId)).toEqual({ ...erased, version: 3 });
  });

  it("keeps the time of an earlier suspension", async () => {
    const { accountId } = await createFullAccount();
    await env.DB.prepare("UPDATE accounts SET suspended_at = 3 WHERE id = ?1").bind(accountId).run();
    await removeFromDirectory(env, { accountId, actor: "me", now: 7 });
    expect(await getAnyAccount(env.DB, accountId)).toMatchObject({ suspendedAt: 3, erasedAt: 7 });
  });

  it("is audited once under a pseudonym, which also replaces the id in earlier entries", async () => {
    const { accountId } = await createFullAccount();
    for (const now of [7, 8]) await removeFromDirectory(env, { accountId, actor: "me", now });
    const pseudonym = await toPseudonym(env, accountId);
    const entries = await listAudit(env.DB, { accountId: pseudonym, limit: 9, before: null });
    expect(entries.map(({ id: _, ...entry }) => entry)).toEqual([
      { actor: "me", action: "account.erase", accountId: pseudonym, detail: {}, at: 7 },
      { actor: "operator", action: "link.create", accountId: pseudonym, detail: {}, at: 5 },
    ]);
  });

  it("makes the verifiers forget all keys, including revoked ones", async () => {
    const { accountId, keyId } = await createClient({ revoked: true });
    const hash = await env.DB.prepare("SELECT hash FROM api_keys WHERE id = ?1").bind(keyId).first<string>("hash");
    const refreshed: string[] = [];
    const KEY_VERIFIER = {
      getByName: (name: string) => {
        refreshed.push(name);
        throw new Error("The verifier is down.");
      },
    } as unknown as Env["KEY_VERIFIER"];
    await removeFromDirectory({ ...env, KEY_VERIFIER }, { accountId, actor: "me", now: 7 }).catch(() => {});
    expect(refreshed).toContain(hash);
    const entry = await env.DB.prepare("SELECT kind, version, due_at FROM outbox WHERE target = ?1").bind(hash).first();
    expect(entry).toEqual({ kind: "key", version: 2, due_at: 7 });
  });
});

describe("the pseudonym of an erased account", () => {
  it("depends on the id and the signing secret", async () => {
    const pseudonym = await toPseudonym(env, "a");
    expect(pseudonym).toMatch(/^erased-[0-9a-f]{20}$/);
    expect(await toPseudonym(env, "a")).toBe(pseudonym);
    expect(await toPseudonym(env, "b")).not.toBe(pseudonym);
    expect(await toPseudonym({ ...env, SIGNING_SECRET: "other" } as Env, "a")).not.toBe(pseudonym);
    expect([isPseudonym(pseudonym), isPseudonym("a"), isPseudonym(newId())]).toEqual([true, false, false]);
  });
});

it("an account that never existed isn't found", async () => {
  expect(await getAnyAccount(env.DB, "unknown")).toBeNull();
});
