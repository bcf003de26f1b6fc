import type { Protocol } from "devtools-protocol";
import { Semaphore } from "../lib/async";
import { formatSeconds } from "../lib/time-limit";
import { AppError } from "../model/errors";
import {
  MAX_PROXIED_BODY_BYTES,
  MAX_PROXIED_PAGE_BYTES,
  MAX_PROXIED_PAGE_REQUESTS,
  OTHER_SITES_LOAD_MS,
  PROXIED_PAGE_CONNECTIONS,
  PROXIED_SUBRESOURCE_MS,
} from "../model/page-limits";
import type { Http1Request } from "../net/http1";
import { proxiedFetch } from "../net/proxied-fetch";
import type { ProxyAddress } from "../net/proxy-config";
import { readBody } from "../net/response";
import { PROXY_SLOTS } from "./isolate-limits";
import { RenderError } from "./protocol";

interface PageProxyOptions {
  /** The maximum size of a decoded document. */
  maxDocumentBytes: number;
  /** The time limit for a document, in milliseconds. */
  documentMs: number;
  /** The signal of the render. Aborts all requests of the page. */
  signal: AbortSignal;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
// The types of requests that are refused. Some of them keep a connection open for a long time. The responses to the
// others aren't visible on the page.
const REFUSED: ReadonlySet<Protocol.Network.ResourceType> = new Set([
  "EventSource",
  "WebSocket",
  "Media",
  "Ping",
  "Prefetch",
  "CSPViolationReport",
]);

/**
 * Sends the requests of one page through a proxy. The browser itself sends no requests: each request is intercepted and
 * fulfilled with the response from the proxy. The browser follows redirects with new requests, and manages the cookies
 * of its context.
 */
export class PageProxy {
  readonly #proxy: ProxyAddress;
  readonly #options: PageProxyOptions;
  readonly #pageConnections = new Semaphore(PROXIED_PAGE_CONNECTIONS);
  /** True if a resource of the page didn't respond in time. Calls that scripts make don't count. */
  hasTimedOut = false;
  /** The abort controllers of pending subresources by network id. */
  readonly #pending = new Map<string, AbortController>();
  /** The abort controller of the pending main document. A page has one main document at a time. */
  #document: AbortController | null = null;
  #requests = 0;
  #bytes = 0;

  constructor(proxy: ProxyAddress, options: PageProxyOptions) {
    this.#proxy = proxy;
    this.#options = options;
  }

  /** Fetches the main document. Throws RenderError. */
  async fetchDocument(event: Protocol.Fetch.RequestPausedEvent): Promise<Protocol.Fetch.FulfillRequestRequest> {
    const late = AbortSignal.timeout(this.#options.documentMs);
    const { host } = new URL(event.request.url);
    this.#document?.abort(new Error("The page navigated to another document."));
    this.#document = new AbortController();
    const signal = AbortSignal.any([this.#options.signal, late, this.#document.signal]);
    try {
      return await this.#exchange(event, this.#options.maxDocumentBytes, signal);
    } catch (error) {
      if (error instanceof AppError) throw new RenderError(error.code, error.message, error);
      if (!late.aborted) throw error;
      const limit = formatSeconds(this.#options.documentMs);
      throw new RenderError("target_timeout", `${host} did not send its complete response within ${limit}.`);
    }
  }

  /**
   * Fetches any request except the main document. Throws an Error if the request fails or the page has made too many
   * requests. If `isOtherSite` returns true, the response must begin within OTHER_SITES_LOAD_MS.
   */
  async fetchSubresource(
    event: Protocol.Fetch.RequestPausedEvent,
    isOtherSite: () => boolean,
  ): Promise<Protocol.Fetch.FulfillRequestRequest> {
    if (REFUSED.has(event.resourceType)) throw new Error("Requests of this type aren't sent.");
    if (++this.#requests > MAX_PROXIED_PAGE_REQUESTS) throw new Error("The page made too many requests.");
    const releases: (() => void)[] = [];
    const cancelled = new AbortController();
    const id = event.networkId ?? event.requestId;
    this.#pending.set(id, cancelled);
    const cancellable = AbortSignal.any([this.#options.signal, cancelled.signal]);
    const late = new AbortController();
    try {
      releases.push(await this.#pageConnections.acquire(cancellable));
      releases.push(await PROXY_SLOTS.subresources.acquire(cancellable));
      const maxBytes = Math.min(MAX_PROXIED_BODY_BYTES, MAX_PROXIED_PAGE_BYTES - this.#bytes);
      const abort = () => late.abort(new Error("The resource didn't respond in time."));
      let hasBegun = false;
      onTimeout(PROXIED_SUBRESOURCE_MS, abort);
      // By this time, the browser has reported the site of the request.
      onTimeout(OTHER_SITES_LOAD_MS, () => !hasBegun && isOtherSite() && abort());
      const signal = AbortSignal.any([cancellable, late.signal]);
      return await this.#exchange(event, maxBytes, signal, () => {
        hasBegun = true;
      });
    } catch (error) {
      const isCall = event.resourceType === "Fetch" || event.resourceType === "XHR";
      if (late.signal.aborted && !isCall) this.hasTimedOut = true;
      throw error;
    } finally {
      this.#pending.delete(id);
      for (const release of releases) release();
    }
  }

  /** Aborts a request that the page has canceled, and releases its connection. */
  cancel(networkId: string): void {
    this.#pending.get(networkId)?.abort(new Error("The page canceled the request."));
  }

  async #exchange(
    event: Protocol.Fetch.RequestPausedEvent,
    maxBytes: number,
    signal: AbortSignal,
    onHeaders = () => {},
  ): Promise<Protocol.Fetch.FulfillRequestRequest> {
    const response = await proxiedFetch(this.#proxy, toRequest(event), {
      signal,
      connections: PROXY_SLOTS.all,
    });
    onHeaders();
    const body = await readResponseBody(response, event.request.url, maxBytes);
    this.#bytes += body.byteLength;
    return {
      requestId: event.requestId,
      responseCode: response.status,
      responseHeaders: [...response.headers].map(([name, value]) => ({ name, value })),
      body: body.toBase64(),
      ...(response.statusText !== "" && { responsePhrase: response.statusText }),
    };
  }
}

function onTimeout(ms: number, listener: () => void): void {
  AbortSignal.timeout(ms).addEventListener("abort", listener);
}

async function readResponseBody(response: Response, url: string, maxBytes: number): Promise<Uint8Array> {
  const location = response.headers.get("location");
  if (REDIRECTS.has(response.status) && location && URL.canParse(location, url)) {
    await response.body?.cancel();
    return new Uint8Array();
  }
  return await readBody(response, maxBytes);
}

/** Converts an intercepted request to the browser's request. Throws an Error if the event lacks the body. */
function toRequest({ request }: Protocol.Fetch.RequestPausedEvent): Http1Request {
  const headers = new Headers(Object.entries(request.headers));
  const url = new URL(request.url);
  if (!request.hasPostData) return { url, method: request.method, headers };
  const parts = request.postDataEntries?.map(({ bytes }) => bytes) ?? [];
  if (parts.length === 0 || parts.includes(undefined))
    throw new Error("The event doesn't include the body of the request.");
  const body = Buffer.concat(parts.map((bytes = "") => Uint8Array.fromBase64(bytes)));
  return { url, method: request.method, headers, body };
}
