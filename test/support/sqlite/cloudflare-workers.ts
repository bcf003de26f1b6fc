// Stands in for `cloudflare:workers` in Node, for tests of the account's SQL. Queues accept messages and drop them.

/** The base class of Durable Objects. */
export class DurableObject {
  constructor(
    readonly ctx: unknown,
    readonly env: unknown,
  ) {}
}

const queue = { send: async () => {}, sendBatch: async () => {} };
/** The bindings. cloudflare-test.ts sets `ACCOUNT`. */
export const env: Record<string, unknown> = {
  JOBS: queue,
  RENDERS: queue,
  WEBHOOKS: queue,
  SUMMARIES: queue,
  CRAWL: { getByName: () => ({ wake: async () => {} }) },
};
