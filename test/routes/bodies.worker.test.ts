import { describe, expect, it } from "vitest";
import { createClient, read, request } from "../support/client";
import { signUp } from "../support/visitor";

describe("a body", () => {
  it.each([
    "application/json",
    "APPLICATION/JSON; Charset=UTF-8",
    "application/json;",
    "application/json ; charset=utf-8",
    "application/json;; charset=utf-8",
    'application/json; charset="utf-8"',
  ])("is accepted as JSON with the content type '%s'", async (type) => {
    const client = await createClient({ mode: "test" });
    const init = { headers: { "content-type": type } };
    const response = await client.call("POST", "/v1/serp?wait=true", { query: "tide tables" }, init);
    expect([response.status, (await read(response)).success]).toEqual([200, true]);
  });

  it.each([
    ["too many values", { formats: Array.from({ length: 300_000 }, () => "x") }],
    ["too many unknown fields", Object.fromEntries(Array.from({ length: 120_000 }, (_, i) => [`field${i}`, 1]))],
    ["values that are nested too deeply", { metadata: JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`) }],
  ])("with %s is refused", async (_, body) => {
    const { call } = await createClient({ mode: "test" });
    const response = await call("POST", "/v1/scrape", { url: "https://example.com/", ...body });
    expect([response.status, (await read(response)).error.message]).toEqual([
      400,
      "The body can have at most 100000 values, nested at most 200 levels deep.",
    ]);
  });

  it("lists the first 50 errors", async () => {
    const { call } = await createClient({ mode: "test" });
    const fields = Object.fromEntries(Array.from({ length: 90_000 }, (_, i) => [`field${i}`, 1]));
    const response = await call("POST", "/v1/scrape", { url: "https://example.com/", ...fields });
    expect([response.status, (await read(response)).error.details?.length]).toEqual([400, 50]);
  });

  it("that the route doesn't read is ignored, even if it is invalid", async () => {
    const { call } = await createClient({ mode: "test" });
    const chunked = { headers: { "transfer-encoding": "chunked" } };
    expect((await call("GET", "/v1/jobs", undefined, chunked)).status).toBe(200);
    expect((await request("/mcp", chunked)).status).toBe(405);
    expect((await request("/", chunked)).status).toBe(200);
    const { visitor } = await signUp();
    expect((await visitor.get("/dashboard/keys", chunked.headers)).status).toBe(200);
    const large = "x".repeat(6 * 1024 * 1024);
    expect((await call("POST", "/v1/webhooks/rotate", undefined, { body: large })).status).toBe(200);
    for (const path of ["/v1/keys", "/v1/batch", "/v1/crawl", "/v1/scrape"])
      expect([path, (await call("POST", path, undefined, { body: large })).status]).toEqual([path, 413]);
  });
});
