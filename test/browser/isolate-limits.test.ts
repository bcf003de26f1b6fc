import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SharedSemaphore } from "../../src/browser/isolate-limits";
import { MINUTE_MS, SECOND_MS } from "../../src/model/limits";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const { signal } = new AbortController();

/** Acquires a slot for `name`, and adds the name to `admitted` when the slot is free. */
function acquire(semaphore: SharedSemaphore, admitted: string[], name: string): Promise<() => void> {
  return semaphore.acquire(signal).then((release) => {
    admitted.push(name);
    return release;
  });
}

it("admits callers in the order of their arrival, so that a page with many requests can't keep the slots", async () => {
  const [semaphore, admitted] = [new SharedSemaphore(1), [] as string[]];
  const first = await acquire(semaphore, admitted, "first");
  const second = acquire(semaphore, admitted, "second");
  first();
  const third = acquire(semaphore, admitted, "third");
  await vi.advanceTimersByTimeAsync(SECOND_MS);
  expect(admitted).toEqual(["first", "second"]);
  (await second)();
  await vi.advanceTimersByTimeAsync(SECOND_MS);
  (await third)();
  expect(vi.getTimerCount()).toBe(0);
});

it("keeps the slot of a holder that works for minutes", async () => {
  const [semaphore, admitted] = [new SharedSemaphore(1), [] as string[]];
  const release = await acquire(semaphore, admitted, "first");
  void acquire(semaphore, admitted, "second");
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
  expect(admitted).toEqual(["first"]);
  release();
  await vi.advanceTimersByTimeAsync(SECOND_MS);
  expect(admitted).toEqual(["first", "second"]);
});

it("frees the slots and places of an object that was reset", async () => {
  const [semaphore, admitted] = [new SharedSemaphore(1), [] as string[]];
  await acquire(semaphore, admitted, "holder");
  void acquire(semaphore, admitted, "waiter");
  // A reset ends the timers of an object. Its code doesn't continue.
  vi.clearAllTimers();
  void acquire(semaphore, admitted, "other");
  await vi.advanceTimersByTimeAsync(10 * SECOND_MS);
  expect(admitted).toEqual(["holder", "other"]);
});

it("gives up the place of a caller that is canceled", async () => {
  const [semaphore, admitted] = [new SharedSemaphore(1), [] as string[]];
  const release = await acquire(semaphore, admitted, "first");
  const canceled = new AbortController();
  const waiting = expect(semaphore.acquire(canceled.signal)).rejects.toThrow("canceled");
  const last = acquire(semaphore, admitted, "last");
  canceled.abort(new Error("canceled"));
  await waiting;
  release();
  await vi.advanceTimersByTimeAsync(SECOND_MS);
  expect(admitted).toEqual(["first", "last"]);
  (await last)();
  expect(vi.getTimerCount()).toBe(0);
});
