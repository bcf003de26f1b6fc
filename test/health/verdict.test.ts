import { describe, expect, it } from "vitest";
import type { PartCheck } from "../../src/health/checks";
import { toFigures } from "../../src/health/figures";
import { type Evidence, toFindings, toHeadline, toShare } from "../../src/health/verdict";
import type { Counts } from "../../src/model/service-counts";

const OK: PartCheck = { part: "database", result: "ok", ms: 3 };
const GOOD = { "job/scrape/plain/ok/40": 90 };

function answer(counts: Counts, more: Partial<Evidence> = {}, countedAt: number | null = 1) {
  const figures = toFigures(counts);
  const evidence = { checks: [OK], problems: [], figures, engines: [], queueAgeMs: null, browserWaits: 0, ...more };
  const findings = toFindings(evidence);
  return [toHeadline(findings, evidence.figures?.jobs ?? null, countedAt), ...findings.map(({ text }) => text)];
}

describe("the diagnosis", () => {
  it.each<[string, Counts, Partial<Evidence>, string[]]>([
    ["nothing is wrong", GOOD, {}, ["There is no sign of a problem."]],
    ["no account has reported a job", {}, {}, ["No account has reported a job in this time range."]],
    ["the figures can't be read", {}, { figures: null }, ["The figures can't be read."]],
    ["a few jobs fail", { ...GOOD, "job/scrape/plain/render_failed/": 1 }, {}, ["There is no sign of a problem."]],
    [
      "targets fail",
      { ...GOOD, "job/scrape/plain/target_timeout/": 9, "job/parse/plain/dns_failure/": 1 },
      {},
      [
        "The cause is the target sites.",
        "10% of the jobs failed because of the target sites, mostly with target_timeout and dns_failure.",
      ],
    ],
    [
      "an engine blocks searches",
      { ...GOOD, "job/serp/plain/blocked_by_target/": 10, "job/scrape/plain/blocked_by_target/": 1 },
      {},
      [
        "The cause is an outside service.",
        "9.9% of the jobs failed because of an outside service, mostly with blocked_by_target.",
      ],
    ],
    [
      "targets fail, and an engine blocks a few searches",
      { ...GOOD, "job/scrape/plain/target_http_error/": 60, "job/serp/plain/blocked_by_target/": 10 },
      {},
      [
        "The cause is the target sites.",
        "37.5% of the jobs failed because of the target sites, mostly with target_http_error.",
        "6.3% of the jobs failed because of an outside service, mostly with blocked_by_target.",
      ],
    ],
    [
      "renders fail",
      { ...GOOD, "job/scrape/rendered/render_failed/": 10, "job/scrape/plain/target_timeout/": 50 },
      {},
      [
        "The cause is this service.",
        "6.7% of the jobs failed because of this service, mostly with render_failed.",
        "33.3% of the jobs failed because of the target sites, mostly with target_timeout.",
      ],
    ],
    [
      "requests are wrong",
      { "job/scrape/plain/ok/40": 1, "job/scrape/plain/selector_not_found/": 1 },
      {},
      [
        "The cause is the customers' requests.",
        "50% of the jobs failed because of the customers' requests, mostly with selector_not_found.",
      ],
    ],
    [
      "an engine blocks",
      GOOD,
      {
        engines: [
          { engine: "google", label: "Google", lastOutcome: "serp_unavailable", lastAt: 1, isFailing: true },
          { engine: "bing", label: "Bing", lastOutcome: "no_results", lastAt: 1, isFailing: false },
        ],
      },
      ["The cause is an outside service.", "The last two checks of Google failed (serp_unavailable)."],
    ],
    [
      "the database doesn't respond",
      GOOD,
      { checks: [{ part: "database", result: "timeout", ms: 2_001 }] },
      ["The cause is this service.", "The database (D1) didn't respond within 2 s."],
    ],
    [
      "the database is slow",
      GOOD,
      { checks: [{ ...OK, ms: 1_500 }] },
      ["The cause is this service.", "The database (D1) is slow. Its check took 1.5 s."],
    ],
    [
      "no browser is free",
      GOOD,
      { checks: [{ part: "browser", result: "failed", ms: 5 }], browserWaits: 2, queueAgeMs: 180_000 },
      [
        "The cause is this service.",
        "The browser failed its check.",
        "2 jobs wait because no browser is free.",
        "The oldest job has waited in the queue for 3 minutes.",
      ],
    ],
    [
      "a variable is wrong",
      GOOD,
      { problems: [{ message: "X is wrong." }] },
      ["The cause is this service.", "X is wrong."],
    ],
  ])("is right if %s", (_, counts, more, expected) => {
    expect(answer(counts, more)).toEqual(expected);
  });

  it.each<[string, Counts, Partial<Evidence>, string]>([
    ["there are no jobs", {}, {}, "No account has reported yet."],
    ["a part fails", {}, { checks: [{ ...OK, result: "failed" }] }, "The cause is this service."],
    ["the figures can't be read", {}, { figures: null }, "The figures can't be read."],
  ])("is right if no account has reported and %s", (_, counts, more, headline) => {
    expect(answer(counts, more, null)[0]).toBe(headline);
  });
});

describe("a share", () => {
  it.each([
    [0, 0, "0%"],
    [0, 10, "0%"],
    [1, 100_000, "<0.1%"],
    [1, 3, "33.3%"],
    [3, 3, "100%"],
  ])("of %i of %i is %s", (part, whole, expected) => expect(toShare(part, whole)).toBe(expected));
});
