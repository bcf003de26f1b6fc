import { describe, expect, it } from "vitest";
import { IdleTime } from "../../src/browser/idle-time";

function idleAfter(intervalsS: number[], { isBilled = true, maxMs = 60_000 } = {}): number {
  const idleTime = new IdleTime({ isBilled });
  idleTime.maxMs = maxMs;
  let at = 1_700_000_000_000;
  idleTime.onRender(at);
  for (const seconds of intervalsS) {
    at += seconds * 1_000;
    idleTime.onRender(at);
  }
  return idleTime.get();
}

describe("an idle browser that is billed", () => {
  it.for([
    { why: "after the first render", intervals: [], ms: 2_000 },
    { why: "if renders are 20 seconds apart", intervals: [20, 20], ms: 60_000 },
    { why: "if renders are 21 seconds apart", intervals: [21, 21], ms: 2_000 },
    { why: "if renders become frequent", intervals: [100, ...Array<number>(8).fill(1)], ms: 60_000 },
    { why: "after one frequent render", intervals: [100, 1], ms: 2_000 },
    { why: "after one long pause between frequent renders", intervals: [1, 1, 1, 50], ms: 60_000 },
    { why: "after a night between frequent renders", intervals: [5, 5, 40_000], ms: 2_000 },
    { why: "after a night and a few frequent renders", intervals: [5, 5, 40_000, 5, 5, 5], ms: 60_000 },
    { why: "if renders are a day apart", intervals: [86_400, 86_400], ms: 2_000 },
  ])("stays open for $ms ms $why", ({ intervals, ms }) => {
    expect(idleAfter(intervals)).toBe(ms);
  });

  it("stays open no longer than its maximum", () => {
    expect(idleAfter([1, 1], { maxMs: 10_000 })).toBe(10_000);
    expect(idleAfter([], { maxMs: 1_000 })).toBe(1_000);
  });
});

it("a browser that costs nothing stays open", () => {
  expect(idleAfter([], { isBilled: false })).toBe(60_000);
});
