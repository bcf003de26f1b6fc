/** The limits and defaults of the service and of its platform. The suffix of a name is the unit. */

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const DAY_MS = 24 * 60 * MINUTE_MS;

// Limits for API requests.
export const MAX_BODY_BYTES = 5 * 1024 * 1024;
export const MAX_URL_CHARS = 2_048;
export const MAX_SELECTOR_CHARS = 500;
export const MAX_SELECTORS = 50;
export const MAX_KEY_NAME_CHARS = 100;
export const MAX_ACCOUNT_NAME_CHARS = 100;
export const INVITATION_MS = 7 * DAY_MS;
export const MIN_PASSWORD_CHARS = 10;
export const MAX_PASSWORD_CHARS = 128;
export const MAX_EMAIL_CHARS = 254;
export const MAX_ALLOWED_IPS = 100;
export const MAX_IDEMPOTENCY_KEY_CHARS = 255;
export const IDEMPOTENCY_MS = DAY_MS;
/** The largest `credit_limit` of a key. */
export const MAX_CREDIT_LIMIT = 1_000_000_000;
/** After a rotation, the previous secret of a key works for this long by default. */
export const GRACE_PERIOD_DEFAULT_S = 24 * 60 * 60;
export const GRACE_PERIOD_MAX_S = 30 * 24 * 60 * 60;
/** The number of days for which the API reports usage by default. */
export const USAGE_DAYS = 31;
/** The longest range of a usage report. Older usage is deleted. */
export const USAGE_RANGE_MAX_DAYS = 400;
/** The maximum number of groups in a usage report. */
export const MAX_USAGE_GROUPS = 2_000;
export const MAX_PROMPT_CHARS = 10_000;
export const MAX_QUERY_CHARS = 400;
export const MAX_LOCATION_CHARS = 100;
/** The longest language tag that RFC 5646, section 4.4.1, considers realistic. */
export const MAX_LANGUAGE_CHARS = 35;
export const SERP_RESULTS_DEFAULT = 10;
export const SERP_RESULTS_MAX = 100;
export const LIST_LIMIT_DEFAULT = 20;
export const LIST_LIMIT_MAX = 100;
/** The maximum offset, because SQLite reads and skips every row before it. Callers use a cursor to go further. */
export const LIST_OFFSET_MAX = 10_000;
export const MAX_FILTER_CHARS = 200;
export const GET_WAIT_MAX_S = 30;

// Limits for jobs.
export const SYNC_WAIT_MS = 60 * SECOND_MS;
/** A run is handed over to the queue this long after the response. The platform stops the run after about 30 s. */
export const HANDOVER_AFTER_MS = 25 * SECOND_MS;
export const LEASE_MS = 60 * SECOND_MS;
export const LEASE_RENEWAL_MS = 20 * SECOND_MS;
export const MAX_ATTEMPTS = 3;
export const JOB_TIMEOUT_MS = 5 * MINUTE_MS;
/** The time limit for one R2 call in an account's alarm. The alarm recovers no jobs while it waits for R2. */
export const R2_TIMEOUT_MS = 30 * SECOND_MS;
/** A job that isn't claimed within this time after its creation gets another queue message. */
export const FIRST_WAKE_MS = 2 * MINUTE_MS;
export const MAX_WAKE_BACKOFF_MS = 60 * MINUTE_MS;
export const CRON_BATCH = 500;
/** The time limit for a part of the cron, so that one part can't block others. The search checks take the longest. */
export const CRON_PART_MS = 150 * SECOND_MS;
/**
 * The largest result that is stored in the job's row. The row must stay under 64 KB, so a large request lowers this
 * limit. Larger results are stored in R2. Storing a result in R2 takes about as long as the other steps of a quick job
 * together.
 */
export const MAX_ROW_RESULT_BYTES = 60 * 1024;
/** The largest request that is stored in the account's Durable Object. Larger requests are stored in R2. */
export const MAX_ROW_REQUEST_BYTES = 60 * 1024;
/** The largest result that lists of jobs include. */
export const MAX_LISTED_RESULT_BYTES = 16 * 1024;
export const RETENTION_DAYS_DEFAULT = 30;

// The platform's maximum number of messages in one call of `sendBatch`.
export const QUEUE_SEND_BATCH = 100;

// The time limit for each part of the readiness check, and the number of checks per minute for one address.
export const READY_TIMEOUT_MS = 2 * SECOND_MS;
export const READY_CHECKS_PER_MINUTE = 60;

// Limits for fetching a page.
export const FETCH_TIMEOUT_MS = 30 * SECOND_MS;
export const MAX_REDIRECTS = 10;
/**
 * The maximum size of the headers in a response through a proxy. The limit also applies to all trailers together, and
 * to each line between chunks.
 */
export const MAX_HEADER_BYTES = 100 * 1024;
/** The time limit for a proxy to connect to the target. */
export const PROXY_CONNECT_TIMEOUT_MS = 15 * SECOND_MS;
/** The platform allows six connections per invocation. One is kept free for the connection to the browser. */
export const PROXY_CONNECTIONS = 5;
/** Limits for the subresources of a page that is rendered through a proxy. */
export const PROXIED_PAGE_CONNECTIONS = 3;
export const MAX_PROXIED_PAGE_REQUESTS = 200;
export const MAX_PROXIED_PAGE_BYTES = 20 * 1024 * 1024;
export const MAX_PROXIED_BODY_BYTES = 5 * 1024 * 1024;
export const PROXIED_SUBRESOURCE_MS = 15 * SECOND_MS;
/**
 * The default size limit of a page. An isolate has 128 MB of memory, which is enough for eight pages of this size in
 * parallel (`npm run memory`).
 */
export const MAX_PAGE_BYTES_DEFAULT = 5 * 1024 * 1024;
/** In an isolate, runs with a larger page run one at a time. Each run holds the lock for at most LARGE_LOCK_MS. */
export const LARGE_PAGE_BYTES = 1024 * 1024;
export const LARGE_LOCK_MS = 10 * SECOND_MS;
export const META_REFRESH_MAX_S = 5;
export const MAX_PDF_PAGES = 500;
/** A target's response is retried only if its `Retry-After` is at most this long. */
export const MAX_RETRY_AFTER_MS = 10 * SECOND_MS;

// Limits for rendering a page.
export const RENDER_TIMEOUT_MS = 45 * SECOND_MS;
export const WAIT_FOR_TIMEOUT_MS = 30 * SECOND_MS;
/** The longest wait for a page's `load` event. After this time, the page is used as soon as it is parsed. */
export const LOAD_MAX_MS = 25 * SECOND_MS;
/** The longest wait for a page whose parser loads resources of the page's own site that respond in time. */
export const OWN_PARSE_MAX_MS = 38 * SECOND_MS;
/**
 * After `DOMContentLoaded`, `load` is awaited for this long without progress of the page's own requests. The first limit
 * applies if only requests to other sites are pending.
 */
export const OTHER_SITES_LOAD_MS = 5 * SECOND_MS;
export const OWN_SITE_LOAD_MS = 10 * SECOND_MS;
/** The wait for `load` is checked at this interval. */
export const LOAD_TICK_MS = 250;
/** The longest wait after the `load` event, for a page that never becomes idle. */
export const QUIET_MAX_MS = 5 * SECOND_MS;
/** The number of redirects and navigations that a page may make in the browser. */
export const MAX_DOCUMENT_REQUESTS = 20;
export const VIEWPORT = { width: 1280, height: 800 } as const;
export const MAX_SCREENSHOT_HEIGHT_PX = 16_384;
/** A larger screenshot fails with `target_too_large`. A message to a Durable Object can have at most 32 MiB. */
export const MAX_SCREENSHOT_BYTES = 24 * 1024 * 1024;
/**
 * A taller page is captured in strips of this height, because a CDP message over 32 MiB closes the connection. The
 * message of a strip has at most 11 MB, even if the strip is random noise.
 */
export const SCREENSHOT_STRIP_PX = 2_048;
/** The time limit for all strips of a page together. */
export const SCREENSHOT_PAINT_MS = 20 * SECOND_MS;
/** A page that makes more requests than this fails with `target_too_large`. */
export const MAX_PAGE_REQUESTS = 3_000;
/** The maximum number of web workers that a page may start. A page can keep the thread of each worker busy. */
export const MAX_PAGE_WORKERS = 30;
/** The time limit for a CDP command that doesn't wait for the page. If it is exceeded, the browser is replaced. */
export const CDP_TIMEOUT_MS = 5 * SECOND_MS;
/**
 * A busy browser that sends no message for BROWSER_SILENCE_MS is pinged. The browser counts as dead if it doesn't
 * respond within BROWSER_PING_TIMEOUT_MS.
 */
export const BROWSER_SILENCE_MS = SECOND_MS;
export const BROWSER_PING_TIMEOUT_MS = 3 * SECOND_MS;
/** After another account has used a browser, an account may use at most half of the browser's slots for this long. */
export const SHARED_SLOTS_MS = 10 * SECOND_MS;
export const BROWSER_IDLE_MS = 60 * SECOND_MS;
/** A render waits for a slot for at most SLOT_WAIT_MS. WAITING_PER_SLOT renders may wait per slot of a browser. */
export const SLOT_WAIT_MS = 20 * SECOND_MS;
export const WAITING_PER_SLOT = 4;
export const LAUNCH_TIMEOUT_MS = 20 * SECOND_MS;
export const BROWSERS_DEFAULT = 2;
/** The number of browsers for renders that run alone after a crash. Accounts are distributed over these browsers. */
export const ALONE_BROWSERS = 4;
/** The number of renders of one account that may wait to run alone. An ordinary render takes 0.1 s. */
export const ALONE_WAITING = 50;
export const ALONE_BROWSER_IDLE_MS = 10 * SECOND_MS;
/** If a page of an account crashes its browser, the account's renders run alone for this long. */
export const RENDERS_ALONE_MS = 10 * MINUTE_MS;
export const RENDERS_PER_BROWSER_DEFAULT = 4;

// Limits for the model's input. A long page is split into parts, and each part is sent in one model call.
export const PARSE_MAX_INPUT_TOKENS_DEFAULT = 30_000;
/** The lowest limit that can be set for input tokens. A smaller part would have room only for the page's facts. */
export const PARSE_MAX_INPUT_TOKENS_LEAST = 500;
export const PARSE_MAX_PARTS = 8;
/** Each part begins with the page's facts, such as the title. They take at most this share of the part's tokens. */
export const PARSE_HEAD_SHARE = 0.25;
/** The selected content is used only if it has at least this share of the page's text outside links. */
export const PARSE_MIN_SHARE = 0.5;
/**
 * A page's content excludes its header, footer and menus. The model reads all content if it has at most
 * PARSE_CONTENT_TOKENS, or at most PARSE_CONTENT_MAX_GROWTH times the tokens of the main content.
 */
export const PARSE_CONTENT_TOKENS = 8_000;
export const PARSE_CONTENT_MAX_GROWTH = 3;
/** The maximum number of parallel model calls. The platform allows six connections per invocation. */
export const MODEL_CONNECTIONS = 5;
/** The maximum length of all quotes and JSON pointers of the evidence together. They are stored in the job's row. */
export const MAX_EVIDENCE_CHARS = 200_000;

// Limits for calling a model.
/** A model's stream that sends no byte for this long counts as disconnected. */
export const MODEL_SILENCE_MS_DEFAULT = 25 * SECOND_MS;
/** The time limit for a complete answer. A job's limit is longer, so that the error names the model as the cause. */
export const MODEL_RESPONSE_MS = 4 * MINUTE_MS;
/** The maximum time between the first failure of a model call and the start of its last (third) attempt. */
export const MODEL_RETRY_MS = 20 * SECOND_MS;
export const MODEL_RETRY_DELAYS_MS = [SECOND_MS, 4 * SECOND_MS] as const;
/**
 * The maximum length of an answer from Anthropic, whose API requires a limit. OpenAI's default is the model's limit. A
 * local server's default is the remaining context.
 */
export const MODEL_OUTPUT_TOKENS = 16_384;
/** The limit for one response of a model. A stream has about 250 bytes per token. */
export const MAX_MODEL_ANSWER_BYTES = 32 * 1024 * 1024;

// Limits for the caller's schema, which is sent with every part of a page. MAX_SCHEMA_DEPTH is the depth of the
// schema's JSON.
export const MAX_SCHEMA_CHARS = 64 * 1024;
export const MAX_SCHEMA_DEPTH = 64;
export const MAX_SCHEMA_NODES = 10_000;
export const MAX_PATTERN_CHARS = 1_000;
/**
 * Limits for validating one answer. A visit is one check of a value by a schema (about 1 µs). A step is one step of
 * matching a pattern (at most 0.7 ns).
 */
export const MAX_VALIDATION_VISITS = 1_000_000;
export const MAX_MATCH_STEPS = 150_000_000;
/**
 * The maximum length of a string that is matched with a pattern. If a pattern takes quadratic time or more, the match
 * reaches MAX_MATCH_STEPS before this length.
 */
export const MAX_MATCHED_CHARS = 10_000;
/** The limit for analyzing all patterns of a schema. This number of steps takes about 100 to 200 ms. */
export const MAX_PATTERN_ANALYSIS_STEPS = 1_000_000;
export const MAX_ANSWER_DEPTH = 100;
/** Limits for the list of problems that the model gets to repair its answer. */
export const MAX_PROBLEMS = 20;
export const MAX_PROBLEM_CHARS = 300;

// Limits for the evidence of a parse job.
export const MAX_QUOTES = 2_000;
export const MAX_QUOTE_CHARS = 1_000;

// Limits for search jobs.
/** The longest wait for an engine's results in a browser. Meanwhile, some challenges disappear without interaction. */
export const SERP_APPEAR_MS = 8 * SECOND_MS;
/** After this time, no further result pages are requested, and the results so far are returned. */
export const SERP_WALK_MS = 3 * MINUTE_MS;
/** The time limit for each attempt to resolve a redirect of a search engine. */
export const SERP_RESOLVE_MS = 8 * SECOND_MS;
/** The delay between two result pages of one search. */
export const SERP_PAGE_DELAY_MS = 500;
/**
 * The interval at which each search engine is checked. The next two limits are the time for which checks are kept, and
 * the time limit for one check.
 */
export const SERP_CHECK_EVERY_MS = 60 * MINUTE_MS;
export const SERP_CHECKS_KEPT_MS = 7 * DAY_MS;
export const SERP_CHECK_TIMEOUT_MS = 2 * MINUTE_MS;
export const SERP_PAGES_MAX = 10;
/** The maximum number of results that are read from one result page. No search engine shows more results on a page. */
export const MAX_SERP_PAGE_RESULTS = 200;
export const MAX_SERP_TITLE_CHARS = 500;
export const MAX_SERP_SNIPPET_CHARS = 2_000;
export const MAX_SERP_ADDRESS_CHARS = 8_000;
export const MAX_SERP_FEED_CHARS = 256 * 1024;

// Limits for calling an official search API.
export const SERP_API_TIMEOUT_MS = 20 * SECOND_MS;
/**
 * The delay before the only retry of a failed call, unless the API gives another delay. If the API gives a delay above
 * SERP_API_MAX_RETRY_DELAY_MS, the call isn't retried.
 */
export const SERP_API_RETRY_DELAY_MS = SECOND_MS;
export const SERP_API_MAX_RETRY_DELAY_MS = 10 * SECOND_MS;
export const MAX_SERP_API_BYTES = 5 * 1024 * 1024;
/** The maximum size of an error response. */
export const MAX_SERP_API_ERROR_BYTES = 16 * 1024;
/** The number of results that Yandex's API returns for a query, over all pages. */
export const YANDEX_API_RESULTS_MAX = 250;

// Limits for webhooks.
export const WEBHOOK_TIMEOUT_MS = 30 * SECOND_MS;
export const WEBHOOK_ATTEMPTS = 5;
/** The delays after the first four failed attempts. */
export const WEBHOOK_RETRY_DELAYS_MS = [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS] as const;
/** The largest result that an event includes. For a larger result, the receiver reads the job instead. */
export const MAX_WEBHOOK_RESULT_BYTES = 1024 * 1024;
/**
 * Limits for a receiver's response: the maximum number of bytes that are read, and the maximum number that are stored.
 */
export const MAX_WEBHOOK_RESPONSE_BYTES = 64 * 1024;
export const KEPT_WEBHOOK_RESPONSE_BYTES = 1024;
/** After a rotation of the webhook secret, deliveries are also signed with the previous secret for this long. */
export const PREVIOUS_SECRET_MS = DAY_MS;
/** The maximum number of webhook endpoints of an account in one mode, including the account's URL. */
export const MAX_WEBHOOK_ENDPOINTS = 10;
/** The maximum number of deliveries that one call redelivers. */
export const MAX_REDELIVERIES = 1_000;
/** At most one email about abandoned deliveries to an endpoint is sent in this time. */
export const WEBHOOK_ALERT_INTERVAL_MS = 60 * MINUTE_MS;
/** A delivery's log keeps this many attempts of earlier rounds. */
export const EARLIER_ATTEMPTS_KEPT = 20;

// Limits for the dashboard.
export const MAIL_TIMEOUT_MS = 10 * SECOND_MS;
/** The lifetime of a sign-in link that an operator creates. */
export const SIGN_IN_LINK_MS = DAY_MS;
/** The page of a new job waits at most this long for the job's end. Many jobs end within this time. */
export const PLAYGROUND_WAIT_MS = 1_500;
/** A page with live updates sends requests that wait for a change. Each request waits at most this long. */
export const LIVE_WAIT_MS = 20 * SECOND_MS;
/** The largest request or result that a page of the dashboard shows. A larger one can be downloaded. */
export const MAX_PREVIEW_BYTES = 256 * 1024;
/** The largest result that is converted for a download as Markdown or CSV. A larger one can be downloaded as JSON. */
export const MAX_CONVERTED_BYTES = 16 * 1024 * 1024;

// Limits for the tools of the MCP server.
/** A tool call waits at most this long for its job. MCP clients give up a tool call after about 60 seconds. */
export const TOOL_WAIT_MS = 50 * SECOND_MS;
/** The maximum length of a tool's result. A model reads this many characters as about 25,000 tokens. */
export const MAX_TOOL_RESULT_CHARS = 100_000;
/** The largest result that is read from R2 for a tool call. */
export const MAX_TOOL_RESULT_BYTES = 2 * 1024 * 1024;

// The version of the D1 schema.
/** The schema version that this code requires: the number of the last file in `migrations/`. */
export const SCHEMA_VERSION = 6;
