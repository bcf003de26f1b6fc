import { createMessageBatch } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, onTestFinished } from "vitest";
import { consumeSummaries, refreshSummaries, wakeOverdueAccounts } from "../../src/directory/summaries";
import { MINUTE_MS } from "../../src/model/limits";
import type { AccountSummary, SummaryMessage } from "../../src/model/summary";
import { listAccounts } from "../../src/store/account-summaries";
import { createAccount, createClient } from "../support/client";

function summaryOf(accountId: string, more: Partial<AccountSummary> = {}): SummaryMessage {
  return {
    kind: "account",
    ...{ accountId, balance: 100, reserved: 1, granted: 200, used: 99, queued: 0, processing: 0 },
    ...{ waiting: 0, browserWaits: 0, queuedSince: null, lastJobAt: null, nextDueAt: null, at: 1_000, periods: [] },
    ...more,
  };
}

async function consume(bindings: Env, messages: SummaryMessage[]): Promise<void> {
  const batch = createMessageBatch<SummaryMessage>(
    "summaries",
    messages.map((body) => ({ id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body })),
  );
  await consumeSummaries(batch.messages, bindings);
}

/** Returns bindings that record the names of the objects that are woken. */
function recordWakes(): { bindings: Env; woken: string[] } {
  const woken: string[] = [];
  const namespace = {
    getByName: (name: string) => ({ wake: async () => void woken.push(name) }),
    jurisdiction: () => namespace,
  };
  return { bindings: { ...env, ACCOUNT: namespace as unknown as Env["ACCOUNT"] }, woken };
}

async function listed(accountId: string) {
  const [account] = await listAccounts(env.DB, { search: accountId, limit: 1, offset: 0 });
  return account === undefined ? null : { balance: account.balance, used: account.used };
}

it("writes a batch with one statement for all accounts and one for all keys", async () => {
  const client = await createClient();
  const others = await Promise.all(Array.from({ length: 3 }, () => createAccount()));
  let statements = 0;
  const prepare = (sql: string) => {
    statements++;
    return env.DB.prepare(sql);
  };
  const DB = { prepare } as unknown as D1Database;
  await consume({ ...env, DB }, [
    ...[client.accountId, ...others].map((id) => summaryOf(id)),
    { kind: "key_used", keyId: client.keyId, at: 5_000 },
    { kind: "key_used", keyId: client.keyId, at: 4_000 },
  ]);
  expect(statements).toBe(2);
  for (const id of [client.accountId, ...others]) expect(await listed(id)).toEqual({ balance: 100, used: 99 });
  const used = await env.DB.prepare("SELECT last_used_at AS at FROM api_keys WHERE id = ?1").bind(client.keyId).first();
  expect(used).toEqual({ at: 5_000 });
});

it("keeps the newest summary if an older one arrives later", async () => {
  const id = await createAccount();
  await consume(env, [summaryOf(id, { balance: 3, at: 3_000 }), summaryOf(id, { balance: 2, at: 2_000 })]);
  expect(await listed(id)).toMatchObject({ balance: 3 });
  await consume(env, [summaryOf(id, { balance: 1, at: 1_000 })]);
  expect(await listed(id)).toMatchObject({ balance: 3 });
  await consume(env, [summaryOf(id, { balance: 4, at: 4_000 })]);
  expect(await listed(id)).toMatchObject({ balance: 4 });
});

it("ignores summaries of unknown accounts and keys", async () => {
  const id = await createAccount();
  await consume(env, [summaryOf("unknown"), summaryOf(id), { kind: "key_used", keyId: "nothing", at: 1 }]);
  expect(await listed(id)).toMatchObject({ balance: 100 });
  expect(await listed("unknown")).toBeNull();
});

it("wakes each Durable Object once if its alarm is five minutes late", async () => {
  // The accounts of other test files could be late too.
  await env.DB.prepare("DELETE FROM account_summaries").run();
  const [lost, quiet, future] = [await createAccount(), await createAccount(), await createAccount()];
  const now = Date.now();
  await consume(env, [
    summaryOf(lost, { nextDueAt: now - 5 * MINUTE_MS }),
    summaryOf(quiet),
    summaryOf(future, { nextDueAt: now - 4 * MINUTE_MS }),
  ]);
  const { bindings, woken } = recordWakes();
  expect(await wakeOverdueAccounts(bindings, now)).toBe(1);
  expect(woken).toEqual([lost]);
  expect(await wakeOverdueAccounts(bindings, now)).toBe(0);
});

it("refreshes the latest accounts, even if many older accounts have never sent a summary", async () => {
  // The accounts of other test files would come first.
  await env.DB.batch(
    ["DELETE FROM account_summaries", "UPDATE api_keys SET last_used_at = NULL"].map((sql) => env.DB.prepare(sql)),
  );
  await env.DB.prepare(
    `WITH RECURSIVE idle (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM idle WHERE n < 250)
     INSERT INTO accounts (id, tag, object, name, created_at)
     SELECT 'idle-' || n, 'idle-' || n, 'idle-' || n, 'Idle', 0 FROM idle`,
  ).run();
  onTestFinished(async () => {
    await env.DB.prepare("DELETE FROM accounts WHERE id LIKE 'idle-%'").run();
  });
  const [used, created] = [await createAccount(), await createAccount()];
  const now = Date.now();
  await consume(env, [summaryOf(used, { lastJobAt: now })]);
  const { bindings, woken } = recordWakes();
  expect(await refreshSummaries(bindings)).toBe(200);
  expect(woken).toEqual(expect.arrayContaining([used, created]));
});
