import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newTag } from "../../../src/lib/id";
import { getScreenshot, putFile, putResult } from "../../../src/store/objects";
import { newJob, objectOf, stubOf } from "../../support/account";
import { call, finishErasure, populate, runAlarm, tablesOf } from "../../support/admin";
import { createAccount, createClient, refOf } from "../../support/client";

describe("erasing an account", () => {
  it("fails unfinished jobs, deletes all data, and then responds as for an unknown key", async () => {
    const client = await createClient();
    const { account, done, waiting } = await populate(client.accountId);
    const stub = stubOf(account);
    const held = stub.get(waiting, 10_000);
    expect((await call("POST", `/accounts/${client.accountId}/erase`)).status).toBe(202);
    expect(await held).toMatchObject({ status: "failed", error: { code: "unavailable" }, creditsUsed: 0 });
    const [response, unknown] = await Promise.all([
      client.call("GET", "/v1/usage"),
      client.call("GET", "/v1/usage", undefined, {
        headers: { authorization: `Bearer ${(await createClient()).secret}x` },
      }),
    ]);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { code: "invalid_api_key" } });
    expect(unknown.status).toBe(401);
    await finishErasure(account);
    expect(await getScreenshot(env.STORE, done.id)).toBeNull();
    expect((await env.STORE.list({ prefix: `results/${account.tag}/` })).objects).toEqual([]);
    expect(await tablesOf(account)).toEqual([]);
    // A late message doesn't create tables.
    expect(await stub.claim(waiting, "token")).toEqual({ kind: "gone" });
    expect(await stub.createJob(newJob(account))).toEqual({ kind: "gone" });
    expect(await stub.renew(waiting, 1)).toEqual({ kind: "gone" });
    expect(await tablesOf(account)).toEqual([]);
    expect((await call("POST", `/accounts/${client.accountId}/erase`)).status).toBe(202);
    expect((await call("GET", `/accounts/${client.accountId}`)).status).toBe(404);
  });

  it("works for an account whose Durable Object was never opened", async () => {
    const account = { id: crypto.randomUUID(), tag: newTag(), object: crypto.randomUUID(), jurisdiction: null };
    expect(await stubOf(account).erase()).toEqual({ kind: "erased" });
    expect(await tablesOf(account)).toEqual([]);
    expect(await stubOf(account).createJob(newJob(account))).toEqual({ kind: "gone" });
  });

  it("deletes what a late run stores, in a second pass", async () => {
    const id = await createAccount();
    const { account, waiting } = await populate(id);
    const stub = stubOf(account);
    await call("POST", `/accounts/${id}/erase`);
    for (let step = 0; step < 20 && (await stub.readState()).kind === "erasing"; step++) await runAlarm(account);
    await putResult(env.STORE, waiting.id, 1, "{}");
    await putFile(env.STORE, waiting.id, new Uint8Array([1]));
    await finishErasure(account);
    for (const kind of ["results", "files"])
      expect((await env.STORE.list({ prefix: `${kind}/${account.tag}/` })).objects).toEqual([]);
  });

  it("doesn't run the second pass earlier after a late message", async () => {
    const id = await createAccount();
    const { account, waiting } = await populate(id);
    const stub = stubOf(account);
    await call("POST", `/accounts/${id}/erase`);
    for (let step = 0; step < 20 && (await stub.readState()).kind === "erasing"; step++) await runAlarm(account);
    await evictDurableObject(objectOf(account));
    expect(await stub.claim(waiting, "token")).toEqual({ kind: "gone" });
    const at = await runInDurableObject(objectOf(account), (_, { storage }) => storage.getAlarm());
    expect(at).toBeGreaterThan(Date.now() + 20 * 60_000);
  });

  it("replaces personal data in the directory and the audit log with a pseudonym", async () => {
    const id = await createAccount();
    await call("PATCH", `/accounts/${id}`, { name: "Ada Lovelace" });
    await env.DB.prepare(
      "INSERT INTO users (id, name, email, email_verified, created_at, updated_at) VALUES (?1, 'Ada', ?2, 1, '', '')",
    )
      .bind(id, `${id}@example.com`)
      .run();
    await env.DB.prepare("INSERT INTO memberships VALUES (?1, ?1, 'owner', 0)").bind(id).run();
    await call("POST", "/links", { kind: "sign-in", email: `${id}@example.com` });
    const account = await refOf(id);
    await call("POST", `/accounts/${id}/erase`);
    await finishErasure(account);
    const { results: audit } = await env.DB.prepare("SELECT account_id, action, detail FROM audit_log").all();
    expect(JSON.stringify(audit)).not.toContain(id);
    const [last] = audit.slice(-1);
    expect(last).toMatchObject({ action: "account.erase", account_id: expect.stringMatching(/^erased-[0-9a-f]{20}$/) });
    const rows = await env.DB.batch([
      env.DB.prepare("SELECT * FROM users WHERE id = ?1").bind(id),
      env.DB.prepare("SELECT * FROM verifications WHERE value LIKE '%' || ?1 || '%'").bind(id),
      env.DB.prepare("SELECT * FROM memberships WHERE account_id = ?1").bind(id),
      env.DB.prepare("SELECT * FROM api_keys WHERE account_id = ?1").bind(id),
    ]);
    expect(rows.map(({ results }) => results)).toEqual([[], [], [], []]);
    const kept = await env.DB.prepare("SELECT name, erased_at FROM accounts WHERE id = ?1").bind(id).first();
    expect(kept).toMatchObject({ name: "", erased_at: expect.any(Number) });
  });
});
