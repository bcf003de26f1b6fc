/** Every number of the specification and of the platform, with its unit. */

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const DAY_MS = 24 * 60 * MINUTE_MS;

// Requests.
export const MAX_BODY_BYTES = 5 * 1024 * 1024;
export const MAX_URL_CHARS = 2_048;
export const MAX_SELECTOR_CHARS = 500;
export const MAX_SELECTORS = 50;
export const MAX_KEY_NAME_CHARS = 100;
export const MIN_PASSWORD_CHARS = 10;
export const MAX_PASSWORD_CHARS = 128;
export const MAX_EMAIL_CHARS = 254;
export const MAX_ALLOWED_IPS = 100;
export const MAX_IDEMPOTENCY_KEY_CHARS = 255;
export const IDEMPOTENCY_MS = DAY_MS;
/** How far back usage is told, day by day. */
export const USAGE_DAYS = 31;
export const MAX_PROMPT_CHARS = 10_000;
export const MAX_QUERY_CHARS = 400;
export const MAX_LOCATION_CHARS = 100;
/** RFC 5646 (4.4.1): what any tag needs that isn't made up to be long. */
export const MAX_LANGUAGE_CHARS = 35;
export const SERP_RESULTS_DEFAULT = 10;
export const SERP_RESULTS_MAX = 100;
export const LIST_LIMIT_DEFAULT = 20;
export const LIST_LIMIT_MAX = 100;
/** SQLite reads and skips every row before an offset. A cursor goes further. */
export const LIST_OFFSET_MAX = 10_000;
export const MAX_FILTER_CHARS = 200;
export const GET_WAIT_MAX_S = 30;

// Jobs.
export const SYNC_WAIT_MS = 60 * SECOND_MS;
/** The platform keeps a promise for about 30 s after the answer: before that, the run goes to the queue. */
export const HANDOVER_AFTER_MS = 25 * SECOND_MS;
export const LEASE_MS = 60 * SECOND_MS;
export const LEASE_RENEWAL_MS = 20 * SECOND_MS;
export const MAX_ATTEMPTS = 3;
export const JOB_TIMEOUT_MS = 5 * MINUTE_MS;
/** A job's message is sent again if the job wasn't claimed within this time after it was created. */
/** An R2 call of an account's alarm is given up after this time, because the alarm recovers no jobs until then. */
export const R2_TIMEOUT_MS = 30 * SECOND_MS;
export const FIRST_WAKE_MS = 2 * MINUTE_MS;
export const MAX_WAKE_BACKOFF_MS = 60 * MINUTE_MS;
export const CRON_BATCH = 500;
/** A part of the cron that takes longer doesn't keep the others from being done. The canary has the longest. */
export const CRON_PART_MS = 150 * SECOND_MS;
/**
 * The largest result that is stored in the account's object, with the request if that is large too. A larger one is stored in
 * R2, which takes as long as the rest of a quick job. A row stays under 64 KB.
 */
export const MAX_ROW_RESULT_BYTES = 60 * 1024;
/** The largest request that is stored in the account's object. A larger one is stored in R2. */
export const MAX_ROW_REQUEST_BYTES = 60 * 1024;
/** Lists leave out larger results. */
export const MAX_LISTED_RESULT_BYTES = 16 * 1024;
export const RETENTION_DAYS_DEFAULT = 30;

// Queues. `sendBatch` takes at most 100 messages.
export const QUEUE_SEND_BATCH = 100;

// Health: how long each part may take to answer, and how often one address may ask.
export const READY_ANSWER_MS = 2 * SECOND_MS;
export const READY_CHECKS_PER_MINUTE = 60;

// Fetching a page.
export const FETCH_TIMEOUT_MS = 30 * SECOND_MS;
export const MAX_REDIRECTS = 10;
/** Of an answer that came through a proxy; of each of its trailers and lines between chunks as well. */
export const MAX_HEADER_BYTES = 100 * 1024;
/** How long a proxy may take until it has connected us to the target. */
export const PROXY_ANSWER_MS = 15 * SECOND_MS;
/** An invocation has six connections; a browser is one. */
export const PROXY_CONNECTIONS = 5;
/** Of a page that is rendered through a proxy: what it may ask for, its document apart. */
export const PROXIED_PAGE_CONNECTIONS = 3;
export const MAX_PROXIED_PAGE_REQUESTS = 200;
export const MAX_PROXIED_PAGE_BYTES = 20 * 1024 * 1024;
export const MAX_PROXIED_BODY_BYTES = 5 * 1024 * 1024;
export const PROXIED_SUBRESOURCE_MS = 15 * SECOND_MS;
/** Eight of them at once stay within an isolate's 128 MB: `npm run memory`. */
export const MAX_PAGE_BYTES_DEFAULT = 5 * 1024 * 1024;
/** Runs whose page is larger have an isolate's memory one at a time, each for so long at most. */
export const LARGE_PAGE_BYTES = 1024 * 1024;
export const LARGE_LOCK_MS = 10 * SECOND_MS;
export const META_REFRESH_MAX_S = 5;
export const MAX_PDF_PAGES = 500;
/** A target that asks for a longer pause before another try doesn't get one. */
export const MAX_RETRY_AFTER_MS = 10 * SECOND_MS;

// Rendering a page.
export const RENDER_TIMEOUT_MS = 45 * SECOND_MS;
export const WAIT_FOR_TIMEOUT_MS = 30 * SECOND_MS;
/** A page that is readable but never fires `load` is taken after this. */
export const LOAD_MAX_MS = 25 * SECOND_MS;
/** A page that never goes quiet costs this much after its `load`, no more. */
export const QUIET_MAX_MS = 5 * SECOND_MS;
/** Redirects and documents that the page goes on to by itself, in the browser. */
export const MAX_DOCUMENT_REQUESTS = 20;
export const VIEWPORT = { width: 1280, height: 800 } as const;
export const MAX_SCREENSHOT_HEIGHT_PX = 16_384;
/** Above this, a screenshot is `target_too_large`. It has to fit into one message to a Durable Object (32 MiB). */
export const MAX_SCREENSHOT_BYTES = 24 * 1024 * 1024;
/**
 * Taller pages are captured in strips of this height (px). A CDP message over 32 MiB ends the connection, and one strip of noise
 * makes a message of 11 MB.
 */
export const SCREENSHOT_STRIP_PX = 2_048;
/** All strips of a page together. */
export const SCREENSHOT_PAINT_MS = 20 * SECOND_MS;
/** A page that makes more requests than this fails with `target_too_large`. */
export const MAX_PAGE_REQUESTS = 3_000;
/** Each worker is a thread that a page may keep busy. */
export const MAX_PAGE_WORKERS = 30;
/** A CDP command that doesn't wait for the page is answered within this, or the browser is replaced. */
export const CDP_TIMEOUT_MS = 5 * SECOND_MS;
/** A browser that has work and sends nothing for BROWSER_SILENCE_MS is pinged. It counts as dead after BROWSER_ANSWER_MS more. */
export const BROWSER_SILENCE_MS = SECOND_MS;
export const BROWSER_ANSWER_MS = 3 * SECOND_MS;
/** After another account rendered in a browser, an account has at most half of its slots for this long. */
export const SHARED_SLOTS_MS = 10 * SECOND_MS;
export const BROWSER_IDLE_MS = 60 * SECOND_MS;
/** How long a render waits for a slot, and how many may wait per slot of a browser. */
export const SLOT_WAIT_MS = 20 * SECOND_MS;
export const WAITING_PER_SLOT = 4;
export const LAUNCH_TIMEOUT_MS = 20 * SECOND_MS;
export const BROWSERS_DEFAULT = 2;
/** Browsers for renders that run alone because a browser was lost under them. Accounts are spread over them. */
export const ALONE_BROWSERS = 4;
/** Renders of one account that may wait to run alone. An ordinary one takes a tenth of a second. */
export const ALONE_WAITING = 50;
export const ALONE_BROWSER_IDLE_MS = 10 * SECOND_MS;
/** An account whose page ended a browser renders alone for this long. */
export const RENDERS_ALONE_MS = 10 * MINUTE_MS;
export const RENDERS_PER_BROWSER_DEFAULT = 4;

// Parse: what the model reads, in tokens of a part.
export const PARSE_MAX_INPUT_TOKENS_DEFAULT = 30_000;
/** A smaller part holds its head and nothing else. */
export const PARSE_MAX_INPUT_TOKENS_LEAST = 500;
export const PARSE_MAX_PARTS = 8;
/** What a page says about itself goes with each part, and takes no more of it than this. */
export const PARSE_HEAD_SHARE = 0.25;
/** What is read instead of the whole page must have so much of its text, links aside. */
export const PARSE_MIN_SHARE = 0.5;
/** A page without its site's navigation is read as it is up to this many tokens, or this many times its main content. */
export const PARSE_CONTENT_TOKENS = 8_000;
export const PARSE_CONTENT_MAX_GROWTH = 3;
/** Asked side by side: an invocation has six connections. */
export const MODEL_CONNECTIONS = 5;
/** Of quotes and pointers, in a job's row. */
export const MAX_EVIDENCE_CHARS = 200_000;

// Asking a model.
/** A model that says nothing for so long has hung up: before its answer or in the middle of it. */
export const MODEL_SILENCE_MS_DEFAULT = 25 * SECOND_MS;
/** A living answer may take so long: less than a job, so that it is the model that is blamed. */
export const MODEL_ANSWER_MS = 4 * MINUTE_MS;
/** Three tries; none begins later than this after the first failure. */
export const MODEL_RETRY_MS = 20 * SECOND_MS;
export const MODEL_RETRY_DELAYS_MS = [SECOND_MS, 4 * SECOND_MS] as const;
/** Anthropic wants a limit. OpenAI's own is the model's, and a local server's what is left of its context. */
export const MODEL_OUTPUT_TOKENS = 16_384;
/** A stream spends about 250 bytes on a token. */
export const MAX_MODEL_ANSWER_BYTES = 32 * 1024 * 1024;

// Parse: the caller's schema. It goes to the model with every part of a page; nesting is that of its JSON.
export const MAX_SCHEMA_CHARS = 64 * 1024;
export const MAX_SCHEMA_DEPTH = 64;
export const MAX_SCHEMA_NODES = 10_000;
export const MAX_PATTERN_CHARS = 1_000;
/** Limits the validation of one answer: visits of a value by a schema (about 1 µs each), and steps of its patterns (at most 0.7 ns). */
export const MAX_VALIDATION_VISITS = 1_000_000;
export const MAX_MATCH_STEPS = 150_000_000;
/** Longer texts are not matched with any pattern. The steps limit the text further for patterns that take quadratic time or more. */
export const MAX_MATCHED_CHARS = 10_000;
/** Limits the analysis of the patterns of one schema: about 100 to 200 ms. */
export const MAX_PATTERN_ANALYSIS_STEPS = 1_000_000;
export const MAX_ANSWER_DEPTH = 100;
/** So much of what is wrong with an answer is told to the model. */
export const MAX_PROBLEMS = 20;
export const MAX_PROBLEM_CHARS = 300;

// Parse: evidence.
export const MAX_QUOTES = 2_000;
export const MAX_QUOTE_CHARS = 1_000;

// Search results.
/** How long (ms) a browser waits for an engine's results. Some bot challenges go away without interaction. */
export const SERP_APPEAR_MS = 8 * SECOND_MS;
/** A walk through the pages ends with what there is after this. */
export const SERP_WALK_MS = 3 * MINUTE_MS;
/** Of a redirect that only the engine knows, each try. */
export const SERP_RESOLVE_MS = 8 * SECOND_MS;
/** Between the pages of one search. */
export const SERP_PAGE_DELAY_MS = 500;
/** The canary: how often, and how long one check may take. */
export const SERP_CHECK_EVERY_MS = 60 * MINUTE_MS;
export const SERP_CHECKS_KEPT_MS = 7 * DAY_MS;
export const SERP_CHECK_TIMEOUT_MS = 2 * MINUTE_MS;
export const SERP_PAGES_MAX = 10;
/** No engine's page holds more; of one that does, the rest isn't read. */
export const MAX_SERP_PAGE_RESULTS = 200;
export const MAX_SERP_TITLE_CHARS = 500;
export const MAX_SERP_SNIPPET_CHARS = 2_000;
export const MAX_SERP_ADDRESS_CHARS = 8_000;
export const MAX_SERP_FEED_CHARS = 256 * 1024;

// Asking an official search API.
export const SERP_API_ANSWER_MS = 20 * SECOND_MS;
/** Two tries: the pause between them, and the longest one that an API may ask for. */
export const SERP_API_RETRY_DELAY_MS = SECOND_MS;
export const SERP_API_MAX_RETRY_DELAY_MS = 10 * SECOND_MS;
export const MAX_SERP_API_BYTES = 5 * 1024 * 1024;
/** Of an answer that isn't a success. */
export const MAX_SERP_API_ERROR_BYTES = 16 * 1024;
/** Yandex's API gives no more for a query, over all pages. */
export const YANDEX_API_RESULTS_MAX = 250;

// Webhooks.
export const WEBHOOK_ANSWER_MS = 30 * SECOND_MS;
export const WEBHOOK_ATTEMPTS = 5;
/** Pauses after the first, second, third and fourth failed attempt. */
export const WEBHOOK_RETRY_DELAYS_MS = [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS] as const;
/** A larger result isn't pushed, but left to the job. */
export const MAX_WEBHOOK_RESULT_BYTES = 1024 * 1024;
/** How much of a receiver's answer is read, and how much of that is kept. */
export const MAX_WEBHOOK_ANSWER_BYTES = 64 * 1024;
export const KEPT_WEBHOOK_ANSWER_BYTES = 1024;
/** After a rotation, how long the old secret signs beside the new one. */
export const PREVIOUS_SECRET_MS = DAY_MS;
/** Of earlier rounds, so many attempts stay in a delivery's log. */
export const EARLIER_ATTEMPTS_KEPT = 20;

// The dashboard.
export const MAIL_TIMEOUT_MS = 10 * SECOND_MS;
/** How long a sign-in link that an operator makes may be used. */
export const SIGN_IN_LINK_MS = DAY_MS;
/** How long after its making a page waits for a job before it is shown as being under way. */
export const PLAYGROUND_WAIT_MS = 1_500;
/** How long the request of a page that updates itself is held while nothing changes. */
export const LIVE_WAIT_MS = 20 * SECOND_MS;
/** The largest result or request that a page shows. A larger result can be downloaded. */
export const MAX_PREVIEW_BYTES = 256 * 1024;

// Tools of the MCP server.
/** Below the minute after which clients give a call up. */
export const TOOL_WAIT_MS = 50 * SECOND_MS;
/** A model reads about a quarter as many tokens. */
export const MAX_TOOL_RESULT_CHARS = 100_000;
/** Of a stored result that is read at all. */
export const MAX_TOOL_RESULT_BYTES = 2 * 1024 * 1024;

// D1.
/** The version of the schema that this code needs: the number of the last file in `migrations/`. */
export const SCHEMA_VERSION = 2;
