import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createAccount, createClient, page, read, request } from "../support/client";
import { callTool, connectMcp } from "../support/mcp-client";

function rateOf(response: Response) {
  const read = (name: string) => Number(response.headers.get(`x-ratelimit-${name}`) ?? Number.NaN);
  return { limit: read("limit"), remaining: read("remaining"), reset: read("reset") };
}

describe("the rate window of a key", () => {
  it("allows exactly its limit of concurrent requests", async () => {
    const accountId = await createAccount({ plan: "pro", ratePerMinute: null });
    const client = await createClient({ accountId });
    const responses = await Promise.all(Array.from({ length: 300 }, () => client.call("GET", "/v1/usage")));
    expect(responses.filter((response) => response.status === 200)).toHaveLength(100);
    const refused = responses.filter((response) => response.status === 429);
    expect(refused).toHaveLength(200);
    for (const response of refused.slice(0, 20)) {
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect(rateOf(response)).toMatchObject({ limit: 100, remaining: 0 });
      expect((await read(response)).error).toMatchObject({ code: "rate_limited", retryable: true });
    }
  });

  it("is in the headers of every response, including errors", async () => {
    const client = await createClient();
    const responses = [
      await client.call("GET", "/v1/jobs"),
      await client.call("GET", "/v1/nope"),
      await client.call("DELETE", "/v1/scrape"),
      await client.call("POST", "/v1/scrape", {}),
      await client.scrape({ url: page("status?code=404") }),
      await client.call("GET", "/v1/jobs/none"),
      await request("/v1/jobs"),
      await request("/v1/jobs", { headers: { authorization: "Bearer nonsense" } }),
    ];
    for (const response of responses) {
      const { limit, remaining, reset } = rateOf(response);
      expect(limit).toBeGreaterThan(0);
      expect(remaining).toBeLessThanOrEqual(limit);
      expect(reset - Date.now() / 1_000).toBeGreaterThan(0);
      expect(reset - Date.now() / 1_000).toBeLessThanOrEqual(61);
    }
  });

  it("doesn't count GET /v1/jobs/{id} requests, whose own limit is ten times as high", async () => {
    const accountId = await createAccount({ plan: "free", ratePerMinute: null });
    const client = await createClient({ accountId });
    const { job_id } = await read(await client.scrape({ url: page("article") }));
    for (let i = 0; i < 20; i++) expect((await client.call("GET", `/v1/jobs/${job_id}`)).status).toBe(200);
    expect(rateOf(await client.call("GET", `/v1/jobs/${job_id}`))).toMatchObject({ limit: 100, remaining: 79 });
    expect(rateOf(await client.call("GET", "/v1/jobs"))).toMatchObject({ limit: 10, remaining: 8 });
  });

  it("counts a batch once, and once more for each full 100 pages, also for dry runs and tools", async () => {
    const accountId = await createAccount({ ratePerMinute: 5 });
    const client = await createClient({ accountId, mode: "test" });
    const requests = Array.from({ length: 250 }, (_, i) => ({ url: `https://example.com/${i}` }));
    const post = async (pages: number) => {
      const body = { endpoint: "scrape", requests: requests.slice(0, pages), dry_run: true };
      const response = await client.call("POST", "/v1/batch", body);
      return [response.status, rateOf(response).remaining];
    };
    expect(await post(99)).toEqual([200, 4]);
    expect(await post(250)).toEqual([200, 1]);
    const refused = await client.call("POST", "/v1/batch", { endpoint: "scrape", requests, dry_run: true });
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect((await read(refused)).error.message).toContain("A batch of 250 pages counts as 3 requests.");
    // The refused batch counts as one request, because its body was read.
    expect(await post(1)).toEqual([429, 0]);

    const other = await connectMcp(await createClient({ accountId, mode: "test" }));
    const batch = { endpoint: "scrape", requests, dry_run: true };
    const [first, second] = [await callTool(other, "batch", batch), await callTool(other, "batch", batch)];
    expect([first.isError, JSON.parse(second.text).error.code]).toEqual([undefined, "rate_limited"]);
  });

  it("also counts requests that are refused for another reason", async () => {
    const accountId = await createAccount({ ratePerMinute: 2 });
    const client = await createClient({ accountId, scopes: ["jobs"] });
    expect((await client.scrape({ url: page("article") })).status).toBe(403);
    expect((await client.call("GET", "/v1/nope")).status).toBe(404);
    expect((await client.call("GET", "/v1/jobs")).status).toBe(429);
  });
});

describe("failed authentications", () => {
  it("are counted by IPv4 address and by IPv6 /64", async () => {
    const guess = (address: string) =>
      request("/v1/jobs", { headers: { authorization: "Bearer sk_live_guess", "cf-connecting-ip": address } });
    for (let i = 0; i < 60; i++) {
      const response = await guess(`2001:db8:feed:1::${i}`);
      expect([response.status, rateOf(response).limit, rateOf(response).remaining]).toEqual([401, 60, 59 - i]);
    }
    const refused = await guess("2001:db8:feed:1::ffff");
    expect([refused.status, (await read(refused)).error.code]).toEqual([429, "rate_limited"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect((await guess("2001:db8:feed:2::1")).status).toBe(401);
  });
});

describe("a refused key", () => {
  it("gets the reason: the IP address or the suspended account", async () => {
    const listed = await createClient({ allowedIps: ["203.0.113.0/24"] });
    const from = (address: string) =>
      listed.call("GET", "/v1/jobs", undefined, { headers: { "cf-connecting-ip": address } });
    expect((await from("203.0.113.200")).status).toBe(200);
    const refused = await from("203.0.114.1");
    expect([refused.status, (await read(refused)).error.code]).toEqual([403, "ip_not_allowed"]);

    const suspended = await createClient();
    await env.DB.prepare("UPDATE accounts SET suspended_at = 1 WHERE id = ?1").bind(suspended.accountId).run();
    const response = await suspended.call("GET", "/v1/jobs");
    expect([response.status, (await read(response)).error.code]).toEqual([403, "account_suspended"]);
  });
});
