import { expect, it } from "vitest";
import { lazy } from "../../src/lib/lazy";

it("runs the function on the first call only, even if it returns undefined", () => {
  let calls = 0;
  const value = lazy(() => {
    calls++;
    return undefined;
  });
  expect(calls).toBe(0);
  expect([value(), value()]).toEqual([undefined, undefined]);
  expect(calls).toBe(1);
});

it("runs the function again after it threw", () => {
  let calls = 0;
  const value = lazy(() => {
    if (++calls === 1) throw new Error("not yet");
    return calls;
  });
  expect(value).toThrow("not yet");
  expect([value(), value()]).toEqual([2, 2]);
});
