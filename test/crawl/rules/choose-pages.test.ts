import { expect, it } from "vitest";
import { choosePages } from "../../../src/crawl/choose-pages";
import type { Frontier } from "../../../src/crawl/frontier";
import type { Hosts } from "../../../src/crawl/hosts";
import type { CrawlState } from "../../../src/crawl/state";
import { type RobotsRule, toRule, toStepCounter } from "../../../src/site/robots";

const HOST = "example.com";
const NOW = 1_000;

/** A crawl of a host with these rules and queued URLs. */
function openCrawl(rules: RobotsRule[], urls: string[]) {
  let queued = urls.map((url, id) => ({ id, url, depth: 1 }));
  const row = { host: HOST, is_unknown: 0, delay_ms: null, penalty_ms: 0, next_at: 0, running: 0, waiting: 0 };
  const frontier = {
    listQueuedHosts: () => (queued.length > 0 ? [row] : []),
    listNext: () => queued.slice(0, 1),
    skip: (skipped: number) => {
      queued = queued.filter(({ id }) => id !== skipped);
    },
  } as unknown as Frontier;
  const robots = {
    groups: [{ agents: ["*"], rules, crawlDelaySeconds: null }],
    sitemaps: [],
    countSteps: toStepCounter(rules),
  };
  const hosts = { parsedRules: 0, robotsOf: () => robots } as unknown as Hosts;
  const state = { mode: "live", nextNumber: 1, options: { limit: 10, robots: "respect", delayMs: null } } as CrawlState;
  return { state, choose: () => choosePages({ frontier, hosts, state }, NOW), countQueued: () => queued.length };
}

it.each<[name: string, rules: RobotsRule[]]>([
  ["has many rules", Array.from({ length: 3_000 }, (_, i) => toRule(false, `/*${i}z`))],
  ["has long parts", Array.from({ length: 1_000 }, (_, i) => toRule(false, `/*${"a".repeat(480)}b${i}`))],
  ["has patterns with many stars", Array.from({ length: 6 }, (_, i) => toRule(false, `${"/*".repeat(1_000)}${i}`))],
])("continues in another call if a robots.txt that forbids many pages %s", (_, rules) => {
  const urls = Array.from({ length: 400 }, (_, id) => `https://${HOST}/private/${id}`);
  const { choose, countQueued } = openCrawl([...rules, toRule(false, "/private")], urls);

  expect(choose()).toEqual({ unknownHosts: [], nextAt: NOW });
  expect(countQueued()).toBeGreaterThan(200);
  for (let calls = 0; countQueued() > 0 && calls < 100; calls++) choose();
  expect(countQueued()).toBe(0);
  expect(choose()).toEqual({ unknownHosts: [], nextAt: null });
});

it("ends the crawl if comparing its URLs with robots.txt takes too many steps", () => {
  const rules = Array.from({ length: 30 }, () => toRule(false, `/${"*a".repeat(999)}`));
  const urls = Array.from({ length: 6_000 }, (_, id) => `https://${HOST}/${"a".repeat(970)}${id}`);
  const { state, choose, countQueued } = openCrawl([...rules, toRule(false, "/")], urls);

  let calls = 1;
  while (choose().nextAt !== null && calls < 1_000) calls++;
  expect(calls).toBeGreaterThan(100);
  expect(countQueued()).toBeGreaterThan(4_000);
  expect(state.options.limit).toBe(0);
  expect(state.note).toContain("takes more than 40 million steps");
});
