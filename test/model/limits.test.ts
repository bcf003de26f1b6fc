import { expect, it } from "vitest";
import { readMigrations } from "../../scripts/migrations";
import * as limits from "../../src/model/limits";

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
  expect({ ...limits }).toMatchObject(values);
});

it.each([
  ["connections of an invocation, with one for the browser", limits.PROXY_CONNECTIONS + 1, 6],
  ["connections of an invocation, with calls of a model", limits.MODEL_CONNECTIONS, 6],
  ["messages that are sent to a queue together", limits.QUEUE_SEND_BATCH, 100],
  ["bytes of a message to a Durable Object", limits.MAX_SCREENSHOT_BYTES, 32 * 1024 * 1024],
  ["bytes of a row with a result", limits.MAX_ROW_RESULT_BYTES, 64 * 1024],
  ["bytes of a row with a request", limits.MAX_ROW_REQUEST_BYTES, 64 * 1024],
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
