/**
 * The limits and defaults of the service and of its platform. The suffix of a name is the unit. page-limits.ts has the
 * limits for loading a page, and search-limits.ts has the limits for search jobs.
 */

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

// Limits for API requests.
export const MAX_BODY_BYTES = 5 * 1024 * 1024;
/** The largest body of multipart/form-data, and the largest file in a JSON body. */
export const MAX_UPLOAD_BYTES = 25 * 1024 * 1024;
export const MAX_INLINE_FILE_BYTES = 1024 * 1024;
/** The time in which a body must arrive. Work that is created after a key's end is stopped a minute after it. */
export const MAX_BODY_MS = 45 * SECOND_MS;
/** The maximum number of values in a body, and their maximum depth. */
export const MAX_BODY_VALUES = 100_000;
export const MAX_BODY_DEPTH = 200;
export const MAX_URL_CHARS = 2_048;
export const MAX_SELECTOR_CHARS = 500;
export const MAX_SELECTORS = 50;
export const MAX_REQUEST_HEADERS = 50;
/** The maximum size of all headers of a request together. Most servers refuse larger ones. */
export const MAX_REQUEST_HEADER_BYTES = 16 * 1024;
export const MAX_COOKIES = 100;
/** The maximum size of all cookies of a request together. */
export const MAX_COOKIES_BYTES = 16 * 1024;
/** The limits of browsers for one cookie (RFC 6265bis, section 5.7): its name with its value, and its path. */
export const MAX_COOKIE_BYTES = 4_096;
export const MAX_COOKIE_PATH_BYTES = 1_024;
export const MAX_USER_AGENT_CHARS = 500;
export const MAX_KEY_NAME_CHARS = 100;
export const MAX_ACCOUNT_NAME_CHARS = 100;
/** An account can have this many connected applications, or as many as its plan has keys. Neither counts as the other. */
export const MIN_CONNECTIONS = 10;
export const INVITATION_MS = 7 * DAY_MS;
export const MIN_PASSWORD_CHARS = 10;
export const MAX_PASSWORD_CHARS = 128;
export const MAX_EMAIL_CHARS = 254;
export const MAX_ALLOWED_IPS = 100;
export const MAX_IDEMPOTENCY_KEY_CHARS = 255;
export const IDEMPOTENCY_MS = DAY_MS;
export const MAX_CREDIT_LIMIT = 1_000_000_000;
/** After a rotation, the previous secret of a key works for this long by default. */
export const GRACE_PERIOD_DEFAULT_S = 24 * 60 * 60;
export const GRACE_PERIOD_MAX_S = 30 * 24 * 60 * 60;
/** The number of days for which the API reports usage by default. */
export const USAGE_DAYS = 31;
/** The longest range of a usage report. Older usage is deleted. */
export const USAGE_RANGE_MAX_DAYS = 400;
export const MAX_USAGE_GROUPS = 2_000;
export const MAX_PROMPT_CHARS = 10_000;
export const MAX_QUERY_CHARS = 400;
export const MAX_LOCATION_CHARS = 100;
/** The longest language tag that RFC 5646, section 4.4.1, considers realistic. */
export const MAX_LANGUAGE_CHARS = 35;
export const MAP_URLS_DEFAULT = 1_000;
export const MAP_URLS_MAX = 5_000;
/** The time limit for a map's requests. A caller who waits then still gets the result before a 202. */
export const MAP_TIMEOUT_MS = 40 * SECOND_MS;
/** The maximum number of sitemaps and of feeds that a map reads. */
export const MAX_MAP_SITEMAPS = 60;
export const MAX_MAP_FEEDS = 5;
/** The maximum number of URLs that a map collects from sitemaps before it filters and shortens the list. */
export const MAX_MAPPED_URLS = 50_000;
export const SERP_RESULTS_DEFAULT = 10;
export const SERP_RESULTS_MAX = 100;
/** The highest result page with which a search can begin. */
export const SERP_PAGE_MAX = 100;
/** The number of found pages that a search loads. */
export const SERP_LOAD_DEFAULT = 10;
export const SERP_LOAD_MAX = 20;
export const SERP_DOMAINS_MAX = 10;
export const MAX_DOMAIN_CHARS = 253;
export const LIST_LIMIT_DEFAULT = 20;
export const LIST_LIMIT_MAX = 100;
/** The maximum offset, because SQLite reads and skips every row before it. Callers use a cursor to go further. */
export const LIST_OFFSET_MAX = 10_000;
// Limits for the labels of a job.
export const MAX_TAGS = 20;
export const MAX_TAG_CHARS = 64;
export const MAX_METADATA_KEYS = 50;
export const MAX_METADATA_KEY_CHARS = 40;
export const MAX_METADATA_BYTES = 2_048;

export const MAX_FILTER_CHARS = 200;
export const GET_WAIT_MAX_S = 30;
export const TIMEOUT_MIN_MS = SECOND_MS;
export const TIMEOUT_MAX_MS = 120 * SECOND_MS;
/** The minimum time by which `timeout_ms` must be shorter than the wait of a caller who waits for the result. */
export const TIMEOUT_MARGIN_MS = 5 * SECOND_MS;
export const WAIT_MAX_MS = 10 * SECOND_MS;
/** The limits of a request's `actions`. */
export const MAX_ACTIONS = 50;
/** The maximum number of actions of the type `screenshot`, and of the type `html`. */
export const MAX_ACTION_OUTPUTS = 10;
export const MAX_ACTION_TEXT_CHARS = 10_000;
/** The maximum size of the texts of all actions as JSON. They are stored encrypted in the row of the job. */
export const MAX_ACTION_TEXTS_BYTES = 256 * 1024;
export const MAX_SCROLL_PX = 100_000;

/** The maximum number of requests in one batch. */
export const MAX_BATCH_REQUESTS = 1_000;
/** The maximum length of all different selectors, schemas and actions of a batch, which share one budget. */
export const MAX_BATCH_CHECKED_CHARS = 250_000;

// Limits for crawls.
export const CRAWL_LIMIT_DEFAULT = 100;
/** The maximum number of pages of a crawl. */
export const CRAWL_LIMIT_MAX = 10_000;
export const MAX_CRAWL_DELAY_S = 60;
export const MAX_PATH_PATTERNS = 50;
export const MAX_PATH_PATTERN_CHARS = 200;
export const SKIPPED_LIMIT_DEFAULT = 100;
export const SKIPPED_LIMIT_MAX = 1_000;

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
/** The time limits of the parts of the cron, and of its search checks. All parts together end within 15 minutes. */
export const CRON_PART_MS = 50 * SECOND_MS;
export const CRON_CHECK_MS = 150 * SECOND_MS;
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
/** The maximum size of all results in one list of the pages of a batch or crawl. */
export const MAX_PAGES_RESULT_BYTES = 10 * 1024 * 1024;
/** The maximum size of a stored result of which a part can be read. The Worker holds the whole result in memory. */
export const MAX_VIEW_BYTES = 5 * 1024 * 1024;
/** The maximum offset in a text, and the maximum length of a part. No result has a longer text. */
export const MAX_VIEW_SIZE = 10_000_000;
export const MAX_SECTION_CHARS = 1_000;
export const MAX_PASSAGE_QUERY_CHARS = 1_000;
export const PASSAGES_DEFAULT = 5;
export const PASSAGES_MAX = 20;
export const RETENTION_DAYS_DEFAULT = 30;

// Limits for captures and temporary results.
/** The maximum source size of a page that is kept as a capture. */
export const MAX_CAPTURE_BYTES = 5 * 1024 * 1024;
/** The largest `max_age`: 30 days. */
export const CAPTURE_MAX_AGE_S = 30 * 24 * 60 * 60;
/** The time after which the result of a request with `store: false` is deleted, even if it wasn't read. */
export const TEMPORARY_RESULT_MS = 60 * MINUTE_MS;

// The platform's maximum number of messages in one call of `sendBatch`.
export const QUEUE_SEND_BATCH = 100;

// The time limit for each part of the readiness check, and the number of checks per minute for one address.
export const READY_TIMEOUT_MS = 2 * SECOND_MS;
export const READY_CHECKS_PER_MINUTE = 60;

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
/** Limits for validating one answer: visits of a value by a schema (1 µs), and pattern steps (at most 0.7 ns). */
export const MAX_VALIDATION_VISITS = 1_000_000;
export const MAX_MATCH_STEPS = 150_000_000;
/** The maximum length of a matched string. Quadratic patterns reach MAX_MATCH_STEPS earlier. */
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

// Limits for webhooks.
export const WEBHOOK_TIMEOUT_MS = 30 * SECOND_MS;
export const WEBHOOK_ATTEMPTS = 5;
/** The number of events that an account may send to webhooks in an hour. Events above the limit wait. */
export const EVENTS_PER_HOUR = 10_000;
/** The same limit in test mode, and for accounts without a verified email address if email is configured. */
export const UNVERIFIED_EVENTS_PER_HOUR = 100;
/** The delays after the first four failed attempts. */
export const WEBHOOK_RETRY_DELAYS_MS = [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS] as const;
/** The largest result that an event includes. For a larger result, the receiver reads the job instead. */
export const MAX_WEBHOOK_RESULT_BYTES = 1024 * 1024;
/** Limits for a receiver's response: the bytes that are read, and those that are stored. */
export const MAX_WEBHOOK_RESPONSE_BYTES = 64 * 1024;
export const KEPT_WEBHOOK_RESPONSE_BYTES = 1024;
/** After a rotation of the webhook secret, deliveries are also signed with the previous secret for this long. */
export const PREVIOUS_SECRET_MS = DAY_MS;
/** The maximum number of webhook endpoints of an account in one mode, including the account's URL. */
export const MAX_WEBHOOK_ENDPOINTS = 10;
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
/** By default, a tool's result has this many tokens of text, and an outline of at most a quarter of this size. */
export const TOOL_PART_TOKENS = 7_500;
/** A larger screenshot isn't returned as an image. Some clients refuse results of more than 1 MB, in base64. */
export const MAX_TOOL_IMAGE_BYTES = 600_000;
/** The maximum number of tokens of all pages in a batch tool's result. Many clients refuse more than 25,000 tokens. */
export const MAX_TOOL_RESULT_TOKENS = 23_500;

// The version of the D1 schema.
/** The schema version that this code requires: the number of the last file in `migrations/`. */
export const SCHEMA_VERSION = 2;
