import type { z } from "@hono/zod-openapi";
import { expect, it } from "vitest";
import * as common from "../../src/contract/common";
import * as health from "../../src/contract/health";
import * as jobs from "../../src/contract/jobs";
import * as keys from "../../src/contract/keys";
import * as map from "../../src/contract/map";
import * as parse from "../../src/contract/parse";
import * as prices from "../../src/contract/price-options";
import * as scrape from "../../src/contract/scrape";
import * as serp from "../../src/contract/serp";
import * as usage from "../../src/contract/usage";
import * as events from "../../src/contract/webhook-events";
import * as webhooks from "../../src/contract/webhooks";
import { ERRORS } from "../../src/model/errors";
import { OUTCOMES } from "../../src/model/job";
import { toShape } from "../support/shape";

const list = (item: string) => `{ success: true, data: ${item.includes(" | ") ? `(${item})` : item}[], ${PAGINATION} }`;
const single = (data: string) => `{ success: true, data: ${data} }`;

const LABELS = "metadata?: { [name]: string | number | boolean }, tags?: string[]";
const PAGINATION =
  "pagination: { total: integer, total_is_estimate?: true, limit: integer, offset: integer, has_more: boolean, next_cursor?: string }";
const STATUS = `"queued" | "processing" | "completed" | "failed"`;
const ENDPOINT = `"scrape" | "parse" | "serp" | "map"`;
const SCOPE = `"scrape" | "parse" | "serp" | "jobs" | "keys"`;
const MODE = `"live" | "test"`;
const CODE = [...Object.keys(ERRORS).map((code) => `"${code}"`), "string"].join(" | ");
const ERROR = `{ code: ${CODE}, message: string, hint?: string, doc_url?: string, details?: { path: string, message: string }[] }`;

const PRICE_LINE = "{ item: string, credits: integer, reason?: string }";
const META = `processing_time_ms: integer, credits_used: integer, receipt?: { total: integer, lines: ${PRICE_LINE}[] }`;
const OUTCOME = `outcome: ${OUTCOMES.map((outcome) => `"${outcome}"`).join(" | ")}`;
const PAGE_META = `${OUTCOME}, outcome_reason?: string, hint?: string, partial_load?: true, depth?: integer, duplicate_of?: string, skipped?: "content_signals", content_signals?: { search?: boolean, ai_input?: boolean, ai_train?: boolean, noai?: true, noimageai?: true, tdm_reservation?: true }, content_warnings?: ({ code: "hidden_text" | "instructions_in_hidden_text", message: string, words?: integer })[], pages?: { total: integer, read: string }, needs_ocr?: true, ocr?: { model: string, usage?: { input_tokens: integer, output_tokens: integer }, pages_read: string, pages_unread?: { pages: string, reason: string }[] }, capture_id?: string, captured_at?: date-time`;
const PAGE_KIND =
  'page_kind?: "article" | "collection" | "documentation" | "forum" | "listing" | "product" | "recipe" | "service"';
const USED = "{ input_tokens: integer, output_tokens: integer, model_calls: integer, model_time_ms: integer }";
const STRATEGY = '"model" | "auto" | "page"';
const MODEL_META = `strategy?: ${STRATEGY}, strategy_reason?: string, source_by_field?: { [name]: string }, parts?: integer, truncated?: true, usage?: ${USED}`;
const VIEW_META = "total_chars?: integer, next_offset?: integer | null";
const SCRAPE_META = `${META}, ${PAGE_META}, ${PAGE_KIND}, omitted?: string[], source?: "site_markdown", rendered: boolean, model_used?: string, ${MODEL_META.replace("truncated?: true", "truncated?: boolean")}, ${VIEW_META}`;
const PARSE_META = `${META}, ${PAGE_META}, model_used: string, rendered?: boolean, ${MODEL_META}, evidence?: { [name]: { quote: string, verified: boolean } }, unverified?: string[], evidence_truncated?: true`;
const MAP_META = `${META}, ${OUTCOME.replace(":", "?:")}, outcome_reason?: string, hint?: string, rendered?: true`;
const SERP_META = `${META}, pages_fetched: integer, total_results_known: boolean, source?: string, partial?: true, unresolved?: integer, batch_id?: string, pages_credits_used?: integer, query_changed?: true, query_searched?: string`;

const METADATA =
  "{ title?: string, description?: string, language?: string, author?: string, published_time?: string, modified_time?: string, site_name?: string, canonical_url?: string, favicon?: string, open_graph?: { [name]: string }, url: string, status_code: integer, content_type: string | null }";
const OUTLINE = "{ number: integer, level: integer, heading: string, offset: integer, chars: integer }";
const PASSAGE = "{ text: string, heading: string | null, offset: integer }";
const SCRAPE_DATA = `{ html?: string, raw_html?: string, clean_html?: string, markdown?: string, text?: string, outline?: ${OUTLINE}[], passages?: (${PASSAGE})[], screenshot_url?: string, pdf_url?: string, metadata?: ${METADATA}, links?: { url: string, text: string, rel?: string }[], images?: { url: string, alt: string, width?: integer, height?: integer }[], summary?: string, json?: { [name]: any }, actions?: ({ index: integer, type: "click" | "type" | "press" | "select" | "hover" | "scroll" | "wait" | "screenshot" | "html", duration_ms: integer, url: string, screenshot_url?: string, html?: string, end_reached?: boolean })[] }`;
const PARSE_DATA = "{ [name]: any }";
const LINK = "title: string, url?: string";
const VIDEO = `{ position: integer, ${LINK}, source?: string, channel?: string, date?: string, duration?: string }`;
const RATED = "rating?: number, reviews?: string";
const SERP_BLOCKS = `answer?: { type: "featured_snippet" | "dictionary" | "currency" | "other", text: string, title?: string, url?: string, source?: string, items?: string[] }, ai_overview?: { text: string, sources: { ${LINK}, source?: string, snippet?: string }[], complete: boolean }, people_also_ask?: { position: integer, question: string, snippet?: string, title?: string, url?: string }[], related_searches?: { position: integer, query: string, url?: string }[], knowledge_graph?: { title: string, type?: string, description?: string, source?: { name: string, url: string }, website?: string, ${RATED}, facts: { name: string, value: string }[] }, ads?: ({ position: integer, block_position: "top" | "bottom" | "right", title: string, url: string, displayed_url?: string, description?: string, sitelinks?: { ${LINK} }[] })[], local?: { position: integer, title: string, ${RATED}, type?: string, address?: string, phone?: string, hours?: string, website?: string, price?: string }[], top_stories?: { position: integer, ${LINK}, source?: string, date?: string }[], images?: { position: integer, title?: string, url?: string, source?: string, thumbnail?: string }[], videos?: ${VIDEO}[], short_videos?: ${VIDEO}[], shopping?: { position: integer, title: string, price?: string, source?: string, url?: string, ${RATED}, is_ad?: boolean }[], perspectives?: { position: integer, ${LINK}, source?: string, author?: string, date?: string }[], spelling?: { corrected: string, original?: string, applied: boolean }, filters?: { position: integer, name: string, url?: string }[], block_positions?: { [name]: integer }`;
const SERP_PAGE = `{ url: string, job_id: string | null, status: ${STATUS}, ${OUTCOME.replace(":", "?:")}, result?: ${SCRAPE_DATA} | null, result_truncated?: true, ${VIEW_META}, truncated?: boolean, error?: ${ERROR}, meta?: { ${SCRAPE_META} } | { ${META} } }`;
const SERP_DATA = `{ organic: { position: integer, title: string, url: string, description: string, snippet: string, date?: string, sitelinks?: { ${LINK} }[] }[], ${SERP_BLOCKS}, news?: { position: integer, title: string, url: string, source?: string, date?: string, snippet?: string }[], pages?: (${SERP_PAGE})[], total_results: number, search_time_ms: number }`;
const SOURCE_ERROR = "error?: { code: string, message: string }";
const MAP_FILES = `{ url: string, urls: integer, other_sites?: integer, is_index?: true, truncated?: true, ${SOURCE_ERROR} }[]`;
const MAP_DATA = `{ url: string, urls: ({ url: string, title?: string, last_modified?: string, source: "page" | "sitemap" | "feed" })[], truncated?: true, sources: { robots: { found: boolean, ${SOURCE_ERROR} }, page?: { urls: integer, ${SOURCE_ERROR} }, sitemaps: ${MAP_FILES}, feeds: ${MAP_FILES} } }`;

const jobOf = (endpoint: string, request: z.ZodType, data: string, meta: string) =>
  `job_id: string, status: ${STATUS}, endpoint: "${endpoint}", key_id?: string, request?: ${toShape(request)} | null, request_truncated?: true, stored?: false, ${LABELS}, batch_id?: string, page?: integer, ${OUTCOME.replace(":", "?:")}, result?: ${data} | null, result_truncated?: true, error?: ${ERROR}, created_at: date-time, completed_at?: date-time, meta?: ${meta} }`;
const JOBS = [
  jobOf("scrape", scrape.ScrapeRequest, SCRAPE_DATA, `{ ${SCRAPE_META} } | { ${META} }`),
  jobOf("parse", parse.ParseRequest, PARSE_DATA, `{ ${PARSE_META} } | { ${META} }`),
  jobOf("serp", serp.SerpRequest, SERP_DATA, `{ ${SERP_META} } | { ${META} }`),
  jobOf("map", map.MapRequest, MAP_DATA, `{ ${MAP_META} } | { ${META} }`),
];
const JOB = JOBS.map((job) => `{ ${job}`).join(" | ");

const KEY = `id: string, name: string | null, mode: ${MODE}, prefix: string, last4: string, scopes: (${SCOPE})[], allowed_ips: string[], created_at: date-time, last_used_at: date-time | null, revoked_at: date-time | null, expires_at: date-time | null, previous_secret_expires_at: date-time | null, credit_limit: integer | null, credits_used: integer, credits_reset_at: date-time`;

const TOTAL = "requests: integer, credits: integer";
const DETAILS = "failed: integer, p50_ms: integer | null, p95_ms: integer | null";
const DAY = `{ date: date, endpoint: ${ENDPOINT}, ${TOTAL}, ${DETAILS.replaceAll(":", "?:")} }`;
const USAGE = [
  "balance: integer, reserved: integer",
  "period: { start: date-time, end: date-time, granted: integer, used: integer, added?: integer }",
  "from?: date, to?: date",
  `days: (${DAY})[]`,
  `by_endpoint?: ({ endpoint: ${ENDPOINT}, ${TOTAL}, ${DETAILS} })[]`,
  `by_key?: ({ key_id: string, ${TOTAL}, ${DETAILS} })[]`,
  `by_code?: ({ code: string, ${TOTAL}, ${DETAILS} })[]`,
  `groups?: ({ date?: date, endpoint?: ${ENDPOINT}, key_id?: string, code?: string, ${TOTAL}, ${DETAILS} })[]`,
].join(", ");

const SETTINGS = "{ url: string | null, secret: string, previous_secret_expires_at: date-time | null }";
const ATTEMPT =
  "{ at: date-time, status_code: integer | null, duration_ms: integer | null, error: string | null, response: string | null, url: string | null, request_headers: { [name]: string } | null }";
const DELIVERY = `{ id: string, job_id: string | null, event: "job.completed" | "job.failed" | "batch.completed" | "batch.page" | "crawl.completed" | "crawl.page" | "usage.threshold" | "webhook.test" | "batch.started" | "crawl.started", endpoint_id: string | null, url: string, status: "pending" | "succeeded" | "abandoned", attempts: (${ATTEMPT})[], next_attempt_at: date-time | null, delayed_by: "hourly_limit" | "failing_receiver" | null, created_at: date-time }`;
const EVENT_META = `{ ${META}, created_at: date-time, completed_at: date-time }`;
const PAGE_EVENT_META = EVENT_META.replace(/ }$/, `, ${OUTCOME} }`);
const completedOf = (endpoint: string, data: string, meta: string) =>
  `{ event: "job.completed", job_id: string, status: "completed", endpoint: "${endpoint}", ${LABELS}, result: ${data} | null, result_truncated?: true, meta: ${meta} }`;

const CHECK =
  '{ engine: "google" | "bing" | "yandex", outcome: string | null, source: string | null, results: integer, disputed_results: integer, duration_ms: integer | null, checked_at: date-time }';

// Clients rely on these fields. A new version may add fields, but not remove or change them.
it.each<[string, z.ZodType, string]>([
  [
    "an error",
    common.ErrorBody,
    `{ success: false, error: { code: ${CODE}, message: string, retryable: boolean, details?: { path: string, message: string }[], hint?: string, doc_url?: string, request_id?: string }, job_id?: string }`,
  ],
  [
    "an accepted job",
    common.Accepted,
    `{ success: true, job_id: string, status: ${STATUS}, meta: { ${META}, credits_reserved: integer } }`,
  ],
  [
    "a scrape",
    scrape.ScrapeResponse,
    `{ success: true, data: ${SCRAPE_DATA}, meta: { ${SCRAPE_META} }, job_id: string }`,
  ],
  ["a parse", parse.ParseResponse, `{ success: true, data: ${PARSE_DATA}, meta: { ${PARSE_META} }, job_id: string }`],
  ["a search", serp.SerpResponse, `{ success: true, data: ${SERP_DATA}, meta: { ${SERP_META} }, job_id: string }`],
  ["a map", map.MapResponse, `{ success: true, data: ${MAP_DATA}, meta: { ${MAP_META} }, job_id: string }`],
  [
    "a dry run",
    prices.DryRunResponse,
    `{ success: true, dry_run: true, data: { max_credits: integer, method: "plain" | "browser" | "plain_then_browser" | "search_api" | "given_html" | "given_file" | "capture", model?: string, strategy?: "model" | "auto" | "page", lines: ${PRICE_LINE}[], balance: integer, key_limit?: { limit: integer, used: integer, reserved: integer, resets_at: date-time }, would_wait: boolean } }`,
  ],
  ["a job", jobs.JobResponse, JOBS.map((job) => `{ success: true, ${job}`).join(" | ")],
  ["the list of jobs", jobs.JobListResponse, list(JOB).replace(/ } }$/, ", archived_before?: date-time } }")],
  ["a new key", keys.KeyCreated, single(`{ ${KEY}, key: string }`)],
  ["the list of keys", keys.KeyList, list(`{ ${KEY} }`)],
  ["the usage", usage.Usage, single(`{ ${USAGE} }`)],
  ["the webhook settings", webhooks.WebhookSettingsResponse, single(SETTINGS)],
  ["a delivery", webhooks.DeliveryResponse, single(DELIVERY)],
  ["the list of deliveries", webhooks.DeliveryList, list(DELIVERY)],
  ["the search engine checks", serp.SerpHealth, single(`{ enabled: boolean, checks: (${CHECK})[] }`)],
  ["the liveness check", health.Alive, single('{ status: "alive" }')],
  ["the readiness check", health.Ready, single('{ status: "ready", browser: "ok" | "failed" | "timeout" }')],
  [
    "the event job.completed",
    events.CompletedEvent,
    [
      completedOf("scrape", SCRAPE_DATA, PAGE_EVENT_META.replace(/ }$/, `, ${VIEW_META}, truncated?: boolean }`)),
      completedOf("parse", PARSE_DATA, PAGE_EVENT_META),
      completedOf("serp", SERP_DATA, EVENT_META),
      completedOf("map", MAP_DATA, EVENT_META),
    ].join(" | "),
  ],
  [
    "the event job.failed",
    events.FailedEvent,
    `{ event: "job.failed", job_id: string, status: "failed", endpoint: ${ENDPOINT}, ${LABELS}, error: ${ERROR}, meta: ${EVENT_META} }`,
  ],
  [
    "the event usage.threshold",
    events.UsageThresholdEvent,
    '{ event: "usage.threshold", threshold: integer, key_id: string | null, used: integer, limit: integer, period: { start: date-time, end: date-time }, meta: { created_at: date-time } }',
  ],
  [
    "the event webhook.test",
    events.TestEvent,
    '{ event: "webhook.test", message: string, meta: { created_at: date-time } }',
  ],
  [
    "the headers of an event",
    events.DeliveryHeaders,
    "{ X-Webhook-Signature: string, X-Webhook-Signature-Previous?: string, webhook-id: string, webhook-timestamp: string, webhook-signature: string, X-Webhook-ID: string, X-Webhook-Attempt: string }",
  ],
])("%s has its documented fields", (_, schema, shape) => {
  expect(toShape(schema)).toBe(shape);
});
