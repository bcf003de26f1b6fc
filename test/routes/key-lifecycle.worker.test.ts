import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { verifyWebhook } from "../../clients/typescript/src";
import { changeAccount } from "../../src/directory/accounts";
import { DAY_MS, MINUTE_MS } from "../../src/model/limits";
import { type Client, createAccount, createClient, page, read, request, waitForAllJobs } from "../support/client";
import { bodyOf, expectPosts, readSecret, receiver } from "../support/webhooks";

afterEach(() => vi.useRealTimers());

interface Key {
  id: string;
  key: string;
  name: string | null;
  scopes: string[];
  allowed_ips: string[];
  expires_at: string | null;
  previous_secret_expires_at: string | null;
  credit_limit: number | null;
  credits_used: number;
}

async function create(client: Client, body: Record<string, unknown> = {}): Promise<Key> {
  const response = await client.call("POST", "/v1/keys", body);
  expect(response.status).toBe(201);
  return (await response.json<{ data: Key }>()).data;
}

const change = (client: Client, id: string, body: Record<string, unknown>) =>
  client.call("PATCH", `/v1/keys/${id}`, body);

async function rotate(client: Client, id: string, body: Record<string, unknown> = {}): Promise<Key> {
  const response = await client.call("POST", `/v1/keys/${id}/rotate`, body);
  expect(response.status).toBe(200);
  return (await response.json<{ data: Key }>()).data;
}

/** Returns the status of a request with this secret, and the error's code if it was refused. */
async function use(secret: string, headers: Record<string, string> = {}) {
  const response = await request("/v1/jobs", { headers: { authorization: `Bearer ${secret}`, ...headers } });
  return response.ok ? response.status : [response.status, (await read(response)).error.code];
}

async function refusal(response: Response) {
  const { error } = await read(response);
  return [response.status, error.code, ...(error.details ?? []).map(({ path }: { path: string }) => path)];
}

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const EXPIRED = [401, "expired_api_key"];

describe("a key with an expiry", () => {
  it("is refused from this time, although its record is cached", async () => {
    const client = await createClient();
    const expiresAt = new Date(Date.now() + MINUTE_MS).toISOString();
    const made = await create(client, { expires_at: expiresAt });
    expect(made.expires_at).toBe(expiresAt);
    expect(await use(made.key)).toBe(200);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(expiresAt) - 1 });
    expect(await use(made.key)).toBe(200);
    vi.setSystemTime(Date.parse(expiresAt));
    const response = await request("/v1/jobs", { headers: { authorization: `Bearer ${made.key}` } });
    const { error } = await read(response);
    expect([response.status, error.code, error.message]).toEqual([
      401,
      "expired_api_key",
      `This API key expired at ${expiresAt}. Use another key.`,
    ]);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
  });

  it("doesn't count toward the plan's limit of keys after it has expired, and can't be reactivated", async () => {
    const accountId = await createAccount({ plan: "free", ratePerMinute: 1_000 });
    const client = await createClient({ accountId });
    const made = await create(client, { expires_at: inDays(1) });
    await create(client);
    expect((await client.call("POST", "/v1/keys", {})).status).toBe(409);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * DAY_MS });
    await create(client);
    expect(await refusal(await change(client, made.id, { expires_at: null }))).toEqual([400, "invalid_request"]);
  });

  it("can't create a key that expires later, or extend its own expiry", async () => {
    const owner = await createClient();
    const { key } = await create(owner, { expires_at: inDays(1) });
    const send = (method: string, path: string, body: unknown) =>
      request(path, {
        method,
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      });
    expect(await refusal(await send("POST", "/v1/keys", { expires_at: inDays(2) }))).toEqual([
      403,
      "insufficient_scope",
    ]);
    const made = await (await send("POST", "/v1/keys", {})).json<{ data: Key }>();
    expect(Date.parse(made.data.expires_at ?? "")).toBeLessThanOrEqual(Date.parse(inDays(1)));
    for (const expires_at of [null, inDays(2)]) {
      expect((await send("PATCH", `/v1/keys/${made.data.id}`, { expires_at })).status).toBe(403);
    }
  });

  it.each([
    [{ expires_at: "2020-01-01T00:00:00Z" }, "expires_at"],
    [{ expires_at: "tomorrow" }, "expires_at"],
    [{ credit_limit: 0 }, "credit_limit"],
    [{ credit_limit: 1.5 }, "credit_limit"],
    [{ mode: "test", credit_limit: 5 }, "credit_limit"],
  ])("or a limit is refused if it is invalid: %j", async (body, path) => {
    const client = await createClient();
    expect(await refusal(await client.call("POST", "/v1/keys", body))).toEqual([400, "invalid_request", path]);
  });
});

describe("a change of a key", () => {
  it("applies from the next request, and keeps what isn't given", async () => {
    const client = await createClient();
    const made = await create(client, { name: "old", scopes: ["jobs"], credit_limit: 7 });
    const headers = { "cf-connecting-ip": "203.0.113.9" };
    expect(await use(made.key, headers)).toBe(200);
    const renamed = await (await change(client, made.id, { name: "new" })).json<{ data: Key }>();
    expect(renamed.data).toMatchObject({ name: "new", scopes: ["jobs"], credit_limit: 7, credits_used: 0 });
    expect(renamed.data.key).toBeUndefined();
    await change(client, made.id, { allowed_ips: ["198.51.100.0/24"] });
    expect(await use(made.key, headers)).toEqual([403, "ip_not_allowed"]);
    await change(client, made.id, { allowed_ips: [], scopes: ["scrape"], name: null });
    expect(await use(made.key, headers)).toEqual([403, "insufficient_scope"]);
    const list = await (await client.call("GET", "/v1/keys")).json<{ data: Key[] }>();
    expect(list.data.find(({ id }) => id === made.id)).toMatchObject({ name: null, scopes: ["scrape"] });
  });

  it("can't grant permissions that the caller doesn't have", async () => {
    const owner = await createClient();
    const wide = await create(owner, {});
    const narrow = await createClient({
      accountId: owner.accountId,
      scopes: ["keys", "jobs"],
      allowedIps: ["203.0.113.0/24"],
    });
    const from = { headers: { "cf-connecting-ip": "203.0.113.1" } };
    const send = (body: unknown) => narrow.call("PATCH", `/v1/keys/${narrow.keyId}`, body, from);
    expect(await refusal(await send({ scopes: ["scrape"] }))).toEqual([403, "insufficient_scope"]);
    expect(await refusal(await send({ allowed_ips: [] }))).toEqual([403, "ip_not_allowed"]);
    // A caller can reduce the permissions of a key that has more of them.
    const reduced = await narrow.call("PATCH", `/v1/keys/${wide.id}`, { scopes: ["scrape", "jobs"] }, from);
    expect(reduced.status).toBe(200);
    // A rotation returns the secret, so it would give the caller all permissions of the key.
    const rotated = await narrow.call("POST", `/v1/keys/${wide.id}/rotate`, {}, from);
    expect(await refusal(rotated)).toEqual([403, "insufficient_scope"]);
  });

  it("isn't possible for keys of others, test keys can't change live keys, and revoked keys can't be changed", async () => {
    const client = await createClient();
    const made = await create(client);
    const stranger = await createClient();
    const test = await createClient({ accountId: client.accountId, mode: "test" });
    for (const who of [stranger, test]) {
      expect((await change(who, made.id, { name: "x" })).status).toBe(404);
      expect((await who.call("POST", `/v1/keys/${made.id}/rotate`, {})).status).toBe(404);
    }
    await client.call("DELETE", `/v1/keys/${made.id}`);
    expect((await change(client, made.id, { name: "x" })).status).toBe(400);
    expect((await client.call("POST", `/v1/keys/${made.id}/rotate`, {})).status).toBe(400);
  });
});

describe("a rotation", () => {
  it("replaces the secret, and the previous secret works until the grace period is over", async () => {
    const client = await createClient();
    const made = await create(client, { name: "CI" });
    expect(await use(made.key)).toBe(200);
    const rotated = await rotate(client, made.id, { grace_period_s: 60 });
    expect((await client.call("POST", `/v1/keys/${(await create(client)).id}/rotate`)).status).toBe(200);
    expect(rotated).toMatchObject({ id: made.id, name: "CI" });
    expect(rotated.key).not.toBe(made.key);
    expect([await use(made.key), await use(rotated.key)]).toEqual([200, 200]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(rotated.previous_secret_expires_at ?? "") });
    expect([await use(made.key), await use(rotated.key)]).toEqual([EXPIRED, 200]);
  });

  it("without a grace period stops the previous secret immediately", async () => {
    const client = await createClient();
    const made = await create(client);
    expect(await use(made.key)).toBe(200);
    const rotated = await rotate(client, made.id, { grace_period_s: 0 });
    expect([await use(made.key), await use(rotated.key)]).toEqual([EXPIRED, 200]);
  });

  it("stops the secret before the previous one, and works at the plan's limit of keys", async () => {
    const accountId = await createAccount({ plan: "free", ratePerMinute: 1_000 });
    const client = await createClient({ accountId });
    const [first] = [await create(client), await create(client)];
    expect(await use(first.key)).toBe(200);
    const second = await rotate(client, first.id);
    const third = await rotate(client, first.id);
    expect([await use(first.key), await use(second.key), await use(third.key)]).toEqual([
      [401, "invalid_api_key"],
      200,
      200,
    ]);
  });

  it("is followed by a revocation, a change or a suspension for both secrets", async () => {
    const client = await createClient();
    const made = await create(client);
    const rotated = await rotate(client, made.id);
    const both = async () => [await use(made.key), await use(rotated.key)];
    await change(client, made.id, { scopes: ["keys"] });
    expect(await both()).toEqual([
      [403, "insufficient_scope"],
      [403, "insufficient_scope"],
    ]);
    const suspend = { accountId: client.accountId, actor: "operator", now: Date.now() };
    await changeAccount(env, { ...suspend, change: { suspendedAt: 1 } });
    expect(await both()).toEqual([
      [403, "account_suspended"],
      [403, "account_suspended"],
    ]);
    await changeAccount(env, { ...suspend, change: { suspendedAt: null } });
    expect((await client.call("DELETE", `/v1/keys/${made.id}`)).status).toBe(204);
    expect(await both()).toEqual([
      [401, "revoked_api_key"],
      [401, "revoked_api_key"],
    ]);
  });

  it("by the previous secret is refused, so that a leaked secret can't take over the key", async () => {
    const client = await createClient();
    const made = await create(client, { credit_limit: 5 });
    const rotateWith = (key: string) =>
      request(`/v1/keys/${made.id}/rotate`, {
        method: "POST",
        body: "{}",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      });
    const rotated = await (await rotateWith(made.key)).json<{ data: Key }>();
    expect(await refusal(await rotateWith(made.key))).toEqual([403, "insufficient_scope"]);
    expect((await rotateWith(rotated.data.key)).status).toBe(200);
  });

  it.each([{ grace_period_s: -1 }, { grace_period_s: 2_592_001 }, { grace_period_s: 0.5 }])(
    "is refused with the parameter named: %j",
    async (body) => {
      const client = await createClient();
      const response = await client.call("POST", `/v1/keys/${client.keyId}/rotate`, body);
      expect(await refusal(response)).toEqual([400, "invalid_request", "grace_period_s"]);
    },
  );
});

describe("a key with a credit limit", () => {
  it("is refused with the amounts and the time of the reset, until its limit is raised", async () => {
    const client = await createClient();
    const made = await create(client, { credit_limit: 2 });
    const scrape = () =>
      request("/v1/scrape", {
        method: "POST",
        body: JSON.stringify({ url: page("article") }),
        headers: { authorization: `Bearer ${made.key}`, "content-type": "application/json" },
      });
    expect([(await scrape()).status, (await scrape()).status]).toEqual([202, 202]);
    await waitForAllJobs();
    const refused = await scrape();
    const { error } = await read(refused);
    expect([refused.status, error.code]).toEqual([402, "insufficient_credits"]);
    expect(error.message).toMatch(
      /^This request costs 1 credit, which would exceed the credit limit of this API key\. The key has used 2 of 2 credits\. The limit resets at 20\d\d-\d\d-\d\dT00:00:00\.000Z\.$/,
    );
    const list = await (await client.call("GET", "/v1/keys")).json<{ data: Key[] }>();
    expect(list.data.find(({ id }) => id === made.id)).toMatchObject({ credit_limit: 2, credits_used: 2 });
    await change(client, made.id, { credit_limit: 3 });
    expect((await scrape()).status).toBe(202);
    await waitForAllJobs();
  });

  it("can't create live keys or change limits, but can rotate itself", async () => {
    const client = await createClient();
    const made = await create(client, { credit_limit: 2 });
    const send = (method: string, path: string, body: unknown) =>
      request(path, {
        method,
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${made.key}`, "content-type": "application/json" },
      });
    expect(await refusal(await send("POST", "/v1/keys", {}))).toEqual([403, "insufficient_scope"]);
    expect((await send("POST", "/v1/keys", { mode: "test" })).status).toBe(201);
    for (const [id, body] of [
      [made.id, { credit_limit: null }],
      [client.keyId, { credit_limit: 1 }],
    ] as const)
      expect(await refusal(await send("PATCH", `/v1/keys/${id}`, body))).toEqual([403, "insufficient_scope"]);
    expect(await refusal(await send("POST", `/v1/keys/${client.keyId}/rotate`, {}))).toEqual([
      403,
      "insufficient_scope",
    ]);
    expect((await send("POST", `/v1/keys/${made.id}/rotate`, {})).status).toBe(200);
  });

  it("sends usage.threshold to the webhook URL that has chosen it, signed", async () => {
    const client = await createClient();
    const url = receiver("ok");
    await client.call("PUT", "/v1/webhooks", { url });
    await client.call("PATCH", "/v1/webhooks/endpoints/default", { events: ["usage.threshold"] });
    const secret = await readSecret(client);
    const made = await create(client, { credit_limit: 1 });
    const response = await request("/v1/scrape?wait=true", {
      method: "POST",
      body: JSON.stringify({ url: page("article") }),
      headers: { authorization: `Bearer ${made.key}`, "content-type": "application/json" },
    });
    expect(response.status).toBe(200);
    const [post] = await expectPosts(url, 1);
    expect(await verifyWebhook({ body: bodyOf(post), headers: post?.headers ?? {}, secret })).toEqual({
      ...{ event: "usage.threshold", threshold: 100, key_id: made.id, used: 1, limit: 1 },
      ...{ period: { start: expect.any(String), end: expect.any(String) }, meta: { created_at: expect.any(String) } },
    });
  });
});
