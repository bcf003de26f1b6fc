import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { app } from "../../src/app";
import { changeAccount } from "../../src/directory/accounts";
import { checkScope, hasSharedAddress, rateLimited, readCallerAddress } from "../../src/keys/errors";
import { newSecret } from "../../src/keys/secret";
import { toCallerNetwork } from "../../src/lib/ip-ranges";
import { type Client, createAccount, createClient, ORIGIN, randomAddress, read, request } from "../support/client";

/** Sends a request with other bindings, without checking it against the OpenAPI document. */
async function fetchWith(bindings: Partial<Env>, path: string, headers: Record<string, string>): Promise<Response> {
  const ctx = createExecutionContext();
  const response = await app.fetch(new Request(`${ORIGIN}${path}`, { headers }), { ...env, ...bindings } as Env, ctx);
  await waitOnExecutionContext(ctx);
  return response;
}

const bearer = ({ secret }: Pick<Client, "secret">) => ({ authorization: `Bearer ${secret}` });
const rateOf = ({ headers }: Response) => ({
  limit: Number(headers.get("x-ratelimit-limit")),
  remaining: Number(headers.get("x-ratelimit-remaining")),
});
const errorOf = async (response: Response) => {
  const { code, message } = (await read(response)).error;
  return { status: response.status, code, message };
};

describe("the address of a caller", () => {
  it.each([
    ["", { "cf-connecting-ip": "203.0.113.7" }, "203.0.113.7"],
    ["", {}, null],
    ["", { "x-forwarded-for": "203.0.113.7" }, null],
    ["198.51.100.1", { "cf-connecting-ip": "203.0.113.7" }, "198.51.100.1"],
    ["unknown", { "cf-connecting-ip": "203.0.113.7" }, null],
  ])("with CALLER_ADDRESS %j and the headers %j is %s", (CALLER_ADDRESS, headers, address) => {
    expect(readCallerAddress({ CALLER_ADDRESS }, new Headers(headers))).toBe(address);
  });

  it("is shared by all callers if CALLER_ADDRESS is set", () => {
    expect(["", "unknown", "198.51.100.1"].map((CALLER_ADDRESS) => hasSharedAddress({ CALLER_ADDRESS }))).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe("the error", () => {
  it("for a missing scope names the scope", () => {
    expect(() => checkScope({ scopes: ["jobs", "scrape"] }, "scrape")).not.toThrow();
    const message = "This API key doesn't have the scope 'keys'. Use a key that has this scope.";
    expect(() => checkScope({ scopes: ["jobs", "scrape"] }, "keys")).toThrow(
      expect.objectContaining({ code: "insufficient_scope", status: 403, message }),
    );
  });

  it.each([
    [60_000, 60],
    [1_001, 2],
    [1_000, 1],
    [0, 1],
    [-5_000, 1],
  ])("for an exhausted rate limit that ends in %i ms has the delay of %i seconds", (ms, seconds) => {
    const rate = { allowed: false, limit: 1, remaining: 0, resetAt: 1_000_000 + ms };
    expect(rateLimited(rate, "Too many.", 1_000_000)).toMatchObject({
      code: "rate_limited",
      message: `Too many. Try again in ${seconds} seconds.`,
      headers: { "Retry-After": String(seconds) },
    });
  });
});

describe("a request", () => {
  it.each([
    ["GET", "/v1/jobs/0199b2c0-7a51-7c3e-9d0a-3f1e5b7c9d11", 70],
    ["HEAD", "/v1/jobs/0199b2c0-7a51-7c3e-9d0a-3f1e5b7c9d11", 70],
    ["DELETE", "/v1/jobs/0199b2c0-7a51-7c3e-9d0a-3f1e5b7c9d11", 7],
    ["POST", "/v1/jobs/0199b2c0-7a51-7c3e-9d0a-3f1e5b7c9d11", 7],
    ["GET", "/v1/jobs", 7],
    ["GET", "/v1/jobs/1/2", 7],
    ["GET", "/v1/keys/1", 7],
    ["GET", "/v1/usage", 7],
  ])("%s %s has the limit %i", async (method, path, limit) => {
    const client = await createClient({ accountId: await createAccount({ ratePerMinute: 7 }) });
    expect(rateOf(await client.call(method, path))).toEqual({ limit, remaining: limit - 1 });
  });

  it("counts in its own window, and the window's end is in the response", async () => {
    const client = await createClient({ accountId: await createAccount({ ratePerMinute: 2 }) });
    const startedAt = Date.now();
    const first = await client.call("GET", "/v1/jobs");
    const reset = Number(first.headers.get("x-ratelimit-reset"));
    expect(reset).toBeGreaterThanOrEqual(Math.ceil((startedAt + 60_000) / 1_000));
    expect(reset).toBeLessThanOrEqual(Math.ceil((Date.now() + 60_000) / 1_000));
    expect(rateOf(await client.call("GET", "/v1/jobs/1"))).toEqual({ limit: 20, remaining: 19 });
    expect(rateOf(await client.call("GET", "/v1/jobs"))).toEqual({ limit: 2, remaining: 0 });
    const refused = await client.call("GET", "/v1/jobs");
    const delay = Number(refused.headers.get("retry-after"));
    expect(delay).toBeGreaterThan(50);
    expect(rateOf(refused)).toEqual({ limit: 2, remaining: 0 });
    expect(await errorOf(refused)).toEqual({
      status: 429,
      code: "rate_limited",
      message: `This API key is limited to 2 requests per minute. Try again in ${delay} seconds.`,
    });
    for (let i = 1; i < 20; i++) await client.call("GET", "/v1/jobs/1");
    const { code, message } = await errorOf(await client.call("GET", "/v1/jobs/1"));
    expect([code, message]).toEqual([
      "rate_limited",
      expect.stringMatching(/^This API key is limited to 20 requests for single jobs, batches and crawls per minute\./),
    ]);
  });

  it("with a suspended account is refused before its address is checked", async () => {
    const client = await createClient({ allowedIps: ["203.0.113.0/24"] });
    const { accountId } = client;
    await changeAccount(env, { accountId, change: { suspendedAt: 1 }, actor: "operator", now: Date.now() });
    const refused = await client.call("GET", "/v1/usage");
    expect(rateOf(refused)).toEqual({ limit: 100_000, remaining: 99_999 });
    expect(await errorOf(refused)).toEqual({
      status: 403,
      code: "account_suspended",
      message: "This account is suspended. Contact the operator of this service.",
    });
  });

  it("from an address that isn't allowed is refused with this address", async () => {
    const client = await createClient({ allowedIps: ["203.0.113.0/24"] });
    const from = (address: string) =>
      client.call("GET", "/v1/usage", undefined, { headers: { "cf-connecting-ip": address } });
    expect((await from("203.0.113.9")).status).toBe(200);
    expect(await errorOf(await from("198.51.100.9"))).toEqual({
      status: 403,
      code: "ip_not_allowed",
      message: "The IP address 198.51.100.9 isn't one of this API key's allowed IPs. Create a key that allows it.",
    });
    const unknown = await fetchWith({ CALLER_ADDRESS: "unknown" } as Partial<Env>, "/v1/usage", bearer(client));
    expect((await errorOf(unknown)).message).toContain("The IP address (unknown) isn't");
  });

  it("without the scope of the operation is refused", async () => {
    const client = await createClient({ scopes: ["scrape"] });
    expect((await errorOf(await client.call("GET", "/v1/usage"))).code).toBe("insufficient_scope");
  });

  it.each([
    ["no key", () => ({}), "missing_api_key", "This request has no API key."],
    ["another scheme", () => ({ authorization: "Basic eDp5" }), "malformed_authorization", "must have the form"],
    ["a mistyped key", () => ({ authorization: "Bearer sk_live_x" }), "invalid_api_key", "it is mistyped"],
    ["an unknown key", () => bearer({ secret: newSecret("live") }), "invalid_api_key", "Check that it is complete"],
  ])("with %s gets 401, and counts against its network", async (_, headersOf, code, message) => {
    const address = randomAddress();
    const send = () => request("/v1/usage", { headers: { ...headersOf(), "cf-connecting-ip": address } });
    const refused = await send();
    expect(refused.headers.get("www-authenticate")).toBe("Bearer");
    expect(rateOf(refused)).toEqual({ limit: 60, remaining: 59 });
    expect(await errorOf(refused)).toEqual({ status: 401, code, message: expect.stringContaining(message) });
    expect(rateOf(await send())).toEqual({ limit: 60, remaining: 58 });
    expect(rateOf(await request("/v1/usage", { headers: headersOf() }))).toEqual({ limit: 60, remaining: 59 });
  });

  it("with a revoked key gets 401, and counts against its network", async () => {
    const client = await createClient({ revoked: true });
    const headers = { "cf-connecting-ip": randomAddress() };
    for (const remaining of [59, 58]) {
      const refused = await client.call("GET", "/v1/usage", undefined, { headers });
      expect(rateOf(refused)).toEqual({ limit: 60, remaining });
      expect(await errorOf(refused)).toEqual({
        status: 401,
        code: "revoked_api_key",
        message: "This API key was revoked. Use another key.",
      });
    }
  });

  it("gets 429 after 60 failed authentications from its network", async () => {
    const headers = { "cf-connecting-ip": randomAddress() };
    for (let i = 0; i < 60; i++) await request("/v1/usage", { headers });
    const refused = await request("/v1/usage", { headers });
    expect(refused.headers.has("www-authenticate")).toBe(false);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(50);
    expect(await errorOf(refused)).toEqual({
      status: 429,
      code: "rate_limited",
      message: expect.stringMatching(/^There were too many failed authentications from this IP address\. Try again/),
    });
  });

  it("with a valid key doesn't count as a failed authentication, even at the key's first use", async () => {
    const address = randomAddress();
    const headers = { "cf-connecting-ip": address };
    const limiter = env.RATE_LIMITER.getByName(toCallerNetwork(address));
    // Counts more requests than the poll below adds, so that missing refunds are noticed.
    for (let i = 0; i < 20; i++)
      expect((await (await createClient()).call("GET", "/v1/usage", undefined, { headers })).status).toBe(200);
    await limiter.refund();
    expect((await limiter.consume(60)).remaining).toBeGreaterThanOrEqual(55);
  });
});

describe("a verifier that can't be reached", () => {
  /** Returns a binding whose first calls of `verify` fail. */
  function failing(failures: number) {
    const calls: string[] = [];
    const getByName = (name: string) => ({
      verify: async (...args: Parameters<ReturnType<Env["KEY_VERIFIER"]["getByName"]>["verify"]>) => {
        calls.push(name);
        if (calls.length <= failures) throw new Error("The object was reset.");
        return await env.KEY_VERIFIER.getByName(name).verify(...args);
      },
    });
    return { calls, KEY_VERIFIER: { getByName } as unknown as Env["KEY_VERIFIER"] };
  }

  it("is called again once", async () => {
    const client = await createClient();
    const { calls, KEY_VERIFIER } = failing(1);
    expect((await fetchWith({ KEY_VERIFIER }, "/v1/usage", bearer(client))).status).toBe(200);
    expect(calls).toHaveLength(2);
  });

  it("makes the API unavailable, with a delay and a rate limit", async () => {
    const client = await createClient();
    const { calls, KEY_VERIFIER } = failing(2);
    const response = await fetchWith({ KEY_VERIFIER }, "/v1/usage", bearer(client));
    expect(calls).toHaveLength(2);
    expect(response.headers.get("retry-after")).toBe("5");
    expect(rateOf(response)).toEqual({ limit: 60, remaining: 0 });
    expect(Number(response.headers.get("x-ratelimit-reset"))).toBeGreaterThan(Date.now() / 1_000 + 50);
    expect(await errorOf(response)).toEqual({
      status: 503,
      code: "unavailable",
      message: "The API key can't be verified at the moment. Try again in 5 seconds.",
    });
  });
});
