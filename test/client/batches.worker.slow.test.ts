import { describe, expect, expectTypeOf, it } from "vitest";
import type { BatchPage } from "../../clients/typescript/src/batches";
import type { BatchDryRun, ParseData, ScrapeData } from "../../clients/typescript/src/wire";
import { stubOf } from "../support/account";
import { createAccount, createClient, page, querySite, refOf } from "../support/client";
import { collect, connect, failureOf } from "../support/extraction-client";

const SITE = "https://example.com";

/** Returns requests for `count` pages of the mock site. */
const toRequests = (count: number) => Array.from({ length: count }, (_, index) => ({ url: `${SITE}/${index + 1}` }));

describe("a batch", () => {
  it("can be awaited and read as a whole", async () => {
    const client = connect(await createClient({ mode: "test" }));
    const requests = [...toRequests(2), { url: "https://http-404.test/" }];
    const batch = await client.batch({ endpoint: "scrape", requests, defaults: { formats: ["text"] } });
    expect(batch.accepted).toMatchObject({ batch_id: batch.id, meta: { credits_max: 0 } });
    const ended = await batch.wait();
    expect(ended).toMatchObject({ batch_id: batch.id, status: "completed", endpoint: "scrape" });
    expect(ended.counts).toMatchObject({ total: 3, completed: 2, failed: 1, running: 0, pending: 0 });
    expect(Object.keys(ended)).not.toContain("pages");
    expect(await client.openBatch(batch.id).status()).toEqual(ended);
  });

  it("yields each page once with its complete result, and failed pages with their error", async () => {
    const client = connect(await createClient({ mode: "test" }));
    // The page large.test has a result of over 1 MB.
    const requests = [...toRequests(130), { url: "https://http-404.test/" }, { url: "https://large.test/" }];
    const pages = await collect(client.batch({ endpoint: "scrape", requests, defaults: { formats: ["text"] } }));
    expectTypeOf(pages).toEqualTypeOf<BatchPage<ScrapeData>[]>();
    expect(pages.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(requests.map((_, index) => index + 1));
    const byNumber = new Map(pages.map((each) => [each.number, each]));
    expect(byNumber.get(1)).toMatchObject({ status: "completed", url: `${SITE}/1`, outcome: "ok" });
    expect(byNumber.get(1)?.result?.text).toEqual(expect.any(String));
    expect(byNumber.get(131)).toMatchObject({ status: "failed", error: { code: expect.any(String) } });
    expect(byNumber.get(132)?.result?.text?.length).toBeGreaterThan(1_000_000);
    expect(byNumber.get(132)).not.toHaveProperty("result_truncated");
  });

  it("yields pages while others are still running", async () => {
    const client = connect(await createClient());
    const held = page("held");
    const batch = await client.batch({ endpoint: "scrape", requests: [{ url: held }, { url: page("article") }] });
    const pages = batch.pages();
    expect((await pages.next()).value).toMatchObject({ number: 2, status: "completed" });
    expect((await batch.status()).counts.running).toBe(1);
    await querySite("release", held);
    expect((await pages.next()).value).toMatchObject({ number: 1 });
    expect((await pages.next()).done).toBe(true);
  });

  it("has typed data if it extracts", async () => {
    const client = connect(await createClient({ mode: "test" }));
    const schema = { type: "object", properties: { price: { type: "number" } }, required: ["price"] };
    const batch = client.batch<{ price: number }>({
      endpoint: "parse",
      requests: toRequests(2),
      defaults: { prompt: "The price", schema },
    });
    for await (const { result } of batch) {
      expectTypeOf(result).toEqualTypeOf<{ price: number } | null | undefined>();
      expect(typeof result?.price).toBe("number");
    }
    const untyped = await client.batch({ endpoint: "parse", requests: toRequests(1), defaults: { prompt: "x" } });
    expectTypeOf(untyped.pages()).toExtend<AsyncGenerator<BatchPage<ParseData>>>();
  });

  it("can be canceled, after which its pages end with an error", async () => {
    const client = connect(await createClient({ mode: "test" }));
    const batch = await client.batch({ endpoint: "scrape", requests: [{ url: "https://slow-60.test/" }] });
    for (const _ of [1, 2]) {
      expect(await batch.cancel()).toMatchObject({ status: "failed", error: { code: "cancelled" } });
    }
    const failure = await failureOf(collect(batch));
    expect(failure).toMatchObject({ code: "cancelled", retryable: false });
  });

  it("can be resumed after it ran out of credits", async () => {
    const accountId = await createAccount({ credits: 1 });
    const client = connect(await createClient({ accountId }));
    const requests = [{ url: page("article") }, { url: page("article") }];
    const batch = await client.batch({ endpoint: "scrape", requests });
    expect(await failureOf(collect(batch))).toMatchObject({ code: "insufficient_credits", status: null });
    await stubOf(await refOf(accountId)).adjust({ key: "test", amount: 5 });
    expect(await batch.resume()).toMatchObject({ batch_id: batch.id });
    expect((await collect(batch)).map(({ number }) => number).toSorted()).toEqual([1, 2]);
  });

  it("throws the errors of its request, from the promise and from the iteration", async () => {
    const client = connect(await createClient());
    const request = { endpoint: "scrape", requests: [{ url: "nowhere" }, { url: SITE }, { url: "ftp://x/" }] } as const;
    const failure = await failureOf(client.batch(request));
    expect(failure).toMatchObject({ code: "invalid_request", status: 400 });
    expect(failure.details.map(({ path }) => path)).toEqual(["requests.0.url", "requests.2.url"]);
    expect(await failureOf(collect(client.batch(request)))).toMatchObject({ code: "invalid_request" });
    expect(await failureOf(client.openBatch("unknown").status())).toMatchObject({ code: "not_found", status: 404 });
  });

  it("throws wait_timeout if it doesn't end in time", async () => {
    const client = connect(await createClient({ mode: "test" }));
    const batch = await client.batch({ endpoint: "scrape", requests: [{ url: "https://slow-60.test/" }] });
    expect(await failureOf(batch.wait({ maxWaitMs: 100 }))).toMatchObject({ code: "wait_timeout", jobId: null });
    await batch.cancel();
  });
});

describe("the price of a batch or crawl", () => {
  it("is returned by a dry run", async () => {
    const client = connect(await createClient());
    const requests = toRequests(3);
    const batch = await client.dryRun("batch", { endpoint: "scrape", requests, defaults: { render: "always" } });
    expect(batch).toEqual({ pages: 3, max_credits: 6, balance: 100_000 });
    const crawl = await client.dryRun("crawl", { url: SITE, limit: 20 });
    expect(crawl).toEqual({ pages: 20, max_credits: 20, balance: 100_000 });
    expectTypeOf(crawl).toEqualTypeOf<BatchDryRun>();
    expect(await failureOf(client.dryRun("crawl", { url: "nowhere" }))).toMatchObject({ code: "invalid_request" });
  });
});

describe("a job", () => {
  it("can be canceled, also after it has ended", async () => {
    const client = connect(await createClient({ mode: "test" }));
    const { id } = await client.startScrape({ url: "https://slow-60.test/" });
    for (const _ of [1, 2]) {
      expect(await client.jobs.cancel(id)).toMatchObject({
        job_id: id,
        status: "failed",
        error: { code: "cancelled" },
      });
    }
  });
});
