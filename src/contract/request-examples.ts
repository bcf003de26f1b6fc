import type { z } from "@hono/zod-openapi";
import type { BatchRequest } from "./batches";
import type { CrawlRequest } from "./crawls";
import type { KeyChangeRequest, KeyRequest, KeyRotateRequest } from "./keys";
import type { WebhookEndpointChange, WebhookEndpointRequest } from "./webhook-endpoints";
import type { RedeliveriesRequest, RedeliveryRequest, WebhookSettingsRequest } from "./webhooks";

type Examples<Schema extends z.ZodType> = Record<string, { summary: string; value: z.input<Schema> }>;

export const CRAWL_REQUESTS = {
  site: {
    summary: "Up to 50 pages of a site",
    value: { url: "https://example.com/", limit: 50 },
  },
  part: {
    summary: "A part of a site, with the options of a scrape",
    value: {
      url: "https://example.com/blog",
      include_paths: ["/blog/*"],
      exclude_paths: ["/blog/tags/*"],
      max_depth: 3,
      sitemap: "skip",
      delay: 1,
      scrape: { formats: ["markdown", "metadata"] },
      webhook_url: "https://example.org/hooks/extraction",
    },
  },
} satisfies Examples<typeof CrawlRequest>;

export const BATCH_REQUESTS = {
  pages: {
    summary: "Two pages with the same options",
    value: {
      endpoint: "scrape",
      defaults: { formats: ["markdown"] },
      requests: [{ url: "https://example.com/" }, { url: "https://example.com/about", formats: ["text"] }],
    },
  },
  events: {
    summary: "A crawl with an event for each page",
    value: {
      endpoint: "parse",
      defaults: { prompt: "Extract the name and the price." },
      requests: [{ url: "https://example.com/lamp" }],
      webhook_url: "https://example.org/hooks/extraction",
      webhook_events: ["batch.completed", "batch.page"],
      ignore_invalid: true,
    },
  },
} satisfies Examples<typeof BatchRequest>;

export const KEY_REQUESTS = {
  same: { summary: "A key with the same permissions as the key that creates it", value: { name: "CI" } },
  narrow: {
    summary: "A key with fewer permissions",
    value: { name: "Scraper", scopes: ["scrape", "jobs"], mode: "test", allowed_ips: ["203.0.113.0/24"] },
  },
} satisfies Examples<typeof KeyRequest>;

export const KEY_CHANGES = {
  name: { summary: "Another name", value: { name: "Nightly crawler" } },
  limit: { summary: "A limit of 200 credits in each period", value: { credit_limit: 200 } },
  expiry: { summary: "A key that expires", value: { expires_at: "2030-01-31T12:00:00Z" } },
  permissions: { summary: "Other permissions", value: { scopes: ["scrape", "jobs"], allowed_ips: [] } },
} satisfies Examples<typeof KeyChangeRequest>;

export const KEY_ROTATIONS = {
  day: { summary: "The current secret works for one more day", value: {} },
  now: { summary: "The current secret stops working immediately", value: { grace_period_s: 0 } },
} satisfies Examples<typeof KeyRotateRequest>;

export const WEBHOOK_REQUESTS = {
  on: { summary: "Send all results", value: { url: "https://example.org/hooks/extraction" } },
  off: { summary: "Send only results of requests with webhook_url", value: { url: null } },
} satisfies Examples<typeof WebhookSettingsRequest>;

export const ENDPOINT_REQUESTS = {
  some: {
    summary: "Send some events",
    value: { url: "https://example.org/hooks/failures", events: ["job.failed"] },
  },
  jobs: { summary: "Send the events of jobs", value: { url: "https://example.org/hooks/jobs" } },
  usage: {
    summary: "Send alerts about used credits",
    value: { url: "https://example.org/hooks/usage", events: ["usage.threshold"] },
  },
} satisfies Examples<typeof WebhookEndpointRequest>;

export const ENDPOINT_CHANGES = {
  events: { summary: "Change the events", value: { events: ["job.completed", "job.failed"] } },
  url: { summary: "Change the URL", value: { url: "https://example.org/hooks/new" } },
} satisfies Examples<typeof WebhookEndpointChange>;

export const REDELIVERY_REQUESTS = {
  present: { summary: "Send to the endpoint's current URL", value: {} },
  other: { summary: "Send to another URL", value: { url: "https://example.org/hooks/repaired" } },
} satisfies Examples<typeof RedeliveryRequest>;

export const REDELIVERIES_REQUESTS = {
  failed: { summary: "Redeliver everything that failed", value: { since: "2026-11-21T09:00:00Z" } },
  endpoint: {
    summary: "Redeliver the abandoned events of one endpoint",
    value: { since: "2026-11-21", status: "abandoned", endpoint_id: "default" },
  },
} satisfies Examples<typeof RedeliveriesRequest>;
