/** What a render asks of a BrowserHost, and what comes back: plain values, since class identity is lost over RPC. */
import type { ErrorCode } from "../model/errors";
import type { ProxyAddress } from "../net/proxy-config";

export interface RenderRequest {
  /** Names the render, so that it can be cancelled. */
  id: string;
  /** The account of the render. Accounts share a browser fairly. */
  account: string;
  /** The most renders that the account may have in one browser at a time. */
  maxRenders: number;
  url: string;
  waitFor: string | null;
  screenshot: boolean;
  maxHtmlBytes: number;
  /** Exceptions and own hosts of the egress policy, as it is made from variables. */
  allowedPrivateHosts: string;
  ownOrigins: string[];
  /** Null: the browser asks the world itself. */
  proxy: ProxyAddress | null;
  /** Null: a page to scrape. */
  visit: Visit | null;
}

/** A page that is asked for as a person's browser would, and returned whatever its status. */
export interface Visit {
  userAgent: string;
  acceptLanguage: string;
  viewport: { width: number; height: number };
  isMobile: boolean;
  /** Sent from the first request on. */
  cookies: { name: string; value: string }[];
  /** The page is taken as soon as it holds one of these, or nothing came of them for so long. */
  until: { selector: string; forMs: number };
}

export interface RenderedPage {
  kind: "page";
  /** The final address. */
  url: string;
  status: number;
  contentType: string | null;
  /** By their names in lower case. */
  headers: Record<string, string>;
  html: string;
  /** The page from top to bottom as PNG strips of the same width, which `joinPngStrips` joins. */
  screenshot: Uint8Array[] | null;
}

export interface RenderFailure {
  kind: "failed";
  code: ErrorCode;
  message: string;
  retryable?: boolean;
  /** The page ended its browser although no other page ran in it. */
  endedBrowser?: true;
}

/** The browser was lost, or the account's pages have ended browsers before: the render has to run alone. */
export interface RenderLost {
  kind: "lost";
}

/** No place was free: now, or within the bounded wait. */
export interface RenderRefusal {
  kind: "full";
  message: string;
}

export type RenderReply = RenderedPage | RenderFailure | RenderRefusal | RenderLost;

/** A render that ends with a code of the taxonomy; inside the Durable Object it is thrown, outside it is a value. */
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
