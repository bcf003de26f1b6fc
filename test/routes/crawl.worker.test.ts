import { describe, expect, it } from "vitest";
import { type Client, createClient, read, readEnded } from "../support/client";
import { openFolder } from "../support/crawls";
import { bodyOf, expectPosts, receiver } from "../support/webhooks";

interface Crawl {
  crawl_id: string;
  status: string;
  counts: Record<string, unknown>;
  credits: Record<string, number>;
  discovered?: number;
  skipped?: Record<string, number>;
  note?: string;
  error?: { code: string };
  pages: { url: string; result?: Record<string, unknown>; meta?: Record<string, unknown> }[];
}

async function start(client: Client, body: Record<string, unknown>): Promise<string> {
  const response = await client.call("POST", "/v1/crawl", body);
  expect(response.status).toBe(202);
  const { crawl_id } = await response.json<Crawl>();
  expect(response.headers.get("location")).toBe(`/v1/crawl/${crawl_id}`);
  return crawl_id;
}

async function awaitCrawl(client: Client, id: string): Promise<Crawl> {
  await readEnded(client, `/v1/crawl/${id}`);
  return await (await client.call("GET", `/v1/crawl/${id}?limit=100`)).json<Crawl>();
}

describe.concurrent("a crawl over the API", () => {
  it("scrapes the pages of a site with the given options", async () => {
    const [client, folder] = [await createClient(), openFolder()];
    const scrape = { formats: ["text", "metadata"] };
    const id = await start(client, { url: folder.page("tree/1"), max_depth: 1, sitemap: "skip", scrape });
    const crawl = await awaitCrawl(client, id);
    expect(crawl).toMatchObject({
      crawl_id: id,
      status: "completed",
      counts: { total: 3, completed: 3, by_code: { ok: 3 } },
      credits: { reserved: 0, used: 3, given_back: 0 },
      discovered: 8,
      skipped: { depth: 4, file: 1 },
    });
    expect(crawl.pages.map(({ result }) => Object.keys(result ?? {}).sort())).toEqual(
      Array.from({ length: 3 }, () => ["metadata", "text"]),
    );
    expect(crawl.pages.map(({ meta }) => meta?.depth)).toEqual([0, 1, 1]);
    const pages = await read(await client.call("GET", `/v1/jobs?batch_id=${id}`));
    expect(pages).toMatchObject({ pagination: { total: 3 } });
    expect(await read(await client.call("GET", "/v1/jobs"))).toMatchObject({ pagination: { total: 0 } });
  });

  it("sends the secret headers of its options to each page", async () => {
    const [client, folder] = [await createClient(), openFolder()];
    const scrape = { formats: ["text"], headers: { "x-partner": "secret-of-crawl" } };
    const id = await start(client, { url: folder.page("tree/1"), max_depth: 1, sitemap: "skip", scrape });
    expect(await awaitCrawl(client, id)).toMatchObject({ counts: { completed: 3 } });
  });

  it("sends one event when it has ended, and one for each page if they are chosen", async () => {
    const [client, folder] = [await createClient(), openFolder()];
    const url = receiver("ok");
    const events = ["crawl.completed", "crawl.page"];
    const body = { url: folder.page("tree/1"), max_depth: 1, webhook_url: url, webhook_events: events };
    const id = await start(client, body);
    const posts = await expectPosts(url, 4);
    const sent = posts.map((post) => JSON.parse(bodyOf(post)) as { event: string; crawl_id?: string });
    expect(sent.map(({ event }) => event).sort()).toEqual([
      "crawl.completed",
      "crawl.page",
      "crawl.page",
      "crawl.page",
    ]);
    expect(sent.find(({ event }) => event === "crawl.completed")?.crawl_id).toBe(id);
  });

  it("explains that its first page failed", async () => {
    const [client, folder] = [await createClient(), openFolder()];
    const id = await start(client, { url: folder.page("missing"), sitemap: "skip" });
    const crawl = await awaitCrawl(client, id);
    expect(crawl).toMatchObject({ status: "completed", counts: { total: 1, failed: 1 } });
    expect(crawl.note).toContain("The first page failed");
  });

  it("is refused if its pages together can cost more than max_credits", async () => {
    const client = await createClient({ mode: "test" });
    const body = { url: "https://shop.example/", limit: 5, scrape: { render: "auto" }, dry_run: true };
    const refused = await client.call("POST", "/v1/crawl", { ...body, max_credits: 9 });
    expect(refused.status).toBe(402);
    expect(await read(refused)).toMatchObject({ error: { code: "price_limit", details: [{ path: "max_credits" }] } });
    expect((await client.call("POST", "/v1/crawl", { ...body, max_credits: 10 })).status).toBe(200);
  });

  it("ends at the credit limit of its key", async () => {
    const [owner, folder] = [await createClient(), openFolder()];
    const issued = await owner.call("POST", "/v1/keys", { mode: "live", scopes: ["scrape", "jobs"], credit_limit: 1 });
    const { data } = await issued.json<{ data: { key: string } }>();
    const body = { url: folder.page("tree/1"), max_depth: 1, sitemap: "skip" };
    const response = await owner.call("POST", "/v1/crawl", body, { headers: { authorization: `Bearer ${data.key}` } });
    const crawl = await awaitCrawl(owner, (await response.json<Crawl>()).crawl_id);
    expect(crawl).toMatchObject({ error: { code: "insufficient_credits" }, credits: { used: 1 } });
  });

  it("is listed with its URL until it has ended, and lists the URLs that it skips", async () => {
    const [client, folder] = [await createClient(), openFolder()];
    const url = folder.page(`hub/${encodeURIComponent("held,leaf/1,leaf/2")}`);
    const body = { url, sitemap: "skip", include_patterns: ["/held$"], exclude_patterns: ["/hub/"] };
    const id = await start(client, body);
    const unfinished = async () => (await read(await client.call("GET", "/v1/crawl?status=unfinished"))).data;
    await expect.poll(async () => (await folder.visits()).paths).toContain("held");
    expect(await unfinished()).toMatchObject([{ crawl_id: id, url, counts: { running: 1 } }]);
    await folder.release();
    expect((await awaitCrawl(client, id)).counts).toMatchObject({ completed: 2 });
    expect(await unfinished()).toEqual([]);
    const second = await start(client, { url: folder.page("missing"), sitemap: "skip" });
    await awaitCrawl(client, second);
    const page = await read(await client.call("GET", "/v1/crawl?status=completed&limit=1"));
    expect(page).toMatchObject({ data: [{ crawl_id: second }], next_cursor: second });
    expect(await read(await client.call("GET", `/v1/crawl?limit=1&cursor=${second}`))).toMatchObject({
      data: [{ crawl_id: id, status: "completed" }],
    });
    const skipped = await read(await client.call("GET", `/v1/crawl/${id}/skipped?reason=excluded&limit=1`));
    expect(skipped.data).toEqual([{ url: folder.page("leaf/1"), reason: "excluded" }]);
    const rest = await read(await client.call("GET", `/v1/crawl/${id}/skipped?cursor=${skipped.next_cursor}`));
    expect(rest).toEqual({ success: true, data: [{ url: folder.page("leaf/2"), reason: "excluded" }] });
  });

  it("visits a mock site with a test key, for free", async () => {
    const client = await createClient({ mode: "test" });
    const crawl = await awaitCrawl(client, await start(client, { url: "https://shop.example/" }));
    expect(crawl).toMatchObject({ status: "completed", counts: { total: 6 }, credits: { used: 0 } });
  });

  it.each([
    [{}, "url"],
    [{ url: "https://example.com/", limit: 10_001 }, "limit"],
    [{ url: "https://example.com/", max_depth: -1 }, "max_depth"],
    [{ url: "https://example.com/", include_paths: ["blog"] }, "include_paths.0"],
    [{ url: "https://example.com/", include_patterns: ["("] }, "include_patterns.0"],
    [{ url: "https://example.com/", exclude_patterns: ["/a", "((a{50}){50}){9}"] }, "exclude_patterns.1"],
    [{ url: "https://example.com/", exclude_patterns: ["(?<=a)b"] }, "exclude_patterns.0"],
    [{ url: "https://example.com/", scrape: { formats: ["docx"] } }, "scrape.formats.0"],
    [{ url: "https://example.com/", scrape: { url: "https://example.com/" } }, "scrape.url"],
    [{ url: "https://example.com/", scrape: { dry_run: true } }, "scrape.dry_run"],
    [{ url: "https://example.com/", webhook_events: ["crawl.completed"] }, "webhook_events"],
    [{ url: "https://example.com/", depth: 3 }, "depth"],
  ])("refuses the request %j", async (body, path) => {
    const response = await (await createClient()).call("POST", "/v1/crawl", body);
    expect(response.status).toBe(400);
    expect(await read(response)).toMatchObject({ error: { code: "invalid_request", details: [{ path }] } });
  });
});
