import { describe, expect, it } from "vitest";
import { createClient, page } from "../support/client";
import { openFolder } from "../support/crawls";
import { callTool as call, connectMcp as connect } from "../support/mcp-client";

const idOf = (text: string) => /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text)?.[0] ?? "";

describe("the tools for batches", () => {
  it("start a batch, and return its first pages between marks if the call waits", async () => {
    const client = await connect(await createClient());
    const requests = [{ url: page("article") }, { url: page("article"), formats: ["text"] }];
    const { text, isError } = await call(client, "batch", { endpoint: "scrape", requests, wait: 20 });
    expect(isError).toBeUndefined();
    expect(text).toMatch(/^\{"batch_id":.*"credits_max":2/);
    expect(text).toContain('"completed":2');
    // Each page has its own marks, so it can't pose as another one.
    const [before = "", first, second] = text.split(/^<untrusted-content-[0-9a-f]{32}>$/m);
    expect(before).not.toContain("kept since 1899");
    expect(first).toMatch(
      /^\nPage 1: .*"status":"completed"[\s\S]*kept since 1899[\s\S]*\n<\/untrusted-content-[0-9a-f]{32}>\n$/,
    );
    expect(second).toMatch(/^\nPage 2: .*"status":"completed"[\s\S]*kept since 1899/);
    // The second page has no headings.
    const read = await call(client, "read", { id: idOf(text), section: "Heights" });
    expect(read.text).toMatch(/\nPage 1: .*\n## Heights\n[\s\S]*\nPage 2: .*"error":\{"code":"invalid_request"/);
    const none = await call(client, "read", { id: idOf(text), section: "None", limit: 1, max_tokens: 20 });
    expect(none.text).toMatch(/"section_not_found".*"headings":2,"next_cursor":1\}\n1\. # Tide tables of Łeba .*\n<\//);
  });

  it("list only some of many invalid pages and details", async () => {
    const client = await connect(await createClient({ mode: "test" }));
    const requests = [
      { url: "https://example.com/" },
      ...Array.from({ length: 999 }, () => ({ url: "ftp://a", x: 1 })),
    ];
    const some = await call(client, "batch", { endpoint: "scrape", requests, options: { ignore_invalid: true } });
    const { omitted_as_invalid: shown, more_omitted_as_invalid: more } = some.structuredContent ?? {};
    expect(shown.length + more).toBe(999);
    const all = await call(client, "batch", { endpoint: "scrape", requests });
    const { error } = JSON.parse(all.text);
    expect(error.details.length + error.omitted_details).toBe(1_998);
    for (const { text } of [some, all]) expect(text.length).toBeLessThan(40_000);
  });

  it("read the pages of a batch in parts", async () => {
    const client = await connect(await createClient({ mode: "test" }));
    const requests = Array.from({ length: 12 }, (_, index) => ({ url: `https://example.com/${index + 1}` }));
    const started = await call(client, "batch", { endpoint: "scrape", requests });
    const id = idOf(started.text);
    const first = await call(client, "read", { id, wait: 20 });
    expect(first.text).toContain("cursor: 10.");
    expect(first.structuredContent?.next_cursor).toBe(10);
    expect(first.text).not.toContain("Page 11:");
    expect(first.text.length).toBeLessThan(30_000);
    const rest = await call(client, "read", { id, cursor: 10 });
    expect(rest.text).toContain("Page 12:");
    expect(rest.text).not.toContain("To get more pages");
    const short = await call(client, "read", { id, limit: 2, max_chars: 40 });
    expect(short.text).toMatch(/Page 1: .*"next_offset":\d+.*\n[^\n]/);
    const outlines = await call(client, "read", { id, limit: 2, outline: true });
    expect(outlines.text.match(/"headings":\d.*\n1\. # .+ \(offset 0/g)).toHaveLength(2);
  });

  it("cancel a batch and a job, also twice", async () => {
    const client = await connect(await createClient({ mode: "test" }));
    const url = "https://slow-60.test/";
    const batch = idOf((await call(client, "batch", { endpoint: "scrape", requests: [{ url }] })).text);
    for (const _ of [1, 2]) {
      expect((await call(client, "cancel", { id: batch })).text).toMatch(
        /^\{"batch_id":.*"status":"failed".*"error":"cancelled"/,
      );
    }
    const holder = await createClient({ mode: "test" });
    const { job_id } = (await (await holder.call("POST", "/v1/scrape", { url })).json()) as { job_id: string };
    const own = await connect(holder);
    for (const _ of [1, 2])
      expect((await call(own, "cancel", { id: job_id })).text).toContain('"status":"failed","error":"cancelled"');
    const foreign = await call(client, "cancel", { id: job_id });
    expect([foreign.isError, JSON.parse(foreign.text).error.code]).toEqual([true, "not_found"]);
  });

  it("refuse a batch that can cost more than max_credits", async () => {
    const client = await connect(await createClient());
    const requests = [{ url: page("article") }, { url: page("article") }];
    const refused = await call(client, "batch", { endpoint: "scrape", requests, max_credits: 1 });
    expect([refused.isError, JSON.parse(refused.text).error.code]).toEqual([true, "price_limit"]);
  });

  it("return the highest price for a dry run", async () => {
    const client = await connect(await createClient());
    const requests = [{ url: page("article") }, { url: page("article") }];
    const batch = await call(client, "batch", { endpoint: "scrape", requests, dry_run: true });
    expect(batch.text).toMatch(/^\{"dry_run":true.*"max_credits":2.*\nNo batch was created/);
    const crawl = await call(client, "crawl", { url: page("article"), limit: 7, dry_run: true });
    expect(crawl.text).toMatch(/^\{"dry_run":true.*"max_credits":7.*\nNo crawl was created/);
  });

  it("return the errors of the API, and need the scope of the endpoint", async () => {
    const client = await connect(await createClient({ scopes: ["parse", "jobs"] }));
    const refused = await call(client, "batch", { endpoint: "scrape", requests: [{ url: "https://example.com/" }] });
    expect(JSON.parse(refused.text).error.code).toBe("insufficient_scope");
    const wrong = await call(client, "batch", {
      endpoint: "parse",
      requests: [{ url: "nowhere" }],
      defaults: { prompt: "x" },
    });
    expect(JSON.parse(wrong.text).error.details).toMatchObject([{ path: "requests.0.url" }]);
    const unknown = await call(client, "read", { id: "unknown" });
    expect(JSON.parse(unknown.text).error.code).toBe("not_found");
  });
});

describe("the tool crawl", () => {
  it("visits a site, and returns its progress and its first pages between marks", async () => {
    const client = await connect(await createClient());
    const url = openFolder().page("tree/1");
    const scrape = { formats: ["text"] };
    const { text, isError } = await call(client, "crawl", { url, max_depth: 1, sitemap: "skip", scrape, wait: 30 });
    expect(isError).toBeUndefined();
    expect(text).toMatch(/^\{"crawl_id":.*"status":"completed".*"credits_max":100/);
    const [before = "", ...pages] = text.split(/^<untrusted-content-[0-9a-f]{32}>$/m);
    const content = pages.join("");
    expect(before).toMatch(/^\{"crawl_id".*"completed":3.*"discovered":8,"skipped":\{"depth":4,"file":1\}/);
    expect(before).not.toContain("Tree 1");
    expect(content).toMatch(/Page 3: .*"status":"completed"/);
    expect(content).toContain("Tree 1 has the sentence 0.");
  });

  it("runs in the background, can be read, and can be canceled", async () => {
    const client = await connect(await createClient({ mode: "test" }));
    const started = await call(client, "crawl", { url: "https://shop.example/" });
    expect(started.text).toMatch(/"credits_max":0\}\nThe crawl continues in the background\. Call read with this id/);
    const read = await call(client, "read", { id: idOf(started.text), wait: 30, cursor: 4 });
    expect(read.text).toMatch(/"status":"completed"/);
    expect(read.text).toMatch(/Page 6: /);
    expect(read.text).not.toMatch(/Page 4: /);
    const slow = idOf((await call(client, "crawl", { url: "https://slow-60.test/" })).text);
    for (const _ of [1, 2]) {
      expect((await call(client, "cancel", { id: slow })).text).toMatch(/"status":"failed".*"error":"cancelled"/);
    }
  });

  it("explains why a crawl found no pages", async () => {
    const client = await connect(await createClient());
    const { text } = await call(client, "crawl", { url: openFolder().page("missing"), sitemap: "skip", wait: 30 });
    expect(text).toContain("The first page failed with target_http_error");
  });

  it("returns the errors of the API, and accepts no webhook", async () => {
    const client = await connect(await createClient());
    for (const [more, path] of [
      [{ limit: 10_001 }, "limit"],
      [{ scrape: { formats: ["docx"] } }, "scrape.formats.0"],
      [{ webhook_url: "https://example.org/" }, "webhook_url"],
    ] as const) {
      const { text, isError } = await call(client, "crawl", { url: "https://example.com/", ...more });
      expect([isError, JSON.parse(text).error.details[0].path]).toEqual([true, path]);
    }
    const reader = await connect(await createClient({ scopes: ["parse", "jobs"] }));
    const refused = await call(reader, "crawl", { url: "https://example.com/" });
    expect(JSON.parse(refused.text).error.code).toBe("insufficient_scope");
  });
});
