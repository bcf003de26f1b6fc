import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Reservation, SharedLimit } from "../../src/lib/shared-limit";
import { MINUTE_MS, SECOND_MS } from "../../src/model/limits";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const { signal } = new AbortController();

/** Acquires a slot for `name`, and adds the name to `admitted` when the slot is free. */
function acquire(limit: SharedLimit, admitted: string[], name: string, weight = 1): Promise<() => void> {
  return limit.acquire(signal, weight).then((release) => {
    admitted.push(name);
    return release;
  });
}

it("admits callers in the order of their arrival, so that a page with many requests can't keep the slots", async () => {
  const [limit, admitted] = [new SharedLimit(1), [] as string[]];
  const first = await acquire(limit, admitted, "first");
  const second = acquire(limit, admitted, "second");
  first();
  const third = acquire(limit, admitted, "third");
  await vi.advanceTimersByTimeAsync(SECOND_MS);
  expect(admitted).toEqual(["first", "second"]);
  (await second)();
  await vi.advanceTimersByTimeAsync(SECOND_MS);
  (await third)();
  expect(vi.getTimerCount()).toBe(0);
});

it("keeps the slot of a holder that works for minutes", async () => {
  const [limit, admitted] = [new SharedLimit(1), [] as string[]];
  const release = await acquire(limit, admitted, "first");
  void acquire(limit, admitted, "second");
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
  expect(admitted).toEqual(["first"]);
  release();
  await vi.advanceTimersByTimeAsync(SECOND_MS);
  expect(admitted).toEqual(["first", "second"]);
});

it("frees the slots and places of an object that was reset", async () => {
  const [limit, admitted] = [new SharedLimit(1), [] as string[]];
  await acquire(limit, admitted, "holder");
  void acquire(limit, admitted, "waiter");
  // A reset ends the timers of an object. Its code doesn't continue.
  vi.clearAllTimers();
  void acquire(limit, admitted, "other");
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(admitted).toEqual(["holder", "other"]);
});

it("frees the places of many objects that were reset within seconds", async () => {
  const [limit, admitted] = [new SharedLimit(1), [] as string[]];
  await acquire(limit, admitted, "holder");
  for (let i = 0; i < 50; i++) void acquire(limit, admitted, "waiter");
  vi.clearAllTimers();
  void acquire(limit, admitted, "other");
  await vi.advanceTimersByTimeAsync(10 * SECOND_MS);
  expect(admitted).toEqual(["holder", "other"]);
});

it("admits the next callers while an owner holds half of the limit", async () => {
  const [limit, admitted] = [new SharedLimit(4), [] as string[]];
  const call = (owner: string, weight: number) =>
    limit.acquire(signal, weight, owner).then((release) => {
      admitted.push(owner);
      return release;
    });
  const [one, two, three] = [call("slow", 1), call("slow", 1), call("slow", 1)];
  const [other, heavy] = [call("other", 1), call("heavy", 3)];
  await vi.advanceTimersByTimeAsync(SECOND_MS);
  expect(admitted).toEqual(["slow", "slow", "other"]);
  (await one)();
  await vi.advanceTimersByTimeAsync(SECOND_MS);
  expect(admitted).toEqual(["slow", "slow", "other", "slow"]);
  for (const release of [two, three, other]) (await release)();
  await vi.advanceTimersByTimeAsync(SECOND_MS);
  (await heavy)();
  expect(admitted.at(-1)).toBe("heavy");
  expect(vi.getTimerCount()).toBe(0);
});

it("admits two callers that want a larger place than they hold", async () => {
  const limit = new SharedLimit(2);
  const [one, other] = [new Reservation(limit, signal), new Reservation(limit, signal)];
  await Promise.all([one.acquire(1), other.acquire(1)]);
  const larger = Promise.all([one.acquire(2).then(() => one.release()), other.acquire(2).then(() => other.release())]);
  await vi.advanceTimersByTimeAsync(SECOND_MS);
  await larger;
  expect(vi.getTimerCount()).toBe(0);
});

it("admits a caller whose renewals are so late that its place has expired", async () => {
  const [limit, admitted] = [new SharedLimit(1), [] as string[]];
  const release = await acquire(limit, admitted, "holder");
  let renew = () => {};
  const timers = vi.spyOn(globalThis, "setInterval").mockImplementationOnce(((callback: () => void) => {
    renew = callback;
    return 0;
  }) as typeof setInterval);
  void acquire(limit, admitted, "late");
  timers.mockRestore();
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  release();
  renew();
  await vi.advanceTimersByTimeAsync(SECOND_MS);
  expect(admitted).toEqual(["holder", "late"]);
});

it("gives up the place of a caller that is canceled", async () => {
  const [limit, admitted] = [new SharedLimit(1), [] as string[]];
  const release = await acquire(limit, admitted, "first");
  const canceled = new AbortController();
  const waiting = expect(limit.acquire(canceled.signal)).rejects.toThrow("canceled");
  const last = acquire(limit, admitted, "last");
  canceled.abort(new Error("canceled"));
  await waiting;
  release();
  await vi.advanceTimersByTimeAsync(SECOND_MS);
  expect(admitted).toEqual(["first", "last"]);
  (await last)();
  expect(vi.getTimerCount()).toBe(0);
});

it("admits callers while the sum of their weights fits, and a heavier one alone", async () => {
  const [limit, admitted] = [new SharedLimit(10), [] as string[]];
  const six = await acquire(limit, admitted, "six", 6);
  const four = await acquire(limit, admitted, "four", 4);
  const twelve = acquire(limit, admitted, "twelve", 12);
  const one = acquire(limit, admitted, "one", 1);
  six();
  await vi.advanceTimersByTimeAsync(SECOND_MS);
  expect(admitted).toEqual(["six", "four"]);
  four();
  await vi.advanceTimersByTimeAsync(SECOND_MS);
  expect(admitted).toEqual(["six", "four", "twelve"]);
  (await twelve)();
  await vi.advanceTimersByTimeAsync(SECOND_MS);
  (await one)();
  expect(vi.getTimerCount()).toBe(0);
});

it("keeps the slot of a holder while the isolate runs other code for a minute", async () => {
  const [limit, admitted] = [new SharedLimit(1), [] as string[]];
  await acquire(limit, admitted, "first");
  void acquire(limit, admitted, "second");
  vi.setSystemTime(Date.now() + MINUTE_MS);
  await vi.advanceTimersByTimeAsync(SECOND_MS);
  expect(admitted).toEqual(["first"]);
});

it("refuses a signal that is already aborted", async () => {
  const limit = new SharedLimit(1);
  await expect(limit.acquire(AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
  await limit.acquire(signal);
});
