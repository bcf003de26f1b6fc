import type { ErrorCode } from "./errors";

/**
 * The next step of the caller, for each error code. Error responses, the error reference and the dashboard show these
 * texts. An `AppError` can have its own hint, if it knows more than its code says.
 */
export const ERROR_HINTS: { [C in ErrorCode]: string } = {
  invalid_request: "Fix the parameters that the message names. The API reference at /docs describes each parameter.",
  invalid_json:
    "Send a JSON object in UTF-8. JSON needs double quotes around names and texts, and no comma after the last value.",
  missing_api_key: "Send the header 'Authorization: Bearer <API_KEY>'. You can create API keys in the dashboard.",
  malformed_authorization: "Send exactly one header of the form 'Authorization: Bearer <API_KEY>'.",
  invalid_api_key: "Check that the API key is complete and contains no spaces, or create a new API key.",
  revoked_api_key: "Use another API key, or create a new one.",
  expired_api_key: "Use another API key, or create a new one. If the key was rotated, use its new secret.",
  insufficient_credits: "Wait for the next renewal, or ask the operator of this service for more credits.",
  price_limit: "Raise max_credits to the price in the message, or request less.",
  insufficient_scope:
    "Use an API key that has the scope that the message names, or add the scope on the page API keys.",
  ip_not_allowed: "Send the request from one of the key's allowed IPs, or create a key that allows this IP address.",
  account_suspended: "Ask the operator of this service why the account is suspended.",
  email_not_verified:
    "Open the link in the email that we sent you, or request a new link on the dashboard's overview page.",
  not_found: "Check the id. Use an API key of the same account and of the same mode, live or test.",
  method_not_allowed: "Use one of the methods that the message names. The Allow header lists them, too.",
  idempotency_conflict: "Use a new Idempotency-Key for each request with a different body.",
  key_limit_reached: "Revoke an unused key before you create a new key.",
  payload_too_large: "Send a smaller body. The message contains the limit.",
  unsupported_media_type: "Send the parameters as a JSON object, with the header 'Content-Type: application/json'.",
  rate_limited: "Wait for the number of seconds in the Retry-After header, then send requests at a lower rate.",
  unavailable: "Try again in a minute.",
  not_configured:
    "Ask the operator of this service to configure the part that the message names. Test keys (sk_test_…) don't need it.",

  dns_failure: "Check the spelling of the host name. If it is right, try again, because the error may be temporary.",
  connection_failed: "Open the page in your browser. If it loads, try again in a few minutes.",
  tls_failure:
    "The site's certificate or TLS configuration is invalid. Only the site's owner can fix it. Try another host name of the site.",
  target_http_error: "Check that the page exists and is public. If the status is 429 or 5xx, try again later.",
  too_many_redirects: "Open the page in your browser and use the URL after the redirects.",
  blocked_by_target:
    "The site blocks bots, and this service doesn't solve challenges. Try rendering (render) or another country (proxy_country), or ask the site's owner for access.",
  proxy_unavailable: "Try again later, use another country, or omit proxy_country.",
  model_failed: "Try again in a minute, or use another model.",
  serp_unavailable: "Try again in a few minutes, or use another engine.",
  target_timeout:
    "Try again later, or set a longer timeout_ms. If you use wait_for, check that the element appears on the page.",
  job_timeout: "Use a smaller page or request fewer results. A job can take up to five minutes.",
  invalid_target:
    "Use a public http or https URL. If the host is on the deny list, contact the operator of this service. If you run the service with npm start, you can allow a local host: npm start -- --var ALLOWED_PRIVATE_HOSTS:localhost:3000.",
  action_failed:
    "Check the selector of the action that details names. Add a wait action before it, or close the element that covers it.",
  selector_not_found:
    "Compare wait_for and include_selectors with the page's current HTML. Use the html format to get the HTML.",
  unusable_page:
    "Open the URL in your browser, and use the URL of the page that has the data. The job's error names what the page is.",
  unsupported_content:
    "The URL points to a file without text, such as an image or an archive. Use the page that links to the file.",
  target_too_large: "Use a smaller page of the site, or the site's API.",
  schema_mismatch:
    "Require fewer properties, allow null or more types, or describe in the prompt where the values are. The data that was found doesn't match the schema.",
  model_refused: "Describe more clearly what to extract, or use another model.",
  cancelled: "Send the request again if you still need the result.",
  render_failed: "Try again. If the page doesn't need scripts, set render to never.",
  internal_error:
    "Try again. If the error persists, contact the operator of this service and include the id of the request or of the job.",
};
