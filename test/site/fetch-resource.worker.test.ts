import { env } from "cloudflare:workers";
import { expect, inject, it } from "vitest";
import { collectSitemaps } from "../../src/site/collect-sitemaps";
import { fetchRobots, fetchSitemap, type ResourceOptions, toResourceOptions } from "../../src/site/fetch-resource";
import { isAllowed } from "../../src/site/robots";
import { forbidden, ORIGIN } from "../support/client";

const sites = inject("mappedSites");
const signal = new AbortController().signal;
const NONE = { lists: [], contact: null };

function toOptions(options: Partial<ResourceOptions> = {}): ResourceOptions {
  return {
    ...toResourceOptions(env, { origin: ORIGIN, proxy: null, denied: NONE, signal }),
    ...options,
  };
}

it.each([
  ["follows the rules of a robots.txt", sites.whole, { isFound: true, error: null }, { public: true, private: false }],
  [
    "allows everything without a robots.txt",
    sites.bare,
    { isFound: false, error: null },
    { public: true, private: true },
  ],
  [
    "allows everything if robots.txt is a page",
    sites.soft,
    { isFound: true, error: null },
    { public: true, private: true },
  ],
  [
    "allows everything if robots.txt is forbidden",
    sites.blocked,
    { isFound: false, error: null },
    { public: true, private: true },
  ],
  [
    "allows nothing if robots.txt fails",
    sites.failing,
    { isFound: false, error: { code: "target_http_error", retryable: true } },
    { public: false, private: false },
  ],
  [
    "allows nothing if the host can't be reached",
    "http://nowhere.invalid",
    { isFound: false, error: { code: "invalid_target" } },
    { public: false, private: false },
  ],
])("%s", async (_, site, found, allowed) => {
  const answer = await fetchRobots(`${site}/a/page?x=1`, toOptions());
  expect(answer).toMatchObject(found);
  expect(isAllowed(answer.robots, `${site}/public`)).toBe(allowed.public);
  expect(isAllowed(answer.robots, `${site}/private`)).toBe(allowed.private);
});

it("obeys the egress policy", async () => {
  await expect(fetchSitemap(`${forbidden}/sitemap.xml`, toOptions())).rejects.toMatchObject({ code: "invalid_target" });
});

it("stops when the signal is aborted", async () => {
  const aborted = toOptions({ signal: AbortSignal.abort(new Error("over")) });
  await expect(fetchRobots(sites.whole, aborted)).rejects.toThrow("over");
  const collecting = collectSitemaps([{ url: `${sites.whole}/index.xml`, isNamed: true }], {
    site: sites.whole,
    includeSubdomains: false,
    maxEntries: 10,
    maxSitemaps: 10,
    endsAt: Number.POSITIVE_INFINITY,
    fetch: aborted,
  });
  await expect(collecting).rejects.toThrow("over");
});

it.each([
  ["the maximum number of sitemaps", { maxSitemaps: 1 }, 1],
  ["the time", { endsAt: 0 }, 0],
])("reads no further sitemap after %s", async (_, limits, count) => {
  const found = await collectSitemaps([{ url: `${sites.whole}/index.xml`, isNamed: true }], {
    site: sites.whole,
    includeSubdomains: false,
    maxEntries: 10,
    maxSitemaps: 10,
    endsAt: Number.POSITIVE_INFINITY,
    fetch: toOptions(),
    ...limits,
  });
  expect(found).toMatchObject({ isTruncated: true, entries: [], sitemaps: { length: count } });
});

it("ignores sitemaps of other sites, unless robots.txt names them", async () => {
  const options = {
    site: sites.bare,
    includeSubdomains: false,
    maxEntries: 10,
    maxSitemaps: 10,
    endsAt: Number.POSITIVE_INFINITY,
    fetch: toOptions(),
  };
  const url = `${sites.whole}/a.xml`;
  expect((await collectSitemaps([{ url, isNamed: false }], options)).sitemaps).toEqual([]);
  const named = await collectSitemaps([{ url, isNamed: true }], options);
  expect(named).toMatchObject({ entries: [], sitemaps: [{ entries: 0, foreign: 3 }] });
});
