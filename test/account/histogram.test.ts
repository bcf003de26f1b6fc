import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addHistogram, bucketOf, type Histogram, toPercentile } from "../../src/account/credits/histogram";

const DURATIONS = fc.array(fc.integer({ min: 1, max: 600_000 }), { minLength: 1, maxLength: 200 });

function toHistogram(durations: readonly number[]): Histogram {
  const sum = {};
  for (const ms of durations) addHistogram(sum, { [bucketOf(ms)]: 1 });
  return sum;
}

function toExact(durations: readonly number[], share: number): number {
  return durations.toSorted((a, b) => a - b)[Math.ceil(durations.length * share) - 1] ?? Number.NaN;
}

describe("a histogram of durations", () => {
  it.each([
    [0, 0],
    [0.5, 0],
    [1, 1],
    [1.09, 1],
    [2, 8],
    [412, 64],
    [300_000, 133],
  ])("counts %d ms in bucket %d", (ms, bucket) => {
    expect(bucketOf(ms)).toBe(bucket);
  });

  it("keeps the order of durations", () => {
    const duration = fc.double({ min: 0, max: 600_000, noNaN: true });
    fc.assert(fc.property(duration, duration, (a, b) => bucketOf(Math.min(a, b)) <= bucketOf(Math.max(a, b))));
  });

  it("returns percentiles within 5% of a measured value, or within 0.5 ms because of rounding", () => {
    fc.assert(
      fc.property(DURATIONS, fc.constantFrom(0.01, 0.5, 0.95, 0.99, 1), (durations, share) => {
        const exact = toExact(durations, share);
        const got = toPercentile(toHistogram(durations), share) ?? Number.NaN;
        expect(Math.abs(got - exact)).toBeLessThanOrEqual(exact * 0.05 + 0.5);
      }),
    );
  });

  it("is the same for any order in which its parts are added", () => {
    fc.assert(
      fc.property(DURATIONS, DURATIONS, (a, b) => {
        const sum = { ...toHistogram(a) };
        addHistogram(sum, toHistogram(b));
        expect(sum).toEqual(toHistogram([...b, ...a]));
      }),
    );
  });

  it("has no percentile if it is empty", () => {
    expect(toPercentile({}, 0.5)).toBeNull();
  });

  it("returns 0 as the percentile of durations below 1 ms", () => {
    expect(toPercentile(toHistogram([0, 0, 0]), 0.95)).toBe(0);
  });
});
