import { describe, expect, it } from "vitest";
import { SERP_PAGES_MAX } from "../../src/model/limits";
import { emptyPage, type Organic, type ResultPage } from "../../src/search/engine";
import { NO_PAGES, ranked, withPage } from "../../src/search/listing";
import { distinct } from "../../src/search/page";

function result(name: string, title = name): Organic {
  return { title, url: `https://example.com/${name}`, snippet: "", description: "" };
}

function pageOf(names: readonly string[], rest: Partial<ResultPage> = {}): ResultPage {
  const next = "https://www.google.com/search?q=x&start=10";
  return { kind: "results", organic: names.map((name) => result(name)), total: null, next, ...rest };
}

describe("pages one after the other", () => {
  it("make one list, without repeats, with positions that run through", () => {
    const first = withPage(NO_PAGES, pageOf(["a", "b", "c"], { total: 12 }), "desktop");
    const both = withPage(first, pageOf(["c", "d", "a/", "e"], { total: 13 }), "desktop");
    expect(both).toMatchObject({ pages: 2, total: 12, hasMore: true });
    expect(ranked(both, 4).map(({ position, title }) => [position, title])).toEqual([
      [1, "a"],
      [2, "b"],
      [3, "c"],
      [4, "d"],
    ]);
    expect(first.organic).toHaveLength(3);
  });

  it.each<readonly [string, ResultPage]>([
    ["repeats the one before", pageOf(["b", "a"])],
    ["links no other", pageOf(["c"], { next: null })],
    ["has no results", emptyPage("no_results")],
    ["is a wall", emptyPage("blocked")],
  ])("end with one that %s", (_, page) => {
    const first = withPage(NO_PAGES, pageOf(["a", "b"]), "desktop");
    expect(first.hasMore).toBe(true);
    expect(withPage(first, page, "desktop").hasMore).toBe(false);
  });

  it("go on where a mobile page loads more as one scrolls", () => {
    const full = pageOf(["a", "b", "c", "d", "e"], { next: null });
    expect(withPage(NO_PAGES, full, "mobile").hasMore).toBe(true);
    expect(withPage(NO_PAGES, full, "desktop").hasMore).toBe(false);
    expect(withPage(NO_PAGES, pageOf(["a"], { next: null }), "mobile").hasMore).toBe(false);
  });

  it("end after the last that may be asked for", () => {
    let listing = NO_PAGES;
    for (let page = 0; page < SERP_PAGES_MAX; page++) {
      expect(listing.hasMore).toBe(true);
      listing = withPage(listing, pageOf([`r${page}`]), "desktop");
    }
    expect(listing.hasMore).toBe(false);
  });
});

it("takes the same address under the same title for one result, cut or whole", () => {
  const names = (results: Organic[]) => results.map(({ title }) => title);
  expect(names(distinct([result("a", "The cranes of the port"), result("a", "The cranes …")]))).toHaveLength(1);
  expect(names(distinct([result("a", "The cranes..."), result("a", "The cranes of the port")]))).toHaveLength(1);
  expect(names(distinct([result("a", "The cranes"), result("a", "Opening hours")]))).toHaveLength(2);
  expect(names(distinct([result("a", "x"), result("b", "x")]))).toHaveLength(2);
});
