import { expect, it } from "vitest";
import { readMigrations } from "../../scripts/migrations";
import * as generalLimits from "../../src/model/limits";
import * as pageLimits from "../../src/model/page-limits";
import * as searchLimits from "../../src/model/search-limits";

const limits = { ...generalLimits, ...pageLimits, ...searchLimits };

/** The limits of the contract, in plain numbers. Callers rely on them, so they don't change within a version of the API. */
const LIMITS_OF_THE_CONTRACT = {
  "API requests": {
    MAX_BODY_BYTES: 5_242_880,
    MAX_URL_CHARS: 2_048,
    MAX_SELECTOR_CHARS: 500,
    MAX_KEY_NAME_CHARS: 100,
    MAX_IDEMPOTENCY_KEY_CHARS: 255,
    IDEMPOTENCY_MS: 86_400_000,
    MAX_PROMPT_CHARS: 10_000,
    MAX_QUERY_CHARS: 400,
    SERP_RESULTS_DEFAULT: 10,
    SERP_RESULTS_MAX: 100,
    LIST_LIMIT_DEFAULT: 20,
    LIST_LIMIT_MAX: 100,
    LIST_OFFSET_MAX: 10_000,
    GET_WAIT_MAX_S: 30,
    SYNC_WAIT_MS: 60_000,
  },
  jobs: {
    LEASE_MS: 60_000,
    LEASE_RENEWAL_MS: 20_000,
    MAX_ATTEMPTS: 3,
    JOB_TIMEOUT_MS: 300_000,
    MAX_LISTED_RESULT_BYTES: 16_384,
    MAX_PAGES_RESULT_BYTES: 10_485_760,
    RETENTION_DAYS_DEFAULT: 30,
  },
  "fetching and rendering a page": {
    FETCH_TIMEOUT_MS: 30_000,
    META_REFRESH_MAX_S: 5,
    RENDER_TIMEOUT_MS: 45_000,
    WAIT_FOR_TIMEOUT_MS: 30_000,
    QUIET_MAX_MS: 5_000,
    VIEWPORT: { width: 1_280, height: 800 },
    MAX_SCREENSHOT_HEIGHT_PX: 16_384,
  },
  "calling a model": {
    PARSE_MAX_INPUT_TOKENS_DEFAULT: 30_000,
    PARSE_MAX_PARTS: 8,
    MODEL_RETRY_MS: 20_000,
  },
  webhooks: {
    WEBHOOK_TIMEOUT_MS: 30_000,
    WEBHOOK_ATTEMPTS: 5,
    WEBHOOK_RETRY_DELAYS_MS: [30_000, 120_000, 600_000, 3_600_000],
    MAX_WEBHOOK_RESULT_BYTES: 1_048_576,
  },
};

it.each(Object.entries(LIMITS_OF_THE_CONTRACT))("the limits of the contract for %s keep their values", (_, values) => {
  expect(limits).toMatchObject(values);
});

/** The other limits, in plain numbers. They follow from measurements, from the platform or from another service. */
const OTHER_LIMITS = {
  "API requests": {
    MAX_SELECTORS: 50,
    MIN_PASSWORD_CHARS: 10,
    MAX_PASSWORD_CHARS: 128,
    MAX_EMAIL_CHARS: 254,
    MAX_ALLOWED_IPS: 100,
    USAGE_DAYS: 31,
    MAX_LOCATION_CHARS: 100,
    MAX_LANGUAGE_CHARS: 35,
    MAX_FILTER_CHARS: 200,
  },
  jobs: {
    HANDOVER_AFTER_MS: 25_000,
    R2_TIMEOUT_MS: 30_000,
    FIRST_WAKE_MS: 120_000,
    MAX_WAKE_BACKOFF_MS: 3_600_000,
    CRON_BATCH: 500,
    CRON_PART_MS: 50_000,
    CRON_CHECK_MS: 150_000,
    MAX_ROW_RESULT_BYTES: 61_440,
    MAX_ROW_REQUEST_BYTES: 61_440,
  },
  queues: {
    QUEUE_SEND_BATCH: 100,
  },
  readiness: {
    READY_TIMEOUT_MS: 2_000,
    READY_CHECKS_PER_MINUTE: 60,
  },
  "fetching a page": {
    MAX_REDIRECTS: 10,
    MAX_HEADER_BYTES: 102_400,
    PROXY_CONNECT_TIMEOUT_MS: 15_000,
    PROXY_CONNECTIONS: 4,
    PROXIED_PAGE_CONNECTIONS: 3,
    MAX_PROXIED_PAGE_REQUESTS: 200,
    MAX_PROXIED_PAGE_BYTES: 20_971_520,
    MAX_PROXIED_BODY_BYTES: 5_242_880,
    PROXIED_SUBRESOURCE_MS: 15_000,
    MAX_PAGE_BYTES_DEFAULT: 5_242_880,
    LARGE_PAGE_BYTES: 1_048_576,
    SMALL_PAGE_BYTES: 64 * 1024,
    MAX_PDF_PAGES: 500,
    MAX_RETRY_AFTER_MS: 10_000,
  },
  "rendering a page": {
    LOAD_MAX_MS: 25_000,
    OWN_PARSE_MAX_MS: 38_000,
    OTHER_SITES_LOAD_MS: 5_000,
    OWN_SITE_LOAD_MS: 10_000,
    LOAD_TICK_MS: 250,
    MAX_DOCUMENT_REQUESTS: 20,
    MAX_SCREENSHOT_BYTES: 25_165_824,
    SCREENSHOT_STRIP_PX: 2_048,
    SCREENSHOT_PAINT_MS: 20_000,
    MAX_PAGE_REQUESTS: 3_000,
    MAX_PAGE_WORKERS: 30,
    CDP_TIMEOUT_MS: 5_000,
    BROWSER_SILENCE_MS: 1_000,
    BROWSER_PING_TIMEOUT_MS: 3_000,
    SHARED_SLOTS_MS: 10_000,
    BROWSER_IDLE_MS: 60_000,
    SLOT_WAIT_MS: 20_000,
    WAITING_PER_SLOT: 4,
    LAUNCH_TIMEOUT_MS: 20_000,
    BROWSERS_DEFAULT: 2,
    ALONE_BROWSERS: 4,
    ALONE_WAITING: 50,
    ALONE_BROWSER_IDLE_MS: 10_000,
    RENDERS_ALONE_MS: 600_000,
    RENDERS_PER_BROWSER_DEFAULT: 4,
  },
  "the model's input": {
    PARSE_MAX_INPUT_TOKENS_LEAST: 500,
    PARSE_HEAD_SHARE: 0.25,
    PARSE_MIN_SHARE: 0.5,
    PARSE_CONTENT_TOKENS: 8_000,
    PARSE_CONTENT_MAX_GROWTH: 3,
    MODEL_CONNECTIONS: 5,
    MAX_EVIDENCE_CHARS: 200_000,
  },
  "calling a model": {
    MODEL_SILENCE_MS_DEFAULT: 25_000,
    MODEL_RESPONSE_MS: 240_000,
    MODEL_RETRY_DELAYS_MS: [1_000, 4_000],
    MODEL_OUTPUT_TOKENS: 16_384,
    MAX_MODEL_ANSWER_BYTES: 33_554_432,
  },
  schemas: {
    MAX_SCHEMA_CHARS: 65_536,
    MAX_SCHEMA_DEPTH: 64,
    MAX_SCHEMA_NODES: 10_000,
    MAX_PATTERN_CHARS: 1_000,
    MAX_VALIDATION_VISITS: 1_000_000,
    MAX_MATCH_STEPS: 150_000_000,
    MAX_MATCHED_CHARS: 10_000,
    MAX_PATTERN_ANALYSIS_STEPS: 1_000_000,
    MAX_ANSWER_DEPTH: 100,
    MAX_PROBLEMS: 20,
    MAX_PROBLEM_CHARS: 300,
  },
  evidence: {
    MAX_QUOTES: 2_000,
    MAX_QUOTE_CHARS: 1_000,
  },
  "search jobs": {
    SERP_APPEAR_MS: 8_000,
    SERP_WALK_MS: 180_000,
    SERP_RESOLVE_MS: 8_000,
    SERP_PAGE_DELAY_MS: 500,
    SERP_CHECK_EVERY_MS: 3_600_000,
    SERP_CHECKS_KEPT_MS: 604_800_000,
    SERP_CHECK_TIMEOUT_MS: 120_000,
    SERP_PAGES_MAX: 10,
    MAX_SERP_PAGE_RESULTS: 200,
    MAX_SERP_TITLE_CHARS: 500,
    MAX_SERP_SNIPPET_CHARS: 2_000,
    MAX_SERP_ADDRESS_CHARS: 8_000,
    MAX_SERP_FEED_CHARS: 262_144,
  },
  "search APIs": {
    SERP_API_TIMEOUT_MS: 20_000,
    SERP_API_RETRY_DELAY_MS: 1_000,
    SERP_API_MAX_RETRY_DELAY_MS: 10_000,
    MAX_SERP_API_BYTES: 5_242_880,
    MAX_SERP_API_ERROR_BYTES: 16_384,
    YANDEX_API_RESULTS_MAX: 250,
  },
  webhooks: {
    MAX_WEBHOOK_RESPONSE_BYTES: 65_536,
    KEPT_WEBHOOK_RESPONSE_BYTES: 1_024,
    PREVIOUS_SECRET_MS: 86_400_000,
    EARLIER_ATTEMPTS_KEPT: 20,
  },
  "the dashboard": {
    MAIL_TIMEOUT_MS: 10_000,
    SIGN_IN_LINK_MS: 86_400_000,
    PLAYGROUND_WAIT_MS: 1_500,
    LIVE_WAIT_MS: 20_000,
    MAX_PREVIEW_BYTES: 262_144,
  },
  "MCP tools": {
    TOOL_WAIT_MS: 50_000,
    MAX_TOOL_RESULT_TOKENS: 23_500,
    TOOL_PART_TOKENS: 7_500,
    MAX_TOOL_IMAGE_BYTES: 600_000,
    MAX_VIEW_BYTES: 5_242_880,
    MAX_VIEW_SIZE: 10_000_000,
    MAX_SECTION_CHARS: 1_000,
  },
};

it.each(Object.entries(OTHER_LIMITS))("the other limits for %s keep their values", (_, values) => {
  expect(limits).toMatchObject(values);
});

it.each([
  ["connections of an invocation, with two for the browser", limits.PROXY_CONNECTIONS + 2, 6],
  ["connections of an invocation, with calls of a model", limits.MODEL_CONNECTIONS, 6],
  ["messages that are sent to a queue together", limits.QUEUE_SEND_BATCH, 100],
  ["bytes of a message to a Durable Object", limits.MAX_SCREENSHOT_BYTES, 32 * 1024 * 1024],
  ["bytes of a row with a result", limits.MAX_ROW_RESULT_BYTES, 64 * 1024],
  ["bytes of a row with a request", limits.MAX_ROW_REQUEST_BYTES, 64 * 1024],
  ["milliseconds of a cron run with 14 other parts", 14 * limits.CRON_PART_MS + limits.CRON_CHECK_MS, 900_000],
  ["milliseconds of work after a response", limits.HANDOVER_AFTER_MS, 30_000],
  ["milliseconds that an MCP client waits for a tool", limits.TOOL_WAIT_MS, 60_000],
])("stays within the maximum number of %s", (_, value, maximum) => {
  expect(value).toBeLessThanOrEqual(maximum);
});

it("requires the schema version of the last migration", () => {
  expect(limits.SCHEMA_VERSION).toBe(readMigrations(".").at(-1)?.version);
});

it("renews a lease twice before it expires, and a job has time for several leases", () => {
  expect(2 * limits.LEASE_RENEWAL_MS).toBeLessThan(limits.LEASE_MS);
  expect(limits.LEASE_MS).toBeLessThan(limits.JOB_TIMEOUT_MS);
});

it("ends the steps of a job before the job's own time limit, so that the error names the cause", () => {
  for (const ms of [limits.MODEL_RESPONSE_MS, limits.SERP_WALK_MS, limits.RENDER_TIMEOUT_MS, limits.FETCH_TIMEOUT_MS])
    expect(ms).toBeLessThan(limits.JOB_TIMEOUT_MS);
  expect(limits.WAIT_FOR_TIMEOUT_MS).toBeLessThan(limits.RENDER_TIMEOUT_MS);
  expect(limits.LOAD_MAX_MS + limits.QUIET_MAX_MS).toBeLessThan(limits.RENDER_TIMEOUT_MS);
  expect(limits.OWN_PARSE_MAX_MS + limits.QUIET_MAX_MS).toBeLessThan(limits.RENDER_TIMEOUT_MS);
});

it("has one delay between every two attempts of a webhook", () => {
  expect(limits.WEBHOOK_RETRY_DELAYS_MS).toHaveLength(limits.WEBHOOK_ATTEMPTS - 1);
});

it("attempts a model call three times at most", () => {
  expect(limits.MODEL_RETRY_DELAYS_MS).toHaveLength(2);
});

it("keeps defaults and parts within their limits", () => {
  expect(limits.MIN_PASSWORD_CHARS).toBeLessThan(limits.MAX_PASSWORD_CHARS);
  expect(limits.PARSE_MAX_INPUT_TOKENS_LEAST).toBeLessThan(limits.PARSE_MAX_INPUT_TOKENS_DEFAULT);
  expect(limits.PARSE_HEAD_SHARE).toBeLessThan(1);
  expect(limits.SCREENSHOT_STRIP_PX).toBeLessThan(limits.MAX_SCREENSHOT_HEIGHT_PX);
  expect(limits.KEPT_WEBHOOK_RESPONSE_BYTES).toBeLessThan(limits.MAX_WEBHOOK_RESPONSE_BYTES);
  expect(limits.MAX_PROXIED_BODY_BYTES).toBeLessThan(limits.MAX_PROXIED_PAGE_BYTES);
  expect(limits.PROXIED_PAGE_CONNECTIONS).toBeLessThan(limits.PROXY_CONNECTIONS);
});
