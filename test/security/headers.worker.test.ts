import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { app } from "../../src/app";
import { newSecret } from "../../src/keys/secret";
import { createAccount, createClient, ORIGIN, read, request } from "../support/client";

type Send = () => Promise<Response>;

const client = await createClient({ mode: "test" });
const limited = await createClient({ accountId: await createAccount({ ratePerMinute: 1 }) });

/**
 * One response of each kind. Pages of the dashboard aren't included, because test/dashboard/protection.worker.slow.test.ts tests
 * them.
 */
const RESPONSES: [kind: string, status: number, send: Send][] = [
  ["a result", 200, () => client.call("GET", "/v1/usage")],
  ["an accepted job", 202, () => client.call("POST", "/v1/scrape", { url: "https://example.com/" })],
  ["no content", 204, () => client.call("DELETE", `/v1/keys/${client.keyId}`)],
  ["an invalid request", 400, async () => (await createClient()).call("POST", "/v1/scrape", {})],
  ["a request without a key", 401, () => request("/v1/usage")],
  ["a missing scope", 403, async () => (await createClient({ scopes: [] })).call("GET", "/v1/usage")],
  ["an unknown path", 404, () => request("/nothing")],
  ["a wrong method", 405, async () => (await createClient()).call("PATCH", "/v1/jobs")],
  [
    "a body that is too large",
    413,
    async () => (await createClient()).call("POST", "/v1/parse", { html: "x".repeat(6_000_000) }),
  ],
  [
    "a wrong content type",
    415,
    async () => (await createClient()).call("POST", "/v1/scrape", undefined, { body: "x" }),
  ],
  [
    "too many requests",
    429,
    () =>
      Promise.all([limited, limited].map(({ call }) => call("GET", "/v1/usage"))).then(
        ([, last]) => last ?? Response.error(),
      ),
  ],
  ["an unexpected error", 500, failUnexpectedly],
  ["a failed job", 504, async () => (await createClient({ mode: "test" })).scrape({ url: "https://timeout.test/" })],
  ["a preflight", 204, () => preflight("/v1/scrape")],
  ["the OpenAPI document", 200, () => request("/openapi.json")],
  ["llms.txt", 200, () => request("/llms.txt")],
  ["the reference page", 200, () => request("/docs")],
  ["the home page", 200, () => request("/", { headers: { accept: "text/html" } })],
  ["the MCP server, without a key", 401, () => request("/mcp", { method: "POST" })],
  ["a screenshot", 200, screenshot],
  ["the admin API", 200, () => adminRequest("/admin/v1/accounts")],
  ["the admin API, without its token", 401, () => request("/admin/v1/accounts")],
  ["the admin API, with an unknown path", 404, () => adminRequest("/admin/v1/nothing")],
  ["a missing screenshot", 404, () => request("/screenshots/none")],
];

async function failUnexpectedly(): Promise<Response> {
  const ctx = createExecutionContext();
  const { secret } = await createClient();
  const broken = { ...env, DB: undefined as never };
  const init = { headers: { authorization: `Bearer ${secret}` } };
  const response = await app.fetch(new Request(`${ORIGIN}/v1/serp/health`, init), broken, ctx);
  await waitOnExecutionContext(ctx);
  return response;
}

function adminRequest(path: string): Promise<Response> {
  return request(path, { headers: { authorization: `Bearer ${env.ADMIN_TOKEN}` } });
}

function preflight(path: string): Promise<Response> {
  const headers = { origin: "https://any.example", "access-control-request-method": "POST" };
  return request(path, { method: "OPTIONS", headers });
}

async function screenshot(): Promise<Response> {
  const client = await createClient({ mode: "test" });
  const { data } = await read(await client.scrape({ url: "https://example.com/", formats: ["screenshot"] }));
  return await request(`${data.screenshot_url}`.slice(ORIGIN.length));
}

describe("each response", () => {
  it.each(RESPONSES)("has the security headers: %s", async (_, status, send) => {
    const response = await send();
    expect(response.status).toBe(status);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": expect.stringMatching(/^(SAMEORIGIN|DENY)$/),
      "referrer-policy": expect.stringMatching(/no-referrer|same-origin/),
      "strict-transport-security": expect.stringContaining("max-age="),
      "cross-origin-opener-policy": "same-origin",
      "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    // These headers would reveal implementation details or let other sites read responses.
    for (const name of ["server", "x-powered-by", "access-control-allow-credentials", "set-cookie"])
      expect(response.headers.has(name)).toBe(false);
    if (/html/.test(response.headers.get("content-type") ?? ""))
      expect(response.headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    if (!response.ok) expect(await response.text()).not.toMatch(/\bat \w+ \(|node_modules|D1_ERROR|TypeError/);
  });

  it("under /v1 forbids caching", async () => {
    const { call, scrape } = await createClient();
    const responses = [
      await call("GET", "/v1/usage"),
      await call("GET", "/v1/jobs"),
      await call("GET", "/v1/keys"),
      await call("POST", "/v1/keys", {}),
      await call("GET", "/v1/webhooks"),
      await call("POST", "/v1/webhooks/rotate"),
      await scrape({ url: "not a URL" }),
      await call("GET", "/v1/jobs/none"),
      await call("GET", "/v1/nothing-here"),
      await call("PATCH", "/v1/keys"),
      await call("POST", "/v1/scrape", undefined, { body: "{", headers: { "content-type": "application/json" } }),
      await request("/v1/usage"),
      await request("/v1/usage", { headers: { authorization: `Bearer ${newSecret("live")}` } }),
      await preflight("/v1/scrape"),
    ];
    const statuses = responses.map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200, 201, 200, 200, 400, 404, 404, 405, 400, 401, 401, 204]);
    for (const response of responses)
      expect([response.url, response.headers.get("cache-control")]).toEqual([response.url, "no-store"]);
  });
});

describe("a script of another site", () => {
  it("may call the API with a key, but not with cookies", async () => {
    const response = await preflight("/v1/scrape");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-headers")?.split(",").sort()).toEqual([
      "Authorization",
      "Content-Type",
      "Idempotency-Key",
    ]);
  });

  it.each(["/dashboard/sign-in", "/dashboard/keys", "/screenshots/none"])("can't read %s", async (path) => {
    const response = await request(path, { headers: { origin: "https://any.example" } });
    expect(response.headers.has("access-control-allow-origin")).toBe(false);
  });
});
