/** The limits for search jobs. The suffix of a name is the unit. */
import { DAY_MS, MINUTE_MS, SECOND_MS } from "./limits";

/** The maximum wait for an engine's results in a browser. Some challenges disappear in this time. */
export const SERP_APPEAR_MS = 8 * SECOND_MS;
/** The time limit of a search. After it, no more result pages are requested, and the results so far are returned. */
export const SERP_WALK_MS = 3 * MINUTE_MS;
/** The time limit for each attempt to resolve a redirect of a search engine. */
export const SERP_RESOLVE_MS = 8 * SECOND_MS;
/** The time after which no further redirect of a result page is requested. */
export const SERP_RESOLVE_ALL_MS = 20 * SECOND_MS;
/** The delay between two result pages of one search. */
export const SERP_PAGE_DELAY_MS = 500;
/** A search waits for the pages that it loads until this time after its start, but for at least SERP_LOAD_MIN_MS. */
export const SERP_LOAD_MS = 45 * SECOND_MS;
export const SERP_LOAD_MIN_MS = 5 * SECOND_MS;
/** The maximum size of one page in the result of a search, and of all pages together. */
export const MAX_SERP_PAGE_BYTES = 1024 * 1024;
export const MAX_SERP_PAGES_BYTES = 5 * MAX_SERP_PAGE_BYTES;
/** The interval of the checks of each search engine, the time for which they are kept, and their time limit. */
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
/** The delay before the only retry, unless the API gives one, of at most SERP_API_MAX_RETRY_DELAY_MS. */
export const SERP_API_RETRY_DELAY_MS = SECOND_MS;
export const SERP_API_MAX_RETRY_DELAY_MS = 10 * SECOND_MS;
export const MAX_SERP_API_BYTES = 5 * 1024 * 1024;
/** The maximum size of an error response. */
export const MAX_SERP_API_ERROR_BYTES = 16 * 1024;
/** The number of results that Yandex's API returns for a query, over all pages. */
export const YANDEX_API_RESULTS_MAX = 250;
