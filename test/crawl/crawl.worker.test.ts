import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { crawlStub } from "../../src/store/namespaces";
import { openObject, stubOf } from "../support/account";
import { awaitCrawl, type EndedCrawl, openFolder, startCrawl } from "../support/crawls";

/** Returns the sorted paths of the pages, relative to the folder. */
function pathsOf({ pages }: EndedCrawl, folder: { url: string }): string[] {
  return pages.map(({ url }) => (url ?? "").replace(`${folder.url}/`, "")).sort();
}

/** Stops the Durable Object in the middle of its work, as a deployment may do. The next call starts it again. */
async function restart(stub: DurableObjectStub): Promise<void> {
  await runInDurableObject(stub, (_, ctx) => ctx.abort("The test restarts the object.")).catch(() => {});
}

const TREE = Array.from({ length: 40 }, (_, i) => `tree/${i + 1}`);

describe.concurrent("a crawl", () => {
  it("visits each page of a site once, and at most two at a time", async () => {
    const [account, folder] = [await openObject(), openFolder()];
    const crawl = await awaitCrawl(account, await startCrawl(account, folder.page("tree/1")));
    expect(pathsOf(crawl, folder)).toEqual([...TREE].sort());
    expect(crawl.batch).toMatchObject({
      status: "completed",
      counts: { total: 40, pending: 0, running: 0, completed: 40, failed: 0, byCode: { ok: 40 } },
      credits: { reserved: 0, used: 40, givenBack: 0 },
    });
    expect(crawl.progress).toEqual({ discovered: 41, skipped: { file: 1 }, note: null });
    const visits = await folder.visits();
    expect(visits.paths.toSorted()).toEqual([...TREE].sort());
    expect(visits.concurrency).toBeLessThanOrEqual(2);
  });

  it("visits two pages of a site at the same time", async () => {
    const [account, folder] = [await openObject(), openFolder()];
    const links = encodeURIComponent("pair/1,pair/2");
    const crawl = await awaitCrawl(account, await startCrawl(account, folder.page(`hub/${links}`)));
    expect(crawl.batch.counts.byCode).toEqual({ ok: 3 });
    expect((await folder.visits()).concurrency).toBe(2);
  });

  it("that sends cookies opens no links that sign out", async () => {
    const account = await openObject();
    for (const cookies of [undefined, [{ name: "session", value: "1" }]]) {
      const folder = openFolder();
      const key = await startCrawl(account, folder.page("members"), { scrape: { ...(cookies && { cookies }) } });
      const { progress } = await awaitCrawl(account, key);
      const { paths } = await folder.visits();
      expect(paths.toSorted()).toEqual(["end", "leaf/1", ...(cookies ? [] : ["leave", "logout"]), "members"]);
      expect(progress.skipped).toEqual(cookies ? { sign_out: 2 } : {});
    }
  });

  it("follows redirects, and recognizes pages that it has already visited", async () => {
    const [account, folder] = [await openObject(), openFolder()];
    const links = "leaf/1,to/leaf/2,same/a,same/b,declared/5,missing";
    const crawl = await awaitCrawl(account, await startCrawl(account, folder.page(`hub/${encodeURIComponent(links)}`)));
    const { paths } = await folder.visits();
    expect(paths.filter((path) => path === "leaf/2")).toHaveLength(1);
    expect(paths.filter((path) => path === "below-same")).toHaveLength(1);
    const duplicates = crawl.pages.map(({ url, job }) => [url, job?.extras?.duplicate_of]).filter(([, of]) => of);
    // The two equal pages are visited at the same time, so either can be the first.
    const [same, other] = [folder.page("same/a"), folder.page("same/b")];
    expect([
      { [other]: same, [folder.page("declared/5")]: folder.page("leaf/1") },
      { [same]: other, [folder.page("declared/5")]: folder.page("leaf/1") },
    ]).toContainEqual(Object.fromEntries(duplicates));
    expect(crawl.batch.counts.byCode).toEqual({ ok: 7, target_http_error: 1 });
    expect(crawl.batch.credits).toEqual({ reserved: 0, used: 7, givenBack: 1 });
  });

  it("reports what robots.txt and a page say about uses of the page", async () => {
    const [account, folder] = [await openObject(), openFolder("signaling")];
    const crawl = await awaitCrawl(account, await startCrawl(account, folder.page("refusing")));
    const signals = crawl.pages.map(({ job }) => job?.extras?.content_signals);
    expect(signals).toEqual([
      { search: true, ai_input: false, ai_train: false },
      { search: true, ai_train: false },
    ]);
    expect(crawl.batch.credits.used).toBe(2);
  });

  it("that respects content signals returns no page that refuses the use", async () => {
    const [account, folder] = [await openObject(), openFolder("signaling")];
    const key = await startCrawl(account, folder.page("refusing"), { content_use: "ai_input" });
    const { pages, batch, progress } = await awaitCrawl(account, key);
    const [refused, leaf] = pages.map(({ job }) => job);
    expect(JSON.parse(refused?.result ?? "")).toEqual({});
    expect(refused).toMatchObject({ status: "completed", creditsUsed: 0, extras: { skipped: "content_signals" } });
    expect(leaf).toMatchObject({ creditsUsed: 1, extras: { content_signals: { search: true, ai_train: false } } });
    expect(batch.credits).toEqual({ reserved: 0, used: 1, givenBack: 1 });
    expect(progress).toEqual({ discovered: 2, skipped: { content_signals: 1 }, note: null });
    const listed = await crawlStub(env, account, key.id).listSkipped({ reason: null, after: 0, limit: 10 });
    expect(listed).toMatchObject([{ url: folder.page("refusing"), reason: "content_signals" }]);
  });

  it("that respects content signals doesn't visit a site whose robots.txt refuses the use", async () => {
    const [account, folder] = [await openObject(), openFolder("signaling")];
    const key = await startCrawl(account, folder.page("hub/leaf"), { content_use: "ai_train" });
    const { pages, progress } = await awaitCrawl(account, key);
    expect([pages, (await folder.visits()).paths]).toEqual([[], []]);
    expect(progress).toMatchObject({
      skipped: { content_signals: 1 },
      note: expect.stringContaining("refuses the use 'ai_train'"),
    });
  });

  it("doesn't request a visited page again if another page redirects to it", async () => {
    const [account, folder] = [await openObject(), openFolder()];
    const crawl = await awaitCrawl(account, await startCrawl(account, folder.page("ring")));
    expect((await folder.visits()).paths).toEqual(["ring", "to/ring"]);
    const [, repeated] = crawl.pages;
    expect(repeated?.job).toMatchObject({ status: "completed", extras: { duplicate_of: folder.page("ring") } });
    expect(crawl.batch.credits).toEqual({ reserved: 0, used: 1, givenBack: 1 });
  });

  it("follows the links of pages that declare another page, unless they have its content", async () => {
    const [account, folder] = [await openObject(), openFolder()];
    const crawl = await awaitCrawl(account, await startCrawl(account, folder.page("archive/1")));
    const numbers = [1, 2, 3, 4];
    expect(pathsOf(crawl, folder)).toEqual([
      ...numbers.map((number) => `archive/${number}`),
      ...numbers.map((number) => `leaf/of-${number}`),
    ]);
    const duplicates = crawl.pages.filter(({ job }) => job?.extras?.duplicate_of === folder.page("archive/1"));
    expect(duplicates.map(({ url }) => url)).toEqual([2, 3, 4].map((number) => folder.page(`archive/${number}`)));
  });

  it("reads the sitemaps of the site to which the start URL redirects", async () => {
    const [account, folder] = [await openObject(), openFolder("renamed")];
    const id = new URL(folder.url).pathname;
    const toPaths = ({ pages }: EndedCrawl) =>
      pages.map(({ url }) => new URL(url ?? "").pathname.slice(id.length)).sort();
    const options = { include_paths: [`${id}/*`] };
    const crawl = await awaitCrawl(account, await startCrawl(account, folder.page("leaf/1"), options));
    expect(toPaths(crawl)).toEqual(["/leaf/1", "/listed"]);
    const only = await startCrawl(account, folder.page("leaf/1"), { ...options, sitemap: "only" });
    expect(toPaths(await awaitCrawl(account, only))).toEqual(["/listed"]);
  });

  it("doesn't follow the links of a page whose X-Robots-Tag says nofollow", async () => {
    const [account, folder] = [await openObject(), openFolder()];
    const crawl = await awaitCrawl(account, await startCrawl(account, folder.page("unfollowed-by-header")));
    expect(pathsOf(crawl, folder)).toEqual(["unfollowed-by-header"]);
  });

  it("finds all links of a page that lists a whole site", async () => {
    const [account, folder] = [await openObject(), openFolder()];
    const crawl = await awaitCrawl(account, await startCrawl(account, folder.page("index"), { max_depth: 0 }));
    expect(crawl.progress).toMatchObject({ discovered: 8_001, skipped: { depth: 8_000 } });
  });

  it("explains a long Crawl-delay", async () => {
    const [account, folder] = [await openObject(), openFolder("paced")];
    const crawl = await awaitCrawl(account, await startCrawl(account, folder.page("leaf/1"), { limit: 1 }));
    expect(crawl.progress.note).toContain("a delay of 600 seconds between two pages");
  });

  it("stops in a calendar, and in a loop of relative links", async () => {
    const [account, folder] = [await openObject(), openFolder()];
    const start = folder.page(`hub/${encodeURIComponent("calendar/2020/1,loop/")}`);
    const crawl = await awaitCrawl(account, await startCrawl(account, start, { limit: 1_000 }));
    const paths = pathsOf(crawl, folder);
    expect(paths.filter((path) => path.startsWith("calendar"))).toHaveLength(100);
    expect(paths.filter((path) => path.startsWith("loop"))).toEqual(["loop/", "loop/loop/"]);
    expect(crawl.progress.skipped).toEqual({ trap: 2 });
  });

  it("follows robots.txt and reads the sitemap that it names", async () => {
    const [account, folder] = [await openObject(), openFolder("ruled")];
    // The site's sitemap lists the folders that were requested before, so this request adds the folder.
    await fetch(folder.page("leaf/1"));
    const start = folder.page(`hub/${encodeURIComponent("private/1,leaf/1")}`);
    const options = { include_paths: [`${new URL(folder.url).pathname}/*`] };
    const crawl = await awaitCrawl(account, await startCrawl(account, start, options));
    expect(pathsOf(crawl, folder)).toEqual([start.slice(folder.url.length + 1), "leaf/1", "listed"]);
    expect(crawl.progress.skipped).toMatchObject({ robots: 1 });
    const skipped = { reason: "robots" as const, after: 0, limit: 10 };
    expect(await crawlStub(env, account, crawl.batch.id).listSkipped(skipped)).toMatchObject([
      { url: folder.page("private/1"), reason: "robots" },
    ]);
    const ignoring = await awaitCrawl(account, await startCrawl(account, start, { robots: "ignore", sitemap: "skip" }));
    expect(pathsOf(ignoring, folder)).toEqual([start.slice(folder.url.length + 1), "leaf/1", "private/1"]);
    const only = await awaitCrawl(account, await startCrawl(account, start, { ...options, sitemap: "only" }));
    expect(pathsOf(only, folder)).toEqual(["listed"]);
  });

  it("doesn't follow redirects that robots.txt doesn't allow, unless it ignores robots.txt", async () => {
    const [account, folder, closed] = [await openObject(), openFolder("ruled"), openFolder("closed")];
    const links = [
      `away/${encodeURIComponent(folder.page("private/1"))}`,
      `refresh/${encodeURIComponent(folder.page("private/2"))}`,
      `away/${encodeURIComponent(closed.page("leaf/1"))}`,
      "to/leaf/1",
    ];
    const start = folder.page(`hub/${encodeURIComponent(links.join())}`);
    const crawl = await awaitCrawl(account, await startCrawl(account, start, { sitemap: "skip" }));
    expect(crawl.batch.counts.byCode).toEqual({ ok: 2, invalid_target: 3 });
    expect(crawl.batch.credits).toMatchObject({ used: 2, givenBack: 3 });
    const allowed = [start.slice(folder.url.length + 1), ...links, "leaf/1"].toSorted();
    expect((await folder.visits()).paths.toSorted()).toEqual(allowed);
    const options = { sitemap: "skip", robots: "ignore" };
    const ignoring = await awaitCrawl(account, await startCrawl(account, start, options));
    expect(ignoring.batch.counts.byCode).toEqual({ ok: 5 });
    expect((await closed.visits()).paths).toEqual(["leaf/1"]);
  });

  it("visits each path once if it ignores queries", async () => {
    const [account, folder] = [await openObject(), openFolder()];
    const links = ["leaf/1?a=1", "leaf/1?a=2", "to/leaf/2?b=1", "leaf/2?b=2"];
    const start = folder.page(`hub/${encodeURIComponent([...links, "hub/x?again=1"].join())}?start=1`);
    const options = { sitemap: "skip", ignore_query_parameters: true, exclude_patterns: ["hub/x"] };
    const crawl = await awaitCrawl(account, await startCrawl(account, start, options));
    expect(pathsOf(crawl, folder)).toEqual([start.slice(folder.url.length + 1), "leaf/1", "leaf/2", "to/leaf/2"]);
    expect((await folder.visits()).paths.filter((path) => path.startsWith("leaf/1"))).toEqual(["leaf/1"]);
  });

  it("completes a rendered page whose script opens a document without a host", async () => {
    const [account, folder] = [await openObject(), openFolder("ruled")];
    const options = { sitemap: "skip", scrape: { js_render: true } };
    const crawl = await awaitCrawl(account, await startCrawl(account, folder.page("blob"), options));
    expect(crawl.batch.counts.byCode).toEqual({ ok: 1 });
  });

  it("follows links with rel=nofollow only if it ignores robots directives", async () => {
    const [account, folder] = [await openObject(), openFolder()];
    const options = { sitemap: "skip" };
    const crawl = await awaitCrawl(account, await startCrawl(account, folder.page("guestbook"), options));
    expect(pathsOf(crawl, folder)).toEqual(["followed", "guestbook"]);
    const all = await startCrawl(account, folder.page("guestbook"), { ...options, robots: "ignore" });
    expect(pathsOf(await awaitCrawl(account, all), folder)).toEqual(["followed", "guestbook", "unfollowed"]);
  });

  it("explains that robots.txt doesn't allow the start URL", async () => {
    const [account, folder] = [await openObject(), openFolder("closed")];
    const crawl = await awaitCrawl(account, await startCrawl(account, folder.page("tree/1"), { sitemap: "skip" }));
    expect(crawl.batch).toMatchObject({ status: "completed", counts: { total: 0 }, credits: { used: 0 } });
    expect(crawl.progress.skipped).toEqual({ robots: 1 });
    expect(crawl.progress.note).toContain("doesn't allow the start URL");
    expect((await folder.visits()).paths).toEqual([]);
  });

  it("ends with one failed page if the host of the start URL doesn't exist", async () => {
    const account = await openObject();
    const crawl = await awaitCrawl(account, await startCrawl(account, "http://missing.invalid/", { sitemap: "skip" }));
    expect(crawl.batch).toMatchObject({ status: "completed", counts: { total: 1, failed: 1 } });
  });

  it("requests a page again after the target was busy", async () => {
    const [account, folder] = [await openObject(), openFolder()];
    const crawl = await awaitCrawl(account, await startCrawl(account, folder.page("busy"), { sitemap: "skip" }));
    expect(crawl.batch.counts).toMatchObject({ total: 1, completed: 1 });
    expect(crawl.pages[0]?.job?.run).toBe(2);
  });

  it("stops at its limit and its depth", async () => {
    const [account, folder] = [await openObject(), openFolder()];
    const limited = await awaitCrawl(account, await startCrawl(account, folder.page("tree/1"), { limit: 5 }));
    // tree/2 and tree/3 are visited at the same time, so the pages below either can be next.
    const paths = pathsOf(limited, folder);
    expect(paths.slice(0, 3)).toEqual(["tree/1", "tree/2", "tree/3"]);
    expect(paths.slice(3)).toEqual([expect.stringMatching(/^tree\/[4-7]$/), expect.stringMatching(/^tree\/[4-7]$/)]);
    const { discovered, skipped } = limited.progress;
    expect(discovered).toBe(5 + (skipped.limit ?? 0) + (skipped.file ?? 0));
    const flat = await awaitCrawl(account, await startCrawl(account, folder.page("tree/1"), { max_depth: 1 }));
    expect(pathsOf(flat, folder)).toEqual(["tree/1", "tree/2", "tree/3"]);
    expect(flat.progress.skipped).toMatchObject({ depth: 4 });
  });

  it("visits only the paths that its patterns select", async () => {
    const [account, folder] = [await openObject(), openFolder()];
    const root = new URL(folder.url).pathname;
    const options = { include_paths: [`${root}/tree/*`], exclude_paths: ["*/tree/3"] };
    const crawl = await awaitCrawl(account, await startCrawl(account, folder.page("tree/1"), options));
    expect(pathsOf(crawl, folder)).not.toContain("tree/3");
    expect(pathsOf(crawl, folder)).toContain("tree/4");
    expect(crawl.progress.skipped).toMatchObject({ excluded: 1 });
  });

  it("can be canceled", async () => {
    const [account, folder] = [await openObject(), openFolder()];
    const key = await startCrawl(account, folder.page("calendar/2020/1"), { delay: 1 });
    await expect.poll(async () => (await folder.visits()).paths.length).toBeGreaterThan(0);
    await stubOf(account).cancelBatch(key);
    const crawl = await awaitCrawl(account, key);
    expect(crawl.batch).toMatchObject({ status: "failed", error: { code: "cancelled" }, counts: { running: 0 } });
    const { total, completed, failed } = crawl.batch.counts;
    expect(completed + failed).toBe(total);
  });

  it("stops when it runs out of credits, and continues after it was resumed", async () => {
    const folder = openFolder();
    const account = await openObject({ credits: 7 });
    const key = await startCrawl(account, folder.page("tree/1"));
    const stopped = await awaitCrawl(account, key);
    expect(stopped.batch).toMatchObject({ status: "failed", error: { code: "insufficient_credits" } });
    expect(stopped.batch.credits.used).toBe(7);
    await stubOf(account).adjust({ key: "more", amount: 100 });
    await stubOf(account).resumeBatch({ ...key, owner: { keyId: "key", creditLimit: null } });
    const crawl = await awaitCrawl(account, key);
    expect(pathsOf(crawl, folder)).toEqual([...TREE].sort());
    expect(crawl.batch).toMatchObject({ status: "completed", counts: { completed: 40 }, credits: { used: 40 } });
    expect((await folder.visits()).paths).toHaveLength(40);
  });

  it("visits a mock site with a test key", async () => {
    const account = await openObject();
    const crawl = await awaitCrawl(account, await startCrawl(account, "https://shop.example/", {}, "test"));
    expect(crawl.pages.map(({ url }) => new URL(url ?? "").pathname).sort()).toEqual([
      "/",
      "/about",
      "/contact",
      "/docs",
      "/docs/api",
      "/docs/start",
    ]);
    expect(crawl.batch.credits.used).toBe(0);
  });

  it("continues after its object was stopped", async () => {
    const [account, folder] = [await openObject(), openFolder()];
    const key = await startCrawl(account, folder.page("tree/1"));
    const ended = awaitCrawl(account, key);
    for (let i = 0; i < 10; i++) {
      // `expect.poll` doesn't work after an object was aborted.
      await vi.waitUntil(async () => (await folder.visits()).paths.length > 3 * i, { timeout: 90_000, interval: 20 });
      await restart(crawlStub(env, account, key.id));
    }
    const crawl = await ended;
    expect(pathsOf(crawl, folder)).toEqual([...TREE].sort());
    expect(crawl.batch).toMatchObject({ status: "completed", counts: { completed: 40 }, credits: { used: 40 } });
    expect((await folder.visits()).paths.toSorted()).toEqual([...TREE].sort());
  });
});
