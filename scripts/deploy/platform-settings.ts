// The settings of queues and of the placement in the settings file.
import { didYouMean } from "../options.ts";
import type { Settings } from "./settings.ts";

export interface Queues {
  producers: { queue: string }[];
  consumers: { queue: string; dead_letter_queue?: string }[];
}

/** The settings of queues with the lowest and the highest value that Cloudflare accepts. */
const RANGES: { [Side in keyof Queues]: Record<string, [number, number]> } = {
  producers: { delivery_delay: [0, 86_400] },
  consumers: {
    max_batch_size: [1, 100],
    max_batch_timeout: [0, 60],
    max_concurrency: [1, 250],
    max_retries: [0, 100],
    retry_delay: [0, 86_400],
  },
};

/** Returns the queues of wrangler.toml with the operator's settings. Throws for an unknown queue or an invalid value. */
export function toQueues(base: Queues, { wrangler, file }: Settings): Queues {
  const given: unknown = wrangler.queues ?? {};
  if (!isTable(given)) throw new Error(`${file}: queues must have the tables [[queues.consumers]].`);
  checkNames(`${file}: queues`, Object.keys(given), Object.keys(RANGES));
  return {
    producers: mergeQueues("producers", base.producers, given, file),
    consumers: mergeQueues("consumers", base.consumers, given, file),
  };
}

function mergeQueues<Queue extends { queue: string }>(
  side: keyof Queues,
  base: Queue[],
  given: object,
  file: string,
): Queue[] {
  const field = `${file}: queues.${side}`;
  const list: unknown = Reflect.get(given, side) ?? [];
  if (!Array.isArray(list) || !list.every(isTable))
    throw new Error(`${field} must be a list of tables, which begin with the line [[queues.${side}]].`);
  const settings = new Map(list.map((table) => readQueue(side, field, base, table)));
  if (settings.size < list.length) throw new Error(`${field} must have one table for each queue.`);
  return base.map((queue) => ({ ...queue, ...settings.get(queue.queue) }));
}

/** Returns the name and the settings of a queue. */
function readQueue(side: keyof Queues, field: string, base: { queue: string }[], table: object): [string, object] {
  const { queue, ...settings } = { queue: undefined as unknown, ...table };
  const known = base.map(({ queue }) => queue);
  if (typeof queue !== "string" || !known.includes(queue))
    throw new Error(`${field}: queue must be one of ${known.join(", ")}, as in wrangler.toml, but is '${queue}'.`);
  checkNames(`${field} of ${queue}`, Object.keys(settings), Object.keys(RANGES[side]));
  for (const [name, value] of Object.entries<unknown>(settings)) {
    const [min, max] = RANGES[side][name] ?? [0, 0];
    if (!Number.isInteger(value) || Number(value) < min || Number(value) > max)
      throw new Error(`${field} of ${queue}: ${name} must be a whole number from ${min} to ${max}, but is '${value}'.`);
  }
  return [queue, settings];
}

/** Throws if the placement is neither smart nor near one place. Cloudflare accepts one of these settings. */
export function checkPlacement({ wrangler: { placement }, file }: Settings): void {
  if (placement === undefined) return;
  const known = ["mode", "region", "host", "hostname"];
  const [entry, ...others] = Object.entries<unknown>(isTable(placement) ? { ...placement } : {});
  if (entry === undefined || others.length > 0 || typeof entry[1] !== "string" || entry[1] === "")
    throw new Error(
      `${file}: placement must be a table with one of ${known.join(", ")}, such as region = "aws:us-east-1".`,
    );
  const [name, value] = entry;
  checkNames(`${file}: placement`, [name], known);
  if (name === "mode" && value !== "smart" && value !== "off")
    throw new Error(`${file}: placement.mode must be "smart" or "off", but is '${value}'.`);
  if (name === "region" && !/^(?:aws|gcp|azure):[a-z0-9-]+$/.test(value as string))
    throw new Error(
      `${file}: placement.region must be a region of aws, gcp or azure, such as "aws:us-east-1", but is '${value}'.`,
    );
}

/** Throws an error that names the first unknown setting. */
function checkNames(field: string, given: string[], known: string[]): void {
  const unknown = given.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new Error(
    `${field} has the unknown setting ${unknown}.${didYouMean(unknown, known)} It may contain ${known.join(", ")}.`,
  );
}

export function isTable(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
