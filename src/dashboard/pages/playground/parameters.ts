import type { EndpointRequests } from "../../../contract/endpoint-schemas";
import type { Endpoint } from "../../../model/endpoint";
import { MAP_URLS_DEFAULT, SERP_RESULTS_DEFAULT } from "../../../model/limits";

/**
 * The kind of field that the form shows for a parameter. `lines` is a list with one entry per line, and `choices` a
 * list of checkboxes. A `url` may omit the scheme. `headers` and `cookies` have one entry per line. `credentials` have
 * the format `user:password`. All parameters of the kind `other` share one field, which contains them as a JSON object.
 */
export type FieldKind =
  | "line"
  | "url"
  | "text"
  | "lines"
  | "choices"
  | "number"
  | "boolean"
  | "json"
  | "headers"
  | "cookies"
  | "credentials"
  | "other";

const SESSION = {
  headers: "headers",
  cookies: "cookies",
  user_agent: "line",
  basic_auth: "credentials",
} as const satisfies Record<string, FieldKind>;

const DEVICE = {
  device: "other",
  viewport: "other",
  locale: "other",
  timezone: "other",
  geolocation: "other",
} as const satisfies Record<string, FieldKind>;

const CAPTURE = {
  capture: "other",
  max_age: "other",
  capture_id: "other",
  store: "other",
} as const satisfies Record<string, FieldKind>;

/**
 * All parameters of the API. The type requires every parameter except `dry_run`, because the playground runs each
 * request.
 */
export const PARAMETERS: { [E in Endpoint]: Record<Exclude<keyof EndpointRequests[E], "dry_run">, FieldKind> } = {
  scrape: {
    url: "url",
    formats: "choices",
    render: "line",
    js_render: "boolean",
    wait_for: "line",
    timeout_ms: "other",
    wait_until: "other",
    wait_ms: "other",
    block_ads: "other",
    actions: "json",
    only_main_content: "boolean",
    include_selectors: "lines",
    exclude_selectors: "lines",
    hidden_text: "line",
    proxy_country: "line",
    ...DEVICE,
    json: "json",
    max_credits: "number",
    screenshot: "other",
    pdf: "other",
    ...SESSION,
    ...CAPTURE,
    metadata: "other",
    tags: "other",
    webhook_url: "url",
  },
  parse: {
    url: "url",
    html: "text",
    prompt: "text",
    schema: "json",
    strategy: "line",
    model: "line",
    evidence: "boolean",
    hidden_text: "line",
    max_credits: "number",
    render: "other",
    wait_for: "other",
    timeout_ms: "other",
    wait_until: "other",
    wait_ms: "other",
    block_ads: "other",
    actions: "json",
    ...SESSION,
    proxy_country: "other",
    ...DEVICE,
    ...CAPTURE,
    metadata: "other",
    tags: "other",
    webhook_url: "url",
  },
  serp: {
    query: "line",
    engine: "line",
    location: "line",
    language: "line",
    num_results: "number",
    device: "line",
    max_credits: "number",
    metadata: "other",
    tags: "other",
    webhook_url: "url",
  },
  map: {
    url: "url",
    search: "line",
    limit: "number",
    include_subdomains: "boolean",
    sitemap: "line",
    timeout_ms: "other",
    proxy_country: "line",
    max_credits: "number",
    metadata: "other",
    tags: "other",
    webhook_url: "url",
  },
};

/** The API's default values, which a request can omit. */
export const DEFAULTS = {
  scrape: { formats: ["markdown"], render: "never", only_main_content: true, hidden_text: "drop" },
  parse: { evidence: false, hidden_text: "drop" },
  serp: { engine: "google", num_results: SERP_RESULTS_DEFAULT, device: "desktop" },
  map: { limit: MAP_URLS_DEFAULT, include_subdomains: false, sitemap: "include" },
} satisfies { [E in Endpoint]: Partial<EndpointRequests[E]> };

/** The required parameters. They are sent even if they are empty, so that the error message names them. */
export const REQUIRED: { [E in Endpoint]: string } = { scrape: "url", parse: "prompt", serp: "query", map: "url" };
