import { expect, it } from "vitest";
import { FOUND, HOST, runSteps, withTables } from "../support/crawl-tables";

function toUrls(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `https://${HOST}/${"abcdefghij"[n]}`);
}

it("visits the other pages of a host while a single page stays unavailable", async () => {
  await withTables(toUrls(6), ({ startAt, report }) => {
    expect(startAt(0)).toEqual([1, 2]);
    report(0, { page: 1, run: 1, kind: "busy", retryAfterMs: null });
    report(1, { page: 2, run: 1, ...FOUND });
    expect(startAt(1_999)).toEqual([]);
    // The second run of page 1 begins, and another page starts at the same time.
    expect(startAt(2_000)).toEqual([3]);
    report(2_100, { page: 1, run: 2, kind: "busy", retryAfterMs: null });
    report(2_200, { page: 3, run: 1, ...FOUND });
    expect(startAt(2_200)).toEqual([4]);
    report(2_300, { page: 4, run: 1, ...FOUND });
    expect(startAt(2_300)).toEqual([5]);
  });
});

it("waits longer after each page whose host is busy", async () => {
  await withTables(toUrls(6), ({ startAt, report, hosts, frontier }) => {
    expect(startAt(0)).toEqual([1, 2]);
    report(0, { page: 1, run: 1, kind: "busy", retryAfterMs: null });
    const { penalty_ms: first = 0 } = hosts.read(HOST) ?? {};
    report(0, { page: 2, run: 1, kind: "busy", retryAfterMs: null });
    expect([first > 0, hosts.read(HOST)?.penalty_ms]).toEqual([true, 2 * first]);
    expect(startAt(2_000)).toEqual([]);
    report(2_000, { page: 1, run: 2, kind: "busy", retryAfterMs: null });
    expect(startAt(3_999)).toEqual([]);
    report(4_000, { page: 2, run: 2, kind: "busy", retryAfterMs: null });
    expect(startAt(4_000)).toEqual([3]);
    report(4_000, { page: 3, run: 1, kind: "busy", retryAfterMs: 60_000 });
    expect(startAt(63_999)).toEqual([]);
    expect(frontier.listQueuedHosts(0)).toMatchObject([{ penalty_ms: 60_000, next_at: 64_000 }]);
  });
});

it("gives up a page that stays unavailable", async () => {
  await withTables(toUrls(1), ({ startAt, report, frontier }) => {
    expect(startAt(0)).toEqual([1]);
    for (let run = 1; run <= 5; run++) report(run * 60_000, { page: 1, run, kind: "busy", retryAfterMs: null });
    expect(frontier.findPage(1)).toMatchObject({ state: "fetched", failed: 1, tries: 4 });
  });
});

it("stops in a list whose filters can be combined", async () => {
  await withTables([], ({ frontier, state: { options } }) => {
    const names = ["color", "size", "sort", "price", "brand"];
    const combinations = names.flatMap((a) => names.flatMap((b) => names.map((c) => [a, b, c])));
    const urls = Array.from({ length: 20 }, (_, n) =>
      combinations.map((set) => `https://${HOST}/list?${[...new Set(set)].map((name) => `${name}=${n}`).join("&")}`),
    ).flat();
    runSteps(frontier.add([...new Set(urls)], 1, { options, finalUrl: null }));
    const { queued, skipped } = frontier.summarize();
    expect(queued).toBeLessThan(250);
    expect(skipped.trap).toBeGreaterThan(200);
  });
});

it("visits all pages of a long list, and of a script with several parameters", async () => {
  await withTables([], ({ frontier, state: { options } }) => {
    const pages = Array.from({ length: 1_500 }, (_, n) => `https://${HOST}/list?page=${n}`);
    const shown = Array.from({ length: 1_500 }, (_, n) => `https://${HOST}/show?id=${n}&view=list`);
    runSteps(frontier.add([...pages, ...shown], 1, { options, finalUrl: null }));
    expect(frontier.summarize()).toMatchObject({ queued: 3_000, skipped: {} });
  });
});
