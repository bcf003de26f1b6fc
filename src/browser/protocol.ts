/** The requests and replies of a BrowserHost. They are plain values, because class identity is lost over RPC. */
import type { ErrorCode } from "../model/errors";
import type { ProxyAddress } from "../net/proxy-config";

export interface RenderRequest {
  /** The id of the render, for its cancellation. */
  id: string;
  /** The account of the render. Accounts share a browser fairly. */
  account: string;
  /** The most renders that the account may have in one browser at a time. */
  maxRenders: number;
  url: string;
  waitFor: string | null;
  screenshot: boolean;
  maxHtmlBytes: number;
  /** The exceptions and own hosts of the egress policy. */
  allowedPrivateHosts: string;
  ownOrigins: string[];
  /** Null: the browser sends its requests itself. */
  proxy: ProxyAddress | null;
  /** Null: a page to scrape. */
  visit: Visit | null;
}

/** A page that is requested as an ordinary browser would, and returned whatever its status. */
export interface Visit {
  userAgent: string;
  acceptLanguage: string;
  viewport: { width: number; height: number };
  isMobile: boolean;
  /** Sent from the first request on. */
  cookies: { name: string; value: string }[];
  /** The page is returned once an element matches the selector, or after `forMs`. */
  until: { selector: string; forMs: number };
}

export interface RenderedPage {
  kind: "page";
  /** The final address. */
  url: string;
  status: number;
  contentType: string | null;
  /** The names are in lower case. */
  headers: Record<string, string>;
  html: string;
  /** The page from top to bottom as PNG strips of the same width, which `joinPngStrips` joins. */
  screenshot: Uint8Array[] | null;
}

interface RenderFailure {
  kind: "failed";
  code: ErrorCode;
  message: string;
  retryable?: boolean;
  /** The page ended its browser although no other page ran in it. */
  endedBrowser?: true;
}

/** The browser was lost, or the account's pages have ended browsers before: the render has to run alone. */
interface RenderLost {
  kind: "lost";
}

/** No slot was free. */
interface RenderRefusal {
  kind: "full";
  message: string;
}

export type RenderReply = RenderedPage | RenderFailure | RenderRefusal | RenderLost;

/** A failed render with its error code. It is thrown inside the Durable Object, and becomes a RenderFailure outside. */
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
