import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rateLimited } from "../../src/keys/errors";
import { consumeFrom, peekAt, type RateWindow } from "../../src/keys/rate-window";

const lengthMs = 60_000;

describe("a rate window", () => {
  it("opens with the first request, allows the limit, and ends a minute later", () => {
    let window: RateWindow | null = null;
    const at = (now: number) => {
      const taken = consumeFrom(window, { limit: 2, lengthMs, now });
      window = taken.window;
      return [taken.decision.allowed, taken.decision.remaining, taken.decision.resetAt];
    };
    expect(at(1_000)).toEqual([true, 1, 61_000]);
    expect(at(30_000)).toEqual([true, 0, 61_000]);
    expect(at(60_999)).toEqual([false, 0, 61_000]);
    expect(at(61_000)).toEqual([true, 1, 121_000]);
  });

  it("counts a large request several times", () => {
    const more = (used: number, amount: number) => {
      const taken = consumeFrom({ openedAt: 0, used }, { limit: 10, amount, lengthMs, now: 1 });
      return [taken.decision.allowed, taken.window.used];
    };
    expect(more(1, 3)).toEqual([true, 4]);
    expect(more(7, 3)).toEqual([true, 10]);
    expect(more(8, 3)).toEqual([false, 8]);
  });

  it("ends after a minute even if the clock was set back", () => {
    const { window } = consumeFrom(null, { limit: 1, lengthMs, now: 10_000_000 });
    expect(consumeFrom(window, { limit: 1, lengthMs, now: 1_000 }).decision.allowed).toBe(true);
  });

  it("never allows more requests than its limit, and isn't changed by peekAt", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 200 }),
        (limit, pauses) => {
          let window: RateWindow | null = null;
          let now = 0;
          const passed = new Map<number, number>();
          for (const pause of pauses) {
            now += pause;
            const before = peekAt(window, { limit, lengthMs, now });
            const taken = consumeFrom(window, { limit, lengthMs, now });
            window = taken.window;
            expect(taken.decision.allowed).toBe(before.allowed);
            expect(taken.decision.remaining).toBe(before.allowed ? before.remaining - 1 : 0);
            if (taken.decision.allowed) passed.set(window.openedAt, (passed.get(window.openedAt) ?? 0) + 1);
          }
          for (const count of passed.values()) expect(count).toBeLessThanOrEqual(limit);
        },
      ),
    );
  });
});

it.each([
  [1, "1"],
  [1_000, "1"],
  [1_001, "2"],
  [59_001, "60"],
])("a refused request with %i ms left in the window may be retried after %s seconds", (leftMs, seconds) => {
  const rate = { allowed: false, limit: 1, remaining: 0, resetAt: 5_000 + leftMs };
  expect(rateLimited(rate, "The limit is one request.", 5_000).headers).toEqual({ "Retry-After": seconds });
});
