import type { z } from "@hono/zod-openapi";
import type { KeyRequest } from "./keys";
import type { WebhookSettingsRequest } from "./webhooks";

type Examples<Schema extends z.ZodType> = Record<string, { summary: string; value: z.input<Schema> }>;

export const KEY_REQUESTS = {
  same: { summary: "A key with the same permissions as the key that creates it", value: { name: "CI" } },
  narrow: {
    summary: "A key with fewer permissions",
    value: { name: "Scraper", scopes: ["scrape", "jobs"], mode: "test", allowed_ips: ["203.0.113.0/24"] },
  },
} satisfies Examples<typeof KeyRequest>;

export const WEBHOOK_REQUESTS = {
  on: { summary: "Send all results", value: { url: "https://example.org/hooks/extraction" } },
  off: { summary: "Send only results of requests with webhook_url", value: { url: null } },
} satisfies Examples<typeof WebhookSettingsRequest>;
