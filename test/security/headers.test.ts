import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { app } from "../../src/app";
import { newSecret } from "../../src/model/api-key";
import { createAccount, createClient, ORIGIN, read, request } from "../support/client";

type Ask = () => Promise<Response>;

const client = await createClient({ mode: "test" });
const poor = await createClient({ accountId: await createAccount({ ratePerMinute: 1 }) });

/** One of each kind of answer that isn't a page of the dashboard: those are in test/dashboard/protection.test.ts. */
const ANSWERS: [kind: string, status: number, ask: Ask][] = [
  ["a good answer", 200, () => client.call("GET", "/v1/usage")],
  ["an accepted job", 202, () => client.call("POST", "/v1/scrape", { url: "https://example.com/" })],
  ["nothing to say", 204, () => client.call("DELETE", `/v1/keys/${client.keyId}`)],
  ["a wrong request", 400, async () => (await createClient()).call("POST", "/v1/scrape", {})],
  ["a stranger", 401, () => request("/v1/usage")],
  ["too little scope", 403, async () => (await createClient({ scopes: [] })).call("GET", "/v1/usage")],
  ["nothing there", 404, () => request("/nothing")],
  ["a wrong method", 405, async () => (await createClient()).call("PATCH", "/v1/jobs")],
  ["too much", 413, async () => (await createClient()).call("POST", "/v1/parse", { html: "x".repeat(6_000_000) })],
  ["a wrong type", 415, async () => (await createClient()).call("POST", "/v1/scrape", undefined, { body: "x" })],
  [
    "too many",
    429,
    () =>
      Promise.all([poor, poor].map(({ call }) => call("GET", "/v1/usage"))).then(
        ([, last]) => last ?? Response.error(),
      ),
  ],
  ["an accident", 500, accident],
  ["a failed job", 504, async () => (await createClient({ mode: "test" })).scrape({ url: "https://timeout.test/" })],
  ["a preflight", 204, () => preflight("/v1/scrape")],
  ["the document", 200, () => request("/openapi.json")],
  ["the short form", 200, () => request("/llms.txt")],
  ["the reference", 200, () => request("/docs")],
  ["the front door", 200, () => request("/", { headers: { accept: "text/html" } })],
  ["the tools, without a key", 401, () => request("/mcp", { method: "POST" })],
  ["a screenshot", 200, screenshot],
  ["no screenshot", 404, () => request("/screenshots/none")],
];

async function accident(): Promise<Response> {
  const ctx = createExecutionContext();
  const { secret } = await createClient();
  const broken = { ...env, DB: undefined as never };
  const init = { headers: { authorization: `Bearer ${secret}` } };
  const response = await app.fetch(new Request(`${ORIGIN}/v1/serp/health`, init), broken, ctx);
  await waitOnExecutionContext(ctx);
  return response;
}

function preflight(path: string): Promise<Response> {
  const headers = { origin: "https://any.example", "access-control-request-method": "POST" };
  return request(path, { method: "OPTIONS", headers });
}

async function screenshot(): Promise<Response> {
  const tester = await createClient({ mode: "test" });
  const { data } = await read(await tester.scrape({ url: "https://example.com/", formats: ["screenshot"] }));
  return await request(`${data.screenshot_url}`.slice(ORIGIN.length));
}

describe("each answer", () => {
  it.each(ANSWERS)("is guarded: %s", async (_, status, ask) => {
    const response = await ask();
    expect(response.status).toBe(status);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": expect.stringMatching(/^(SAMEORIGIN|DENY)$/),
      "referrer-policy": expect.stringMatching(/no-referrer|same-origin/),
      "strict-transport-security": expect.stringContaining("max-age="),
      "cross-origin-opener-policy": "same-origin",
      "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    // What is said of the machinery helps nobody but who looks for a way in.
    for (const name of ["server", "x-powered-by", "access-control-allow-credentials", "set-cookie"])
      expect(response.headers.has(name)).toBe(false);
    if (/html/.test(response.headers.get("content-type") ?? ""))
      expect(response.headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    if (!response.ok) expect(await response.text()).not.toMatch(/\bat \w+ \(|node_modules|D1_ERROR|TypeError/);
  });

  it("under /v1 is kept by no cache, whatever it is", async () => {
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

describe("scripts of any page", () => {
  it("may ask with a key that they are given, and with nothing that the browser adds", async () => {
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
