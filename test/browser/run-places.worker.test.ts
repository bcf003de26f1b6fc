import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { BrowserHost } from "../../src/browser/browser-host";
import { RUNS_PER_RUNNER } from "../../src/model/page-limits";
import { consumeBatch } from "../../src/queue";

type Batch = Parameters<typeof consumeBatch>[0];
type Running = { account: string; runner: string; end: () => void };

/**
 * Sends 150 renders of each account to the queue of a service with these variables. Calls `work` with the running
 * renders. None of them ends before its function `end` is called.
 */
async function queueRenders(
  vars: { BROWSERS: string; RENDERS_PER_BROWSER: string },
  accounts: string[],
  work: (running: Running[]) => Promise<void>,
): Promise<void> {
  const running: Running[] = [];
  const getByName = (runner: string) => ({
    runNow: ({ account }: { account: { id: string } }) =>
      new Promise<void>((resolve) => void running.push({ account: account.id, runner, end: resolve })),
  });
  await runInDurableObject(env.BROWSER_HOST.getByName(crypto.randomUUID()), async (_, state) => {
    const bindings = { ...env, ...vars, BROWSER_HOST: { getByName } } as unknown as Env;
    const host = new BrowserHost(state, bindings);
    const consumer = { ...env, BROWSER_HOST: { getByName: () => host } } as unknown as Env;
    for (const id of accounts) {
      const account = { id, tag: "", object: id, jurisdiction: null };
      for (let batch = 0; batch < 15; batch++) {
        const messages = Array.from({ length: 10 }, (_, i) => ({
          ...{ id: `${id}-${batch}-${i}`, timestamp: new Date(), attempts: 1 },
          body: { kind: "job", account, mode: "live", job: `${id}-${batch}-${i}` },
          ...{ ack: () => undefined, retry: () => undefined },
        }));
        await consumeBatch({ queue: "x-renders", messages } as unknown as Batch, consumer, { waitUntil: () => {} });
      }
    }
    await work(running);
    while (running.length > 0) {
      for (const { end } of running.splice(0)) end();
      await new Promise((resolve) => setTimeout(resolve));
    }
  });
}

const count = (running: Running[], id: string) => running.filter(({ account }) => account === id).length;

it.each([
  ["the variables of wrangler.toml", { BROWSERS: "10", RENDERS_PER_BROWSER: "4" }, 10],
  ["a plan of 50 renders", { BROWSERS: "50", RENDERS_PER_BROWSER: "4" }, 50],
  ["a plan of 100 renders", { BROWSERS: "100", RENDERS_PER_BROWSER: "4" }, 100],
  ["a plan of 100 renders and fewer browsers", { BROWSERS: "50", RENDERS_PER_BROWSER: "8" }, 100],
])("runs as many asynchronous renders of an account as the browsers allow: %s", async (_, vars, expected) => {
  await queueRenders(vars, ["a", "b"], async (running) => {
    await expect.poll(() => count(running, "a")).toBe(expected);
    // The second account gets the other half of the places.
    await expect.poll(() => count(running, "b")).toBe(expected);
  });
});

it("starts the next render of an account when one of its renders ends", async () => {
  await queueRenders({ BROWSERS: "10", RENDERS_PER_BROWSER: "4" }, ["a"], async (running) => {
    await expect.poll(() => running.length).toBe(10);
    for (const { end } of running.slice(0, 3)) end();
    await expect.poll(() => running.length).toBe(13);
  });
});

it("divides the renders among several objects, because the Workers of an object may share its memory", async () => {
  await queueRenders({ BROWSERS: "100", RENDERS_PER_BROWSER: "4" }, ["a", "b"], async (running) => {
    await expect.poll(() => running.length).toBe(200);
    const loads = Object.values(Object.groupBy(running, ({ runner }) => runner)).map((runs) => runs?.length);
    expect(Math.max(...loads.map(Number))).toBeLessThanOrEqual(RUNS_PER_RUNNER);
  });
});
