// Tests the queues in wrangler.toml.
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { unstable_readConfig } from "wrangler";

const root = resolve(import.meta.dirname, "../..");
const { queues } = unstable_readConfig({ config: join(root, "wrangler.toml") }, { hideWarnings: true });

interface Consumer {
  queue: string;
  max_concurrency?: number | null;
  dead_letter_queue?: string;
}

const consumers: Consumer[] = queues.consumers ?? [];
const producers: { queue: string }[] = queues.producers ?? [];

it("have no concurrency limit, so that slow jobs and deliveries don't delay others", () => {
  for (const name of ["web-data-extraction-jobs", "web-data-extraction-renders", "web-data-extraction-webhooks"]) {
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
