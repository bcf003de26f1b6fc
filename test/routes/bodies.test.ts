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
