import type { ErrorCode } from "../../model/errors";

/** What somebody can do about an error, in a sentence or two. */
export const ERROR_ADVICE: Record<ErrorCode, string> = {
  invalid_request: "Change the parameters that the message names: the API reference says what each may be.",
  invalid_json: "Send a body that is JSON, in UTF-8, and an object.",
  missing_api_key: "Send the header Authorization: Bearer, followed by a key.",
  malformed_authorization: "Write the header as the word Bearer, one space and the key, nothing else.",
  invalid_api_key: "Check that the whole key was copied, without spaces; else make another one.",
  revoked_api_key: "This key is no longer good for anything. Make another one and use that.",
  insufficient_credits: "Wait until the credits are renewed, or ask whoever operates this service for more.",
  insufficient_scope: "Use a key that has the scope which the message names; scopes are chosen when a key is made.",
  ip_not_allowed: "Call from one of the key's addresses, or make a key that allows this one.",
  account_suspended: "Ask whoever operates this service why the account is suspended.",
  email_not_verified: "Open the link in the email that was sent to you, or have it sent again on the overview.",
  not_found: "Check the address and the identifier, and that the key's mode is the one it was made in.",
  method_not_allowed: "Use one of the methods that the header Allow names.",
  idempotency_conflict: "Take a new Idempotency-Key for every different request.",
  key_limit_reached: "Revoke a key that isn't used any more, then make the new one.",
  payload_too_large: "Send less: the message says how much is taken.",
  unsupported_media_type: "Send the header Content-Type: application/json.",
  rate_limited: "Wait as many seconds as the header Retry-After says, and spread the requests out.",
  unavailable: "Try again in a minute.",

  dns_failure: "Check the host's name for typing errors. If it is right, try again: name servers fail at times.",
  connection_failed: "Open the page in a browser of your own. If it is there, try again in a few minutes.",
  tls_failure:
    "The site's certificate or its encryption isn't in order: only its owner can mend that. Check whether another host name of the site works.",
  target_http_error:
    "The site answered with an error of its own. Check that the page exists and is open to everybody; after a 429 or 5xx, try again later.",
  too_many_redirects: "The page leads in circles. Ask for the address at which a browser ends up.",
  blocked_by_target:
    "The site keeps robots out, and we don't solve its tests. Rendering (js_render) or another country (proxy_country) may help; else ask the site for access.",
  proxy_unavailable: "Try again later, or ask for another country, or for none.",
  model_failed: "Try again in a minute, or choose the other model.",
  serp_unavailable: "Try again in a few minutes, or ask another engine.",
  target_timeout:
    "The site was too slow. Try again later; if you wait for an element (wait_for), check that it appears at all.",
  job_timeout: "The work took more than five minutes. Ask for less of it: a smaller page, fewer results.",
  invalid_target: "Ask for a public http or https address: private networks and this service itself aren't asked.",
  selector_not_found:
    "Check wait_for or include_selectors against the page as it is now: sites change. The html format shows what is there.",
  unsupported_content:
    "The address leads to something that has no text to take, such as a picture or an archive. Ask for the page that links to it.",
  target_too_large: "The page is larger than what is taken. Look for a page of it alone, or for its API.",
  schema_mismatch:
    "The model's answer never matched the schema. Make fewer members required, widen the types, or say in the prompt where the values stand.",
  model_refused: "The model declined to answer. Say more plainly what to extract, or choose the other model.",
  render_failed: "The browser couldn't show the page. Try again; without js_render if the page needs no scripts.",
  internal_error: "The fault is ours. Try again; if it stays, tell whoever operates this service the job's identifier.",
};
