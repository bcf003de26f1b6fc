import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { toIso } from "../../src/lib/clock";
import { newId } from "../../src/lib/id";
import type { EngineName } from "../../src/model/engine";
import { DAY_MS, SCHEMA_VERSION } from "../../src/model/limits";
import { type AuditEntry, auditIfChanged, insertAudit, insertAuditOnce, listAudit } from "../../src/store/audit";
import { insertMember, isUnverified, listMembers } from "../../src/store/memberships";
import {
  accountEntryStatement,
  deleteEntries,
  getAccountEntry,
  keyEntriesStatement,
  type OutboxEntry,
  takeDueEntries,
} from "../../src/store/outbox";
import { describeOldSchema, readSchemaVersion, requireSchema } from "../../src/store/schema-version";
import { claimSerpCheck, deleteOldSerpChecks, finishSerpCheck, listSerpChecks } from "../../src/store/serp-checks";
import {
  deleteEndedSessions,
  deleteOldAttempts,
  deleteOldLinks,
  findUser,
  getUser,
  getUserOfLink,
  insertLink,
} from "../../src/store/users";
import { createAccount, createClient } from "../support/client";

async function insertUser({ verified = false, createdAt = "" } = {}): Promise<string> {
  const id = newId();
  await env.DB.prepare(
    `INSERT INTO users (id, name, email, email_verified, created_at, updated_at)
     VALUES (?1, 'Ada', ?1 || '@example.com', ?2, ?3, '')`,
  )
    .bind(id, Number(verified), createdAt)
    .run();
  return id;
}

const auditOf = (accountId: string | null, more: Partial<AuditEntry> = {}): AuditEntry => ({
  ...{ actor: "operator", action: "credits.adjust", accountId, detail: { key: "a", change: 1 }, at: 5 },
  ...more,
});

describe("the audit log", () => {
  it("is listed newest first, in pages, for one account or for all accounts", async () => {
    // The entries of earlier tests are older than these.
    const [a, b] = [newId(), newId()];
    for (const [i, account] of [a, b, a, a, null].entries()) {
      await insertAudit(env.DB, auditOf(account, { at: i }));
    }
    const list = async (accountId: string | null, limit = 10, before: number | null = null) =>
      await listAudit(env.DB, { accountId, limit, before });
    const all = await list(null, 4);
    expect(all.map(({ at }) => at)).toEqual([4, 3, 2, 1, 0]);
    expect(all[4]).toEqual({ ...auditOf(a, { at: 0 }), id: expect.any(Number) });
    expect((await list(a)).map(({ at }) => at)).toEqual([3, 2, 0]);
    // One entry more than the page shows that there are older ones.
    const page = await list(a, 1);
    expect(page.map(({ at }) => at)).toEqual([3, 2]);
    expect((await list(a, 10, page[0]?.id)).map(({ at }) => at)).toEqual([2, 0]);
    expect((await list(null, 1, all[1]?.id)).map(({ at }) => at)).toEqual([2, 1]);
  });

  it("contains an entry once for each account, action and key", async () => {
    const [first, second] = [newId(), newId()];
    for (const [account, more] of [
      [first, {}],
      [first, { at: 6 }],
      [first, { detail: { key: "b" } }],
      [first, { action: "key.create" }],
      [second, {}],
    ] as [string, Partial<AuditEntry>][]) {
      const entry = auditOf(account, more);
      await insertAuditOnce(env.DB, entry, entry.detail.key as string);
    }
    const entries = await listAudit(env.DB, { accountId: first, limit: 10, before: null });
    expect(entries.map(({ action, detail, at }) => [action, detail.key, at])).toEqual([
      ["key.create", "a", 5],
      ["credits.adjust", "b", 5],
      ["credits.adjust", "a", 5],
    ]);
    expect(await listAudit(env.DB, { accountId: second, limit: 10, before: null })).toHaveLength(1);
  });

  it("contains a change only if it changed a row", async () => {
    const accountId = await createAccount();
    const change = (id: string) => env.DB.prepare("UPDATE accounts SET name = 'x' WHERE id = ?1").bind(id);
    await env.DB.batch([change(accountId), auditIfChanged(env.DB, auditOf(accountId, { at: 1 }))]);
    await env.DB.batch([change("unknown"), auditIfChanged(env.DB, auditOf(accountId, { at: 2 }))]);
    const entries = await listAudit(env.DB, { accountId, limit: 10, before: null });
    expect(entries).toEqual([{ ...auditOf(accountId, { at: 1 }), id: expect.any(Number) }]);
  });
});

describe("the outbox", () => {
  const dueOf = async (target: string) =>
    await env.DB.prepare("SELECT due_at FROM outbox WHERE target = ?1").bind(target).first<number>("due_at");

  it("contains the latest change of an account and of its active keys", async () => {
    const client = await createClient();
    const id = client.accountId;
    expect(await getAccountEntry(env.DB, id)).toBeNull();
    await accountEntryStatement(env.DB, id, 5).run();
    expect(await getAccountEntry(env.DB, id)).toEqual({ kind: "account", target: id, version: 1 });
    await env.DB.prepare("UPDATE accounts SET version = 4 WHERE id = ?1").bind(id).run();
    const { results } = await accountEntryStatement(env.DB, id, 6).all();
    expect(results).toEqual([{ kind: "account", target: id, version: 4 }]);
    expect([await dueOf(id), await getAccountEntry(env.DB, id)]).toEqual([6, results[0]]);
    const keys = await keyEntriesStatement(env.DB, id, 7).all<OutboxEntry>();
    expect(keys.results).toEqual([{ kind: "key", target: expect.any(String), version: 4 }]);
    expect(await dueOf(keys.results[0]?.target ?? "")).toBe(7);
    await env.DB.prepare("UPDATE api_keys SET revoked_at = 1 WHERE id = ?1").bind(client.keyId).run();
    expect((await keyEntriesStatement(env.DB, id, 8).all()).results).toEqual([]);
  });

  it("returns due entries, the oldest first, and delays them until their next try", async () => {
    // Other entries are due later than these.
    const start = -DAY_MS;
    const [a, b, c] = [await createAccount(), await createAccount(), await createAccount()];
    for (const [id, at] of [
      [a, 20],
      [b, 10],
      [c, 21],
    ] as const) {
      await accountEntryStatement(env.DB, id, start + at).run();
    }
    const take = async (now: number, limit = 10) =>
      (await takeDueEntries(env.DB, { now: start + now, limit, retryMs: 100 })).map(({ target }) => target);
    expect(await take(9)).toEqual([]);
    expect(await take(20, 1)).toEqual([b]);
    expect(await take(20)).toEqual([a]);
    expect([await dueOf(a), await dueOf(b), await dueOf(c)]).toEqual([start + 120, start + 120, start + 21]);
    expect(await take(20)).toEqual([]);
    expect((await take(120)).toSorted()).toEqual([a, b, c].toSorted());
  });

  it("keeps an entry that a later change has replaced", async () => {
    const [a, b] = [await createAccount(), await createAccount()];
    for (const id of [a, b]) await accountEntryStatement(env.DB, id, 5).run();
    await deleteEntries(env.DB, []);
    await deleteEntries(env.DB, [
      { kind: "account", target: a, version: 0 },
      { kind: "key", target: a, version: 1 },
      { kind: "account", target: b, version: 1 },
    ]);
    expect(await getAccountEntry(env.DB, a)).not.toBeNull();
    expect(await getAccountEntry(env.DB, b)).toBeNull();
  });
});

describe("a user", () => {
  it("is found by the id or the email address, with the account", async () => {
    const [userId, accountId] = [await insertUser({ verified: true, createdAt: "2026" }), await createAccount()];
    const user = { id: userId, email: `${userId}@example.com`, name: "Ada", email_verified: 1, created_at: "2026" };
    expect(await getUser(env.DB, userId)).toEqual(user);
    expect(await getUser(env.DB, accountId)).toBeNull();
    expect(await findUser(env.DB, user.email.toUpperCase())).toEqual({ id: userId, account_id: null });
    await insertMember(env.DB, { role: "owner", userId, accountId, now: 5 });
    expect(await findUser(env.DB, user.email)).toEqual({ id: userId, account_id: accountId });
    expect(await findUser(env.DB, "unknown@example.com")).toBeNull();
    expect(await listMembers(env.DB, accountId)).toEqual([
      { id: userId, email: user.email, name: "Ada", emailVerified: true, role: "owner", joinedAt: 5 },
    ]);
  });

  it("is listed in the order of joining", async () => {
    const accountId = await createAccount();
    const [late, early] = [await insertUser(), await insertUser()];
    await insertMember(env.DB, { role: "owner", userId: late, accountId, now: 2 });
    await insertMember(env.DB, { role: "member", userId: early, accountId, now: 1 });
    expect((await listMembers(env.DB, accountId)).map(({ id }) => id)).toEqual([early, late]);
    expect(await listMembers(env.DB, await createAccount())).toEqual([]);
  });

  it.each([
    [[], false],
    [[false], true],
    [[true], false],
    [[false, true], false],
    [[true, false], false],
    [[false, false], true],
  ])("leaves its account unverified, if the members' verified addresses are %j: %s", async (members, expected) => {
    const accountId = await createAccount();
    for (const verified of members) {
      await insertMember(env.DB, { role: "owner", userId: await insertUser({ verified }), accountId, now: 0 });
    }
    expect(await isUnverified(env.DB, accountId)).toBe(expected);
  });

  it("is found by a sign-in link, whose creation is audited", async () => {
    const [userId, accountId, identifier] = [await insertUser(), await createAccount(), newId()];
    const value = JSON.stringify({ email: `${userId}@example.com` });
    const audit = auditOf(accountId, { action: "link.create" });
    await insertLink(env.DB, { identifier, value, expiresAt: DAY_MS, now: 1_000 }, audit);
    expect(await getUserOfLink(env.DB, identifier)).toMatchObject({ id: userId });
    expect(await getUserOfLink(env.DB, "unknown")).toBeNull();
    expect(await listAudit(env.DB, { accountId, limit: 9, before: null })).toMatchObject([audit]);
    const query = "SELECT value, expires_at, created_at, updated_at FROM verifications WHERE identifier = ?1";
    const row = await env.DB.prepare(query).bind(identifier).first();
    const created = toIso(1_000);
    expect(row).toEqual({ value, expires_at: toIso(DAY_MS), created_at: created, updated_at: created });
  });

  /** Returns those of the given ids that the table contains. */
  async function leftIn(table: string, ids: string[]): Promise<string[]> {
    const statement = env.DB.prepare(
      `SELECT id FROM ${table} WHERE id IN (SELECT value FROM json_each(?1)) ORDER BY id`,
    );
    const { results } = await statement.bind(JSON.stringify(ids)).all<{ id: string }>();
    return results.map(({ id }) => id);
  }

  it("loses expired sessions and links, and counters that are a day old", async () => {
    const userId = await insertUser();
    // Other rows end later than these.
    const now = -100 * DAY_MS;
    const tables = [
      [
        "sessions",
        deleteEndedSessions,
        "token, user_id, expires_at",
        (at: number) => [newId(), userId, toIso(now + at)],
      ],
      [
        "verifications",
        deleteOldLinks,
        "identifier, value, expires_at",
        (at: number) => [newId(), "", toIso(now + at)],
      ],
    ] as const;
    for (const [table, remove, columns, valuesOf] of tables) {
      const ids: string[] = [];
      for (const at of [-2, -1, 0, 1]) {
        const id = newId();
        ids.push(id);
        await env.DB.prepare(
          `INSERT INTO ${table} (id, ${columns}, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, '', '')`,
        )
          .bind(...[id, ...valuesOf(at)])
          .run();
      }
      expect([table, await remove(env.DB, now, 2)]).toEqual([table, 2]);
      expect(await remove(env.DB, now, 1_000)).toBeGreaterThan(0);
      expect(await leftIn(table, ids)).toEqual(ids.slice(3));
    }
    const attempts: string[] = [];
    for (const at of [now - DAY_MS, now - DAY_MS + 1]) {
      const id = newId();
      attempts.push(id);
      await env.DB.prepare("INSERT INTO sign_in_attempts (id, key, count, last_request) VALUES (?1, ?1, 1, ?2)")
        .bind(id, at)
        .run();
    }
    expect(await deleteOldAttempts(env.DB, now, 9)).toBe(1);
    expect(await leftIn("sign_in_attempts", attempts)).toEqual(attempts.slice(1));
  });
});

describe("the checks of the search engines", () => {
  it("are claimed once in their interval, and listed newest first", async () => {
    // The checks of other tests have other engines, and are newer.
    const [google, bing] = [`google ${newId()}`, `bing ${newId()}`] as unknown as ["google", "bing"];
    const start = -DAY_MS;
    const claim = (engine: EngineName, now: number, since: number) =>
      claimSerpCheck(env.DB, { engine, now: start + now, since: start + since });
    const list = async (since: number) =>
      (await listSerpChecks(env.DB, start + since)).filter(({ engine }) => engine === google || engine === bing);
    const first = await claim(google, 100, 0);
    expect(first).toEqual(expect.any(Number));
    expect(await claim(google, 150, 99)).toBeNull();
    expect(await claim(bing, 150, 99)).not.toBeNull();
    expect(await claim(google, 160, 100)).not.toBeNull();
    const end = { outcome: "results", source: "browser", results: 7, disputed: 3, durationMs: 9 };
    await finishSerpCheck(env.DB, first ?? 0, end);
    const open = { outcome: null, source: null, results: 0, disputed: 0, durationMs: null };
    expect(await list(99)).toEqual([
      { engine: google, checkedAt: start + 160, ...open },
      { engine: bing, checkedAt: start + 150, ...open },
      { engine: google, checkedAt: start + 100, ...end },
    ]);
    expect(await list(100)).toHaveLength(2);
    expect(await deleteOldSerpChecks(env.DB, start + 150)).toBe(2);
    expect(await list(0)).toMatchObject([{ checkedAt: start + 160 }]);
    await deleteOldSerpChecks(env.DB, start + 160);
  });
});

describe("the schema of the database", () => {
  const databaseWith = (first: () => Promise<number | null>) => {
    let reads = 0;
    const count = () => {
      reads++;
      return first();
    };
    const db = { prepare: () => ({ first: count }) } as unknown as D1Database;
    return { db, reads: () => reads };
  };

  it("must be at least as new as the code", async () => {
    expect(await readSchemaVersion(env.DB)).toBe(SCHEMA_VERSION);
    await requireSchema(env.DB);
    const old = databaseWith(async () => SCHEMA_VERSION - 1);
    for (const _ of [1, 2]) {
      await expect(requireSchema(old.db)).rejects.toMatchObject({
        ...{ code: "unavailable", status: 503, headers: { "Retry-After": "30" } },
        message: describeOldSchema(SCHEMA_VERSION - 1),
      });
    }
    const recent = databaseWith(async () => SCHEMA_VERSION + 1);
    for (const _ of [1, 2]) await requireSchema(recent.db);
    expect([old.reads(), recent.reads()]).toEqual([2, 1]);
  });

  it("has version 0 if there are no tables, and other errors are thrown", async () => {
    expect(await readSchemaVersion(databaseWith(async () => null).db)).toBe(0);
    const failing = (message: string) => databaseWith(() => Promise.reject(new Error(message))).db;
    expect(await readSchemaVersion(failing("D1_ERROR: no such table: schema_versions"))).toBe(0);
    await expect(readSchemaVersion(failing("D1 is down."))).rejects.toThrow("D1 is down.");
  });
});
