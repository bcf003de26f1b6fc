import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Throttle } from "../../src/lib/throttle";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("a throttle", () => {
  it("works at once, then once for all that was asked for in its pause, and rests again", () => {
    let asked = 0;
    const seen: number[] = [];
    const throttle = new Throttle(() => seen.push(asked), 250);
    const ask = () => {
      asked++;
      throttle.run();
    };
    ask();
    expect(seen).toEqual([1]);
    for (let i = 0; i < 10; i++) ask();
    vi.advanceTimersByTime(249);
    expect(seen).toEqual([1]);
    vi.advanceTimersByTime(1);
    expect(seen).toEqual([1, 11]);
    ask();
    expect(seen).toEqual([1, 11]);
    vi.advanceTimersByTime(250);
    expect(seen).toEqual([1, 11, 12]);
    vi.advanceTimersByTime(1_000);
    ask();
    expect(seen).toEqual([1, 11, 12, 13]);
  });

  it("has no timer for what is asked for once", () => {
    const throttle = new Throttle(() => {}, 250);
    throttle.run();
    expect(vi.getTimerCount()).toBe(0);
    throttle.run();
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(250);
    expect(vi.getTimerCount()).toBe(0);
  });
});
