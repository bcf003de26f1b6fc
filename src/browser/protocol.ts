/** The requests and replies of a BrowserHost. They have no classes, because RPC doesn't preserve classes. */
import type { Action, ActionType } from "../contract/actions";
import type { TimeLimit } from "../lib/time-limit";
import type { ErrorCode, ErrorDetail, TargetBusy } from "../model/errors";
import type { Paper, ScreenshotType } from "../model/page-files";
import type { ProxyAddress } from "../net/proxy-config";
import type { Session } from "../net/session";

export interface RenderRequest {
  /** The id of the render, for `BrowserHost.cancel`. */
  id: string;
  /** The id of the account. Accounts share a browser fairly. */
  account: string;
  /** The maximum number of concurrent renders of the account in one browser. */
  maxRenders: number;
  url: string;
  waitFor: string | null;
  screenshot: boolean;
  /** True if the reply must have the computed visibility of the page's elements. Reading it takes a few ms. */
  visibility: boolean;
  maxHtmlBytes: number;
  /** The parameters of `parseEgressPolicy`. */
  allowedPrivateHosts: string;
  ownOrigins: string[];
  /** The deny lists that apply to the request, and the operator's contact. Missing without entries. */
  denied?: { targets: string[]; contact: string | null };
  /** The proxy for all requests of the page, or null. */
  proxy: ProxyAddress | null;
  /** Options for visiting the page like a user's browser. Null for a page to scrape. */
  visit: Visit | null;
  /** The outputs besides the markup of the page. Missing if there are none. */
  outputs?: OutputOptions;
  /** The actions to perform before the page is read. Missing if there are none. */
  actions?: Action[];
  /** The waits and the time limit for the page. If it is missing, the defaults apply. */
  load?: LoadOptions;
  /** The device that the page sees. If it is missing, the browser's defaults apply. */
  device?: DeviceOptions;
  /** The headers, cookies and user agent for the site of `url`. */
  session?: Session;
  /**
   * Called before the main document is requested from another URL, except by actions. Returns the reason if the URL
   * must not be requested, and the render then fails with this reason. Otherwise returns null. Never throws.
   */
  checkRedirect?: RedirectCheck;
}

export type RedirectCheck = (url: string) => Promise<string | null>;

export interface OutputOptions {
  /** True if the reply must have the response body of the page. */
  body?: true;
  /** The options of the screenshot. Without options, the screenshot is a PNG of the whole page. */
  screenshot?: ScreenshotOptions;
  /** The options of the PDF. Missing if no PDF was requested. */
  pdf?: PdfOptions;
}

export interface ScreenshotOptions {
  /** If false, the screenshot shows only the visible part of the page. Ignored if there is a selector. */
  fullPage: boolean;
  /** The selector of the only element that the screenshot shows, or null. */
  selector: string | null;
  type: ScreenshotType;
  /** From 1 to 100. Ignored for a PNG. */
  quality: number;
  /** The number of image pixels per CSS pixel, in each direction. */
  scale: number;
  hideSelectors: readonly string[];
  blockBanners: boolean;
}

export interface PdfOptions {
  paper: Paper;
  landscape: boolean;
  background: boolean;
}

/** The device and the location that a page sees. */
export interface DeviceOptions {
  isMobile: boolean;
  /** Null: the default viewport of the kind of device. */
  viewport: Visit["viewport"] | null;
  /** The preferred languages as BCP 47 tags, the most preferred first. Empty: the browser's defaults. */
  languages: readonly string[];
  /** The name of an IANA time zone. Null: the browser's default. */
  timezone: string | null;
  /** The location in degrees and meters. Null if the page gets none. */
  geolocation: { latitude: number; longitude: number; accuracy: number } | null;
}

export interface LoadOptions {
  /** The time limit of the caller. Null: RENDER_TIMEOUT_MS. */
  limit: TimeLimit | null;
  /** The event after which the page is read. */
  waitUntil: "load" | "domcontentloaded" | "quiet";
  /** The additional wait after this event and after `waitFor`, in milliseconds. */
  waitMs: number;
  /** True if requests to hosts of advertising and tracking are blocked. */
  blockAds: boolean;
}

/** Options for requesting a page like an ordinary browser. The page is returned with any status. */
export interface Visit {
  userAgent: string;
  acceptLanguage: string;
  viewport: { width: number; height: number };
  isMobile: boolean;
  /** The cookies to send with all requests, including the first. */
  cookies: { name: string; value: string }[];
  /** The page is returned as soon as an element matches `selector`, or after `forMs`. */
  until: { selector: string; forMs: number };
}

export interface ActionOutcome {
  index: number;
  type: ActionType;
  durationMs: number;
  /** The URL of the page after the action. */
  url: string;
  html?: string;
  /** PNG strips from top to bottom, as in `RenderedPage`. */
  screenshot?: Uint8Array[];
  /** False if a limit stopped a scroll to the end. */
  endReached?: boolean;
}

export interface RenderedPage {
  kind: "page";
  /** The URL after redirects and navigations. */
  url: string;
  status: number;
  contentType: string | null;
  /** The response headers with names in lower case. */
  headers: Record<string, string>;
  html: string;
  /**
   * The computed visibility of the page's elements, in the format of `page-scripts/read-visibility.ts`. Null if it
   * couldn't be read, for a visit, and for content that isn't markup.
   */
  visibility: string | null;
  /** The page as PNG strips from top to bottom, for `joinPngStrips`, or one JPEG or WebP. Null if not requested. */
  screenshot: Uint8Array[] | null;
  /** The parts of the PDF in order. Null or missing if none was requested. */
  pdf?: Uint8Array[] | null;
  /** The response body of the page as text. Null or missing if it wasn't requested, or if the browser has discarded it. */
  body?: string | null;
  /** True if resources of the page didn't respond in time, so `html` and `screenshot` may lack a part of the page. */
  partialLoad: boolean;
  /** The results of the request's actions. Missing if it has none. */
  actions?: ActionOutcome[];
}

interface RenderFailure {
  kind: "failed";
  code: ErrorCode;
  message: string;
  retryable?: boolean;
  /** The parameters that caused the error, for the caller. */
  details?: ErrorDetail[];
  /** Present if the target responded with status 429 or 503. */
  targetBusy?: TargetBusy;
  /** True if the browser crashed or hung while it had only this page. */
  endedBrowser?: true;
  /** True if the runtime has no browser that it can start. */
  isBrowserMissing?: true;
}

/** The reply if the browser crashed, or if the account's pages crashed one before. The caller must retry it alone. */
interface RenderLost {
  kind: "lost";
}

/** The reply if no slot was free. */
interface RenderRefusal {
  kind: "full";
  message: string;
  /** The time after which a browser may start, in milliseconds. Missing if it is unknown. */
  retryAfterMs?: number;
}

export type RenderReply = RenderedPage | RenderFailure | RenderRefusal | RenderLost;

/** A failed render with its error code. The Durable Object converts it to a RenderFailure before it replies. */
export class RenderError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean | undefined;
  readonly details: ErrorDetail[] | undefined;
  readonly targetBusy: TargetBusy | undefined;

  constructor(code: ErrorCode, message: string, { retryable, details, targetBusy }: RenderErrorOptions = {}) {
    super(message);
    this.name = "RenderError";
    this.code = code;
    this.retryable = retryable;
    this.details = details;
    this.targetBusy = targetBusy;
  }
}

interface RenderErrorOptions {
  retryable?: boolean | undefined;
  details?: ErrorDetail[] | undefined;
  targetBusy?: TargetBusy | undefined;
}

/**
 * Describes a running browser. Cloudflare doesn't document whether its browsers have the two capabilities. Without one,
 * the service uses a fallback.
 */
export interface BrowserFacts {
  /** The product and its version, such as `Chrome/153.0.7000.1`. */
  product: string;
  /** False if the browser refuses interception for all its targets. Each target is then intercepted before it resumes. */
  interceptsWholeBrowser: boolean;
  /** False if a new target wasn't paused. Targets are then prepared while they run. */
  pausesTargets: boolean;
}

/** Returns the error for a selector that the browser refuses, although its syntax passed the check of the request. */
export function toSelectorError(selector: string, parameter = "wait_for"): RenderError {
  return new RenderError(
    "selector_not_found",
    `The browser refuses the selector '${selector}' in '${parameter}'. Use only standard CSS selectors. For example, ':contains()' isn't one.`,
  );
}
