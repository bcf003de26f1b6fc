import { describe, expect, it } from "vitest";
import { shortenTarget, toDuration, toPercent, toProcessingTime, toSize } from "../../src/dashboard/ui/format";

describe("formatted values", () => {
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
  ])("formats %d ms as %s", (ms, words) => {
    expect(toDuration(ms)).toBe(words);
  });

  it.each([
    [512, "512 bytes"],
    [16 * 1024, "16 KB"],
    [5 * 1024 * 1024, "5 MB"],
  ])("formats %d bytes as %s", (bytes, words) => {
    expect(toSize(bytes)).toBe(words);
  });

  it("doesn't round a percentage up to 100%", () => {
    expect([toPercent(9_999, 10_000), toPercent(10, 10), toPercent(0, 3), toPercent(2, 3)]).toEqual([
      "99.9%",
      "100%",
      "0%",
      "66.7%",
    ]);
  });
});

it("of a job without a measured processing time is a dash", () => {
  expect([null, 0, 1_200].map(toProcessingTime)).toEqual(["–", "–", "1.2 s"]);
});

describe("a shortened target", () => {
  it.each([
    ["https://example.com/", "example.com"],
    ["https://example.com/first?page=2", "example.com/first?page=2"],
    ["https://example.com/a?access_token=s3cret&page=2", "example.com/a?access_token=…&page=2"],
    ["a query", "a query"],
    [`https://example.com/${"a".repeat(100)}`, `example.com/${"a".repeat(78)}…`],
  ])("of %j is %j", (target, text) => {
    expect(shortenTarget(target)).toBe(text);
  });
});
