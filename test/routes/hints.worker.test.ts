import { describe, expect, it } from "vitest";
import { createClient, ORIGIN, page, read, request } from "../support/client";

interface Operation {
  tags: string[];
}

describe("the hint of an invalid request", () => {
  it.each<[method: string, path: string, body: object | undefined, operation: string, parameter: string]>([
    ["POST", "/v1/scrape", { url: page("article"), wait_for: 5 }, "POST/v1/scrape", "wait_for"],
    ["POST", "/v1/scrape", { url: page("article"), onlyMainContent: true }, "POST/v1/scrape", "only_main_content"],
    ["GET", "/v1/jobs/01a201d8-6532-75fc-a73a-384d7cba425b?wait=99", undefined, "GET/v1/jobs/{id}", "wait"],
    ["POST", "/v1/keys", { mode: "prod" }, "POST/v1/keys", "mode"],
    ["POST", "/v1/keys", { mode: "test", scopes: ["admin"] }, "POST/v1/keys", "scopes"],
  ])("links to the operation in the reference: %s %s (%#)", async (method, path, body, operation, parameter) => {
    const client = await createClient({ mode: path === "/v1/keys" ? "live" : "test" });
    const { error } = await read(await client.call(method, path, body));
    const [, url = "", named] = /See (\S+) for '(\w+)'\.$/.exec(error.hint ?? "") ?? [];
    expect(named).toBe(parameter);
    const { origin, pathname, hash } = new URL(url);
    expect([origin, pathname]).toEqual([ORIGIN, "/docs/reference"]);
    const [verb = "", ...segments] = operation.split("/");
    const document = await (await request("/openapi.json")).json<{
      paths: Record<string, Record<string, Operation>>;
    }>();
    const [tag = ""] = document.paths[`/${segments.join("/")}`]?.[verb.toLowerCase()]?.tags ?? [];
    expect(decodeURIComponent(hash)).toBe(`#tag/${tag.toLowerCase()}/${operation}`);
    expect((await request(pathname, { redirect: "manual" })).status).toBeLessThan(400);
  });

  it("keeps the list of the known parameters", async () => {
    const client = await createClient({ mode: "test" });
    const { error } = await read(await client.call("POST", "/v1/map", { url: page("article"), frobnicate: 1 }));
    expect(error.hint).toMatch(
      /^The known parameters are url, .* See \S+#tag\/extraction\/POST\/v1\/map for the parameters\.$/,
    );
  });
});

describe("an id of another kind", () => {
  it("gets the operation that reads it", async () => {
    const client = await createClient({ mode: "test" });
    const url = page("article");
    const { job_id } = await read(await client.call("POST", "/v1/scrape", { url }));
    const { crawl_id } = await read(await client.call("POST", "/v1/crawl", { url, limit: 1 }));
    const batch = { endpoint: "scrape", requests: [{ url }] };
    const { batch_id } = await read(await client.call("POST", "/v1/batch", batch));
    for (const [path, kind, use] of [
      [`/v1/batch/${crawl_id}`, "crawl", `/v1/crawl/${crawl_id}`],
      [`/v1/crawl/${batch_id}`, "batch", `/v1/batch/${batch_id}`],
      [`/v1/batch/${job_id}`, "job", `/v1/jobs/${job_id}`],
      [`/v1/jobs/${crawl_id}`, "crawl", `/v1/crawl/${crawl_id}`],
    ] as const) {
      const response = await client.call("GET", path);
      const { error } = await read(response);
      expect([response.status, error.code, error.hint]).toEqual([404, "not_found", `Use GET ${use}.`]);
      expect(error.message).toContain(`This is the id of a ${kind}.`);
    }
  });

  it("of another account isn't explained", async () => {
    const [client, stranger] = [await createClient({ mode: "test" }), await createClient({ mode: "test" })];
    const { crawl_id } = await read(await stranger.call("POST", "/v1/crawl", { url: page("article"), limit: 1 }));
    const { error } = await read(await client.call("GET", `/v1/batch/${crawl_id}`));
    expect(error.message).toBe(`There is no batch '${crawl_id}'.`);
  });
});
