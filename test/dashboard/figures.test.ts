import { describe, expect, it } from "vitest";
import { toChartDays, toTicks } from "../../src/dashboard/pages/overview/days";
import { toFailures, toSummary } from "../../src/dashboard/pages/overview/outcomes";
import { toDevice } from "../../src/dashboard/pages/settings/device";
import { toDuration, toPercent, toSize } from "../../src/dashboard/ui/format";
import type { Outcome } from "../../src/store/stats";

describe("the chart", () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [94, [0, 50, 100]],
    [330, [0, 100, 200, 300, 400]],
    [12_345, [0, 5_000, 10_000, 15_000]],
  ])("has even, whole ticks up to %d or just above it", (max, ticks) => {
    expect(toTicks(max)).toEqual(ticks);
  });

  it("leaves no day out, and none in that is older", () => {
    const now = Date.parse("2026-03-01T00:30:00Z");
    const usage = [
      { date: "2026-03-01", endpoint: "serp", requests: 2, credits: 4 },
      { date: "2026-02-27", endpoint: "scrape", requests: 3, credits: 0 },
      { date: "2026-02-26", endpoint: "scrape", requests: 9, credits: 9 },
    ] as const;
    expect(toChartDays(usage, "requests", 3, now)).toEqual([
      { date: "2026-02-27", counts: { scrape: 3, parse: 0, serp: 0 }, total: 3 },
      { date: "2026-02-28", counts: { scrape: 0, parse: 0, serp: 0 }, total: 0 },
      { date: "2026-03-01", counts: { scrape: 0, parse: 0, serp: 2 }, total: 2 },
    ]);
    expect(toChartDays(usage, "credits", 3, now).map(({ total }) => total)).toEqual([0, 0, 4]);
  });
});

describe("how jobs went", () => {
  const completed = (ms: number): Outcome => ({
    id: `${ms}`,
    endpoint: "scrape",
    errorCode: null,
    processingTimeMs: ms,
  });
  const failed = (id: string, errorCode: Outcome["errorCode"], endpoint: Outcome["endpoint"] = "scrape"): Outcome => ({
    id,
    endpoint,
    errorCode,
    processingTimeMs: 60_000,
  });

  it("takes times that were measured, of completed jobs alone", () => {
    const times = [100, 20, 10, 30, 40, 50, 60, 70, 80, 90].map(completed);
    expect(toSummary([...times, failed("a", "job_timeout")])).toEqual({ ended: 11, completed: 10, p50: 50, p95: 100 });
    expect(toSummary([completed(7)])).toEqual({ ended: 1, completed: 1, p50: 7, p95: 7 });
    expect(toSummary([failed("a", "job_timeout")])).toEqual({ ended: 1, completed: 0, p50: null, p95: null });
  });

  it("counts failures by code, the most frequent first, with the latest job of each", () => {
    const outcomes = [
      failed("5", "dns_failure"),
      completed(1),
      failed("4", "target_timeout"),
      failed("3", "dns_failure", "parse"),
      failed("2", "dns_failure"),
      failed("1", "target_timeout"),
      failed("0", "render_failed"),
    ];
    expect(toFailures(outcomes, 2)).toEqual([
      { code: "dns_failure", count: 3, endpoint: null, jobId: "5" },
      { code: "target_timeout", count: 2, endpoint: "scrape", jobId: "4" },
    ]);
  });
});

describe("figures for people", () => {
  it.each([
    [0, "0 ms"],
    [849.6, "850 ms"],
    [1_240, "1.2 s"],
    [60_000, "60 s"],
    [120_000, "2 min"],
    [125_900, "2 min 5 s"],
    [3_600_000, "1 h"],
    [86_400_000, "24 h"],
    [30 * 86_400_000, "30 days"],
  ])("says %d ms as %s", (ms, words) => {
    expect(toDuration(ms)).toBe(words);
  });

  it.each([
    [512, "512 bytes"],
    [16 * 1024, "16 KB"],
    [5 * 1024 * 1024, "5 MB"],
  ])("says %d bytes as %s", (bytes, words) => {
    expect(toSize(bytes)).toBe(words);
  });

  it("never calls something all that isn't", () => {
    expect([toPercent(9_999, 10_000), toPercent(10, 10), toPercent(0, 3), toPercent(2, 3)]).toEqual([
      "99.9%",
      "100%",
      "0%",
      "66.6%",
    ]);
  });
});

describe("a device", () => {
  it.each([
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
      "Chrome on Windows",
    ],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0",
      "Edge on Windows",
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
      "Safari on macOS",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0 Mobile/15E148 Safari/604.1",
      "Chrome on iPhone",
    ],
    ["Mozilla/5.0 (Android 15; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0", "Firefox on Android"],
    ["curl/8.5.0", "curl"],
    ["", "Unknown device"],
  ])("is recognised by %j", (userAgent, device) => {
    expect(toDevice(userAgent)).toBe(device);
  });
});
