import { z } from "@hono/zod-openapi";
import { ACCOUNT_SUSPENDED_MESSAGE } from "../model/account";
import { ERROR_HINTS } from "../model/error-hints";
import { ERRORS, type ErrorDetail, type ErrorCode as KnownCode } from "../model/errors";
import { JOB_TIMEOUT_MS, MAX_BODY_BYTES, MINUTE_MS, SECOND_MS } from "../model/limits";
import { FETCH_TIMEOUT_MS, MAX_REDIRECTS, RENDER_TIMEOUT_MS, WAIT_FOR_TIMEOUT_MS } from "../model/page-limits";

interface Help {
  /** The cause of the error, and the fix if the caller can fix it. */
  meaning: string;
  /** An example of a message, exactly as the API sends it. */
  message: string;
}

/** Explains each error code in the API reference. */
export const ERROR_HELP = {
  invalid_request: {
    meaning: "A parameter is missing, unknown or invalid. `details` names each one and the rule that it breaks.",
    message: "The parameter 'num_results' must be from 1 to 100, not 500.",
  },
  invalid_json: { meaning: "The body isn't valid JSON.", message: "The body is not valid JSON." },
  missing_api_key: {
    meaning: "The request has no Authorization header.",
    message: "This request has no API key. Send it as 'Authorization: Bearer sk_live_…'.",
  },
  malformed_authorization: {
    meaning: "The Authorization header doesn't have the form `Bearer <API_KEY>`.",
    message: "The Authorization header must have the form 'Bearer <API_KEY>', once.",
  },
  invalid_api_key: {
    meaning: "The API key doesn't exist or is mistyped.",
    message: "This API key is not valid. Check that it is complete, or create a new key.",
  },
  revoked_api_key: {
    meaning: "The API key was revoked. Use another one.",
    message: "This API key was revoked. Use another key.",
  },
  expired_api_key: {
    meaning: "The API key has expired, or its secret was replaced and the grace period is over. Use another one.",
    message: "This API key expired at 2026-11-21T09:00:00.000Z. Use another key.",
  },
  insufficient_credits: {
    meaning: "The balance is lower than the price. No job was created.",
    message: "This request costs 5 credits; the balance is 3.",
  },
  price_limit: {
    meaning: "The lowest price of the request is higher than its `max_credits`. No job was created.",
    message: "This request costs 2 credits (scrape 1, rendering 1), which is more than 'max_credits' (1).",
  },
  insufficient_scope: {
    meaning: "The API key lacks the scope that the message names.",
    message: "This API key doesn't have the scope 'scrape'. Use a key that has it.",
  },
  ip_not_allowed: {
    meaning:
      "The caller's address isn't in the key's `allowed_ips`. When a key is created: its `allowed_ips` aren't within those of the key that creates it.",
    message: "The IP address 203.0.113.7 isn't one of this API key's allowed IPs. Create a key that allows it.",
  },
  account_suspended: {
    meaning: "The account is suspended. Contact the operator of the service.",
    message: ACCOUNT_SUSPENDED_MESSAGE,
  },
  email_not_verified: {
    meaning:
      "No member of the account has verified the email address, so the account can't create live keys. Open the link in the email. The dashboard can send the email again.",
    message: "Verify your email address before you create a live key. You can create test keys now.",
  },
  not_found: {
    meaning: "There is no object with this id in the account and the mode (live or test) of the API key.",
    message: "There is no job '0199b2c0-7a51-7c3e-9d0a-3f1e5b7c9d11'.",
  },
  method_not_allowed: {
    meaning: "The path doesn't support this method. The Allow header lists the methods that it supports.",
    message: "The method DELETE is not allowed for this path. Use POST.",
  },
  idempotency_conflict: {
    meaning: "The Idempotency-Key was used for a request with another body. Use a new key.",
    message: "This Idempotency-Key was already used with a different request body in the last 24 hours. Use a new key.",
  },
  key_limit_reached: {
    meaning: "The account has as many active API keys as its plan allows. Revoke one first.",
    message: "The plan 'free' allows 3 active keys. Revoke a key before you create another.",
  },
  payload_too_large: {
    meaning: `The body is larger than ${MAX_BODY_BYTES} bytes.`,
    message: `The body is larger than the limit of ${MAX_BODY_BYTES} bytes.`,
  },
  unsupported_media_type: {
    meaning: "The request's Content-Type isn't `application/json`.",
    message: "The body must be sent with 'Content-Type: application/json'.",
  },
  rate_limited: {
    meaning:
      "The API key has used up its requests for this minute. Retry after the number of seconds in `Retry-After`.",
    message: "This API key is limited to 10 requests per minute. Try again in 23 seconds.",
  },
  unavailable: {
    meaning:
      "A part of the service can't be reached, or no browser was free for an hour. No credits were charged. Retry after the number of seconds in `Retry-After`.",
    message: "The account can't be reached at the moment. Try again in a few seconds.",
  },
  not_configured: {
    meaning:
      "The operator of the service hasn't configured a part that the request needs, such as a language model. No job was created.",
    message: "No model is configured. Set OPENAI_API_KEY or ANTHROPIC_API_KEY.",
  },
  dns_failure: {
    meaning: "The host name of the target could not be resolved.",
    message: "The name shop.example could not be resolved.",
  },
  connection_failed: {
    meaning: "The target refused or closed the connection.",
    message: "The connection to shop.example failed.",
  },
  tls_failure: {
    meaning: "The TLS connection failed, for example because the target's certificate isn't valid.",
    message: "A trusted TLS connection to shop.example could not be established.",
  },
  target_http_error: {
    meaning: "The target responded with a 4xx or 5xx status. `retryable` is true for 429 and 5xx.",
    message: "shop.example responded with status 404.",
  },
  too_many_redirects: {
    meaning: `The target redirects more than ${MAX_REDIRECTS} times.`,
    message: `shop.example redirects more than ${MAX_REDIRECTS} times.`,
  },
  blocked_by_target: {
    meaning:
      "The target served a block page (a bot challenge or a consent page) instead of its content. Try `proxy_country` with another country.",
    message: "shop.example returned a block page (a bot challenge) instead of its content.",
  },
  proxy_unavailable: {
    meaning:
      "The proxy for the country can't be used. The status is 400 if no proxy is configured, and 502 if the proxy is down or refuses the service's credentials.",
    message: "No proxy is configured for the country TR. Use another country, or omit 'proxy_country'.",
  },
  model_failed: {
    meaning: "The provider of the language model returned no complete response in three attempts.",
    message: "The model gpt-5.4-mini (OpenAI) responded with status 500.",
  },
  serp_unavailable: {
    meaning: "No source of the search engine's results could be reached.",
    message: "Google search failed: the browser could not be reached.",
  },
  target_timeout: {
    meaning: `The target took too long. The limit is \`timeout_ms\`. Its default is ${FETCH_TIMEOUT_MS / SECOND_MS} seconds, or ${RENDER_TIMEOUT_MS / SECOND_MS} seconds for a rendered page.`,
    message: `shop.example did not send its complete response within ${FETCH_TIMEOUT_MS / SECOND_MS} seconds.`,
  },
  job_timeout: {
    meaning: `The job took longer than ${JOB_TIMEOUT_MS / MINUTE_MS} minutes.`,
    message: "The job took longer than 5 minutes.",
  },
  invalid_target: {
    meaning:
      "The URL isn't public, or it isn't allowed for another reason. The status is 400 if the URL alone shows this, and 422 if its DNS records or a redirect show it.",
    message: "10.0.0.1 is a private address.",
  },
  selector_not_found: {
    meaning: `No element matched \`wait_for\` within ${WAIT_FOR_TIMEOUT_MS / SECOND_MS} seconds, or within \`timeout_ms\`.`,
    message: `No element matched the selector '#price' within ${WAIT_FOR_TIMEOUT_MS / SECOND_MS} seconds.`,
  },
  action_failed: {
    meaning:
      "One of the `actions` failed. `details` names the action, and the message says why. The results of the earlier actions aren't returned.",
    message:
      "Action 2 (click) failed: the element '#sign-in' is covered by <div id=\"banner\">. The action took 10 seconds.",
  },
  unusable_page: {
    meaning:
      "The page isn't the content that the request needs: it is empty, a sign-in form, a message that the page doesn't exist, a parked domain, or a maintenance notice. No model was called.",
    message: "The outcome of the page is login. The page is a sign-in form. No model was called.",
  },
  unsupported_content: {
    meaning: "The content can't be converted, for example because it is a video.",
    message: "The page's media type is video/mp4, which has no text.",
  },
  target_too_large: {
    meaning: "The page or its screenshot is larger than the limit.",
    message: "The page is larger than 5242880 bytes.",
  },
  schema_mismatch: {
    meaning:
      "The model's response doesn't match the schema, or the page lacks a value that the schema requires. With the strategy `page`, the details name the properties that the page's own data lacks.",
    message: "The page has no value for /price, which the schema requires. Make it optional, or allow null.",
  },
  model_refused: {
    meaning: "The language model refused to answer.",
    message: "The model gpt-5.4-mini refused to answer.",
  },
  cancelled: { meaning: "The job was canceled.", message: "The job was canceled. Nothing was charged." },
  render_failed: {
    meaning: "The browser could not render the page, for example because the page crashed.",
    message: "The page could not be rendered.",
  },
  internal_error: {
    meaning: "An error in the service. It was logged with the request's `X-Request-Id`.",
    message: "Internal error.",
  },
} as const satisfies Record<KnownCode, Help>;

/** The origin of the service in examples. */
export const EXAMPLE_ORIGIN = "https://api.example.com";

/** The path of the error reference. It has one anchor per code. */
export const ERROR_REFERENCE_PATH = "/docs/errors";

/** Returns the URL of a code's section in the error reference. `origin` is the origin of this service. */
export function toErrorUrl(origin: string, code: KnownCode): string {
  return `${origin}${ERROR_REFERENCE_PATH}#${code}`;
}

/** Returns the next step after an error, and the URL of the code's section in the error reference. */
export function toErrorHelp(origin: string, code: KnownCode): { hint: string; doc_url: string } {
  return { hint: ERROR_HINTS[code], doc_url: toErrorUrl(origin, code) };
}

/** Returns the error of a failed job, as in job records and webhook events. `origin` is the origin of this service. */
export function toErrorRecord(
  { code, message, details }: { code: KnownCode; message: string; details?: ErrorDetail[] | undefined },
  origin: string,
) {
  return { code, message, ...toErrorHelp(origin, code), ...(details && { details }) };
}

const CODES = Object.keys(ERRORS) as [KnownCode, ...KnownCode[]];

/** The values of the job list's filter `code`. */
export const KnownErrorCode = z.enum(CODES);

/** A known error code, or any other string, because later versions may add codes. */
export const ErrorCode = z
  .union([z.enum(CODES), z.string()])
  .openapi("ErrorCode", { description: toDescription(), example: "invalid_request" });

function toDescription(): string {
  const rows = CODES.map((code) => `| \`${code}\` | ${ERRORS[code].status} | ${ERROR_HELP[code].meaning} |`);
  const head = [
    "A machine-readable error code. Later versions may add codes: handle an unknown code by its status and `retryable`.",
    "",
    "| code | status | meaning |",
    "|---|---|---|",
  ];
  return [...head, ...rows].join("\n");
}
