import { env } from "cloudflare:workers";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAccount, createClient, read, request } from "../support/client";

interface Created {
  data: { id: string; key: string; mode: string; scopes: string[]; allowed_ips: string[]; name: string | null };
}

async function create(
  client: Awaited<ReturnType<typeof createClient>>,
  body: Record<string, unknown>,
): Promise<Created["data"]> {
  const response = await client.call("POST", "/v1/keys", body);
  expect(response.status).toBe(201);
  return (await response.json<Created>()).data;
}

const withKey = (key: string, path = "/v1/jobs") => request(path, { headers: { authorization: `Bearer ${key}` } });

describe("a new key", () => {
  it("is shown once, works, and is listed without its secret", async () => {
    const client = await createClient();
    const made = await create(client, { name: "CI", scopes: ["jobs", "scrape", "jobs"] });
    expect(made.key).toMatch(/^sk_live_[0-9A-Za-z]{38}$/);
    expect([made.mode, made.scopes, made.name]).toEqual(["live", ["scrape", "jobs"], "CI"]);
    expect((await withKey(made.key)).status).toBe(200);
    const list = await (await client.call("GET", "/v1/keys")).text();
    expect(list).toContain(made.id);
    expect(list).not.toContain(made.key);
    expect(list).toContain(`"last4":"${made.key.slice(-4)}"`);
    const stored = await env.DB.prepare("SELECT * FROM api_keys WHERE id = ?1").bind(made.id).first();
    expect(JSON.stringify(stored)).not.toContain(made.key);
  });

  it("has its creator's mode, scopes and allowed IPs by default", async () => {
    const client = await createClient({ mode: "test", scopes: ["jobs", "keys"] });
    const made = await create(client, {});
    expect([made.mode, made.scopes, made.allowed_ips]).toEqual(["test", ["jobs", "keys"], []]);
    expect(made.key).toMatch(/^sk_test_/);
  });

  it("can't have more permissions than its creator", async () => {
    const narrow = await createClient({ scopes: ["keys"], allowedIps: ["203.0.113.0/24"] });
    const post = async (body: unknown) => {
      const response = await narrow.call("POST", "/v1/keys", body, { headers: { "cf-connecting-ip": "203.0.113.1" } });
      return [response.status, response.ok ? "" : (await read(response)).error.code];
    };
    expect(await post({ scopes: ["scrape"] })).toEqual([403, "insufficient_scope"]);
    expect(await post({ allowed_ips: ["0.0.0.0/0"] })).toEqual([403, "ip_not_allowed"]);
    expect(await post({ allowed_ips: [] })).toEqual([403, "ip_not_allowed"]);
    expect(await post({ allowed_ips: ["203.0.113.128/25"] })).toEqual([201, ""]);
    const test = await createClient({ mode: "test" });
    expect((await test.call("POST", "/v1/keys", { mode: "live" })).status).toBe(403);
  });

  it.each([
    [{ scopes: ["everything"] }, "scopes.0"],
    [{ scopes: [] }, "scopes"],
    [{ mode: "prod" }, "mode"],
    [{ name: "" }, "name"],
    [{ name: "x".repeat(101) }, "name"],
    [{ allowed_ips: ["300.1.1.1/8"] }, "allowed_ips.0"],
    [{ allowed_ips: ["2a06:98c0:3600::103"] }, "allowed_ips.0"],
    [{ scope: ["jobs"] }, "scope"],
  ])("is refused with the parameter named: %j", async (body, path) => {
    const client = await createClient();
    const response = await client.call("POST", "/v1/keys", body);
    const { error } = await read(response);
    expect([response.status, error.code, error.details?.[0]?.path]).toEqual([400, "invalid_request", path]);
  });

  it("is refused at the plan's limit, even for concurrent requests, until a key is revoked", async () => {
    const accountId = await createAccount({ plan: "free", ratePerMinute: 1_000 });
    const client = await createClient({ accountId });
    const responses = await Promise.all(Array.from({ length: 6 }, () => client.call("POST", "/v1/keys", {})));
    const made = responses.filter((response) => response.status === 201);
    expect(made).toHaveLength(2);
    const refused = responses.find((response) => response.status === 409);
    expect((await read(refused as Response)).error.code).toBe("key_limit_reached");
    const [first] = await Promise.all(made.map((response) => response.json<Created>()));
    expect((await client.call("DELETE", `/v1/keys/${first?.data.id}`)).status).toBe(204);
    expect((await client.call("POST", "/v1/keys", {})).status).toBe(201);
  });
});

describe("a deleted key", () => {
  it("is revoked permanently from the next request, can delete itself, and can be deleted again", async () => {
    const client = await createClient();
    const made = await create(client, { scopes: ["keys"] });
    const remove = (key: string) =>
      request(`/v1/keys/${made.id}`, { method: "DELETE", headers: { authorization: `Bearer ${key}` } });
    expect((await remove(made.key)).status).toBe(204);
    const refused = await withKey(made.key);
    expect([refused.status, (await read(refused)).error.code]).toEqual([401, "revoked_api_key"]);
    expect((await remove(client.secret)).status).toBe(204);
    const { data } = await (await client.call("GET", "/v1/keys")).json<{
      data: { id: string; revoked_at: string | null }[];
    }>();
    expect(data.find((key) => key.id === made.id)?.revoked_at).toBeTypeOf("string");
  });

  it("isn't listed after 30 days", async () => {
    const client = await createClient();
    const made = await create(client, {});
    await env.DB.prepare("UPDATE api_keys SET revoked_at = ?2 WHERE id = ?1")
      .bind(made.id, Date.now() - 31 * 86_400_000)
      .run();
    expect(await (await client.call("GET", "/v1/keys")).text()).not.toContain(made.id);
  });

  it("can have one of the ids that npm start creates", async () => {
    for (const id of ["local-test", "local-live", "local-test-0a1b2c3d"]) {
      // Other test files use these ids too.
      onTestFinished(async () => void (await env.DB.prepare("DELETE FROM api_keys WHERE id = ?1").bind(id).run()));
      const client = await createClient();
      await env.DB.prepare("UPDATE api_keys SET id = ?2 WHERE id = ?1").bind(client.keyId, id).run();
      expect([id, (await client.call("DELETE", `/v1/keys/${id}`)).status]).toEqual([id, 204]);
      expect((await withKey(client.secret)).status).toBe(401);
    }
  });

  it("must be in the same account, and test keys can delete only test keys", async () => {
    const client = await createClient();
    const made = await create(client, {});
    const stranger = await createClient();
    const test = await createClient({ accountId: client.accountId, mode: "test" });
    for (const [who, id] of [
      [stranger, made.id],
      [test, made.id],
      [client, "00000000-0000-7000-8000-000000000000"],
      [client, "x"],
    ] as const) {
      expect((await who.call("DELETE", `/v1/keys/${id}`)).status).toBe(404);
    }
    expect((await withKey(made.key)).status).toBe(200);
    const { data } = await (await test.call("GET", "/v1/keys")).json<{ data: { mode: string }[] }>();
    expect(data.every((key) => key.mode === "test")).toBe(true);
  });

  it("needs the scope", async () => {
    const narrow = await createClient({ scopes: ["scrape"] });
    for (const [method, path, body] of [
      ["GET", "/v1/keys", undefined],
      ["POST", "/v1/keys", {}],
      ["DELETE", `/v1/keys/${narrow.keyId}`, undefined],
    ] as const) {
      const response = await narrow.call(method, path, body);
      expect([response.status, (await read(response)).error.message]).toEqual([
        403,
        "This API key doesn't have the scope 'keys'. Use a key that has this scope.",
      ]);
    }
  });
});
