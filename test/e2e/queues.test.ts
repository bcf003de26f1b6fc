// Tests the queues in wrangler.toml.
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { unstable_readConfig } from "wrangler";

const root = resolve(import.meta.dirname, "../..");
const { queues, vars } = unstable_readConfig({ config: join(root, "wrangler.toml") }, { hideWarnings: true });

interface Consumer {
  queue: string;
  max_batch_size?: number;
  max_concurrency?: number | null;
  dead_letter_queue?: string;
}

const consumers: Consumer[] = queues.consumers ?? [];
const producers: { queue: string }[] = queues.producers ?? [];
const slots = Number(vars.BROWSERS) * Number(vars.RENDERS_PER_BROWSER);

it("leave browser slots for synchronous renders", () => {
  const renders = consumers.find(({ queue }) => queue === "web-data-extraction-renders");
  const concurrentRenders = Number(renders?.max_batch_size) * Number(renders?.max_concurrency);
  expect(concurrentRenders).toBeGreaterThan(0);
  expect(concurrentRenders).toBeLessThan(slots);
});

it("have no concurrency limit for plain jobs and deliveries, so that slow ones don't delay others", () => {
  for (const name of ["web-data-extraction-jobs", "web-data-extraction-webhooks"]) {
    expect(consumers.find(({ queue }) => queue === name)?.max_concurrency ?? null).toBeNull();
  }
});

it("have a dead-letter queue with a consumer for jobs", () => {
  const dead = consumers.flatMap(({ dead_letter_queue: name }) => (name === undefined ? [] : [name]));
  expect(dead.sort()).toEqual(["web-data-extraction-jobs-dead", "web-data-extraction-renders-dead"]);
  expect(consumers.map(({ queue }) => queue)).toEqual(expect.arrayContaining(dead));
});

it("all have a consumer", () => {
  const produced = producers.map(({ queue }) => queue);
  expect(consumers.map(({ queue }) => queue)).toEqual(expect.arrayContaining(produced));
});
