import process from "node:process";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PausableTimeout, raceAbort, Semaphore, TimeoutError, withTimeout } from "../../src/lib/async";

const neverAborted = () => new AbortController().signal;

describe("a semaphore", () => {
  it("admits as many holders as it has slots, and admits waiters in first-in, first-out order", async () => {
    const semaphore = new Semaphore(2);
    const events: string[] = [];
    const acquire = async (name: string) => {
      const release = await semaphore.acquire(neverAborted());
      events.push(name);
      return release;
    };
    const [first] = await Promise.all([acquire("a"), acquire("b")]);
    const waiting = [acquire("c"), acquire("d")];
    expect(events).toEqual(["a", "b"]);
    first?.();
    // Releasing the same slot again doesn't admit another waiter.
    first?.();
    const third = await waiting[0];
    expect(events).toEqual(["a", "b", "c"]);
    third?.();
    await waiting[1];
    expect(events).toEqual(["a", "b", "c", "d"]);
  });

  it("frees a slot only once, even if it is released twice while no caller waits", async () => {
    const semaphore = new Semaphore(1);
    const release = await semaphore.acquire(neverAborted());
    release();
    release();
    await semaphore.acquire(neverAborted());
    const impatient = new AbortController();
    const second = semaphore.acquire(impatient.signal);
    impatient.abort(new Error("still taken"));
    await expect(second).rejects.toThrow("still taken");
  });

  it("refuses a signal that is already aborted, and keeps the slot free", async () => {
    const semaphore = new Semaphore(1);
    await expect(semaphore.acquire(AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
    await expect(semaphore.acquire(neverAborted())).resolves.toBeTypeOf("function");
  });

  it("admits the next waiter when the first one is aborted", async () => {
    const semaphore = new Semaphore(1);
    const release = await semaphore.acquire(neverAborted());
    const impatient = new AbortController();
    const left = semaphore.acquire(impatient.signal);
    const next = semaphore.acquire(neverAborted());
    impatient.abort(new Error("enough"));
    await expect(left).rejects.toThrow("enough");
    release();
    await expect(next).resolves.toBeTypeOf("function");
  });
});

describe("work with a time limit", () => {
  it("settles with the result of the work, or rejects with a TimeoutError", async () => {
    await expect(withTimeout(1_000, Promise.resolve(7))).resolves.toBe(7);
    await expect(withTimeout(1_000, Promise.reject(new Error("own")))).rejects.toThrow("own");
    await expect(withTimeout(1, new Promise(() => {}))).rejects.toBeInstanceOf(TimeoutError);
  });

  it("rejects with the signal's reason, even if the work ignores the signal", async () => {
    const controller = new AbortController();
    const racing = raceAbort(new Promise(() => {}), controller.signal);
    controller.abort(new Error("enough"));
    await expect(racing).rejects.toThrow("enough");
    await expect(raceAbort(Promise.resolve(7), neverAborted())).resolves.toBe(7);
  });
});

describe("a pausable timeout", () => {
  it("doesn't count the time during which it is paused", async () => {
    const timeout = new PausableTimeout(200);
    await timeout.pauseDuring(new Promise((resolve) => setTimeout(resolve, 400)));
    expect(timeout.signal.aborted).toBe(false);
    await new Promise((resolve) => timeout.signal.addEventListener("abort", resolve));
  });
});

describe("a pausable timeout under fake time", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("counts the time before and after a pause, but not the pause", async () => {
    const timeout = new PausableTimeout(1_000);
    await vi.advanceTimersByTimeAsync(400);
    const work = Promise.withResolvers<void>();
    const pause = timeout.pauseDuring(work.promise);
    await vi.advanceTimersByTimeAsync(5_000);
    work.resolve();
    await pause;
    await vi.advanceTimersByTimeAsync(599);
    expect(timeout.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(timeout.signal.aborted).toBe(true);
  });

  it("continues after a pause whose work failed", async () => {
    const timeout = new PausableTimeout(1_000);
    await expect(timeout.pauseDuring(Promise.reject(new Error("own")))).rejects.toThrow("own");
    await expect(timeout.pauseDuring(Promise.resolve(7))).resolves.toBe(7);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(timeout.signal.aborted).toBe(true);
  });

  it("never aborts after it was stopped, and leaves no timer", async () => {
    const timeout = new PausableTimeout(1_000);
    timeout.stop();
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(timeout.signal.aborted).toBe(false);
  });
});

it("leaves no unhandled rejection if the signal is aborted before the work fails", async () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", onUnhandled);
  const work = Promise.withResolvers<void>();
  await expect(raceAbort(work.promise, AbortSignal.abort("too late"))).rejects.toBe("too late");
  work.reject(new Error("the work failed"));
  await new Promise((resolve) => setTimeout(resolve, 0));
  process.off("unhandledRejection", onUnhandled);
  expect(unhandled).toEqual([]);
});

describe("under fake time", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("a time limit leaves no timer after the work ended", async () => {
    await withTimeout(1_000, Promise.resolve(7));
    expect(vi.getTimerCount()).toBe(0);
    const late = withTimeout(1_000, new Promise(() => {}));
    late.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1_000);
    await expect(late).rejects.toThrow("The operation took longer than 1000 ms.");
  });
});
