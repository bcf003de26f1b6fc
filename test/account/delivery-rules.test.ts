import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  countAttempts,
  decideNext,
  mayReceive,
  maySend,
  postpone,
  resendDelay,
} from "../../src/account/deliveries/delivery-rules";
import type { Attempt } from "../../src/model/delivery";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../src/model/limits";

const NOW = 1_000_000_000;

function attempt(statusCode: number | null, more: Partial<Attempt> = {}): Attempt {
  return { at: NOW - SECOND_MS, status_code: statusCode, duration_ms: 1, error: null, response: null, ...more };
}

const INTERRUPTED = attempt(null, { interrupted: true, at: NOW - MINUTE_MS });
const FAILED = attempt(500);
const decideAt = (attempts: Attempt[], once = false) => decideNext(attempts, { once, now: NOW });
const pending = (delayMs: number) => ({ status: "pending", nextAt: NOW + delayMs });

describe("the status after an attempt", () => {
  it.each([
    ["no attempt", [], pending(0)],
    ["a 2xx", [attempt(204)], { status: "succeeded" }],
    ["a 2xx after failures", [FAILED, FAILED, attempt(200)], { status: "succeeded" }],
    ["the first failure", [FAILED], pending(30 * SECOND_MS)],
    ["the second failure", [FAILED, FAILED], pending(2 * MINUTE_MS)],
    ["the third failure", [FAILED, FAILED, FAILED], pending(10 * MINUTE_MS)],
    ["the fourth failure", [FAILED, FAILED, FAILED, FAILED], pending(60 * MINUTE_MS)],
    ["the fifth failure", [FAILED, FAILED, FAILED, FAILED, FAILED], { status: "abandoned" }],
    ["no response", [attempt(null)], pending(30 * SECOND_MS)],
    ["a redirect", [attempt(301)], pending(30 * SECOND_MS)],
    ["410 Gone", [attempt(410)], { status: "abandoned" }],
    ["an interruption", [INTERRUPTED], pending(0)],
    ["a failure and an interruption", [FAILED, INTERRUPTED], pending(90 * SECOND_MS)],
    ["a failure after an interruption", [INTERRUPTED, FAILED], pending(30 * SECOND_MS)],
    ["a second interruption", [INTERRUPTED, INTERRUPTED], pending(0)],
    ["four failures after an interruption", [INTERRUPTED, FAILED, FAILED, FAILED, FAILED], pending(60 * MINUTE_MS)],
  ])("%s", (_, attempts, expected) => {
    expect(decideAt(attempts)).toEqual(expected);
  });

  it("is final for a test event, unless the attempt was interrupted on our side", () => {
    expect(decideAt([FAILED], true)).toEqual({ status: "abandoned" });
    expect(decideAt([INTERRUPTED], true)).toEqual(pending(0));
    expect(decideAt([INTERRUPTED, INTERRUPTED], true)).toEqual({ status: "abandoned" });
  });

  it("is final after at most six attempts with any outcomes", () => {
    const outcomes = fc.array(fc.constantFrom(FAILED, INTERRUPTED, attempt(null)), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(outcomes, (all) => {
        const ends = all.map((_, index) => decideAt(all.slice(0, index + 1)).status);
        expect(ends).toContain("abandoned");
        expect(countAttempts(all.slice(0, ends.indexOf("abandoned") + 1))).toBe(5);
      }),
    );
  });
});

describe("an event that can't be prepared", () => {
  it.each([
    [0, 1, 5 * SECOND_MS],
    [0, 2, 10 * SECOND_MS],
    [MINUTE_MS, 5, 80 * SECOND_MS],
    [MINUTE_MS, 6, 2 * MINUTE_MS],
    [DAY_MS, 1_000, 2 * MINUTE_MS],
  ])("is prepared again: %d ms after the first failure, with %d failures in a row", (age, times, delayMs) => {
    expect(postpone({ since: NOW - age, times, now: NOW })).toBe(NOW + delayMs);
  });

  it("is abandoned after a day", () => {
    expect(postpone({ since: NOW - DAY_MS - 1, times: 3, now: NOW })).toBeNull();
  });
});

it.each([
  [0, MINUTE_MS],
  [1, 2 * MINUTE_MS],
  [5, 32 * MINUTE_MS],
  [6, 60 * MINUTE_MS],
  [1_000, 60 * MINUTE_MS],
])("after %d resends, a lost message is sent again after %d ms", (resends, delayMs) => {
  expect(resendDelay(resends)).toBe(delayMs);
});

describe("the send limits", () => {
  it.each([
    [0, 0, true],
    [3, 1, true],
    [4, 0, false],
    [0, 2, true],
    [1, 2, false],
    [1, 1, true],
    [1, 30, false],
  ])("allow a delivery to a receiver with %d in flight and %d timeouts in a row: %s", (count, timeouts, may) => {
    expect(mayReceive(new Map([["a.example", count]]), "a.example", timeouts)).toBe(may);
  });

  it("allow 20 deliveries of an account in parallel", () => {
    const inFlight = (hosts: number) => new Map(Array.from({ length: hosts }, (_, i) => [`${i}.example`, 4]));
    expect([maySend(inFlight(4)), maySend(inFlight(5))]).toEqual([true, false]);
  });
});
