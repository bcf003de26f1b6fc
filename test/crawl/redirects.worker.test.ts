import { describe, expect, it } from "vitest";
import { findVisited } from "../../src/crawl/redirects";
import { openObject } from "../support/account";
import { FOUND, HOST, runSteps, withTables } from "../support/crawl-tables";
import { awaitCrawl, openFolder, startCrawl } from "../support/crawls";

const to = (path: string) => `https://${HOST}/${path}`;
const RENDERED = { sitemap: "skip", scrape: { js_render: true } };

describe("a redirect to a page of the crawl", () => {
  it.each([
    { relation: "has the content of another page", same: { hash: "text" } },
    { relation: "declares another page", same: { canonical: to("a") } },
  ])("isn't followed if the page $relation", async ({ same }) => {
    await withTables([to("a"), to("b"), to("c")], ({ frontier, startAt, report }) => {
      expect(startAt(0)).toEqual([1, 2]);
      report(0, { page: 1, run: 1, ...FOUND, ...same });
      expect(report(0, { page: 2, run: 1, ...FOUND, ...same })).toMatchObject({ duplicateOf: to("a") });
      expect(startAt(0)).toEqual([3]);
      expect(findVisited(frontier, to("b"), 3)).toBe(to("b"));
    });
  });

  it("is followed if that page redirects, fails, is busy or hasn't reported", async () => {
    await withTables([to("a"), to("b"), to("c"), to("d"), to("e")], ({ frontier, startAt, report }) => {
      startAt(0);
      report(0, { page: 1, run: 1, ...FOUND });
      report(0, { page: 2, run: 1, ...FOUND, url: to("a") });
      startAt(0);
      report(0, { page: 3, run: 1, kind: "failed" });
      report(0, { page: 4, run: 1, kind: "busy", retryAfterMs: null });
      const visited = ["a", "b", "c", "d", "e", "new"].map((path) => findVisited(frontier, to(path), 9));
      expect(visited).toEqual([to("a"), null, null, null, null, null]);
      // A page may redirect to itself, for example to set a cookie.
      expect(findVisited(frontier, to("a"), 1)).toBeNull();
    });
  });

  it("doesn't lose the links if that page is still running and then fails", async () => {
    await withTables([to("a"), to("b")], ({ startAt, report }) => {
      startAt(0);
      const reply = report(0, { page: 1, run: 1, ...FOUND, url: to("b"), links: [to("linked")] });
      expect(reply).toMatchObject({ duplicateOf: to("b") });
      report(0, { page: 2, run: 1, kind: "failed" });
      expect(startAt(0)).toEqual([3]);
    });
  });

  it("is recognized if that page failed, and another page was redirected to its URL", async () => {
    await withTables([to("a"), to("b"), to("c")], ({ frontier, startAt, report }) => {
      startAt(0);
      report(0, { page: 2, run: 1, kind: "failed" });
      expect(report(0, { page: 1, run: 1, ...FOUND, url: to("b") })).toMatchObject({ duplicateOf: null });
      expect(findVisited(frontier, to("b"), 3)).toBe(to("a"));
    });
  });

  it.each([
    { reason: "excluded", options: { excludePaths: ["/x"] } },
    { reason: "depth", options: { maxDepth: 1 } },
  ])("is recognized if the URL was skipped with the reason $reason", async ({ reason, options }) => {
    await withTables(
      [to("a"), to("b")],
      ({ frontier, startAt, report, state }) => {
        runSteps(frontier.add([to("x")], 2, { options: state.options, finalUrl: null }));
        startAt(0);
        report(0, { page: 1, run: 1, ...FOUND, url: to("x") });
        expect(findVisited(frontier, to("x"), 2)).toBe(to("a"));
        // A shorter way to the URL doesn't start it.
        report(0, { page: 2, run: 1, ...FOUND });
        runSteps(frontier.add([to("x")], 1, { options: state.options, finalUrl: null }));
        expect(startAt(0)).toEqual([]);
        expect(frontier.summarize().skipped).toEqual({ [reason]: 1 });
      },
      options,
    );
  });

  it("gets the same reply if the run reports twice, and if another run of the same page reports", async () => {
    await withTables([to("a"), to("b")], ({ frontier, startAt, report }) => {
      startAt(0);
      report(0, { page: 1, run: 1, ...FOUND, links: [to("linked")] });
      const repeated = { page: 2, ...FOUND, url: to("a"), isRepeat: true };
      const reply = { depth: 1, duplicateOf: to("a"), isRedirect: true, retryAfterMs: null };
      for (const run of [1, 1, 2]) expect(report(0, { ...repeated, run })).toEqual(reply);
      expect(findVisited(frontier, to("a"), 2)).toBe(to("a"));
      expect(frontier.summarize()).toEqual({ discovered: 3, queued: 1, skipped: {} });
    });
  });

  it("isn't recorded as the content of the page that wasn't loaded", async () => {
    await withTables([to("a"), to("b"), to("c")], ({ frontier, startAt, report }) => {
      startAt(0);
      report(0, { page: 1, run: 1, ...FOUND });
      // Another run of page 1 fails after page 2 was checked and before it reports.
      report(0, { page: 1, run: 2, kind: "failed" });
      report(0, { page: 2, run: 1, ...FOUND, url: to("a"), isRepeat: true });
      expect(findVisited(frontier, to("a"), 3)).toBeNull();
      expect(findVisited(frontier, to("b"), 3)).toBeNull();
    });
  });
});

describe("a rendered page", () => {
  const KINDS = ["away", "refresh", "script"];

  it("that redirects to a URL that robots.txt forbids doesn't request it", async () => {
    const [account, folder] = [await openObject(), openFolder("ruled")];
    const links = KINDS.map((kind, i) => `${kind}/${encodeURIComponent(folder.page(`private/${i}`))}`);
    const hub = `hub/${encodeURIComponent(links.join())}`;
    const crawl = await awaitCrawl(account, await startCrawl(account, folder.page(hub), RENDERED));
    expect(crawl.batch.counts.byCode).toEqual({ ok: 1, invalid_target: 3 });
    for (const { job } of crawl.pages.slice(1)) expect(job?.error?.message).toContain("robots.txt");
    expect(crawl.batch.credits).toEqual({ reserved: 0, used: 2, givenBack: 6 });
    expect((await folder.visits()).paths.toSorted()).toEqual([hub, ...links].toSorted());
  });

  it("that redirects to a visited page doesn't request it again", async () => {
    const [account, folder] = [await openObject(), openFolder()];
    const ring = `ring/${KINDS.join("-")}`;
    const crawl = await awaitCrawl(account, await startCrawl(account, folder.page(ring), RENDERED));
    const [, ...repeated] = crawl.pages;
    for (const { job } of repeated)
      expect(job).toMatchObject({
        ...{ status: "completed", result: "{}", creditsUsed: 0 },
        extras: { outcome: "ok", rendered: false, depth: 1, duplicate_of: folder.page(ring) },
      });
    const links = KINDS.map((kind) => `${kind}/${encodeURIComponent(new URL(folder.page(ring)).pathname)}`);
    expect((await folder.visits()).paths.toSorted()).toEqual([ring, ...links].toSorted());
    expect(crawl.batch.credits).toEqual({ reserved: 0, used: 2, givenBack: 6 });
  });

  it("opens the pages that its actions select", async () => {
    const [account, folder] = [await openObject(), openFolder("ruled")];
    const start = folder.page(`hub/${encodeURIComponent("private/1")}`);
    const actions = [{ type: "click", selector: "a" }];
    const options = { ...RENDERED, limit: 1, scrape: { js_render: true, actions } };
    const crawl = await awaitCrawl(account, await startCrawl(account, start, options));
    expect(crawl.batch.counts.byCode).toEqual({ ok: 1 });
  });
});
