import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { AccountRef } from "../../src/model/account";
import type { JobKey } from "../../src/model/job";
import { crawlStub } from "../../src/store/namespaces";
import { openObject, sqlIn, stubOf } from "../support/account";
import { awaitCrawl, openFolder, startCrawl } from "../support/crawls";

interface Host extends Record<string, SqlStorageValue> {
  robots: string | null;
  tries: number;
  delay_ms: number | null;
  penalty_ms: number;
  next_at: number;
}

async function sqlOf<Row extends Record<string, SqlStorageValue>>(account: AccountRef, key: JobKey, query: string) {
  return await runInDurableObject(crawlStub(env, account, key.id), (_, { storage }) =>
    storage.sql.exec<Row>(query).toArray(),
  );
}

const hostOf = async (account: AccountRef, key: JobKey) =>
  (await sqlOf<Host>(account, key, "SELECT robots, tries, delay_ms, penalty_ms, next_at FROM hosts"))[0];

const statesOf = async (account: AccountRef, key: JobKey) =>
  (await sqlOf<{ state: string }>(account, key, "SELECT state FROM frontier ORDER BY id")).map(({ state }) => state);

/** Changes each host's next start to a time in the past. */
async function endDelay(account: AccountRef, key: JobKey): Promise<void> {
  await sqlOf(account, key, "UPDATE hosts SET next_at = 1");
  await runDurableObjectAlarm(crawlStub(env, account, key.id));
}

describe("the delay between two pages of a host", () => {
  it.each([
    { name: "of the request", site: "open", options: { delay: 600 } },
    { name: "of robots.txt", site: "paced", options: {} },
  ] as const)("$name is kept, with one page at a time", async ({ site, options }) => {
    const [account, folder] = [await openObject(), openFolder(site)];
    const before = Date.now();
    const key = await startCrawl(account, folder.page("tree/1"), { sitemap: "skip", max_depth: 1, ...options });
    await expect.poll(() => statesOf(account, key)).toEqual(["done", "queued", "queued", ...Array(1).fill("skipped")]);
    const host = await hostOf(account, key);
    expect(host?.next_at).toBeGreaterThanOrEqual(before + 600_000);
    expect((await folder.visits()).paths).toEqual(["tree/1"]);
    await endDelay(account, key);
    await expect.poll(async () => (await folder.visits()).paths).toHaveLength(2);
    expect(await statesOf(account, key)).toContain("queued");
    await expect.poll(async () => (await statesOf(account, key)).filter((state) => state === "done").length).toBe(2);
    await endDelay(account, key);
    expect((await awaitCrawl(account, key)).batch.counts).toMatchObject({ total: 3, completed: 3 });
    expect((await folder.visits()).concurrency).toBe(1);
  });

  it("of robots.txt is ignored together with its rules", async () => {
    const [account, folder] = [await openObject(), openFolder("paced")];
    const options = { sitemap: "skip", max_depth: 1, robots: "ignore" };
    const crawl = await awaitCrawl(account, await startCrawl(account, folder.page("tree/1"), options));
    expect(crawl.batch.counts).toMatchObject({ total: 3, completed: 3 });
  });
});

describe("a page whose target is busy", () => {
  const RENDERED = { scrape: { js_render: true } };

  it.each([
    { status: 429, after: "30", options: {} },
    { status: 503, after: "30", options: {} },
    { status: 429, after: "30", options: RENDERED },
    { status: 503, after: "30", options: RENDERED },
  ])("with $status delays its host as long as Retry-After says, with $options", async ({ status, after, options }) => {
    const [account, folder] = [await openObject(), openFolder()];
    const before = Date.now();
    const url = folder.page(`refuses/${status}/${after}`);
    const key = await startCrawl(account, url, { sitemap: "skip", ...options });
    await expect.poll(async () => (await hostOf(account, key))?.penalty_ms).toBe(30_000);
    expect((await hostOf(account, key))?.next_at).toBeGreaterThanOrEqual(before + 30_000);
    // The page hasn't ended, because its job waits for a retry.
    expect(await statesOf(account, key)).toEqual(["started"]);
    const queued = () => sqlIn<{ status: string }>(account, "SELECT status FROM jobs");
    await expect.poll(queued).toEqual([{ status: "queued" }]);
    await stubOf(account).cancelBatch(key);
  });

  it("delays its host until the date in Retry-After, but at most five minutes", async () => {
    const account = await openObject();
    const date = Math.ceil(Date.now() / 1_000) * 1_000 + 200_000;
    const start = async (after: string) => {
      const folder = openFolder();
      const url = folder.page(`refuses/503/${encodeURIComponent(after)}`);
      const key = await startCrawl(account, url, { sitemap: "skip" });
      await expect.poll(async () => (await hostOf(account, key))?.penalty_ms).toBeGreaterThan(0);
      await stubOf(account).cancelBatch(key);
      return await hostOf(account, key);
    };
    const host = await start(new Date(date).toUTCString());
    expect(host?.next_at).toBeGreaterThanOrEqual(date);
    expect(host?.penalty_ms).toBeLessThanOrEqual(201_000);
    expect((await start("86400"))?.penalty_ms).toBe(300_000);
  });

  it("is requested again by the browser, and then completed", async () => {
    const [account, folder] = [await openObject(), openFolder()];
    const options = { sitemap: "skip", scrape: { js_render: true } };
    const crawl = await awaitCrawl(account, await startCrawl(account, folder.page("busy"), options));
    expect(crawl.batch.counts).toMatchObject({ total: 1, completed: 1 });
    expect(crawl.pages[0]?.job).toMatchObject({ run: 2, extras: { rendered: true } });
  });
});

describe("a robots.txt", () => {
  it("that fails is requested three times, and then no page is visited", async () => {
    const [account, folder] = [await openObject(), openFolder("failing")];
    const key = await startCrawl(account, folder.page("tree/1"), { sitemap: "skip" });
    for (const tries of [1, 2]) {
      await expect.poll(async () => (await hostOf(account, key))?.tries).toBe(tries);
      await endDelay(account, key);
    }
    const crawl = await awaitCrawl(account, key);
    expect(crawl.batch).toMatchObject({ status: "completed", counts: { total: 0 }, credits: { used: 0 } });
    expect(crawl.progress).toMatchObject({ skipped: { robots: 1 } });
    expect(crawl.progress.note).toContain("couldn't be read");
    expect((await folder.visits()).paths).toEqual([]);
  });

  it("that redirects to another host applies to its own host", async () => {
    const [account, folder] = [await openObject(), openFolder("moved")];
    const start = folder.page(`hub/${encodeURIComponent("private/1,leaf/1")}`);
    const crawl = await awaitCrawl(account, await startCrawl(account, start, { sitemap: "skip" }));
    expect(crawl.pages.map(({ url }) => url)).toEqual([start, folder.page("leaf/1")]);
    expect(crawl.progress).toMatchObject({ skipped: { robots: 1 }, note: null });
  });

  it("that redirects to itself counts as missing", async () => {
    const [account, folder] = [await openObject(), openFolder("looping")];
    const options = { sitemap: "skip", max_depth: 1 };
    const crawl = await awaitCrawl(account, await startCrawl(account, folder.page("tree/1"), options));
    expect(crawl.batch.counts).toMatchObject({ total: 3, completed: 3 });
    expect(crawl.progress.note).toBeNull();
  });

  it("that never ends counts as one that fails", async () => {
    const [account, folder] = [await openObject(), openFolder("endless")];
    const key = await startCrawl(account, folder.page("tree/1"), { sitemap: "skip" });
    await expect.poll(async () => (await hostOf(account, key))?.tries).toBe(1);
    expect((await folder.visits()).paths).toEqual([]);
    await stubOf(account).cancelBatch(key);
    expect((await awaitCrawl(account, key)).batch.error?.code).toBe("cancelled");
  });
});
