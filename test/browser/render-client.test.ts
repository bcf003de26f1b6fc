import { expect, it } from "vitest";
import type { RenderReply } from "../../src/browser/protocol";
import { renderForAccount } from "../../src/browser/render-client";

const PAGE = { id: "render" } as Parameters<typeof renderForAccount>[2];

/** Renders a page of an account with 100 renders while the first `full` of 100 browsers are full. Returns the calls. */
async function renderWith(full: number): Promise<string[]> {
  const calls: string[] = [];
  const isFull = (name: string) => Number(/\d+/.exec(name)?.[0]) < full;
  const getByName = (name: string) => ({
    hasFreeSlot: async () => calls.push(`ask ${name}`) > 0 && !isFull(name),
    render: async (_: unknown, { wait }: { wait: boolean }): Promise<RenderReply> => {
      calls.push(`render ${name}`);
      return isFull(name) && !wait ? { kind: "full", message: "" } : ({ kind: "page" } as RenderReply);
    },
  });
  const env = { BROWSERS: "100", BROWSER_HOST: { getByName } } as unknown as Env;
  await renderForAccount(env, { id: "a", concurrentRenders: 100 }, PAGE, new AbortController().signal);
  return calls;
}

it("calls few of many browsers if the first ones have free slots", async () => {
  expect((await renderWith(0)).length).toBeLessThanOrEqual(11);
  expect((await renderWith(5)).filter((call) => call.startsWith("render"))).toEqual([
    "render browser-0",
    "render browser-5",
  ]);
});

it.each([10, 11, 42, 99])("finds the first free browser after %i full ones", async (full) => {
  const calls = await renderWith(full);
  expect(calls.at(-1)).toBe(`render browser-${full}`);
  expect(new Set(calls).size).toBe(calls.length);
});

it("waits at a browser if all are full", async () => {
  const calls = await renderWith(100);
  expect(calls.filter((call) => call.startsWith("ask"))).toHaveLength(99);
  expect(calls.at(-1)).toMatch(/^render /);
});
