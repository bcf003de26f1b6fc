import { randomUUID } from "node:crypto";
import { type Account, ApiError, type Route, type StoredQueue } from "./account.ts";

/** The routes of R2. */
export function bucketRoutes({ buckets }: Account): Route[] {
  const bucket = (name = "", jurisdiction: unknown = null) => {
    const found = buckets.find((one) => one.name === name && one.jurisdiction === (jurisdiction ?? null));
    if (found === undefined) throw new ApiError(404, 10006, "The specified bucket does not exist.");
    return found;
  };
  return [
    ["GET", /^\/r2\/buckets$/, () => ({ buckets: buckets.map(({ name }) => ({ name })) })],
    [
      "POST",
      /^\/r2\/buckets$/,
      (_, { body, headers }) => {
        const { name, locationHint = null } = body;
        const jurisdiction = (headers["cf-r2-jurisdiction"] as string | undefined) ?? null;
        buckets.push({ name, jurisdiction, location: locationHint, rules: [] });
        return { name };
      },
    ],
    [
      "GET",
      /^\/r2\/buckets\/([^/]+)$/,
      ([name], { headers }) => ({ name: bucket(name, headers["cf-r2-jurisdiction"]).name }),
    ],
    [
      "GET",
      /^\/r2\/buckets\/([^/]+)\/lifecycle$/,
      ([name], { headers }) => ({ rules: bucket(name, headers["cf-r2-jurisdiction"]).rules }),
    ],
    [
      "PUT",
      /^\/r2\/buckets\/([^/]+)\/lifecycle$/,
      ([name], { headers, body }) => {
        bucket(name, headers["cf-r2-jurisdiction"]).rules = body.rules;
        return {};
      },
    ],
  ];
}

/** The routes of Queues. */
export function queueRoutes({ queues }: Account): Route[] {
  const queue = (id = "") => {
    const found = queues.find(({ queue_id }) => queue_id === id);
    if (found === undefined) throw new ApiError(404, 11000, "The queue was not found.");
    return found;
  };
  return [
    [
      "GET",
      /^\/queues$/,
      (_, { query }) => {
        const names = query.getAll("name");
        return queues.filter(({ queue_name }) => names.length === 0 || names.includes(queue_name)).map(toQueue);
      },
    ],
    [
      "POST",
      /^\/queues$/,
      (_, { body }) => {
        const { queue_name } = body;
        if (queues.some((one) => one.queue_name === queue_name)) throw new ApiError(400, 11009, "The name is taken.");
        const created: StoredQueue = { queue_id: randomUUID().replaceAll("-", ""), queue_name, consumers: [] };
        queues.push(created);
        return toQueue(created);
      },
    ],
    ["GET", /^\/queues\/([^/]+)$/, ([id]) => toQueue(queue(id))],
    ["GET", /^\/queues\/([^/]+)\/consumers$/, ([id]) => queue(id).consumers],
    [
      "POST",
      /^\/queues\/([^/]+)\/consumers$/,
      ([id], { body }) => {
        const { script_name, settings, dead_letter_queue: dead } = body;
        const consumer = { type: "worker", consumer_id: randomUUID(), script: script_name, settings };
        queue(id).consumers.push({ ...consumer, ...(dead === undefined ? {} : { dead_letter_queue: dead }) });
        return consumer;
      },
    ],
    ["PUT", /^\/queues\/([^/]+)\/consumers\/[^/]+$/, ([id]) => queue(id).consumers[0]],
  ];
}

function toQueue(one: StoredQueue) {
  return {
    ...one,
    consumers_total_count: one.consumers.length,
    producers: [],
    producers_total_count: 0,
    created_on: "2026-11-01T00:00:00Z",
    modified_on: "2026-11-01T00:00:00Z",
    settings: {},
  };
}
