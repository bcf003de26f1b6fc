import { EXAMPLE_JOB_ID as JOB_ID } from "./common";
import { EXAMPLE_ORIGIN, toErrorRecord } from "./error-codes";

export const CREATED_AT = "2026-11-21T09:00:00.000Z";
export const COMPLETED_AT = "2026-11-21T09:00:00.412Z";

export const SCRAPE_META = {
  processing_time_ms: 412,
  credits_used: 1,
  receipt: { total: 1, lines: [{ item: "scrape", credits: 1 }] },
  outcome: "ok" as const,
  rendered: false,
};
export const SCRAPE_DATA = { markdown: "# Example Domain\n\nThis domain is for use in documents." };

export const SCRAPED = { success: true as const, data: SCRAPE_DATA, meta: SCRAPE_META, job_id: JOB_ID };

export const PARSED = {
  success: true as const,
  data: { name: "Tide lamp", price: 19.5 },
  meta: {
    processing_time_ms: 2140,
    credits_used: 5,
    receipt: { total: 5, lines: [{ item: "parse", credits: 5 }] },
    outcome: "ok" as const,
    model_used: "gpt-5.4-mini",
    rendered: false,
    parts: 1,
    usage: { input_tokens: 812, output_tokens: 64, model_calls: 1, model_time_ms: 1890 },
  },
  job_id: JOB_ID,
};

export const FOUND = {
  success: true as const,
  data: {
    organic: [
      {
        position: 1,
        title: "Harbor crane",
        url: "https://example.com/cranes",
        description: "How the cranes of a harbor work.",
        snippet: "Jul 16, 2026 · How the cranes of a harbor work.",
      },
    ],
    total_results: 106_000,
    search_time_ms: 1480,
  },
  meta: {
    processing_time_ms: 1502,
    credits_used: 2,
    receipt: { total: 2, lines: [{ item: "serp", credits: 2 }] },
    pages_fetched: 1,
    total_results_known: true,
    source: "plain",
  },
  job_id: JOB_ID,
};

export const MAPPED = {
  success: true as const,
  data: {
    url: "https://example.com/",
    urls: [
      { url: "https://example.com/", title: "Example Domain", source: "page" as const },
      { url: "https://example.com/cranes", last_modified: "2026-11-20", source: "page" as const },
      { url: "https://example.com/blog/tide-lamps", last_modified: "2026-11-02", source: "sitemap" as const },
    ],
    sources: {
      robots: { found: true },
      page: { urls: 1 },
      sitemaps: [{ url: "https://example.com/sitemap.xml", urls: 2 }],
      feeds: [],
    },
  },
  meta: {
    processing_time_ms: 840,
    credits_used: 1,
    receipt: { total: 1, lines: [{ item: "map", credits: 1 }] },
  },
  job_id: JOB_ID,
};

export const ACCEPTED = {
  success: true as const,
  job_id: JOB_ID,
  status: "queued" as const,
  meta: { processing_time_ms: 9, credits_used: 0, credits_reserved: 1 },
};

export const JOB = {
  job_id: JOB_ID,
  status: "completed" as const,
  endpoint: "scrape" as const,
  key_id: "0199b2be-03f6-7b1c-a6c2-6f0d4f1b2a77",
  request: {
    url: "https://example.com/",
    formats: ["markdown" as const],
    only_main_content: true,
  },
  outcome: "ok" as const,
  result: SCRAPE_DATA,
  created_at: CREATED_AT,
  completed_at: COMPLETED_AT,
  meta: SCRAPE_META,
};

export const CANCELED_JOB = {
  job_id: JOB_ID,
  status: "failed" as const,
  endpoint: "scrape" as const,
  key_id: JOB.key_id,
  request: JOB.request,
  error: toErrorRecord({ code: "cancelled", message: "The job was canceled. Nothing was charged." }, EXAMPLE_ORIGIN),
  created_at: CREATED_AT,
  completed_at: COMPLETED_AT,
  meta: { processing_time_ms: 0, credits_used: 0, receipt: { total: 0, lines: [] } },
};

export const KEY = {
  id: "0199b2be-03f6-7b1c-a6c2-6f0d4f1b2a77",
  name: "CI",
  mode: "live" as const,
  prefix: "sk_live_4fGh",
  last4: "x9Qa",
  scopes: ["scrape" as const, "jobs" as const],
  allowed_ips: ["203.0.113.0/24"],
  created_at: CREATED_AT,
  last_used_at: null,
  revoked_at: null,
  expires_at: "2030-01-31T12:00:00.000Z",
  previous_secret_expires_at: null,
  credit_limit: 200,
  credits_used: 19,
  credits_reset_at: "2026-12-01T00:00:00.000Z",
};

export const EXAMPLE_SECRET = "sk_live_4fGh…x9Qa";

export const WEBHOOK_SETTINGS = {
  url: "https://example.org/hooks/extraction",
  secret: "whsec_3mVt…",
  previous_secret_expires_at: null,
};

export const WEBHOOK_ENDPOINT = {
  id: "0199b2c1-5d20-7a44-b1c3-9e8d7c6b5a40",
  url: "https://example.org/hooks/failures",
  events: ["job.failed" as const],
  created_at: CREATED_AT,
};

export const SECRET_WEBHOOK_ENDPOINT = {
  ...WEBHOOK_ENDPOINT,
  secret: "whsec_3mVt…",
  previous_secret_expires_at: null,
};

const DELIVERY_ID = "0199b2c0-91f3-7d02-8f44-2b7d6e1a0c55";

export const DELIVERY = {
  id: DELIVERY_ID,
  job_id: JOB_ID,
  event: "job.completed" as const,
  endpoint_id: "default",
  url: "https://example.org/hooks/extraction",
  status: "succeeded" as const,
  attempts: [
    {
      at: COMPLETED_AT,
      status_code: 204,
      duration_ms: 83,
      error: null,
      response: null,
      url: "https://example.org/hooks/extraction",
      request_headers: {
        "Content-Type": "application/json",
        "X-Webhook-ID": DELIVERY_ID,
        "X-Webhook-Attempt": "1",
        "X-Webhook-Signature": "sha256=5f2b0c1e…",
      },
    },
  ],
  next_attempt_at: null,
  delayed_by: null,
  created_at: COMPLETED_AT,
};

export const REDELIVERIES = { redelivered: 237, skipped: 0, has_more: false, until: COMPLETED_AT };

export const PAGINATION = { total: 1, limit: 20, offset: 0, has_more: false };

const USAGE_TOTAL = { requests: 19, credits: 19, failed: 0, p50_ms: 392, p95_ms: 1205 };

export const USAGE = {
  balance: 480,
  reserved: 1,
  period: { start: "2026-11-01T00:00:00.000Z", end: "2026-12-01T00:00:00.000Z", granted: 500, used: 19, added: 0 },
  from: "2026-10-21",
  to: "2026-11-21",
  days: [{ date: "2026-11-21", endpoint: "scrape" as const, ...USAGE_TOTAL }],
  by_endpoint: [{ endpoint: "scrape" as const, ...USAGE_TOTAL }],
  by_key: [{ key_id: "0199b2be-03f6-7b1c-a6c2-6f0d4f1b2a77", ...USAGE_TOTAL }],
  by_code: [{ code: "ok", ...USAGE_TOTAL }],
  groups: [{ date: "2026-11-21", key_id: "0199b2be-03f6-7b1c-a6c2-6f0d4f1b2a77", ...USAGE_TOTAL }],
};

export const SERP_HEALTH = {
  enabled: true,
  checks: [
    {
      engine: "bing" as const,
      outcome: "results",
      source: "plain",
      results: 10,
      duration_ms: 1480,
      checked_at: CREATED_AT,
    },
  ],
};

const EVENT_META = { processing_time_ms: 412, credits_used: 1, created_at: CREATED_AT, completed_at: COMPLETED_AT };

export const COMPLETED_EVENT = {
  event: "job.completed" as const,
  job_id: JOB_ID,
  status: "completed" as const,
  endpoint: "scrape" as const,
  result: SCRAPE_DATA,
  meta: { ...EVENT_META, outcome: "ok" as const },
};

export const FAILED_EVENT = {
  event: "job.failed" as const,
  job_id: JOB_ID,
  status: "failed" as const,
  endpoint: "scrape" as const,
  error: toErrorRecord(
    { code: "target_timeout", message: "example.com did not send its complete response within 30 seconds." },
    EXAMPLE_ORIGIN,
  ),
  meta: { ...EVENT_META, credits_used: 0 },
};

export const USAGE_EVENT = {
  event: "usage.threshold" as const,
  threshold: 80,
  key_id: null,
  used: 400,
  limit: 500,
  period: { start: "2026-11-01T00:00:00.000Z", end: "2026-12-01T00:00:00.000Z" },
  meta: { created_at: CREATED_AT },
};

export const TEST_EVENT = {
  event: "webhook.test" as const,
  message: "This is a test event. Your receiver is ready if it verifies the signature and responds with a 2xx status.",
  meta: { created_at: CREATED_AT },
};
