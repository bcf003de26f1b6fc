import { ENDPOINTS } from "../../endpoints/endpoints";
import { SCOPES } from "../../model/api-key";
import { ENDPOINT_NAMES } from "../../model/endpoint";
import {
  GET_WAIT_MAX_S,
  MAX_BODY_BYTES,
  MAX_IDEMPOTENCY_KEY_CHARS,
  SECOND_MS,
  SYNC_WAIT_MS,
  WEBHOOK_ATTEMPTS,
  WEBHOOK_TIMEOUT_MS,
} from "../../model/limits";
import { FAILURES_PER_MINUTE, PLAN_LIMITS, PLANS, POLL_FACTOR } from "../../model/plan";

export const TITLE = "Web data extraction";

export const SUMMARY =
  "Give it an address, get the page as clean markdown, text, html or a screenshot, or as data valid against your JSON Schema; or the results of a search. At once, or as a job.";

interface Section {
  title: string;
  /** Markdown. */
  text: string;
}

/** What holds for all operations, for people and for language models. */
export const GUIDE: readonly Section[] = [
  {
    title: "Authentication",
    text: `Every request under \`/v1\` carries \`Authorization: Bearer <API_KEY>\`. A key begins with \`sk_live_\` or \`sk_test_\`. A test key passes the same validation and gets the same envelopes, but does nothing real, gets mock data and costs nothing. A key has scopes: ${list(SCOPES)}. Keys are made and revoked in the dashboard, or with \`/v1/keys\`.`,
  },
  {
    title: "Now or later",
    text: `\`POST /v1/scrape\`, \`/v1/parse\` and \`/v1/serp\` answer 202 with a \`job_id\`. With \`?wait=true\` the answer is held until the result is there, for at most ${SYNC_WAIT_MS / SECOND_MS} seconds: 200, or the same 202 for a job that takes longer and goes on. Poll \`GET /v1/jobs/{id}\` every second for the first 5 seconds, then every 3 seconds, until \`status\` is \`completed\` or \`failed\`; \`?wait=N\` (up to ${GET_WAIT_MAX_S}) holds that answer. Or have the result pushed to a webhook.`,
  },
  {
    title: "Repeating a request",
    text: `An \`Idempotency-Key\` header (up to ${MAX_IDEMPOTENCY_KEY_CHARS} characters) makes a repeated POST safe: for 24 hours the same key with the same body gets the same job; with another body it is refused (409).`,
  },
  {
    title: "Errors",
    text: 'Every 4xx and 5xx has one form: `{"success": false, "error": {"code", "message", "retryable", "details"?}, "job_id"?}`. `retryable` says whether the same request may succeed later, `details` names each invalid parameter. Codes may be added: treat one that you don\'t know by its status. A method that a path doesn\'t have is 405 with `Allow`. Give `X-Request-Id` when you ask for help. A failure costs nothing.',
  },
  {
    title: "Limits",
    text: [
      `Requests a minute and key, by plan: ${PLANS.map((plan) => `${plan} ${toRate(plan)}`).join(", ")}. Reading a single job has its own window, ${POLL_FACTOR} times as large. Every answer under \`/v1\` carries \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (Unix seconds); a 429 has \`Retry-After\`. ${FAILURES_PER_MINUTE} failed authentications a minute are let through from an address.`,
      `Asynchronous jobs and renders of an account at a time, by plan: ${PLANS.map((plan) => `${plan} ${toConcurrency(plan)}`).join(", ")}. Further jobs wait in the account's own queue, oldest first. Synchronous requests without rendering aren't limited by it.`,
      `Bodies are JSON, at most ${MAX_BODY_BYTES} bytes; unknown fields and query parameters are refused.`,
    ].join("\n\n"),
  },
  {
    title: "Credits",
    text: `${toPrices()}. Credits are reserved when the job is created, charged when it completes, and released when it fails. \`GET /v1/usage\` returns the balance.`,
  },
  {
    title: "Webhooks",
    text: `The result of an asynchronous job is POSTed to the request's \`webhook_url\`, or else to the account's URL. \`X-Webhook-Signature\` is \`sha256=\` and the HMAC-SHA256 of the body's raw bytes, in hex, with the secret of \`GET /v1/webhooks\` as key; \`X-Webhook-ID\` is the same on every attempt. Answer 2xx within ${WEBHOOK_TIMEOUT_MS / SECOND_MS} seconds. Otherwise the event is sent again, ${WEBHOOK_ATTEMPTS} times in all, within about 75 minutes.`,
  },
  {
    title: "Agents",
    text: "`/mcp` is a server of the Model Context Protocol (streamable HTTP, no sessions), with the same `Authorization` header: the tools `scrape`, `parse`, `serp` and `get_job`, each where the key has its scope. A call counts and costs as the request that it stands for.",
  },
];

function toRate(plan: (typeof PLANS)[number]): string {
  return plan === "enterprise" ? "as agreed" : String(PLAN_LIMITS[plan].ratePerMinute);
}

function toConcurrency(plan: (typeof PLANS)[number]): string {
  if (plan === "enterprise") return "as agreed";
  const { concurrentJobs, concurrentRenders } = PLAN_LIMITS[plan];
  return `${concurrentJobs} and ${concurrentRenders}`;
}

function list(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

function toPrices(): string {
  return ENDPOINT_NAMES.map((endpoint) => {
    const { base, rendering } = ENDPOINTS[endpoint].price;
    return `${endpoint} ${base}${rendering > 0 ? `, with rendering ${base + rendering}` : ""}`;
  }).join("; ");
}
