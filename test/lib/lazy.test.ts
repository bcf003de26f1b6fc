import { expect, it } from "vitest";
import { lazy, lazyModule } from "../../src/lib/lazy";

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

it("loads a module once, and again after it failed to load", async () => {
  let calls = 0;
  const load = lazyModule(async () => {
    if (++calls === 1) throw new Error("not yet");
    return { calls };
  });
  await expect(load()).rejects.toThrow("not yet");
  expect([await load(), await load()]).toEqual([{ calls: 2 }, { calls: 2 }]);
});

it("doesn't share the promise of a module between concurrent callers", async () => {
  const loads: PromiseWithResolvers<object>[] = [];
  const load = lazyModule(() => {
    const loading = Promise.withResolvers<object>();
    loads.push(loading);
    return loading.promise;
  });
  const [, second] = [load(), load()];
  loads[1]?.resolve({ number: 2 });
  expect(await second).toEqual({ number: 2 });
});
