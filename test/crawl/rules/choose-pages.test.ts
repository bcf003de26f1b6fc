import { expect, it } from "vitest";
import { choosePages } from "../../../src/crawl/choose-pages";
import type { Frontier } from "../../../src/crawl/frontier";
import type { Hosts } from "../../../src/crawl/hosts";
import type { CrawlState } from "../../../src/crawl/state";
import { type RobotsRule, toRule } from "../../../src/site/robots";

const HOST = "example.com";
const NOW = 1_000;

it.each<[name: string, rules: RobotsRule[]]>([
  ["has many rules", Array.from({ length: 3_000 }, (_, i) => toRule(false, `/*${i}z`))],
  ["has long parts", Array.from({ length: 1_000 }, (_, i) => toRule(false, `/*${"a".repeat(480)}b${i}`))],
  ["has patterns with many stars", Array.from({ length: 6 }, (_, i) => toRule(false, `${"/*".repeat(1_000)}${i}`))],
])("continues in another call if a robots.txt that forbids many pages %s", (_, rules) => {
  let queued = Array.from({ length: 400 }, (_, id) => ({ id, url: `https://${HOST}/private/${id}`, depth: 1 }));
  const frontier = {
    listQueuedHosts: () => (queued.length > 0 ? [HOST] : []),
    countStarted: () => ({ running: 0, waiting: 0 }),
    shapes: { isRepeating: () => false },
    listNext: () => queued.slice(0, 1),
    skip: (skipped: number) => {
      queued = queued.filter(({ id }) => id !== skipped);
    },
  } as unknown as Frontier;
  const robots = {
    groups: [{ agents: ["*"], rules: [...rules, toRule(false, "/private")], crawlDelaySeconds: null }],
    sitemaps: [],
  };
  const hosts = {
    read: () => ({ host: HOST, robots: "", tries: 0, delay_ms: null, penalty_ms: 0, next_at: 0 }),
    robotsOf: () => robots,
  } as unknown as Hosts;
  const state = { mode: "live", nextNumber: 1, options: { limit: 10, robots: "respect", delayMs: null } } as CrawlState;

  expect(choosePages({ frontier, hosts, state }, NOW)).toEqual({ unknownHosts: [], nextAt: NOW });
  expect(queued.length).toBeGreaterThan(200);
  for (let calls = 0; queued.length > 0 && calls < 100; calls++) choosePages({ frontier, hosts, state }, NOW);
  expect(queued).toEqual([]);
  expect(choosePages({ frontier, hosts, state }, NOW)).toEqual({ unknownHosts: [], nextAt: null });
});
