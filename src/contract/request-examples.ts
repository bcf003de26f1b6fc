import type { z } from "@hono/zod-openapi";
import type { KeyChangeRequest, KeyRequest, KeyRotateRequest } from "./keys";
import type { WebhookSettingsRequest } from "./webhooks";

type Examples<Schema extends z.ZodType> = Record<string, { summary: string; value: z.input<Schema> }>;

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
  day: { summary: "The present secret works for one more day", value: {} },
  now: { summary: "The present secret stops working immediately", value: { grace_period_s: 0 } },
} satisfies Examples<typeof KeyRotateRequest>;

export const WEBHOOK_REQUESTS = {
  on: { summary: "Send all results", value: { url: "https://example.org/hooks/extraction" } },
  off: { summary: "Send only results of requests with webhook_url", value: { url: null } },
} satisfies Examples<typeof WebhookSettingsRequest>;
