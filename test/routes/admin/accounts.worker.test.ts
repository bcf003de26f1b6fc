import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { app } from "../../../src/app";
import { call, TOKEN } from "../../support/admin";
import { createAccount, createClient, ORIGIN, randomAddress } from "../../support/client";

describe("the admin API", () => {
  it("responds with 404 if no token is configured", async () => {
    const request = new Request(`${ORIGIN}/admin/v1/accounts`, { headers: { authorization: `Bearer ${TOKEN}` } });
    const { ADMIN_TOKEN: _, ...bindings } = env as unknown as Record<string, unknown>;
    const response = await app.fetch(request, bindings as unknown as Env, createExecutionContext());
    expect(response.status).toBe(404);
  });

  it("refuses other tokens and limits the attempts", async () => {
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
    expect((await call("GET", `/accounts/${data.id}`)).data).toEqual({
      ...{ id: data.id, tag: expect.stringMatching(/^[0-9a-f]{10}$/), name, plan: "pro", rate_per_minute: null },
      ...{ monthly_credits: 700, concurrent_jobs: null, concurrent_renders: null, charge_free_outcomes: false },
      daily_credits: null,
      prices: null,
      ...{ suspended_at: null, object: expect.any(String), jurisdiction: null, location: null },
      ...{ created_at: expect.stringMatching(/^\d{4}-.*Z$/), object_state: "open" },
      ...{ balance: 700, reserved: 0, granted: 700, used: 0, next_grant_at: expect.stringMatching(/^\d{4}-.*Z$/) },
      ...{
        queued: 0,
        processing: 0,
        storage_bytes: expect.any(Number),
        storage_level: "inline",
        archived_before: null,
      },
    });
    const changed = await call("PATCH", `/accounts/${data.id}`, { plan: "business", suspended: true });
    expect(changed.data).toMatchObject({ plan: "business", suspended_at: expect.any(String) });
    expect(data.charge_free_outcomes).toBe(false);
    for (const charge_free_outcomes of [true, false]) {
      await call("PATCH", `/accounts/${data.id}`, { charge_free_outcomes });
      expect((await call("GET", `/accounts/${data.id}`)).data).toMatchObject({
        plan: "business",
        charge_free_outcomes,
      });
    }
    const refused = await call("PATCH", `/accounts/${data.id}`, { charge_free_outcomes: "yes" });
    expect(refused.error.message).toContain("charge_free_outcomes");
    const listed = await call("GET", `/accounts?search=${encodeURIComponent(name)}`);
    expect(listed.data).toMatchObject([{ id: data.id, name }]);
    expect((await call("GET", "/accounts/none")).error.message).toBe("There is no account 'none'.");
    const wrong = await call("POST", "/accounts", { name, plan: "huge" });
    expect(wrong).toMatchObject({ status: 400, error: { code: "invalid_request" } });
  });

  it("changes an account from the next request on, with an entry in the audit log", async () => {
    const accountId = await createAccount({ plan: "free", ratePerMinute: null });
    const client = await createClient({ accountId });
    const readLimit = async () => (await client.call("GET", "/v1/usage")).headers.get("x-ratelimit-limit");
    expect(await readLimit()).toBe("10");
    const own = {
      ...{ plan: "pro", rate_per_minute: 1_234, monthly_credits: 0, concurrent_jobs: 3, concurrent_renders: 4 },
      ...{ charge_free_outcomes: true, daily_credits: 99 },
    };
    await call("PATCH", `/accounts/${accountId}`, { ...own, prices: { scrape: 2, parse: 3 } });
    expect(await readLimit()).toBe("1234");
    await call("PATCH", `/accounts/${accountId}`, { plan: "business", rate_per_minute: null, prices: null });
    expect(await readLimit()).toBe("500");
    const { results } = await env.DB.prepare(
      "SELECT actor, action, detail FROM audit_log WHERE account_id = ?1 ORDER BY id",
    )
      .bind(accountId)
      .all<{ actor: string; action: string; detail: string }>();
    const entry = { actor: "operator", action: "account.change" };
    expect(results.map(({ detail, ...others }) => ({ ...others, detail: JSON.parse(detail) }))).toEqual([
      { ...entry, detail: { ...own, prices: "scrape=2, parse=3" } },
      { ...entry, detail: { plan: "business", rate_per_minute: null, prices: "none" } },
    ]);
  });

  it.each([
    [{ plan: "platinum" }, "must be one of free, pro, business, enterprise"],
    [{ rate_per_minute: 0 }, "must be at least 1"],
    [{ rate_per_minute: "ten" }, "must be a number"],
    [{ monthly_credits: -1 }, "must be at least 0"],
    [{ prices: { search: 2 } }, "search"],
    [{ prices: { scrape: 1_001 } }, "must be at most 1000"],
    [{ rate: 5 }, "not a known parameter"],
  ])("refuses the change %j", async (change, why) => {
    const id = await createAccount();
    const { status, error } = await call("PATCH", `/accounts/${id}`, change);
    expect([status, error.message]).toEqual([400, expect.stringContaining(why)]);
  });

  it("refuses a jurisdiction that the runtime doesn't have", async () => {
    const name = `Acme ${crypto.randomUUID()}`;
    const { status, error } = await call("POST", "/accounts", { name, jurisdiction: "eu" });
    expect({ status, code: error.code }).toEqual({ status: 400, code: "invalid_request" });
    expect(error.message).toContain("doesn't support the jurisdiction 'eu'");
    expect((await call("GET", `/accounts?search=${encodeURIComponent(name)}`)).data).toEqual([]);
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
    expect((await call("GET", `/accounts/${id}/keys`)).data).toEqual([
      {
        ...{ id: expect.any(String), name: "Of the operator", mode: "test", allowed_ips: [] },
        ...{
          prefix: String(data.key).slice(0, 12),
          last4: String(data.key).slice(-4),
          scopes: expect.arrayContaining(["keys"]),
        },
        ...{ created_at: expect.stringMatching(/^\d{4}-.*Z$/), last_used_at: null, revoked_at: null },
        ...{ expires_at: null, previous_secret_expires_at: null, credit_limit: null, credits_used: 0 },
        credits_reset_at: expect.stringMatching(/T00:00:00.000Z$/),
      },
    ]);
    const link = await call("POST", "/links", { kind: "sign-in", email: "ada@extraction.example" });
    expect(link.data.url).toContain("/dashboard/link?token=");
    expect((await call("POST", "/links", { kind: "reset", email: "nobody@extraction.example" })).status).toBe(404);
  });
});
