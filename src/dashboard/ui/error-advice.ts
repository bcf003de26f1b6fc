import type { ErrorCode } from "../../model/errors";

/** Advice for each error code. */
export const ERROR_ADVICE: { [C in ErrorCode]: string } = {
  invalid_request: "Change the parameters in the message. The API reference describes each.",
  invalid_json: "Send a JSON object in UTF-8.",
  missing_api_key: "Send the header Authorization: Bearer with a key.",
  malformed_authorization: "Send the header as the word Bearer, one space and the key.",
  invalid_api_key: "Check that the key is complete and has no spaces. Otherwise create a new key.",
  revoked_api_key: "Create a new key and use it.",
  insufficient_credits: "Wait until the credits are renewed, or ask the operator of this service for more.",
  insufficient_scope: "Use a key that has the scope in the message. Scopes are set when a key is created.",
  ip_not_allowed: "Call from one of the key's addresses, or create a key that allows this one.",
  account_suspended: "Ask the operator of this service why the account is suspended.",
  email_not_verified: "Open the link in the email that we sent you, or request a new one on the overview.",
  not_found: "Check the path and the id, and that the key has the same mode as the resource.",
  method_not_allowed: "Use one of the methods in the header Allow.",
  idempotency_conflict: "Use a new Idempotency-Key for every different request.",
  key_limit_reached: "Revoke an unused key, then create the new one.",
  payload_too_large: "Send less data. The message has the limit.",
  unsupported_media_type: "Send the header Content-Type: application/json.",
  rate_limited: "Wait for the seconds in the header Retry-After, and spread out the requests.",
  unavailable: "Try again in a minute.",

  dns_failure:
    "Check the host's name for typing errors. If it is right, try again, because name servers fail at times.",
  connection_failed: "Open the page in your browser. If it loads, try again in a few minutes.",
  tls_failure:
    "The site's certificate or encryption is invalid, which only its owner can fix. Check whether another host name of the site works.",
  target_http_error:
    "The site responded with an error. Check that the page exists and is public. After a 429 or 5xx, try again later.",
  too_many_redirects: "The page redirects in a loop. Use the final address that a browser shows.",
  blocked_by_target:
    "The site blocks bots, and we don't solve its challenges. Rendering (js_render) or another country (proxy_country) may help. Otherwise ask the site for access.",
  proxy_unavailable: "Try again later, with another country or without one.",
  model_failed: "Try again in a minute, or use another model.",
  serp_unavailable: "Try again in a few minutes, or use another engine.",
  target_timeout: "The site was too slow. Try again later. If you use wait_for, check that the element appears.",
  job_timeout: "The job took more than five minutes. Use a smaller page or fewer results.",
  invalid_target: "Use a public http or https address. Private networks and this service itself are refused.",
  selector_not_found: "Check wait_for or include_selectors against the current page. The html format shows it.",
  unsupported_content:
    "The address is a file without text, such as an image or an archive. Use the page that links to it.",
  target_too_large: "The page is too large. Use a smaller page of the site, or the site's API.",
  schema_mismatch:
    "The model's answer never matched the schema. Require fewer properties, widen the types, or say in the prompt where the values are.",
  model_refused: "The model declined to answer. Describe more clearly what to extract, or use another model.",
  cancelled: "Send the request again if you still need the result.",
  render_failed: "The browser couldn't render the page. Try again, without js_render if the page needs no scripts.",
  internal_error:
    "This is our error. Try again. If it continues, contact the operator of this service with the job's id.",
};
