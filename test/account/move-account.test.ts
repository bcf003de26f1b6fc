import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type MoveProgress, moveAccount } from "../../src/account/move-account";
import type { AccountRef } from "../../src/model/account";
import { getAccount } from "../../src/store/accounts";
import { listAudit } from "../../src/store/audit";
import { newJob, sqlIn, stubOf, withFailingAccounts } from "../support/account";
import { COMPLETED, populate, tablesOf } from "../support/admin";
import { createAccount, createClient, objectOf, refOf } from "../support/client";

afterEach(() => vi.useRealTimers());

type MoveInput = Parameters<typeof moveAccount>[1];

function inputOf(accountId: string, more: Partial<MoveInput> = {}): MoveInput {
  return {
    ...{ accountId, location: "weur", jurisdiction: null, actor: "operator", compareFrom: null, drainMs: 0 },
    ...{ budgetMs: 20_000, ...more },
  };
}

/** Stops the clock. In the returned bindings, it passes one second for each page of rows. */
function slowBindings(): Env {
  vi.useFakeTimers({ toFake: ["Date"] });
  return withFailingAccounts((method) => {
    if (method === "importRows" || method === "digestRows") vi.setSystemTime(Date.now() + 1_000);
    return null;
  });
}

async function addLedgerRows(account: AccountRef, rows: number): Promise<void> {
  await sqlIn(
    account,
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO ledger (kind, key, amount, created_at) SELECT 'adjustment', 'k' || i, 0, 0 FROM n`,
    rows,
  );
}

describe("a move of an account", () => {
  it("copies the rows to the next Durable Object, ends the suspension and deletes the old rows", async () => {
    const { accountId } = await createClient();
    const { account, done, waiting } = await populate(accountId);
    const held = await stubOf(account).claim(waiting, "token");
    expect(held.kind).toBe("run");
    expect(await moveAccount(env, inputOf(accountId))).toEqual({ state: "moved", object: `${accountId}:2` });
    const moved = await getAccount(env.DB, accountId);
    expect(moved).toMatchObject({ object: `${accountId}:2`, location: "weur", suspendedAt: null });
    const object = await objectOf(accountId);
    expect(await object.readState()).toEqual({ kind: "open" });
    expect(await object.get(done)).toMatchObject({ status: "completed", result: COMPLETED.result });
    expect(await object.get(waiting)).toMatchObject({ status: "queued", attempts: 0 });
    expect(await object.createJob(newJob(await refOf(accountId)))).toMatchObject({ kind: "created" });
    expect(await object.predecessor()).toEqual({ kind: "predecessor", account: null });
    expect(await tablesOf(account)).toEqual([]);
    expect(await stubOf(account).createJob(newJob(account))).toEqual({ kind: "gone" });
    const [move, suspension] = await listAudit(env.DB, { accountId, limit: 2, before: null });
    expect(move).toMatchObject({
      action: "account.move",
      actor: "operator",
      detail: { location: "weur", jurisdiction: null },
    });
    expect(suspension).toMatchObject({ action: "account.change", detail: { suspended: true } });
  });

  it("keeps the time of an earlier suspension", async () => {
    const accountId = await createAccount();
    await env.DB.prepare("UPDATE accounts SET suspended_at = 5 WHERE id = ?1").bind(accountId).run();
    expect(await moveAccount(env, inputOf(accountId))).toMatchObject({ state: "moved" });
    expect(await getAccount(env.DB, accountId)).toMatchObject({ suspendedAt: 5, object: `${accountId}:2` });
  });

  it("can be made in several calls, which continue where the last one stopped", async () => {
    const accountId = await createAccount();
    await addLedgerRows(await refOf(accountId), 3_500);
    const bindings = slowBindings();
    const progress: MoveProgress[] = [];
    for (let compareFrom: string | null = null; progress.at(-1)?.state !== "moved" && progress.length < 20; ) {
      const next = await moveAccount(bindings, inputOf(accountId, { budgetMs: 500, compareFrom }));
      compareFrom = next.state === "comparing" ? next.cursor : null;
      progress.push(next);
      if (progress.length > 1) continue;
      expect(next).toEqual({ state: "copying", rows: 1_000 });
      expect(await getAccount(env.DB, accountId)).toMatchObject({ suspendedAt: expect.any(Number), object: accountId });
      expect(await (await objectOf(accountId)).readState()).toEqual({ kind: "moving" });
    }
    const count = (state: string) => progress.filter((one) => one.state === state).length;
    expect([count("copying"), count("comparing"), count("moved")]).toEqual([3, 3, 1]);
    const [rows] = await sqlIn(await refOf(accountId), "SELECT COUNT(*) AS n FROM ledger WHERE kind = 'adjustment'");
    expect(rows).toEqual({ n: 3_500 });
  });

  it("stops if the copy differs, and leaves the account suspended in its old Durable Object", async () => {
    const accountId = await createAccount();
    const account = await refOf(accountId);
    await addLedgerRows(account, 10);
    const failing = withFailingAccounts((method) => (method === "digestRows" ? "before" : null));
    await expect(moveAccount(failing, inputOf(accountId))).rejects.toMatchObject({ code: "unavailable" });
    await sqlIn({ ...account, object: `${accountId}:2` }, "UPDATE ledger SET amount = 1 WHERE key = 'k10'");
    await expect(moveAccount(env, inputOf(accountId))).rejects.toMatchObject({
      ...{ code: "internal_error", status: 500 },
      message: "The copied rows differ from the original ones. The account stays suspended.",
    });
    expect(await getAccount(env.DB, accountId)).toMatchObject({ suspendedAt: expect.any(Number), object: accountId });
  });

  it("ends with an error for an unknown account or jurisdiction, and then changes nothing", async () => {
    const accountId = await createAccount();
    await expect(moveAccount(env, inputOf("unknown"))).rejects.toMatchObject({ code: "not_found" });
    const abroad = moveAccount(env, inputOf(accountId, { jurisdiction: "eu" }));
    await expect(abroad).rejects.toMatchObject({ code: "invalid_request" });
    expect(await getAccount(env.DB, accountId)).toMatchObject({ suspendedAt: null, object: accountId, version: 1 });
  });

  it("that is asked for again after its end moves the account once more", async () => {
    const accountId = await createAccount();
    for (const object of [`${accountId}:2`, `${accountId}:3`]) {
      expect(await moveAccount(env, inputOf(accountId))).toEqual({ state: "moved", object });
    }
  });

  it("is finished by the next call if only the old rows are left", async () => {
    const accountId = await createAccount();
    const account = await refOf(accountId);
    const failing = withFailingAccounts((method) => (method === "discard" ? "before" : null));
    await expect(moveAccount(failing, inputOf(accountId))).rejects.toMatchObject({ code: "unavailable" });
    expect(await tablesOf(account)).not.toEqual([]);
    expect(await moveAccount(env, inputOf(accountId))).toEqual({ state: "moved", object: `${accountId}:2` });
    expect(await tablesOf(account)).toEqual([]);
    // Another location is a new move.
    expect(await moveAccount(env, inputOf(accountId, { location: "apac" }))).toEqual({
      ...{ state: "moved", object: `${accountId}:3` },
    });
  });

  it("waits for running jobs, but only for the given time", async () => {
    const accountId = await createAccount();
    const { account, waiting } = await populate(accountId);
    await stubOf(account).claim(waiting, "token");
    const moving = moveAccount(env, inputOf(accountId, { drainMs: 30_000 }));
    await expect.poll(async () => (await getAccount(env.DB, accountId))?.suspendedAt).not.toBeNull();
    expect(await stubOf(account).finish(waiting, 1, COMPLETED)).toMatchObject({ kind: "ended" });
    expect(await moving).toMatchObject({ state: "moved" });
    expect(await (await objectOf(accountId)).get(waiting)).toMatchObject({ status: "completed", run: 1 });
  });
});
