import { toPrice } from "../endpoints/endpoints";
import { SCOPES } from "../model/api-key";
import { ENDPOINT_NAMES } from "../model/endpoint";
import {
  GET_WAIT_MAX_S,
  MAX_BODY_BYTES,
  MAX_IDEMPOTENCY_KEY_CHARS,
  SECOND_MS,
  SYNC_WAIT_MS,
  WEBHOOK_ATTEMPTS,
  WEBHOOK_TIMEOUT_MS,
} from "../model/limits";
import { FAILURES_PER_MINUTE, POLL_FACTOR } from "../model/plan";
import type { Prices } from "../model/prices";

export const SUMMARY =
  "Get web pages as clean Markdown, text, HTML or screenshots, extract data that matches your JSON Schema, or get search results. Requests can be synchronous or asynchronous.";

interface Section {
  title: string;
  /** The section's text as Markdown. */
  text: string;
}

/** The sections about all operations, without those that depend on the operator's settings. */
const SECTIONS: readonly Section[] = [
  {
    title: "Authentication",
    text: `Send the header \`Authorization: Bearer <API_KEY>\` with every request under \`/v1\`. Live keys begin with \`sk_live_\`, test keys with \`sk_test_\`. Requests with a test key are validated in the same way and get the same response format, but they return mock data, contact no other server and are free. A key has one or more scopes: ${list(SCOPES)}. Create and revoke keys in the dashboard or with \`/v1/keys\`.`,
  },
  {
    title: "Synchronous and asynchronous requests",
    text: `\`POST /v1/scrape\`, \`/v1/parse\`, \`/v1/serp\` and \`/v1/map\` create a job and respond with 202 and its \`job_id\`. With \`?wait=true\`, the service holds the response for up to ${SYNC_WAIT_MS / SECOND_MS} seconds and responds with 200 and the result. If the job takes longer, the response is 202 and the job continues. To get the result of a job, poll \`GET /v1/jobs/{id}\` every second for the first 5 seconds, then every 3 seconds, until \`status\` is \`completed\` or \`failed\`. With \`?wait=N\` (up to ${GET_WAIT_MAX_S} seconds), the service holds that response until the job ends. Alternatively, receive the result with a webhook.`,
  },
  {
    title: "Idempotent requests",
    text: `Send an \`Idempotency-Key\` header (up to ${MAX_IDEMPOTENCY_KEY_CHARS} characters) to retry a scrape, parse, serp or map request safely. For 24 hours, a request with the same key and the same body returns the same job. A request with the same key and another body is refused with 409.`,
  },
  {
    title: "Errors",
    text: 'Every 4xx and 5xx response has this body: `{"success": false, "error": {"code", "message", "retryable", "details"?, "hint", "doc_url", "request_id"}, "job_id"?}`. If `retryable` is true, the same request may succeed later. `details` lists the invalid parameters. `hint` says what to do, and `doc_url` is a page about the code. New codes may be added, so handle an unknown code by its HTTP status. A method that a path doesn\'t support gets 405 with an `Allow` header. Include `request_id` in support requests. It is also in the header `X-Request-Id`. Failed requests are free.',
  },
  {
    title: "Limits",
    text: [
      `The operator of a service can change these limits. The page "Plan and limits" of the dashboard shows yours. Each key has a limit of requests per minute. \`GET /v1/jobs/{id}\` has its own limit: ${POLL_FACTOR} times the key's requests per minute. Every response under \`/v1\` has the headers \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (Unix seconds). A 429 response has \`Retry-After\`. Each IP address is limited to ${FAILURES_PER_MINUTE} failed authentications per minute.`,
      "Each account has limits of concurrent asynchronous jobs and of concurrent renders. Further jobs wait in the account's queue, oldest first. Synchronous requests without rendering aren't limited.",
      `Request bodies are JSON of at most ${MAX_BODY_BYTES} bytes. Unknown fields and query parameters are refused.`,
    ].join("\n\n"),
  },
  {
    title: "Webhooks",
    text: `The service sends the result of an asynchronous job by POST to the request's \`webhook_url\`. If the request has none, the account's webhook URL is used, and the other endpoints of \`/v1/webhooks/endpoints\` that receive the event. \`X-Webhook-Signature\` is \`sha256=\` followed by the HMAC-SHA256 of the raw body in hex. Its key is the secret from \`GET /v1/webhooks\`. \`X-Webhook-ID\` is the same for every attempt. Respond with 2xx within ${WEBHOOK_TIMEOUT_MS / SECOND_MS} seconds. Otherwise, the service retries, with up to ${WEBHOOK_ATTEMPTS} attempts within about 75 minutes.`,
  },
  {
    title: "Agents",
    text: "`/mcp` is a Model Context Protocol server (streamable HTTP, no sessions) with the same `Authorization` header. It offers the tools `scrape`, `parse`, `serp`, `map`, `batch`, `crawl`, `read`, `list_jobs`, `usage` and `cancel`, if the key has the tool's scope. A tool call has the same price and the same rate limit as the corresponding request.",
  },
];

function list(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

/** Returns the sections about all operations. The API reference and llms.txt show them. */
export function toGuide(prices: Prices): Section[] {
  return SECTIONS.flatMap((section) =>
    section.title === "Webhooks" ? [toCreditsSection(prices), section] : [section],
  );
}

function toCreditsSection(prices: Prices): Section {
  const text = ENDPOINT_NAMES.map((endpoint) => {
    const [plain, rendered] = [toPrice(prices, endpoint, false), toPrice(prices, endpoint, true)];
    return `${endpoint} ${plain}${rendered === plain ? "" : `, with rendering ${rendered}`}`;
  }).join("; ");
  return {
    title: "Credits",
    text: `Prices in credits: ${text}. Credits are reserved when the job is created, charged when it completes, and released when it fails. \`GET /v1/usage\` returns the balance.`,
  };
}
