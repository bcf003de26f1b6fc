// Tests the stand-ins for the search engines: the behavior that a mark in the query selects, and the log of requests.
import { env } from "cloudflare:workers";
import { describe, expect, inject, it } from "vitest";
import { renderForAccount } from "../../src/browser/render-client";
import { ENGINE_NAMES, type EngineName } from "../../src/model/engine";
import { bing } from "../../src/search/engines/bing";
import { readBingFeed } from "../../src/search/engines/bing-page";
import { BROWSER_PROFILES, requestHeaders } from "../../src/search/engines/browser-profile";
import { ENGINES } from "../../src/search/engines/engines";
import { isOffTopic } from "../../src/search/results/relevance";
import type { ResultPage, SearchQuery } from "../../src/search/results/result-page";
import { newRenderRequest, site } from "../support/client";
import type { LoggedRequest } from "../support/engines/exchange";

const { google, yandex } = ENGINES;

const origins = inject("engines");
/** The header that only browsers send, on navigation. */
const BROWSER = { "upgrade-insecure-requests": "1" };

function toQuery(behavior: string, more: Partial<SearchQuery> = {}): SearchQuery {
  const text = behavior === "" ? "harbour cranes" : `harbour cranes [[${behavior} ${crypto.randomUUID()}]]`;
  return { text, place: null, language: null, device: "desktop", ...more };
}

async function searched(query: SearchQuery): Promise<LoggedRequest[]> {
  const id = / ([\w-]+)\]\]/.exec(query.text)?.[1] ?? query.text;
  return await (await fetch(`${site}/__searches?path=${encodeURIComponent(id)}`)).json();
}

/** Sends the request to the engine's stand-in and follows redirects. */
async function request(engine: EngineName, address: string, query: SearchQuery, headers = {}) {
  const url = new URL(address);
  const response = await fetch(`${origins[engine]}${url.pathname}${url.search}`, {
    headers: { ...requestHeaders(ENGINES[engine], query), ...headers },
  });
  const at = new URL(response.url);
  return { response, text: await response.text(), url: `${url.origin}${at.pathname}${at.search}` };
}

async function read(engine: EngineName, query: SearchQuery, page = 0, headers = {}): Promise<ResultPage> {
  const { response, text, url } = await request(engine, ENGINES[engine].searchUrl(query, page), query, headers);
  return ENGINES[engine].readPage(text, url, response);
}

async function kindOf(engine: EngineName, behavior: string, page = 0, headers = {}): Promise<string> {
  return (await read(engine, toQuery(behavior), page, headers)).kind;
}

describe.each(ENGINE_NAMES)("%s", (engine) => {
  it.each(["desktop", "mobile"] as const)("serves a hundred results on ten pages: %s", async (device) => {
    const query = toQuery("", { device });
    const urls: string[] = [];
    for (let page = 0; page < 10; page++) {
      const { kind, organic, next } = await read(engine, query, page);
      expect(kind).toBe("results");
      expect(isOffTopic(query.text, { kind, organic, next, total: null })).toBe(false);
      urls.push(...organic.map(({ url }) => url));
      if (!(engine === "google" && device === "mobile")) expect(next !== null).toBe(page < 9);
    }
    expect(urls).toEqual(
      Array.from({ length: 100 }, (_, i) => `https://site-${i + 1}.example.com/page/${i + 1}?a=1&b=2`),
    );
    const { organic } = await read(engine, query);
    expect(organic[2]?.snippet).toMatch(/^Oct 31, 2025 [·—] What page 3 has/);
    expect(organic[2]?.title).toBe("harbour cranes: result 3");
    expect((await read(engine, query, 10)).kind).toBe("no_results");
  });

  it("serves block pages, no results, unknown pages, and the end of a short list", async () => {
    expect(await kindOf(engine, "blocked")).toBe("blocked");
    expect(await kindOf(engine, "blocked-on-3", 1)).toBe("results");
    expect(await kindOf(engine, "blocked-on-3", 2)).toBe("blocked");
    expect(await kindOf(engine, "captcha")).toBe("blocked");
    expect(await kindOf(engine, "none")).toBe("no_results");
    expect(await kindOf(engine, "unknown")).toBe("unknown");
    const last = await read(engine, toQuery("few"), 2);
    expect([last.organic.length, last.next]).toEqual([3, null]);
  });

  it("repeats a page, and applies a behavior only once", async () => {
    const query = toQuery("repeat");
    const [first, second] = [await read(engine, query), await read(engine, query, 1)];
    expect(second.organic).toEqual(first.organic);
    const once = toQuery("blocked-once");
    expect([(await read(engine, once)).kind, (await read(engine, once)).kind]).toEqual(["blocked", "results"]);
  });

  it("logs its requests", async () => {
    const query = toQuery("good", { device: "mobile", language: "tr" });
    await read(engine, query, 1);
    const [logged] = await searched(query);
    expect(logged).toMatchObject({ server: engine, method: "GET", url: expect.stringContaining("harbour+cranes") });
    expect(logged?.headers).toMatchObject({
      "user-agent": BROWSER_PROFILES.mobile.userAgent,
      "accept-language": requestHeaders(ENGINES[engine], query)["accept-language"],
    });
  });
});

describe("the Google stand-in", () => {
  it("serves the consent form to clients without the consent cookie", async () => {
    expect(await kindOf("google", "consent")).toBe("results");
    expect(await kindOf("google", "consent", 0, { cookie: "" })).toBe("consent");
    expect(await kindOf("google", "consent-always")).toBe("consent");
  });

  it("distinguishes browsers from plain fetches, and serves pages without results to clients without scripts", async () => {
    expect(await kindOf("google", "plain-blocked")).toBe("blocked");
    expect(await kindOf("google", "plain-blocked", 0, BROWSER)).toBe("results");
    expect(await kindOf("google", "shell")).toBe("blocked");
    expect(await kindOf("google", "js")).toBe("blocked");
    expect(await kindOf("google", "interstitial")).toBe("unknown");
    expect(await kindOf("google", "interstitial-stuck")).toBe("unknown");
  });

  it("serves results to a browser that runs its scripts", async () => {
    for (const behavior of ["js", "plain-blocked", "interstitial"]) {
      const { pathname, search } = new URL(google.searchUrl(toQuery(behavior), 0));
      const request = newRenderRequest(`${origins.google}${pathname}${search}`, {
        allowedPrivateHosts: new URL(origins.google).host,
        visit: {
          ...BROWSER_PROFILES.desktop,
          acceptLanguage: "en",
          cookies: [],
          until: { selector: "h3", forMs: 8_000 },
        },
      });
      const account = { id: "a", concurrentRenders: 100 };
      const { html, url } = await renderForAccount(env, account, request, new AbortController().signal);
      expect([behavior, google.readPage(html, url).organic.length]).toEqual([behavior, 10]);
    }
  });

  it("wraps URLs in redirects, some of which fail once or always", async () => {
    const follow = async (url: string, method = "GET") => {
      const { pathname, search } = new URL(url);
      const response = await fetch(`${origins.google}${pathname}${search}`, { method, redirect: "manual" });
      return response.headers.get("location") ?? response.status;
    };
    const { organic } = await read("google", toQuery("dead-goto"));
    expect(organic.every(({ unresolved }) => unresolved)).toBe(true);
    const found = await Promise.all(organic.map(({ url }) => follow(url)));
    expect(found.filter((to) => String(to).startsWith("https://site-"))).toHaveLength(8);
    expect([found[2], found[6]]).toEqual([404, "https://www.google.com/sorry/index?q=EgR"]);
    const [flaky] = (await read("google", toQuery("flaky-goto"))).organic;
    expect(await follow(flaky?.url ?? "", "HEAD")).toBe(200);
    const [good] = (await read("google", toQuery("goto"))).organic;
    expect(await follow(good?.url ?? "")).toBe("https://site-1.example.com/page/1?a=1&b=2");
    const [other] = (await read("google", toQuery("flaky-goto"))).organic;
    expect([await follow(other?.url ?? ""), await follow(other?.url ?? "")]).toEqual([
      503,
      "https://site-1.example.com/page/1?a=1&b=2",
    ]);
  });
});

describe("the Bing stand-in", () => {
  const feedUrl = bing.sources.find(({ name }) => name === "rss")?.pageUrl ?? bing.searchUrl;
  const feed = async (query: SearchQuery, page = 0) => {
    const { text, url } = await request("bing", feedUrl(query, page, null), query);
    return readBingFeed(text, url);
  };

  it("serves a feed, even if its pages are block pages or off topic", async () => {
    for (const behavior of ["good", "captcha", "off-topic"]) {
      expect((await feed(toQuery(behavior), 1)).organic[0]?.url).toContain("site-11.");
    }
    expect((await feed(toQuery("none"))).kind).toBe("unknown");
    expect((await feed(toQuery("blocked"))).kind).toBe("unknown");
  });

  it("can serve off-topic results to all clients, or only to clients without a browser", async () => {
    const query = toQuery("off-topic");
    expect(isOffTopic(query.text, await read("bing", query))).toBe(true);
    const plain = toQuery("plain-off-topic");
    expect(isOffTopic(plain.text, await read("bing", plain))).toBe(true);
    expect(isOffTopic(plain.text, await read("bing", plain, 0, BROWSER))).toBe(false);
    expect(await kindOf("bing", "plain-captcha")).toBe("blocked");
    expect(await kindOf("bing", "plain-captcha", 0, BROWSER)).toBe("results");
  });
});

describe("the Yandex stand-in", () => {
  const light = async (query: SearchQuery, page = 0) => {
    const { response, text, url } = await request("yandex", yandex.sources[0].pageUrl(query, page, null), query);
    return yandex.readPage(text, url, response);
  };

  it("has a light endpoint with its own block pages", async () => {
    const query = toQuery("good");
    expect((await light(query, 9)).organic.at(-1)?.url).toContain("site-100.");
    expect([(await light(query)).next !== null, (await light(query, 9)).next]).toEqual([true, null]);
    expect((await light(toQuery("light-blocked"))).kind).toBe("blocked");
    expect((await light(toQuery("blocked"))).kind).toBe("blocked");
    expect((await light(toQuery("full-blocked"))).kind).toBe("results");
    expect(await kindOf("yandex", "light-blocked")).toBe("results");
    expect(await kindOf("yandex", "full-blocked")).toBe("blocked");
  });
});
