import { env } from "cloudflare:workers";
import { describe, expect, it, onTestFinished } from "vitest";
import { newId, newTag } from "../../src/lib/id";
import { DAY_MS } from "../../src/model/limits";
import type { AccountSummary } from "../../src/model/summary";
import { listAccounts, listRecentAccounts, putSummaries, takeOverdueAccounts } from "../../src/store/account-summaries";
import {
  type AccountChange,
  getAccount,
  getAccountByTag,
  insertAccount,
  listGrantChanges,
  mustGetAccount,
  type NewAccount,
  toAccountRef,
  updateAccount,
} from "../../src/store/accounts";
import { type AuditEntry, listAudit } from "../../src/store/audit";
import { insertMember, listAccountsOfUser } from "../../src/store/memberships";
import { accountStub, requireJurisdiction } from "../../src/store/namespaces";

function newAccount(more: Partial<NewAccount> = {}): NewAccount {
  const id = newId();
  return {
    ...{ id, tag: newTag(), object: `${id}:1`, jurisdiction: "eu", location: "weur", name: "Ada", plan: "pro" },
    ...{ ratePerMinute: 7, monthlyCredits: 8, grantsEnabled: true, createdAt: 1_000, ...more },
  };
}

/** Inserts an account. Returns its id. */
async function insert(more: Partial<NewAccount> = {}): Promise<string> {
  const account = newAccount(more);
  expect(await insertAccount(env.DB, account)).toBe(true);
  return account.id;
}

async function insertUser({ verified = false, id = newId() } = {}): Promise<string> {
  await env.DB.prepare(
    `INSERT INTO users (id, name, email, email_verified, created_at, updated_at)
     VALUES (?1, 'Ada', ?1 || '@example.com', ?2, '', '')`,
  )
    .bind(id, Number(verified))
    .run();
  return id;
}

async function insertMemberOf(accountId: string, verified = false): Promise<string> {
  const userId = await insertUser({ verified });
  await insertMember(env.DB, { role: "owner", userId, accountId, now: 0 });
  return userId;
}

async function erase(accountId: string): Promise<void> {
  await env.DB.prepare("UPDATE accounts SET erased_at = 1 WHERE id = ?1").bind(accountId).run();
}

async function outboxOf(target: string) {
  const { results } = await env.DB.prepare("SELECT kind, version, due_at FROM outbox WHERE target = ?1")
    .bind(target)
    .all();
  return results;
}

const auditOf = (accountId: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  ...{ actor: "operator", action: "account.create", accountId, detail: { a: 1 }, at: 5 },
  ...more,
});

describe("a new account", () => {
  it("is found by its id and its tag, and is due in the outbox at its creation", async () => {
    const account = newAccount();
    expect(await insertAccount(env.DB, account)).toBe(true);
    const stored = {
      ...{ ...account, concurrentJobs: null, concurrentRenders: null, suspendedAt: null, version: 1, erasedAt: null },
      ...{ chargeFreeOutcomes: false, dailyCredits: null, prices: null },
    };
    expect(await getAccount(env.DB, account.id)).toEqual(stored);
    expect(await getAccountByTag(env.DB, account.tag)).toEqual(stored);
    expect(await mustGetAccount(env.DB, account.id)).toEqual(stored);
    const { id, tag, object, jurisdiction } = account;
    expect(toAccountRef(account)).toEqual({ id, tag, object, jurisdiction });
    expect(await outboxOf(id)).toEqual([{ kind: "account", version: 1, due_at: 1_000 }]);
  });

  it("isn't inserted if its id or tag is used, and then has no audit entry", async () => {
    const account = newAccount();
    await insertAccount(env.DB, account, auditOf(account.id));
    for (const same of [{ id: account.id }, { tag: account.tag }]) {
      const other = newAccount({ name: "Eve", ...same });
      expect(await insertAccount(env.DB, other, auditOf(other.id, { actor: "second" }))).toBe(false);
      expect(await listAudit(env.DB, { accountId: other.id, limit: 9, before: null })).toHaveLength(
        other.id === account.id ? 1 : 0,
      );
    }
    expect(await getAccount(env.DB, account.id)).toMatchObject({ name: "Ada", tag: account.tag });
  });

  it("can start without monthly credits", async () => {
    expect(await getAccount(env.DB, await insert({ grantsEnabled: false }))).toMatchObject({ grantsEnabled: false });
  });

  it("isn't found after its erasure", async () => {
    const account = newAccount();
    await insertAccount(env.DB, account);
    const userId = await insertMemberOf(account.id);
    await erase(account.id);
    expect(await getAccount(env.DB, account.id)).toBeNull();
    expect(await getAccountByTag(env.DB, account.tag)).toBeNull();
    expect(await listAccountsOfUser(env.DB, userId)).toEqual([]);
    await expect(mustGetAccount(env.DB, account.id)).rejects.toThrow(`There is no account '${account.id}'.`);
  });
});

describe("an account of a user", () => {
  it("says if its Durable Object hasn't received the last change", async () => {
    const [id, other] = [await insert(), await insert()];
    const userId = await insertMemberOf(id);
    expect(await listAccountsOfUser(env.DB, userId)).toMatchObject([{ account: { id }, isPushPending: true }]);
    await env.DB.prepare("DELETE FROM outbox WHERE target = ?1").bind(id).run();
    await env.DB.prepare("INSERT INTO outbox (kind, target, version, due_at) VALUES ('key', ?1, 1, 1)").bind(id).run();
    expect(await outboxOf(other)).toHaveLength(1);
    expect(await listAccountsOfUser(env.DB, userId)).toMatchObject([{ account: { id }, isPushPending: false }]);
    expect(await listAccountsOfUser(env.DB, newId())).toEqual([]);
  });

  it("is listed with the user's role, in the order of joining", async () => {
    const [first, second] = [await insert(), await insert()];
    const userId = await insertMemberOf(first);
    await insertMember(env.DB, { role: "read_only", userId, accountId: second, now: 1 });
    await insertMember(env.DB, { role: "owner", userId, accountId: second, now: 2 });
    expect(await listAccountsOfUser(env.DB, userId)).toMatchObject([
      { account: { id: first }, role: "owner" },
      { account: { id: second }, role: "read_only" },
    ]);
  });
});

describe("a change of an account", () => {
  it.each<[AccountChange]>([
    [{}],
    [{ name: "Eve" }],
    [{ plan: "business", ratePerMinute: null }],
    [{ ratePerMinute: 1, monthlyCredits: null }],
    [{ monthlyCredits: 0, concurrentJobs: 2, concurrentRenders: 3 }],
    [{ grantsEnabled: false }],
    [{ chargeFreeOutcomes: true }],
    [{ suspendedAt: 9 }],
  ])("to %j changes only the given columns, and increases the version", async (change) => {
    const [id, other] = [await insert(), await insert()];
    const [before, unchanged] = [await mustGetAccount(env.DB, id), await mustGetAccount(env.DB, other)];
    const entries = await updateAccount(env.DB, { id, change, dueAt: 77 });
    expect(entries).toEqual([{ kind: "account", target: id, version: 2 }]);
    expect(await getAccount(env.DB, id)).toEqual({ ...before, ...change, version: 2 });
    expect(await getAccount(env.DB, other)).toEqual(unchanged);
    expect(await outboxOf(id)).toEqual([{ kind: "account", version: 2, due_at: 77 }]);
  });

  it("removes a limit or a suspension", async () => {
    const id = await insert();
    await updateAccount(env.DB, { id, change: { suspendedAt: 5, concurrentJobs: 1 }, dueAt: 0 });
    await updateAccount(env.DB, { id, change: { suspendedAt: null, concurrentJobs: null }, dueAt: 0 });
    expect(await getAccount(env.DB, id)).toMatchObject({ suspendedAt: null, concurrentJobs: null, version: 3 });
  });

  it("also adds the active keys to the outbox", async () => {
    const [id, other] = [await insert(), await insert()];
    const insertKey = (account: string, name: string, revokedAt: number | null) =>
      env.DB.prepare(
        `INSERT INTO api_keys (id, account_id, hash, mode, prefix, last4, scopes, created_at, revoked_at)
         VALUES (?1, ?2, ?1, 'live', '', '', '[]', 0, ?3)`,
      )
        .bind(`${name} ${id}`, account, revokedAt)
        .run();
    await insertKey(id, "active", null);
    await insertKey(id, "revoked", 1);
    await insertKey(other, "other", null);
    expect(await updateAccount(env.DB, { id, change: {}, dueAt: 5 })).toEqual([
      { kind: "account", target: id, version: 2 },
      { kind: "key", target: `active ${id}`, version: 2 },
    ]);
    expect(await outboxOf(`active ${id}`)).toEqual([{ kind: "key", version: 2, due_at: 5 }]);
  });

  it("is audited only if the account exists", async () => {
    const id = await insert();
    const audit = auditOf(id, { action: "account.change" });
    await updateAccount(env.DB, { id, change: { name: "Eve" }, dueAt: 0, audit });
    expect(await listAudit(env.DB, { accountId: id, limit: 9, before: null })).toMatchObject([audit]);
    await erase(id);
    const entries = await updateAccount(env.DB, { id, change: { name: "Mallory" }, dueAt: 0, audit });
    expect(entries.every(({ version }) => version === 2)).toBe(true);
    expect(await listAudit(env.DB, { accountId: id, limit: 9, before: null })).toHaveLength(1);
    const row = await env.DB.prepare("SELECT name FROM accounts WHERE id = ?1").bind(id).first();
    expect(row).toEqual({ name: "Eve" });
  });
});

describe("the monthly credits that must be changed", () => {
  it("depend on whether a member has verified an email address", async () => {
    const [alone, unverified, verified, mixed, erased] = [
      ...[await insert(), await insert(), await insert(), await insert(), await insert()],
    ] as [string, string, string, string, string];
    const [off, offVerified, offErased] = [
      await insert({ grantsEnabled: false }),
      await insert({ grantsEnabled: false }),
      await insert({ grantsEnabled: false }),
    ];
    const own = new Set([alone, unverified, verified, mixed, erased, off, offVerified, offErased]);
    const list = async (verifiedOnly: boolean) =>
      (await listGrantChanges(env.DB, { limit: 100_000, verifiedOnly })).filter(({ id }) => own.has(id));
    await insertMemberOf(unverified);
    await insertMemberOf(unverified);
    await insertMemberOf(verified, true);
    for (const isVerified of [false, true]) await insertMemberOf(mixed, isVerified);
    await insertMemberOf(erased);
    await insertMemberOf(offVerified, true);
    await insertMemberOf(offErased, true);
    for (const id of [erased, offErased]) await erase(id);
    expect(await list(true)).toEqual([
      { id: offVerified, grantsEnabled: true },
      { id: unverified, grantsEnabled: false },
    ]);
    const all = await list(false);
    expect(all.map(({ id }) => id).toSorted()).toEqual([off, offVerified].toSorted());
    expect(all.every(({ grantsEnabled }) => grantsEnabled)).toBe(true);
    expect(await listGrantChanges(env.DB, { limit: 1, verifiedOnly: false })).toHaveLength(1);
    const first = await listGrantChanges(env.DB, { limit: 1, verifiedOnly: true });
    expect(first.map(({ grantsEnabled }) => grantsEnabled)).toEqual([true, false]);
  });
});

describe("the list of accounts", () => {
  const summaryOf = (accountId: string, more: Partial<AccountSummary> = {}): AccountSummary => ({
    ...{ accountId, balance: 1, reserved: 2, granted: 3, used: 4, queued: 5, processing: 6, lastJobAt: 7 },
    ...{ waiting: 1, browserWaits: 2, queuedSince: 3, periods: [], nextDueAt: 8, at: 9, ...more },
  });

  const search = async (text: string, { limit = 10, offset = 0 } = {}) =>
    (await listAccounts(env.DB, { search: text, limit, offset })).map(({ id }) => id);

  it("is sorted by age, newest first, and has one account more than the page if there are more", async () => {
    const [name, ids] = [newId(), [] as string[]];
    for (let i = 0; i < 4; i++) ids.unshift(await insert({ name, createdAt: i }));
    const searchAll = async () => (await search("", { limit: 100_000 })).filter((id) => ids.includes(id));
    expect([await search(name), await searchAll()]).toEqual([ids, ids]);
    expect(await search(name, { limit: 2 })).toEqual(ids.slice(0, 3));
    expect(await search(name, { limit: 2, offset: 1 })).toEqual(ids.slice(1, 4));
    await erase(ids[0] ?? "");
    expect([await search(name), await searchAll()]).toEqual([ids.slice(1), ids.slice(1)]);
  });

  it("is searched by a part of the name, or by the beginning of the id, tag or email address", async () => {
    const unique = newTag();
    const account = newAccount({ name: `Big ${unique.toUpperCase()} Corp` });
    await insertAccount(env.DB, account);
    const userId = await insertMemberOf(account.id);
    for (const text of [
      unique,
      account.id,
      account.id.slice(0, 30),
      account.tag,
      account.tag.slice(0, 9),
      userId,
      userId.toUpperCase(),
    ]) {
      expect([text, await search(text)]).toEqual([text, [account.id]]);
    }
    for (const text of [account.id.slice(1), account.tag.slice(1), userId.slice(1), `%${unique}`]) {
      expect([text, await search(text)]).toEqual([text, []]);
    }
  });

  it("contains the figures of the newest summary, and no figures without a summary", async () => {
    const [id, other] = [await insert(), await insert()];
    await putSummaries(env.DB, [summaryOf(id), summaryOf(id, { balance: 20, used: 30, at: 10 }), summaryOf("unknown")]);
    await putSummaries(env.DB, [summaryOf(id, { balance: 0, at: 9 })]);
    expect(await listAccounts(env.DB, { search: id, limit: 1, offset: 0 })).toEqual([
      { ...(await mustGetAccount(env.DB, id)), balance: 20, used: 30 },
    ]);
    expect(await listAccounts(env.DB, { search: other, limit: 1, offset: 0 })).toMatchObject([
      { balance: null, used: null },
    ]);
    await putSummaries(env.DB, [summaryOf(id, { balance: 21, at: 10 })]);
    expect(await env.DB.prepare("SELECT * FROM account_summaries WHERE account_id = ?1").bind(id).first()).toEqual({
      ...{ account_id: id, balance: 21, reserved: 2, granted: 3, used: 4, queued: 5, processing: 6, last_job_at: 7 },
      ...{ waiting: 1, browser_waits: 2, queued_since: 3, next_due_at: 8, updated_at: 10 },
    });
    await erase(other);
    await putSummaries(env.DB, [summaryOf(other)]);
    expect(
      await env.DB.prepare("SELECT 1 FROM account_summaries WHERE account_id = ?1").bind(other).first(),
    ).toBeNull();
  });

  it("returns the accounts that were used last, before more than 200 idle accounts that are newer", async () => {
    const now = Date.now();
    const [busy, used, done, idle] = [await insert(), await insert(), await insert(), await insert()];
    const none = { queued: 0, processing: 0, lastJobAt: null };
    await putSummaries(env.DB, [
      summaryOf(busy, { ...none, processing: 1 }),
      summaryOf(used, none),
      summaryOf(done, { ...none, lastJobAt: now }),
      summaryOf(idle, none),
    ]);
    // The account `used` has created its first job after its summary.
    await env.DB.prepare(
      `INSERT INTO api_keys (id, account_id, hash, mode, prefix, last4, scopes, created_at, last_used_at, allowed_ips)
       VALUES (?1, ?2, ?1, 'live', '', '', '[]', 0, ?3, '[]')`,
    )
      .bind(newId(), used, now)
      .run();
    const object = newId();
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 210)
       INSERT INTO accounts (id, tag, name, object, created_at) SELECT ?1 || i, ?1 || i, '', ?1, ?2 FROM n`,
    )
      .bind(object, now)
      .run();
    onTestFinished(async () => {
      await env.DB.prepare("DELETE FROM account_summaries WHERE account_id >= ?1 AND account_id < ?1 || 'g'")
        .bind(object)
        .run();
      await env.DB.prepare("DELETE FROM accounts WHERE object = ?1").bind(object).run();
    });
    const newer = await env.DB.prepare("SELECT id FROM accounts WHERE object = ?1").bind(object).all<{ id: string }>();
    // Half of them have reported that they have no jobs.
    await putSummaries(
      env.DB,
      newer.results.slice(105).map(({ id }) => summaryOf(id, none)),
    );
    const listed = (await listRecentAccounts(env.DB, 200)).map(({ id }) => id);
    expect([busy, used, done, idle].map((id) => listed.includes(id))).toEqual([true, true, true, false]);
  });

  it("returns overdue accounts once, those that are due the longest first", async () => {
    // Other accounts are due later than these.
    const start = -DAY_MS;
    const accounts = [newAccount(), newAccount(), newAccount(), newAccount()];
    for (const account of accounts) await insertAccount(env.DB, account);
    const [a, b, c, idle] = accounts.map(({ id }) => id) as [string, string, string, string];
    await putSummaries(env.DB, [
      summaryOf(a, { nextDueAt: start + 30 }),
      summaryOf(b, { nextDueAt: start + 20 }),
      summaryOf(c, { nextDueAt: start + 31 }),
      summaryOf(idle, { nextDueAt: null }),
    ]);
    const take = async (before: number, limit = 9) =>
      await takeOverdueAccounts(env.DB, { before: start + before, now: start + 1_000, limit });
    const refs = accounts.map(toAccountRef);
    expect(await take(19)).toEqual([]);
    expect(await take(30, 1)).toEqual([refs[1]]);
    expect(await take(30)).toEqual([refs[0]]);
    expect(await take(999)).toEqual([refs[2]]);
    expect(await take(1_000)).toHaveLength(3);
    await erase(a);
    expect(await take(1_000)).toHaveLength(2);
  });
});

describe("the Durable Object of an account", () => {
  it("is in the account's jurisdiction, which the runtime must support", () => {
    const calls: unknown[] = [];
    const getByName = (...args: unknown[]) => void calls.push(args);
    const jurisdiction = (name: string) => {
      if (name === "fedramp") throw new Error("unsupported");
      calls.push(name);
      return { getByName };
    };
    const bindings = { ACCOUNT: { getByName, jurisdiction } } as unknown as Env;
    const account = { id: "id", tag: "tag", object: "object", jurisdiction: null };
    accountStub(bindings, account);
    accountStub(bindings, { ...account, jurisdiction: "eu" }, "weur");
    expect(calls).toEqual([["object", {}], "eu", ["object", { locationHint: "weur" }]]);
    requireJurisdiction(bindings, null);
    requireJurisdiction(bindings, "eu");
    expect(() => requireJurisdiction(bindings, "fedramp")).toThrow(
      "must be omitted, because this runtime doesn't support the jurisdiction 'fedramp'",
    );
  });
});
