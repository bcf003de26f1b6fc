import { describe, expect, it } from "vitest";
import { SERP_PAGES_MAX } from "../../../src/model/search-limits";
import { appendPage, distinct, EMPTY_LISTING, rank } from "../../../src/search/results/listing";
import { emptyPage, type OrganicResult, type ResultPage } from "../../../src/search/results/result-page";

function result(name: string, title = name): OrganicResult {
  return { title, url: `https://example.com/${name}`, snippet: "", description: "" };
}

function pageOf(names: readonly string[], rest: Partial<ResultPage> = {}): ResultPage {
  const next = "https://www.google.com/search?q=x&start=10";
  return { kind: "results", organic: names.map((name) => result(name)), total: null, next, ...rest };
}

describe("a listing", () => {
  it("joins pages without duplicates and numbers their results", () => {
    const first = appendPage(EMPTY_LISTING, pageOf(["a", "b", "c"], { total: 12 }), "desktop");
    const both = appendPage(first, pageOf(["c", "d", "a/", "e"], { total: 13 }), "desktop");
    expect(both).toMatchObject({ pages: 2, total: 12, hasMore: true });
    expect(rank(both, 4).map(({ position, title }) => [position, title])).toEqual([
      [1, "a"],
      [2, "b"],
      [3, "c"],
      [4, "d"],
    ]);
    expect(first.organic).toHaveLength(3);
  });

  it.each<readonly [string, ResultPage]>([
    ["repeats the previous page", pageOf(["b", "a"])],
    ["links no next page", pageOf(["c"], { next: null })],
    ["has no results", emptyPage("no_results")],
    ["is a block page", emptyPage("blocked")],
  ])("ends with a page that %s", (_, page) => {
    const first = appendPage(EMPTY_LISTING, pageOf(["a", "b"]), "desktop");
    expect(first.hasMore).toBe(true);
    expect(appendPage(first, page, "desktop").hasMore).toBe(false);
  });

  it("continues when a mobile page loads more on scrolling", () => {
    const full = pageOf(["a", "b", "c", "d", "e"], { next: null });
    expect(appendPage(EMPTY_LISTING, full, "mobile").hasMore).toBe(true);
    expect(appendPage(EMPTY_LISTING, full, "desktop").hasMore).toBe(false);
    expect(appendPage(EMPTY_LISTING, pageOf(["a"], { next: null }), "mobile").hasMore).toBe(false);
  });

  it("ends after the maximum number of pages", () => {
    let listing = EMPTY_LISTING;
    for (let page = 0; page < SERP_PAGES_MAX; page++) {
      expect(listing.hasMore).toBe(true);
      listing = appendPage(listing, pageOf([`r${page}`]), "desktop");
    }
    expect(listing.hasMore).toBe(false);
  });
});

it("removes results with the same URL and the same title, even if one title is shortened", () => {
  const names = (results: OrganicResult[]) => results.map(({ title }) => title);
  expect(names(distinct([result("a", "The cranes of the port"), result("a", "The cranes …")]))).toHaveLength(1);
  expect(names(distinct([result("a", "The cranes..."), result("a", "The cranes of the port")]))).toHaveLength(1);
  expect(names(distinct([result("a", "The cranes"), result("a", "Opening hours")]))).toHaveLength(2);
  expect(names(distinct([result("a", "x"), result("b", "x")]))).toHaveLength(2);
});

it("removes results whose URLs differ only in the fragment or a slash at the end", () => {
  const first = appendPage(EMPTY_LISTING, pageOf(["a", "b"]), "desktop");
  expect(appendPage(first, pageOf(["a#part", "b/", "c"]), "desktop").organic.map(({ title }) => title)).toEqual([
    ...["a", "b", "c"],
  ]);
});

it("continues on mobile pages with at least five results, and compares short titles exactly", () => {
  const four = pageOf(["a", "b", "c", "d"], { next: null });
  expect(appendPage(EMPTY_LISTING, four, "mobile").hasMore).toBe(false);
  expect(distinct([result("a", "Cranes…"), result("a", "Cranes of the port")])).toHaveLength(2);
  expect(distinct([result("a", "Cranes 1…"), result("a", "Cranes 1 of the port")])).toHaveLength(1);
});
