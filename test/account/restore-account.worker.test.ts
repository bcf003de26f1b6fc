import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import {
  activateRestored,
  eraseAccount,
  importChunk,
  openRestore,
  streamExport,
} from "../../src/account/restore-account";
import { type DirectoryExport, exportDirectory } from "../../src/directory/directory-export";
import { getAccount, mustGetAccount } from "../../src/store/accounts";
import { listAudit } from "../../src/store/audit";
import { putResult } from "../../src/store/objects";
import { newJob, objectOf as objectStub, sqlIn, stubOf } from "../support/account";
import { finishErasure, populate, runAlarm, tablesOf } from "../support/admin";
import { createAccount, createClient, objectOf, refOf } from "../support/client";

const actor = "operator";

/** Exports an account. Returns the directory's data, the lines of the rows and the last line. */
async function exportAccount(accountId: string) {
  const account = await mustGetAccount(env.DB, accountId);
  const stream = streamExport(env, await refOf(accountId), await exportDirectory(env.DB, account));
  const lines = (await new Response(stream).text()).trimEnd().split("\n");
  const { format, version, ...header } = JSON.parse(lines[0] ?? "") as DirectoryExport & Record<string, unknown>;
  expect([format, version]).toEqual(["account-export", 1]);
  return { header: header as DirectoryExport, rows: lines.slice(1, -1), end: JSON.parse(lines.at(-1) ?? "") };
}

async function eraseCompletely(accountId: string): Promise<void> {
  const account = await refOf(accountId);
  await eraseAccount(env, { accountId, actor });
  await finishErasure(account);
}

describe("an export of an account", () => {
  it("contains the directory's data and all rows, and ends with their number", async () => {
    const { accountId, keyId } = await createClient();
    await populate(accountId);
    const account = await refOf(accountId);
    await sqlIn(
      account,
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
       INSERT INTO ledger (kind, key, amount, created_at) SELECT 'adjustment', 'k' || i, 0, 0 FROM n`,
    );
    const { header, rows, end } = await exportAccount(accountId);
    expect(header.account).toMatchObject({ id: accountId, tag: account.tag, plan: "enterprise" });
    expect(header.keys).toMatchObject([{ id: keyId, mode: "live" }]);
    expect(rows.length).toBeGreaterThan(1_500);
    expect(end).toEqual({ rows: rows.length, changed: false });
  });

  it("says if rows changed meanwhile, and fails if the account no longer exists", async () => {
    const accountId = await createAccount();
    const account = await refOf(accountId);
    await sqlIn(
      account,
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
       INSERT INTO ledger (kind, key, amount, created_at) SELECT 'adjustment', 'k' || i, 0, 0 FROM n`,
    );
    const directory = await exportDirectory(env.DB, await mustGetAccount(env.DB, accountId));
    const reader = streamExport(env, account, directory).pipeThrough(new TextDecoderStream()).getReader();
    // The second chunk contains the first page of rows.
    for (let i = 0; i < 2; i++) await reader.read();
    await stubOf(account).createJob(newJob(account));
    let last = "";
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) last = chunk.value ?? "";
    expect(JSON.parse(last.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ changed: true });
    const unknown = streamExport(env, { ...account, object: crypto.randomUUID() }, directory);
    await expect(new Response(unknown).text()).rejects.toThrow("The account no longer exists.");
  });
});

describe("a restore of an account", () => {
  it("brings back its rows and keys after an erasure", async () => {
    const { accountId, keyId } = await createClient();
    const { done, waiting } = await populate(accountId);
    const { header, rows } = await exportAccount(accountId);
    await eraseCompletely(accountId);
    expect(await openRestore(env, header)).toEqual({ id: accountId, cursor: 0 });
    expect(await importChunk(env, accountId, { lines: rows.slice(0, 2).join("\n"), next: 2 })).toBe(2);
    expect(await openRestore(env, header)).toEqual({ id: accountId, cursor: 2 });
    await expect(activateRestored(env, header, actor)).rejects.toMatchObject({
      ...{ code: "invalid_request", message: "The import isn't complete. Import the remaining rows first." },
    });
    expect(await getAccount(env.DB, accountId)).toBeNull();
    expect(await importChunk(env, accountId, { lines: rows.slice(2).join("\n"), next: null })).toBe(rows.length - 2);
    expect(await openRestore(env, header)).toEqual({ id: accountId, cursor: null });
    await activateRestored(env, header, actor);
    const restored = await getAccount(env.DB, accountId);
    expect(restored).toMatchObject({ name: "Test", object: `${accountId}:2`, erasedAt: null, suspendedAt: null });
    const object = await objectOf(accountId);
    expect(await object.get(done)).toMatchObject({ status: "completed" });
    expect(await object.get(waiting)).toMatchObject({ status: "queued" });
    const key = await env.DB.prepare("SELECT account_id FROM api_keys WHERE id = ?1").bind(keyId).first();
    expect(key).toEqual({ account_id: accountId });
    const [entry] = await listAudit(env.DB, { accountId, limit: 1, before: null });
    expect(entry).toMatchObject({ action: "account.restore", actor });
  });

  it("doesn't delete the restored objects in the second pass of the erasure", async () => {
    const accountId = await createAccount();
    const { account, done } = await populate(accountId);
    const { header, rows } = await exportAccount(accountId);
    await eraseAccount(env, { accountId, actor });
    for (let step = 0; step < 20 && (await stubOf(account).readState()).kind === "erasing"; step++) {
      await runAlarm(account);
    }
    expect(await stubOf(account).readState()).toEqual({ kind: "erased", tag: account.tag });
    const next = await runInDurableObject(objectStub(account), (_, { storage }) => storage.getAlarm());
    expect((next ?? 0) - Date.now()).toBeGreaterThan(29 * 60_000);
    await openRestore(env, header);
    await importChunk(env, accountId, { lines: rows.join("\n"), next: null });
    await activateRestored(env, header, actor);
    await putResult(env.STORE, done.id, 1, "{}");
    await finishErasure(account);
    expect((await env.STORE.list({ prefix: `results/${account.tag}/` })).objects).toHaveLength(1);
  });

  it("puts the account into the location of the header, which can differ from the exported one", async () => {
    const { accountId } = await createClient();
    const { done } = await populate(accountId);
    const { header, rows } = await exportAccount(accountId);
    expect(header.account.location).toBeNull();
    await eraseCompletely(accountId);
    const moved: DirectoryExport = { ...header, account: { ...header.account, location: "weur" } };
    await openRestore(env, moved);
    await importChunk(env, accountId, { lines: rows.join("\n"), next: null });
    await activateRestored(env, moved, actor);
    expect(await getAccount(env.DB, accountId)).toMatchObject({ object: `${accountId}:2`, location: "weur" });
    expect(await (await objectOf(accountId)).get(done)).toMatchObject({ status: "completed" });
  });

  it("starts again in a new Durable Object if it is continued with another location", async () => {
    const { accountId } = await createClient();
    const { account } = await populate(accountId);
    const { header, rows } = await exportAccount(accountId);
    await eraseCompletely(accountId);
    await openRestore(env, header);
    await importChunk(env, accountId, { lines: rows.slice(0, 2).join("\n"), next: 2 });
    const interrupted = { ...account, object: `${accountId}:2` };
    expect(await tablesOf(interrupted)).not.toEqual([]);
    const moved: DirectoryExport = { ...header, account: { ...header.account, location: "apac" } };
    expect(await openRestore(env, moved)).toEqual({ id: accountId, cursor: 0 });
    expect(await tablesOf(interrupted)).toEqual([]);
    await importChunk(env, accountId, { lines: rows.join("\n"), next: null });
    await activateRestored(env, moved, actor);
    expect(await getAccount(env.DB, accountId)).toMatchObject({ object: `${accountId}:3`, location: "apac" });
  });

  it("is refused with a jurisdiction that the runtime doesn't have", async () => {
    const accountId = await createAccount();
    const { header } = await exportAccount(accountId);
    await eraseCompletely(accountId);
    const abroad: DirectoryExport = { ...header, account: { ...header.account, jurisdiction: "eu" } };
    await expect(openRestore(env, abroad)).rejects.toMatchObject({
      ...{ code: "invalid_request", details: [{ path: "jurisdiction" }] },
    });
  });

  it("is refused while the account exists or is being erased", async () => {
    const accountId = await createAccount();
    await populate(accountId);
    const { header } = await exportAccount(accountId);
    const exists = { code: "invalid_request", message: `The account '${accountId}' already exists. Erase it first.` };
    await expect(openRestore(env, header)).rejects.toMatchObject(exists);
    await eraseAccount(env, { accountId, actor });
    await expect(openRestore(env, header)).rejects.toMatchObject({
      ...{ code: "unavailable", headers: { "Retry-After": "60" } },
      message: "This account is still being erased. Try again in a minute.",
    });
    expect(await getAccount(env.DB, accountId)).toBeNull();
  });

  it("accepts rows only after it was started, and never for an existing account", async () => {
    const accountId = await createAccount();
    const { header } = await exportAccount(accountId);
    const chunk = { lines: "", next: null };
    for (const id of [accountId, "unknown"]) {
      await expect(importChunk(env, id, chunk)).rejects.toMatchObject({
        ...{ code: "invalid_request", message: `The account '${id}' isn't being restored.` },
      });
    }
    await expect(activateRestored(env, header, actor)).rejects.toMatchObject({ code: "invalid_request" });
    await eraseCompletely(accountId);
    await expect(importChunk(env, accountId, chunk)).rejects.toMatchObject({
      message: "This account doesn't accept rows. Start an import first.",
    });
  });
});

describe("an erasure of an account", () => {
  it("suspends the account, fails its jobs and removes it from the directory", async () => {
    const { accountId, keyId } = await createClient();
    const { account, waiting } = await populate(accountId);
    const held = stubOf(account).get(waiting, 10_000);
    await eraseAccount(env, { accountId, actor });
    expect(await held).toMatchObject({
      ...{ status: "failed", creditsUsed: 0 },
      error: { code: "unavailable", message: "The account is being erased. Nothing was charged.", retryable: false },
    });
    expect(await stubOf(account).readState()).toEqual({ kind: "erasing", tag: account.tag });
    expect(await stubOf(account).createJob(newJob(account))).toEqual({ kind: "gone" });
    expect(await getAccount(env.DB, accountId)).toBeNull();
    expect(await env.DB.prepare("SELECT id FROM api_keys WHERE id = ?1").bind(keyId).first()).toBeNull();
    await finishErasure(account);
    expect(await tablesOf(account)).toEqual([]);
    for (const kind of ["results", "screenshots", "requests"]) {
      expect((await env.STORE.list({ prefix: `${kind}/${account.tag}/` })).objects).toEqual([]);
    }
    expect(await stubOf(account).readState()).toEqual({ kind: "erased", tag: null });
    await eraseAccount(env, { accountId, actor });
  });

  it("fails more unfinished jobs than one call handles", async () => {
    const accountId = await createAccount();
    const account = await refOf(accountId);
    await sqlIn(account, "UPDATE account SET concurrent_jobs = 1");
    await Promise.all(Array.from({ length: 60 }, () => stubOf(account).createJob(newJob(account))));
    expect(await stubOf(account).erase()).toEqual({ kind: "failing" });
    expect(await stubOf(account).inspect()).toMatchObject({ kind: "open", queued: 35 });
    await eraseAccount(env, { accountId, actor });
    expect(await stubOf(account).erase()).toEqual({ kind: "erasing" });
    await finishErasure(account);
  });

  it("of an unknown account ends with an error", async () => {
    const erasure = eraseAccount(env, { accountId: "unknown", actor });
    await expect(erasure).rejects.toMatchObject({ code: "not_found", status: 404 });
  });
});
