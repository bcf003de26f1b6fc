/** The limits for loading a page, without and with a browser. The suffix of a name is the unit. */
import { MINUTE_MS, SECOND_MS } from "./limits";

// Limits for fetching a page.
export const FETCH_TIMEOUT_MS = 30 * SECOND_MS;
export const MAX_REDIRECTS = 10;
/** The maximum size of the headers of a proxied response, of all trailers, and of each line between chunks. */
export const MAX_HEADER_BYTES = 100 * 1024;
export const PROXY_CONNECT_TIMEOUT_MS = 15 * SECOND_MS;
/** The platform allows six connections per invocation. Two are kept free, to start, use and close a browser. */
export const PROXY_CONNECTIONS = 4;
/** Limits for the subresources of a page that is rendered through a proxy. */
export const PROXIED_PAGE_CONNECTIONS = 3;
export const MAX_PROXIED_PAGE_REQUESTS = 200;
export const MAX_PROXIED_PAGE_BYTES = 20 * 1024 * 1024;
export const MAX_PROXIED_BODY_BYTES = 5 * 1024 * 1024;
export const PROXIED_SUBRESOURCE_MS = 15 * SECOND_MS;
/** The default size limit of a page. 128 MB of memory hold eight such pages (`npm run lab -- memory`). */
export const MAX_PAGE_BYTES_DEFAULT = 5 * 1024 * 1024;
/**
 * The pages that runs of an isolate process at the same time have this size together. A larger page is processed alone.
 * A page needs up to 20 times its size.
 */
export const LARGE_PAGE_BYTES = 1024 * 1024;
/** Smaller pages don't count. */
export const SMALL_PAGE_BYTES = 64 * 1024;
export const META_REFRESH_MAX_S = 5;
/** The maximum number of pages that are read from a PDF, and of slides that are read from a presentation. */
export const MAX_PDF_PAGES = 500;
/** The maximum number of pages of a PDF that a model reads with `ocr`. */
export const MAX_OCR_PAGES = 20;
/** The maximum `Retry-After` for which a target's response is retried. */
export const MAX_RETRY_AFTER_MS = 10 * SECOND_MS;

// Limits for rendering a page.
export const RENDER_TIMEOUT_MS = 45 * SECOND_MS;
export const WAIT_FOR_TIMEOUT_MS = 30 * SECOND_MS;
/** The wait for a selector ends this long before `timeout_ms`, so that the error can name the selector. */
export const WAIT_FOR_RESERVE_MS = 500;
/** The longest wait for a page's `load` event. After this time, the page is used as soon as it is parsed. */
export const LOAD_MAX_MS = 25 * SECOND_MS;
/** The longest wait for a page whose parser loads resources of the page's own site that respond in time. */
export const OWN_PARSE_MAX_MS = 38 * SECOND_MS;
/**
 * The maximum time without progress of requests while the page waits for `load` after `DOMContentLoaded`. The first
 * limit applies if only requests to other sites are pending, the second to the page's own requests.
 */
export const OTHER_SITES_LOAD_MS = 5 * SECOND_MS;
export const OWN_SITE_LOAD_MS = 10 * SECOND_MS;
/** The interval at which the wait for `load` checks its conditions. */
export const LOAD_TICK_MS = 250;
/** The longest wait after the `load` event, for a page that never becomes idle. */
export const QUIET_MAX_MS = 5 * SECOND_MS;
/** The longest wait of an action for its element. */
export const ACTION_ELEMENT_MS = 10 * SECOND_MS;
/** The maximum wait after an action for a reaction of the page. */
export const ACTION_SETTLE_MS = SECOND_MS;
/** The maximum time for which an action scrolls to the end of a page that keeps growing. */
export const SCROLL_END_MAX_MS = 30 * SECOND_MS;
/** The number of redirects and navigations that a page may make in the browser. */
export const MAX_DOCUMENT_REQUESTS = 20;
export const VIEWPORT = { width: 1280, height: 800 } as const;
export const MOBILE_VIEWPORT = { width: 412, height: 915 } as const;
export const VIEWPORT_MIN_PX = 240;
export const VIEWPORT_MAX_PX = 1_920;
/** The widest viewport of a mobile device (a tablet in portrait), and the narrowest window of a desktop browser. */
export const MOBILE_MAX_WIDTH_PX = 1_024;
export const DESKTOP_MIN_WIDTH_PX = 500;
export const MAX_SCREENSHOT_HEIGHT_PX = 16_384;
/**
 * The maximum size of a screenshot. A larger one fails with `target_too_large`. A message to a Durable Object can have
 * at most 32 MiB.
 */
export const MAX_SCREENSHOT_BYTES = 24 * 1024 * 1024;
/**
 * The screenshot of a taller page is taken in strips of this height, because a CDP message over 32 MiB closes the
 * connection. The message of a strip has at most 11 MB, even if the strip is random noise.
 */
export const SCREENSHOT_STRIP_PX = 2_048;
/** The maximum size of a JPEG or WebP, in pixels. It can't be joined from strips. Noise of this size has 15 MB. */
export const MAX_LOSSY_SCREENSHOT_PX = 8_000_000;
export const SCREENSHOT_QUALITY_DEFAULT = 80;
/** The maximum wait for images that a screenshot loads after the page was read. */
export const LATE_IMAGES_MS = 5 * SECOND_MS;
/** The maximum size of a PDF. A larger one fails with `target_too_large`. */
export const MAX_PDF_BYTES = 16 * 1024 * 1024;
/** The maximum number of pages of a PDF. Later pages are omitted. */
export const MAX_PRINTED_PAGES = 200;
/** The time limit for printing a page, and for reading the PDF. */
export const PRINT_MS = 20 * SECOND_MS;
/** The time limit for all strips of a page together. */
export const SCREENSHOT_PAINT_MS = 20 * SECOND_MS;
/** The maximum number of requests of a page. A page with more requests fails with `target_too_large`. */
export const MAX_PAGE_REQUESTS = 3_000;
/** The maximum number of web workers that a page may start. A page can keep the thread of each worker busy. */
export const MAX_PAGE_WORKERS = 30;
/** The time limit for a CDP command that doesn't wait for the page. If it is exceeded, the browser is replaced. */
export const CDP_TIMEOUT_MS = 5 * SECOND_MS;
/** A busy browser is pinged after BROWSER_SILENCE_MS, and is dead without a reply in BROWSER_PING_TIMEOUT_MS. */
export const BROWSER_SILENCE_MS = SECOND_MS;
export const BROWSER_PING_TIMEOUT_MS = 3 * SECOND_MS;
/** The time after another account's use in which an account may use at most half of a browser's slots. */
export const SHARED_SLOTS_MS = 10 * SECOND_MS;
export const BROWSER_IDLE_MS = 60 * SECOND_MS;
/** A render waits for a slot for at most SLOT_WAIT_MS. WAITING_PER_SLOT renders may wait per slot of a browser. */
export const SLOT_WAIT_MS = 20 * SECOND_MS;
export const WAITING_PER_SLOT = 4;
/** Asynchronous renders have at most half of the render slots. A render waits for its place for RUN_PLACE_WAIT_MS. */
export const RUN_PLACE_WAIT_MS = 60 * MINUTE_MS;
/** The renders that one object runs, because their Workers may share the memory of its isolate. */
export const RUNS_PER_RUNNER = 12;
export const LAUNCH_TIMEOUT_MS = 20 * SECOND_MS;
export const BROWSERS_DEFAULT = 2;
/** The number of browsers for renders that run alone after a crash. Accounts are distributed over these browsers. */
export const ALONE_BROWSERS = 4;
/** The number of renders of one account that may wait to run alone. An ordinary render takes 0.1 s. */
export const ALONE_WAITING = 50;
export const ALONE_BROWSER_IDLE_MS = 10 * SECOND_MS;
/** The time for which the renders of an account run alone after one of its pages has crashed a browser. */
export const RENDERS_ALONE_MS = 10 * MINUTE_MS;
export const RENDERS_PER_BROWSER_DEFAULT = 4;
