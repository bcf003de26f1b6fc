import type { z } from "@hono/zod-openapi";
import type { KeyRequest } from "./keys";
import type { ParseRequest } from "./parse";
import type { ScrapeRequest } from "./scrape";
import type { SerpRequest } from "./serp";
import type { WebhookSettingsRequest } from "./webhooks";

type Examples<Schema extends z.ZodType> = Record<string, { summary: string; value: z.input<Schema> }>;

export const SCRAPE_REQUESTS = {
  markdown: { summary: "A page as markdown", value: { url: "https://example.com/", formats: ["markdown"] } },
  rendered: {
    summary: "A page that needs a browser, with a picture of it",
    value: { url: "https://example.com/shop", formats: ["markdown", "screenshot"], wait_for: "#price" },
  },
  part: {
    summary: "A part of a page, as another country sees it",
    value: {
      url: "https://example.com/lamps/tide",
      formats: ["text", "metadata", "links"],
      include_selectors: ["#product"],
      exclude_selectors: [".advert"],
      proxy_country: "DE",
    },
  },
  pushed: {
    summary: "The result pushed to a webhook",
    value: { url: "https://example.com/", webhook_url: "https://example.org/hooks/extraction" },
  },
} satisfies Examples<typeof ScrapeRequest>;

export const PARSE_REQUESTS = {
  url: {
    summary: "A product from a page, by a schema",
    value: {
      url: "https://example.com/lamps/tide",
      prompt: "The product and its price.",
      schema: {
        type: "object",
        properties: { name: { type: "string" }, price: { type: "number" } },
        required: ["name", "price"],
      },
    },
  },
  html: {
    summary: "From HTML of your own, with evidence",
    value: { html: "<h1>Tide lamp</h1><p>It costs 19.50 EUR", prompt: "The product and its price.", evidence: true },
  },
} satisfies Examples<typeof ParseRequest>;

export const SERP_REQUESTS = {
  google: { summary: "The first ten results", value: { query: "harbour cranes" } },
  bing: {
    summary: "Another engine, from a place, in a language",
    value: {
      query: "harbour cranes",
      engine: "bing",
      location: "Istanbul, Turkey",
      language: "tr",
      num_results: 20,
      device: "mobile",
    },
  },
} satisfies Examples<typeof SerpRequest>;

export const KEY_REQUESTS = {
  same: { summary: "A key like its creator", value: { name: "CI" } },
  narrow: {
    summary: "A key that may do less",
    value: { name: "Scraper", scopes: ["scrape", "jobs"], mode: "test", allowed_ips: ["203.0.113.0/24"] },
  },
} satisfies Examples<typeof KeyRequest>;

export const WEBHOOK_REQUESTS = {
  on: { summary: "Push all results", value: { url: "https://example.org/hooks/extraction" } },
  off: { summary: "Push only where a request asks for it", value: { url: null } },
} satisfies Examples<typeof WebhookSettingsRequest>;
