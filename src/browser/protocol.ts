/** The types of a BrowserHost's requests and replies. They are plain objects, because RPC doesn't preserve classes. */
import type { ErrorCode } from "../model/errors";
import type { ProxyAddress } from "../net/proxy-config";

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
  /** The proxy for all requests of the page, or null. */
  proxy: ProxyAddress | null;
  /** Options for visiting the page like a user's browser. Null for a page to scrape. */
  visit: Visit | null;
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
  /**
   * The page as PNG strips of the same width from top to bottom, for `joinPngStrips`. Null if no screenshot was
   * requested.
   */
  screenshot: Uint8Array[] | null;
  /** True if resources of the page didn't respond in time, so `html` and `screenshot` may lack a part of the page. */
  partialLoad: boolean;
}

interface RenderFailure {
  kind: "failed";
  code: ErrorCode;
  message: string;
  retryable?: boolean;
  /** True if the browser crashed or hung while it had only this page. */
  endedBrowser?: true;
  /** True if the runtime has no browser that it can start. */
  isBrowserMissing?: true;
}

/**
 * The reply if the browser crashed, or if one of the account's pages crashed a browser before. The caller must retry
 * the render alone.
 */
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

  constructor(code: ErrorCode, message: string, retryable?: boolean) {
    super(message);
    this.name = "RenderError";
    this.code = code;
    this.retryable = retryable;
  }
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
