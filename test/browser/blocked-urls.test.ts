import { describe, expect, it } from "vitest";
import { BlockedUrls } from "../../src/browser/blocked-urls";
import type { CDPSession } from "../../src/browser/connection";
import { skipResources } from "../../src/browser/prepare-tab";
import type { Tab } from "../../src/browser/tab";

/** Returns the blocked URLs of a tab whose browser is simulated, and the list that this browser has received. */
function setUp() {
  const lists: string[][] = [];
  const send = async (method: string, { urls }: { urls: string[] }) => {
    if (method === "Network.setBlockedURLs") lists.push(urls);
  };
  const blocked = new BlockedUrls({ send } as unknown as CDPSession);
  return { blocked, tab: { blocked, send } as unknown as Tab, list: () => lists.at(-1) ?? [] };
}

describe("the list of blocked URLs", () => {
  it("contains advertising, skipped resources and URLs that didn't respond, in any order", async () => {
    const { blocked, tab, list } = setUp();
    blocked.blockAds("https://example.com/");
    skipResources(tab);
    expect(list()).toEqual(expect.arrayContaining(["*://*.doubleclick.net/*", "*.woff2"]));
    blocked.dead.push("*://dead.example/*");
    await blocked.apply();
    expect(list()).toEqual(expect.arrayContaining(["*://doubleclick.net/*", "*.woff2", "*://dead.example/*"]));
  });

  it("contains no advertising by default", async () => {
    const { blocked, tab, list } = setUp();
    skipResources(tab);
    expect(list().join()).not.toContain("doubleclick");
    expect(blocked.isAd("https://ad.doubleclick.net/")).toBe(false);
    expect(blocked.applyTo({} as CDPSession)).toEqual([]);
  });

  it("has only host names in lower case, none twice and none with its parent", () => {
    const { blocked, list } = setUp();
    blocked.blockAds("https://example.com/");
    const hosts = list().flatMap((pattern) => /^\*:\/\/([^*/]+)\/\*$/.exec(pattern)?.[1] ?? []);
    expect(hosts.length).toBeGreaterThan(300);
    expect(new Set(hosts).size).toBe(hosts.length);
    for (const host of hosts) {
      expect(host).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
      const parents = host.split(".").map((_, i, labels) => labels.slice(i + 1).join("."));
      expect(parents.filter((parent) => hosts.includes(parent))).toEqual([]);
    }
  });
});

describe("a URL", () => {
  it.each([
    ["https://doubleclick.net/", true],
    ["https://stats.g.doubleclick.net/x.js", true],
    ["https://notdoubleclick.net/", false],
    ["https://example.com/?to=https://doubleclick.net/", false],
    ["data:text/html,x", false],
  ])("is advertising by its host: %s %s", (url, expected) => {
    const { blocked } = setUp();
    blocked.blockAds("https://example.com/");
    expect(blocked.isAd(url)).toBe(expected);
  });

  it("isn't advertising if the target has the same host", () => {
    const { blocked, list } = setUp();
    blocked.blockAds("https://www.hotjar.com/");
    expect([blocked.isAd("https://static.hotjar.com/"), blocked.isAd("https://hotjar.io/")]).toEqual([false, true]);
    expect(list()).not.toContain("*://*.hotjar.com/*");
  });
});
