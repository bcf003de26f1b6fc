import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toPeriod } from "../../src/model/period";

const periodOf = (createdAt: string, now: string) => {
  const { start, end } = toPeriod(Date.parse(createdAt), Date.parse(now));
  return [new Date(start).toISOString(), new Date(end).toISOString()].map((time) => time.replace(":00.000Z", "Z"));
};

describe("the billing month of an account", () => {
  it.each([
    // Created in the middle of a month.
    ["2026-01-15T10:30Z", "2026-01-15T10:30Z", "2026-01-15T10:30Z", "2026-02-15T10:30Z"],
    ["2026-01-15T10:30Z", "2026-02-15T10:29Z", "2026-01-15T10:30Z", "2026-02-15T10:30Z"],
    ["2026-01-15T10:30Z", "2026-02-15T10:30Z", "2026-02-15T10:30Z", "2026-03-15T10:30Z"],
    ["2026-01-15T10:30Z", "2026-02-28T00:00Z", "2026-02-15T10:30Z", "2026-03-15T10:30Z"],
    // Across years.
    ["2025-11-20T00:00Z", "2026-01-01T00:00Z", "2025-12-20T00:00Z", "2026-01-20T00:00Z"],
    ["2024-03-05T00:00Z", "2026-11-22T00:00Z", "2026-11-05T00:00Z", "2026-12-05T00:00Z"],
    // In short months, the period starts on the last day.
    ["2026-01-31T08:00Z", "2026-02-28T07:59Z", "2026-01-31T08:00Z", "2026-02-28T08:00Z"],
    ["2026-01-31T08:00Z", "2026-02-28T08:00Z", "2026-02-28T08:00Z", "2026-03-31T08:00Z"],
    ["2026-01-31T08:00Z", "2026-04-30T08:00Z", "2026-04-30T08:00Z", "2026-05-31T08:00Z"],
    ["2024-01-30T00:00Z", "2024-03-01T00:00Z", "2024-02-29T00:00Z", "2024-03-30T00:00Z"],
    // The clock was set back to before the account's creation.
    ["2026-03-10T00:00Z", "2026-03-09T00:00Z", "2026-03-10T00:00Z", "2026-04-10T00:00Z"],
    ["2026-03-10T00:00Z", "2026-01-01T00:00Z", "2026-03-10T00:00Z", "2026-04-10T00:00Z"],
  ])("of an account created at %s is, at %s, from %s to %s", (createdAt, now, start, end) => {
    expect(periodOf(createdAt, now)).toEqual([start, end]);
  });

  it("contains the current time and follows the previous period without a gap", () => {
    const time = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2030, 0) });
    fc.assert(
      fc.property(time, time, (a, b) => {
        const [createdAt, now] = [Math.min(a, b), Math.max(a, b)];
        const { start, end } = toPeriod(createdAt, now);
        expect(start <= now && now < end).toBe(true);
        expect(toPeriod(createdAt, end).start).toBe(end);
        if (start > createdAt) expect(toPeriod(createdAt, start - 1).end).toBe(start);
      }),
    );
  });
});
