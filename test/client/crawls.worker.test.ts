import { describe, expect, expectTypeOf, it } from "vitest";
import type { BatchPage, CrawlHandle } from "../../clients/typescript/src/batches";
import type { Crawl, ScrapeData } from "../../clients/typescript/src/wire";
import { stubOf } from "../support/account";
import { createAccount, createClient, refOf } from "../support/client";
import { openFolder } from "../support/crawls";
import { collect, connect, failureOf } from "../support/extraction-client";

describe("a crawl", () => {
  it("yields each page once with its complete result, and failed pages with their error", async () => {
    const client = connect(await createClient());
    const folder = openFolder();
    const crawl = client.crawl({
      url: folder.page("hub/tree%2F1,missing"),
      limit: 9,
      sitemap: "skip",
      scrape: { formats: ["text"] },
    });
    const pages: BatchPage<ScrapeData>[] = [];
    for await (const each of crawl) {
      expectTypeOf(each).toEqualTypeOf<BatchPage<ScrapeData>>();
      pages.push(each);
    }
    expect(pages.map(({ number }) => number).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(new Set(pages.map(({ url }) => url)).size).toBe(9);
    for (const { url, status, error, result } of pages) {
      if (url?.endsWith("/missing")) expect([status, error?.code]).toEqual(["failed", "target_http_error"]);
      else expect([status, Object.keys(result ?? {})]).toEqual(["completed", ["text"]]);
    }
    const { id, accepted } = await crawl;
    expect(accepted).toMatchObject({ crawl_id: id, meta: { credits_max: 9 } });
  });

  it("has the complete results of large pages", async () => {
    const client = connect(await createClient({ mode: "test" }));
    const pages = await collect(client.crawl({ url: "https://large.test/", limit: 2, scrape: { formats: ["text"] } }));
    expect(pages).toHaveLength(2);
    for (const each of pages) {
      expect(each.result?.text?.length).toBeGreaterThan(1_000_000);
      expect(each).not.toHaveProperty("result_truncated");
    }
  });

  it("yields a page while others are running, and shows its progress", async () => {
    const client = connect(await createClient());
    const folder = openFolder();
    const crawl = await client.crawl({ url: folder.page("hub/held,leaf%2F1"), sitemap: "skip" });
    const pages = crawl.pages();
    const first = [(await pages.next()).value, (await pages.next()).value];
    expect(first.map((each) => each?.url)).toEqual([folder.page("hub/held,leaf%2F1"), folder.page("leaf/1")]);
    const { status, counts, discovered } = await crawl.status();
    expect([status, counts.completed, counts.running, discovered]).toEqual(["processing", 2, 1, 3]);
    await folder.release();
    expect((await pages.next()).value).toMatchObject({ url: folder.page("held"), status: "completed" });
    expect((await pages.next()).done).toBe(true);
  });

  it("is listed, and lists the URLs that it skips", async () => {
    const client = connect(await createClient());
    const url = openFolder().page("hub/leaf%2F1,leaf%2F2,leaf%2F3");
    const { id } = await client.crawl({ url, sitemap: "skip", exclude_patterns: ["/leaf/"] });
    await client.openCrawl(id).wait();
    expect(await collect(client.listCrawls({ status: "unfinished" }))).toEqual([]);
    expect(await collect(client.listCrawls({ limit: 1 }))).toMatchObject([{ crawl_id: id, url }]);
    expect(await collect(client.listSkipped(id, { reason: "excluded", limit: 2 }))).toHaveLength(3);
    expect(await collect(client.listBatches())).toEqual([]);
  });

  it("can be awaited, and opened again by its id", async () => {
    const client = connect(await createClient({ mode: "test" }));
    const crawl = await client.crawl({ url: "https://shop.example/" }, { idempotencyKey: "one" });
    expectTypeOf(crawl).toEqualTypeOf<CrawlHandle>();
    const ended = await crawl.wait();
    expectTypeOf(ended).toEqualTypeOf<Crawl>();
    expect(ended).toMatchObject({
      ...{ crawl_id: crawl.id, status: "completed", endpoint: "scrape" },
      ...{ counts: { total: 6, completed: 6 }, credits: { used: 0 }, discovered: 6, skipped: {} },
    });
    expect(Object.keys(ended)).not.toContain("pages");
    const opened = client.openCrawl(crawl.id);
    expect([await opened.status(), opened.accepted]).toEqual([ended, null]);
    expect(await collect(opened)).toHaveLength(6);
    const again = await client.crawl({ url: "https://shop.example/" }, { idempotencyKey: "one" });
    expect(again.id).toBe(crawl.id);
  });

  it("can be canceled, after which its iteration ends with an error", async () => {
    const client = connect(await createClient({ mode: "test" }));
    const crawl = await client.crawl({ url: "https://slow-60.test/" });
    for (const _ of [1, 2]) {
      expect(await crawl.cancel()).toMatchObject({
        crawl_id: crawl.id,
        status: "failed",
        error: { code: "cancelled" },
      });
    }
    expect(await failureOf(collect(crawl))).toMatchObject({ code: "cancelled", retryable: false });
  });

  it("can be resumed after it ran out of credits", async () => {
    const accountId = await createAccount({ credits: 1 });
    const client = connect(await createClient({ accountId }));
    const url = openFolder().page("tree/1");
    const crawl = await client.crawl({ url, max_depth: 1, sitemap: "skip", scrape: { formats: ["text"] } });
    expect(await failureOf(collect(crawl))).toMatchObject({ code: "insufficient_credits", status: null });
    expect(await failureOf(crawl.resume())).toMatchObject({ code: "insufficient_credits", status: 402 });
    await stubOf(await refOf(accountId)).adjust({ key: "test", amount: 5 });
    expect(await crawl.resume()).toMatchObject({ crawl_id: crawl.id });
    expect((await collect(crawl)).map(({ number }) => number).toSorted()).toEqual([1, 2, 3]);
  });

  it("throws the errors of its request, from the promise and from the iteration", async () => {
    const client = connect(await createClient());
    const request = { url: "https://example.com/", scrape: { timeout_ms: -1 } };
    const failure = await failureOf(client.crawl(request));
    expect(failure).toMatchObject({ code: "invalid_request", status: 400 });
    expect(failure.details.map(({ path }) => path)).toEqual(["scrape.timeout_ms"]);
    expect(await failureOf(collect(client.crawl(request)))).toMatchObject({ code: "invalid_request" });
    expect(await failureOf(client.openCrawl("unknown").status())).toMatchObject({ code: "not_found", status: 404 });
  });

  it("throws wait_timeout if it doesn't end in time", async () => {
    const client = connect(await createClient({ mode: "test" }));
    const crawl = await client.crawl({ url: "https://slow-60.test/" });
    const failure = await failureOf(crawl.wait({ maxWaitMs: 100 }));
    expect(failure).toMatchObject({ code: "wait_timeout", jobId: null });
    expect(failure.message).toContain(`crawl ${crawl.id}`);
    await crawl.cancel();
  });
});
