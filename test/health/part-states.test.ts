import { describe, expect, it } from "vitest";
import { toDayHours, toPartStates } from "../../src/health/part-states";
import type { Counts } from "../../src/model/service-counts";

const CHECKS = Object.fromEntries(
  ["database", "store", "durable_objects", "queues", "browser"].map((part) => [`check/${part}/ok`, 60]),
);
const ALL_UP = {
  ...{ api: "up", scraping: "up", rendering: "up", parse: "up", google: null, bing: null, yandex: null },
  ...{ webhooks: "up", dashboard: "up" },
};

describe("the states of the parts", () => {
  it.each<[string, Counts, Partial<ReturnType<typeof toPartStates>>]>([
    ["without problems", {}, {}],
    ["if targets fail", { "job/scrape/plain/target_timeout/": 50 }, {}],
    [
      "if some renders fail",
      { "job/scrape/rendered/ok/40": 9, "job/scrape/rendered/render_failed/": 1 },
      { rendering: "degraded" },
    ],
    ["if all renders fail", { "job/parse/rendered/render_failed/": 1 }, { rendering: "down", parse: "down" }],
    ["if a few renders fail", { "job/scrape/rendered/ok/40": 99, "job/scrape/rendered/render_failed/": 1 }, {}],
    ["if the model fails", { "job/parse/plain/ok/40": 1, "job/parse/plain/model_failed/": 1 }, { parse: "down" }],
    [
      "if schemas don't match and models refuse",
      { "job/parse/plain/schema_mismatch/": 20, "job/parse/rendered/model_refused/": 20 },
      {},
    ],
    [
      "if the database was down for a while",
      { "check/database/timeout": 6 },
      { api: "degraded", scraping: "degraded", parse: "degraded", dashboard: "degraded" },
    ],
    ["if the browser is down", { "check/browser/failed": 60 }, { rendering: "down" }],
    [
      "of the engines",
      { "engine/google/results": 1, "engine/bing/serp_unavailable": 1 },
      { google: "up", bing: "degraded" },
    ],
  ])("are right %s", (_, counts, states) => {
    expect(toPartStates({ ...CHECKS, ...counts })).toEqual({ ...ALL_UP, ...states });
  });

  it("are null without data", () => {
    expect(new Set(Object.values(toPartStates({})))).toEqual(new Set([null]));
  });

  it("are counted by hour, without hours that have no data", () => {
    const hours = [CHECKS, CHECKS, { ...CHECKS, "check/browser/failed": 60 }, {}].map(toPartStates);
    expect(toDayHours(hours)).toMatchObject({ api: { up: 3 }, rendering: { up: 2, down: 1 } });
    expect(toDayHours(hours)).not.toHaveProperty("google");
  });
});
