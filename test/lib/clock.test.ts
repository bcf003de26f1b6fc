import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { now, sleep, toIso } from "../../src/lib/clock";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("returns the time in Unix milliseconds", () => {
  vi.setSystemTime(1_700_000_000_123);
  expect(now()).toBe(1_700_000_000_123);
});

it("formats a time as ISO 8601 in UTC with milliseconds", () => {
  expect(toIso(0)).toBe("1970-01-01T00:00:00.000Z");
  expect(toIso(1_700_000_000_123)).toBe("2023-11-14T22:13:20.123Z");
});

it("sleeps for the given time", async () => {
  let isOver = false;
  const sleeping = sleep(1_000).then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(999);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await sleeping;
  expect(isOver).toBe(true);
});

it("rejects with the signal's reason as soon as it is aborted, and leaves no timer", async () => {
  const controller = new AbortController();
  const sleeping = sleep(1_000, controller.signal);
  controller.abort(new Error("enough"));
  await expect(sleeping).rejects.toThrow("enough");
  expect(vi.getTimerCount()).toBe(0);
});

it("rejects immediately if the signal is already aborted", async () => {
  await expect(sleep(1_000, AbortSignal.abort("too late"))).rejects.toBe("too late");
  expect(vi.getTimerCount()).toBe(0);
});

it("doesn't react to a signal that is aborted afterwards", async () => {
  const controller = new AbortController();
  const sleeping = sleep(1, controller.signal);
  await vi.advanceTimersByTimeAsync(1);
  controller.abort();
  await expect(sleeping).resolves.toBeUndefined();
});
