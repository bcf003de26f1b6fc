import { z } from "@hono/zod-openapi";
import { ERRORS, type ErrorCode as KnownCode } from "../model/errors";
import {
  FETCH_TIMEOUT_MS,
  JOB_TIMEOUT_MS,
  MAX_BODY_BYTES,
  MAX_REDIRECTS,
  MINUTE_MS,
  RENDER_TIMEOUT_MS,
  SECOND_MS,
  WAIT_FOR_TIMEOUT_MS,
} from "../model/limits";

interface Help {
  /** What happened, and what the caller can do. */
  meaning: string;
  /** A message as it is really sent. */
  message: string;
}

/** What each code means to a caller: for the reference, once. */
export const ERROR_HELP = {
  invalid_request: {
    meaning: "A parameter is missing, unknown or wrong; `details` names each with what would be right.",
    message: "The parameter 'num_results' must be from 1 to 100.",
  },
  invalid_json: { meaning: "The body can't be parsed.", message: "The body is not valid JSON." },
  missing_api_key: {
    meaning: "There is no Authorization header.",
    message: "This request has no API key. Send it as 'Authorization: Bearer sk_live_…'.",
  },
  malformed_authorization: {
    meaning: "The Authorization header isn't `Bearer` and a key.",
    message: "The Authorization header must have the form 'Bearer <API_KEY>', once.",
  },
  invalid_api_key: {
    meaning: "No such key, or a mistyped one.",
    message: "This API key is not valid. Check that it is complete, or create a new key.",
  },
  revoked_api_key: {
    meaning: "The key was revoked; take another one.",
    message: "This API key was revoked. Use another key.",
  },
  insufficient_credits: {
    meaning: "The balance is below the price. Nothing was done.",
    message: "This request costs 5 credits; the balance is 3.",
  },
  insufficient_scope: {
    meaning: "The key lacks the scope that the message names.",
    message: "This API key doesn't have the scope 'scrape'. Use a key that has it.",
  },
  ip_not_allowed: {
    meaning: "The caller's address isn't in the key's allow-list, or `allowed_ips` isn't within the creator's.",
    message: "The IP address 203.0.113.7 isn't one of this API key's allowed IPs. Create a key that allows it.",
  },
  account_suspended: {
    meaning: "The account is suspended.",
    message: "This account is suspended. Contact the operator of this service.",
  },
  email_not_verified: {
    meaning:
      "No member of the account has confirmed the email address, so the account can't create live keys. Follow the link in the email, or have it sent again from the dashboard.",
    message: "Verify your email address before you create a live key. You can create test keys now.",
  },
  not_found: {
    meaning: "Nothing with this id belongs to the key's account and mode.",
    message: "There is no job '0199b2c0-7a51-7c3e-9d0a-3f1e5b7c9d11'.",
  },
  method_not_allowed: {
    meaning: "The path has other methods: see the Allow header.",
    message: "The method DELETE is not allowed for this path. Use POST.",
  },
  idempotency_conflict: {
    meaning: "The key of an earlier request with another body. Use a new one.",
    message: "This Idempotency-Key was already used with a different request body in the last 24 hours. Use a new key.",
  },
  key_limit_reached: {
    meaning: "The plan allows no more active keys.",
    message: "The plan 'free' allows 3 active keys. Revoke a key before you create another.",
  },
  payload_too_large: {
    meaning: `The body is larger than ${MAX_BODY_BYTES} bytes.`,
    message: `The body is larger than the limit of ${MAX_BODY_BYTES} bytes.`,
  },
  unsupported_media_type: {
    meaning: "The body isn't declared as JSON.",
    message: "The body must be sent with 'Content-Type: application/json'.",
  },
  rate_limited: {
    meaning: "The minute's requests are used up. Wait for `Retry-After` seconds.",
    message: "This API key is limited to 10 requests per minute. Try again in 23 seconds.",
  },
  unavailable: {
    meaning:
      "A part that is needed isn't configured or can't be reached, such as the account's data, or no browser was free for an hour. Nothing was charged. Wait for `Retry-After` seconds.",
    message: "No model is configured: set OPENAI_API_KEY or ANTHROPIC_API_KEY.",
  },
  dns_failure: {
    meaning: "The target's name could not be resolved.",
    message: "The name shop.example could not be resolved.",
  },
  connection_failed: {
    meaning: "The target refused the connection or broke it off.",
    message: "The connection to shop.example failed.",
  },
  tls_failure: {
    meaning: "The target's certificate isn't valid.",
    message: "A trusted TLS connection to shop.example could not be established.",
  },
  target_http_error: {
    meaning: "The target answered 4xx or 5xx; worth another try for 429 and 5xx (`retryable` says so).",
    message: "shop.example responded with status 404.",
  },
  too_many_redirects: {
    meaning: "The target redirects without end.",
    message: `shop.example redirects more than ${MAX_REDIRECTS} times.`,
  },
  blocked_by_target: {
    meaning:
      "The target showed a block page (a bot challenge or a consent page) instead of its content. Try from another country.",
    message: "shop.example returned a block page instead of its content: a bot challenge.",
  },
  proxy_unavailable: {
    meaning:
      "No proxy for the country: 400 when none is configured, 502 when it is dead or refuses the service's credentials.",
    message: "No proxy is configured for the country TR.",
  },
  model_failed: {
    meaning: "The language model's provider didn't answer, after three tries.",
    message: "The model gpt-5.4-mini (OpenAI) responded with status 500.",
  },
  serp_unavailable: {
    meaning: "No way to ask the search engine brought an answer.",
    message: "Google search failed: the browser could not be reached.",
  },
  target_timeout: {
    meaning: `The target took too long: ${FETCH_TIMEOUT_MS / SECOND_MS} s are a plain page's time, ${RENDER_TIMEOUT_MS / SECOND_MS} s a rendered one's.`,
    message: `shop.example did not send its complete response within ${FETCH_TIMEOUT_MS / SECOND_MS} seconds.`,
  },
  job_timeout: {
    meaning: `The job ran for ${JOB_TIMEOUT_MS / MINUTE_MS} minutes.`,
    message: "The job took longer than 5 minutes.",
  },
  invalid_target: {
    meaning: "The address may not be asked: 400 when it shows that itself, 422 when resolving or a redirect showed it.",
    message: "10.0.0.1 is a private address.",
  },
  selector_not_found: {
    meaning: `No element matched \`wait_for\` within ${WAIT_FOR_TIMEOUT_MS / SECOND_MS} s.`,
    message: `No element matched the selector '#price' within ${WAIT_FOR_TIMEOUT_MS / SECOND_MS} seconds.`,
  },
  unsupported_content: {
    meaning: "What came can't be converted, such as a film.",
    message: "The page is of the type video/mp4, which has no text to take.",
  },
  target_too_large: { meaning: "The page is over the limit.", message: "The page is larger than 5242880 bytes." },
  schema_mismatch: {
    meaning: "What the model answered doesn't fit the schema, or the page doesn't say what it requires.",
    message: "The page doesn't say what the schema requires at /price.",
  },
  model_refused: { meaning: "The model declined the task.", message: "The model gpt-5.4-mini refused to answer." },
  cancelled: { meaning: "The job was canceled.", message: "The job was canceled. Nothing was charged." },
  render_failed: {
    meaning: "The browser crashed on this page alone.",
    message: "The browser could not render the page.",
  },
  internal_error: { meaning: "A fault of the service, which logged it.", message: "Internal error." },
} as const satisfies Record<KnownCode, Help>;

const CODES = Object.keys(ERRORS) as [KnownCode, ...KnownCode[]];

/** A code that can be filtered by. */
export const KnownErrorCode = z.enum(CODES);

/** The known codes; a client must get along with one that it doesn't know. */
export const ErrorCode = z
  .union([z.enum(CODES), z.string()])
  .openapi("ErrorCode", { description: toDescription(), example: "invalid_request" });

function toDescription(): string {
  const rows = CODES.map((code) => `| \`${code}\` | ${ERRORS[code].status} | ${ERROR_HELP[code].meaning} |`);
  const head = [
    "What went wrong, for programs. Codes may be added: treat one that you don't know by its status and `retryable`.",
    "",
    "| code | status | |",
    "|---|---|---|",
  ];
  return [...head, ...rows].join("\n");
}
