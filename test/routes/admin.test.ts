import { createExecutionContext, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { app } from "../../src/app";
import { newTaggedId } from "../../src/lib/id";
import { accountStub } from "../../src/store/account-stub";
import { getScreenshot, putResult, putScreenshot } from "../../src/store/objects";
import { newJob } from "../support/account";
import { createAccount, createClient, ORIGIN, objectOf, randomAddress, refOf } from "../support/client";

const TOKEN = "admin-token-of-the-tests";

interface Reply {
  status: number;
  headers: Headers;
  data: Record<string, unknown>;
  error: { code: string; message: string };
  text: string;
}

async function call(method: string, path: string, body?: unknown, init: RequestInit = {}): Promise<Reply> {
  const response = await exports.default.fetch(`${ORIGIN}/admin/v1${path}`, {
    method,
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    ...init,
    headers: { authorization: `Bearer ${TOKEN}`, "cf-connecting-ip": randomAddress(), ...init.headers },
  });
  const text = await response.text();
  const json = text.startsWith("{") && !text.includes("\n") ? JSON.parse(text) : {};
  return { status: response.status, headers: response.headers, data: json.data, error: json.error, text };
}

const end = {
  status: "completed",
  result: '{"text":"é"}',
  extras: null,
  charge: 1,
  processingTimeMs: 1,
  endedAt: Date.now(),
} as const;

/** An account with one ended and one unfinished job, and objects in R2. */
async function populate(accountId: string) {
  const [account, object] = await Promise.all([refOf(accountId), objectOf(accountId)]);
  const [done, waiting] = [newJob(account, { waiting: true, subject: "https://a.example/" }), newJob(account)];
  await object.createJob(done);
  await putResult(env.STORE, done.id, 1, "{}");
  await putScreenshot(env.STORE, done.id, 1, new Uint8Array([1, 2, 3]));
  await object.finish(done, 1, end);
  await object.createJob(waiting);
  return { account, done, waiting };
}

/** Runs the alarm of an object that is being erased until all is deleted. */
async function finishErasure(stub: DurableObjectStub): Promise<void> {
  for (let step = 0; step < 20; step++) if (!(await runDurableObjectAlarm(stub))) return;
  throw new Error("The erasure doesn't end.");
}

async function tablesOf(stub: DurableObjectStub): Promise<string[]> {
  return await runInDurableObject(stub, (_, { storage }) =>
    storage.sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .toArray()
      .map(({ name }) => name)
      .filter((name) => !name.startsWith("_cf_")),
  );
}

describe("the admin API", () => {
  it("isn't there without a configured token", async () => {
    const request = new Request(`${ORIGIN}/admin/v1/accounts`, { headers: { authorization: `Bearer ${TOKEN}` } });
    const { ADMIN_TOKEN: _, ...bindings } = env as unknown as Record<string, unknown>;
    const response = await app.fetch(request, bindings as unknown as Env, createExecutionContext());
    expect(response.status).toBe(404);
  });

  it("refuses other tokens, and limits how many may be tried", async () => {
    const headers = { authorization: "Bearer wrong", "cf-connecting-ip": randomAddress() };
    expect(await call("GET", "/accounts", undefined, { headers })).toMatchObject({
      status: 401,
      error: { code: "invalid_api_key" },
    });
    const { secret } = await createClient();
    expect((await call("GET", "/accounts", undefined, { headers: { authorization: `Bearer ${secret}` } })).status).toBe(
      401,
    );
    let status = 0;
    for (let i = 0; i < 60; i++) ({ status } = await call("GET", "/accounts", undefined, { headers }));
    expect(status).toBe(429);
  });

  it("creates, shows, changes and lists accounts", async () => {
    const name = `Acme ${crypto.randomUUID()}`;
    const { status, data } = await call("POST", "/accounts", { name, plan: "pro", monthly_credits: 700 });
    expect(status).toBe(201);
    expect(data).toMatchObject({ name, plan: "pro", balance: 700, suspended_at: null, object_state: "open" });
    const changed = await call("PATCH", `/accounts/${data.id}`, { plan: "business", suspended: true });
    expect(changed.data).toMatchObject({ plan: "business", suspended_at: expect.any(String) });
    const listed = await call("GET", `/accounts?search=${encodeURIComponent(name)}`);
    expect(listed.data).toMatchObject([{ id: data.id, name }]);
    expect((await call("GET", "/accounts/none")).error.message).toBe("There is no account 'none'.");
    const wrong = await call("POST", "/accounts", { name, plan: "huge" });
    expect(wrong).toMatchObject({ status: 400, error: { code: "invalid_request" } });
  });

  it("adjusts credits once for each key", async () => {
    const id = await createAccount({ credits: 10 });
    const key = crypto.randomUUID();
    for (let i = 0; i < 2; i++) {
      expect((await call("POST", `/accounts/${id}/credits`, { amount: 5, key })).data).toMatchObject({ balance: 15 });
    }
    expect((await call("POST", `/accounts/${id}/credits`, { amount: -16 })).status).toBe(400);
    expect((await call("GET", `/accounts/${id}`)).data).toMatchObject({ balance: 15 });
  });

  it("creates keys and links", async () => {
    const id = await createAccount();
    const { data } = await call("POST", `/accounts/${id}/keys`, { mode: "test", name: "Of the operator" });
    expect(data.key).toMatch(/^sk_test_/);
    expect((await call("GET", `/accounts/${id}/keys`)).data).toMatchObject([{ name: "Of the operator" }]);
    const link = await call("POST", "/links", { kind: "sign-in", email: "ada@extraction.example" });
    expect(link.data.url).toContain("/dashboard/link?token=");
    expect((await call("POST", "/links", { kind: "reset", email: "nobody@extraction.example" })).status).toBe(404);
  });

  it("finds the account of a job", async () => {
    const id = await createAccount();
    const { tag } = await refOf(id);
    expect((await call("GET", `/jobs/${newTaggedId(tag)}/account`)).data).toMatchObject({ id });
    expect((await call("GET", `/jobs/${crypto.randomUUID()}/account`)).status).toBe(404);
  });

  it("reports on ended jobs by the host of their target", async () => {
    const id = await createAccount();
    const host = `${crypto.randomUUID()}.example`;
    const [account, object] = await Promise.all([refOf(id), objectOf(id)]);
    for (const name of [host, `www.${host}`, `not-${host}`]) {
      const job = newJob(account, { subject: `https://${name}:8443/path?secret=1`, waiting: true });
      await object.createJob(job);
      await object.finish(job, 1, end);
    }
    await expect
      .poll(async () => (await call("GET", `/events?host=${host}&since=2026-01-01`)).data)
      .toMatchObject({
        groups: [{ endpoint: "scrape", status: "completed", outcome: "ok", jobs: 2, credits: 2 }],
        events: [
          { account: id, key: "key", host: `www.${host}` },
          { account: id, host },
        ],
      });
    expect((await call("GET", `/events?host=${host}&until=2026-01-01`)).data).toEqual({ groups: [], events: [] });
    expect((await call("GET", `/events?account=${id}&code=target_timeout`)).data).toEqual({ groups: [], events: [] });
    expect((await call("GET", "/events?since=yesterday")).status).toBe(400);
  });
});

describe("moving an account", () => {
  it("keeps everything, repeats what was being run, and leaves nothing behind", async () => {
    const client = await createClient();
    const { account, done, waiting } = await populate(client.accountId);
    const { data } = await call("POST", `/accounts/${client.accountId}/move`, { location: "weur", drain_seconds: 0 });
    expect(data).toEqual({ state: "moved", object: `${client.accountId}:2` });
    const moved = await refOf(client.accountId);
    expect(moved.object).toBe(`${client.accountId}:2`);
    expect((await call("GET", `/accounts/${client.accountId}`)).data).toMatchObject({
      location: "weur",
      suspended_at: null,
      object_state: "open",
      used: 1,
      reserved: 1,
    });
    expect(await (await objectOf(client.accountId)).get(done)).toMatchObject({ result: end.result, account: moved });
    expect(await (await objectOf(client.accountId)).get(waiting)).toMatchObject({ status: "queued" });
    expect((await client.call("GET", `/v1/jobs/${done.id}`)).status).toBe(200);
    const old = accountStub(env, account);
    expect(await tablesOf(old)).toEqual([]);
    expect(await old.createJob(newJob(account))).toEqual({ kind: "gone" });
    expect(await getScreenshot(env.STORE, done.id)).not.toBeNull();
  });

  it("can be repeated after a crash at any step", async () => {
    const steps = ["planMove", "freeze", "beginImport", "importRows", "digestRows", "activate", "discard"] as const;
    for (const step of steps) {
      for (const when of ["before", "after"] as const) {
        const client = await createClient();
        const { done } = await populate(client.accountId);
        let crashed = false;
        const namespace = {
          getByName: (name: string) =>
            new Proxy(env.ACCOUNT.getByName(name), {
              get: (stub, method: string) => {
                const original = Reflect.get(stub, method) as (...args: unknown[]) => Promise<unknown>;
                if (method !== step || crashed) return original.bind(stub);
                return async (...args: unknown[]) => {
                  crashed = true;
                  if (when === "after") await original.apply(stub, args);
                  throw new Error("The Worker died.");
                };
              },
            }),
        };
        const bindings = { ...env, ACCOUNT: namespace } as unknown as Env;
        const move = async () =>
          await app.fetch(
            new Request(`${ORIGIN}/admin/v1/accounts/${client.accountId}/move`, {
              method: "POST",
              body: JSON.stringify({ location: "apac", drain_seconds: 0 }),
              headers: { authorization: `Bearer ${TOKEN}` },
            }),
            bindings,
            createExecutionContext(),
          );
        expect((await move()).status, `${step} ${when}`).toBe(503);
        const again = await move();
        expect(await again.json(), `${step} ${when}`).toMatchObject({ data: { state: "moved" } });
        expect((await call("GET", `/accounts/${client.accountId}`)).data, `${step} ${when}`).toMatchObject({
          suspended_at: null,
          location: "apac",
          object: `${client.accountId}:2`,
        });
        expect(await (await objectOf(client.accountId)).get(done)).toMatchObject({ status: "completed" });
        expect(await tablesOf(env.ACCOUNT.getByName(client.accountId))).toEqual([]);
      }
    }
  }, 60_000);

  it("leaves a suspended account suspended", async () => {
    const id = await createAccount();
    await call("PATCH", `/accounts/${id}`, { suspended: true });
    await call("POST", `/accounts/${id}/move`, { location: "oc" });
    expect((await call("GET", `/accounts/${id}`)).data).toMatchObject({
      location: "oc",
      suspended_at: expect.any(String),
    });
  });
});

describe("erasing an account", () => {
  it("fails unfinished jobs, deletes everything, and answers like an unknown key", async () => {
    const client = await createClient();
    const { account, done, waiting } = await populate(client.accountId);
    const stub = accountStub(env, account);
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
    await finishErasure(stub);
    expect(await getScreenshot(env.STORE, done.id)).toBeNull();
    expect((await env.STORE.list({ prefix: `results/${account.tag}/` })).objects).toEqual([]);
    expect(await tablesOf(stub)).toEqual([]);
    // A late message leaves no tables.
    expect(await stub.claim(waiting, "token")).toEqual({ kind: "gone" });
    expect(await stub.createJob(newJob(account))).toEqual({ kind: "gone" });
    expect(await stub.renew(waiting, 1)).toBe(false);
    expect(await tablesOf(stub)).toEqual([]);
    expect((await call("POST", `/accounts/${client.accountId}/erase`)).status).toBe(202);
    expect((await call("GET", `/accounts/${client.accountId}`)).status).toBe(404);
  });

  it("deletes what a late run stores, in a second pass", async () => {
    const id = await createAccount();
    const { account, waiting } = await populate(id);
    const stub = accountStub(env, account);
    await call("POST", `/accounts/${id}/erase`);
    for (let step = 0; step < 20 && (await stub.readState()).kind === "erasing"; step++)
      await runDurableObjectAlarm(stub);
    await putResult(env.STORE, waiting.id, 1, "{}");
    await finishErasure(stub);
    expect((await env.STORE.list({ prefix: `results/${account.tag}/` })).objects).toEqual([]);
  });

  it("removes persons from the directory and the audit log, and keeps a pseudonym", async () => {
    const id = await createAccount();
    await call("PATCH", `/accounts/${id}`, { name: "Ada Lovelace" });
    await env.DB.prepare("INSERT INTO users VALUES (?1, 'Ada', ?2, 1, NULL, '', '')")
      .bind(id, `${id}@example.com`)
      .run();
    await env.DB.prepare("INSERT INTO members VALUES (?1, ?1, 0)").bind(id).run();
    await call("POST", "/links", { kind: "sign-in", email: `${id}@example.com` });
    await call("POST", `/accounts/${id}/erase`);
    const { results: audit } = await env.DB.prepare("SELECT account_id, action, detail FROM audit_log").all();
    expect(JSON.stringify(audit)).not.toContain(id);
    const [last] = audit.slice(-1);
    expect(last).toMatchObject({ action: "account.erase", account_id: expect.stringMatching(/^erased-[0-9a-f]{20}$/) });
    const rows = await env.DB.batch([
      env.DB.prepare("SELECT * FROM users WHERE id = ?1").bind(id),
      env.DB.prepare("SELECT * FROM verifications WHERE value LIKE '%' || ?1 || '%'").bind(id),
      env.DB.prepare("SELECT * FROM members WHERE account_id = ?1").bind(id),
      env.DB.prepare("SELECT * FROM api_keys WHERE account_id = ?1").bind(id),
    ]);
    expect(rows.map(({ results }) => results)).toEqual([[], [], [], []]);
    const kept = await env.DB.prepare("SELECT name, erased_at FROM accounts WHERE id = ?1").bind(id).first();
    expect(kept).toMatchObject({ name: "", erased_at: expect.any(Number) });
  });
});

describe("the restore drill", () => {
  it("gives back the account, its jobs, its objects and its keys: export, erase, import, compare", async () => {
    const client = await createClient();
    const { account, done } = await populate(client.accountId);
    const path = `/accounts/${client.accountId}`;
    const before = await call("GET", `${path}/export`);
    const lines = before.text.trimEnd().split("\n");
    const header = JSON.parse(lines[0] ?? "");
    expect(JSON.parse(lines.at(-1) ?? "")).toEqual({ rows: lines.length - 2, changed: false });
    const { data: listed } = await call("GET", `${path}/objects`);
    const keys = (listed.keys as { key: string }[]).map(({ key }) => key);
    expect(keys).toEqual([`results/${account.tag}/${done.id}/1`]);
    const next = await call("GET", `${path}/objects?cursor=${listed.cursor}`);
    const screenshot = (next.data.keys as { key: string }[])[0]?.key ?? "";
    const png = await call("GET", `${path}/objects/${screenshot}`);
    expect(png.text).toBe("\u0001\u0002\u0003");

    await call("POST", `${path}/erase`);
    await finishErasure(accountStub(env, account));
    const { format: _, version: __, ...directory } = header;
    expect((await call("POST", "/imports", directory)).data).toEqual({ id: client.accountId, cursor: 0 });
    const rows = lines.slice(1, -1);
    const half = Math.floor(rows.length / 2);
    await call("PUT", `/imports/${client.accountId}/rows?next=${half}`, `${rows.slice(0, half).join("\n")}\n`);
    expect((await call("POST", "/imports", directory)).data).toEqual({ id: client.accountId, cursor: half });
    expect((await call("POST", `/imports/${client.accountId}/finish`, directory)).status).toBe(400);
    await call("PUT", `/imports/${client.accountId}/rows`, `${rows.slice(half).join("\n")}\n`);
    expect((await call("POST", `/imports/${client.accountId}/finish`, directory)).status).toBe(200);
    const stored = await call("PUT", `${path}/objects/${screenshot}`, png.text, {
      headers: { "content-type": "image/png" },
    });
    expect(stored.status).toBe(204);
    expect((await call("PUT", `${path}/objects/results/other/x`, "x")).status).toBe(400);

    const after = (await call("GET", `${path}/export`)).text.trimEnd().split("\n");
    expect(JSON.parse(after[0] ?? "")).toEqual(header);
    const withoutPlace = (line: string) => {
      const [table, row] = JSON.parse(line);
      const { object: _, version: __, maintenance_at: ___, ...rest } = row;
      return table === "account" ? [table, rest] : [table, row];
    };
    expect(after.slice(1, -1).map(withoutPlace)).toEqual(rows.map(withoutPlace));
    expect((await client.call("GET", `/v1/jobs/${done.id}`)).status).toBe(200);
    expect(await getScreenshot(env.STORE, done.id)).not.toBeNull();
  });

  it("refuses an account that exists", async () => {
    const id = await createAccount();
    const [line = ""] = (await call("GET", `/accounts/${id}/export`)).text.split("\n");
    const { format: _, version: __, ...directory } = JSON.parse(line);
    expect(await call("POST", "/imports", directory)).toMatchObject({
      status: 400,
      error: { code: "invalid_request" },
    });
  });
});
