import type { Protocol } from "devtools-protocol";
import { Semaphore } from "../lib/async";
import { AppError } from "../model/errors";
import {
  FETCH_TIMEOUT_MS,
  MAX_PROXIED_BODY_BYTES,
  MAX_PROXIED_PAGE_BYTES,
  MAX_PROXIED_PAGE_REQUESTS,
  PROXIED_PAGE_CONNECTIONS,
  PROXIED_SUBRESOURCE_MS,
  PROXY_CONNECTIONS,
  SECOND_MS,
} from "../model/limits";
import type { ProxiedRequest } from "../net/http1";
import { proxiedFetch } from "../net/proxied-fetch";
import type { ProxyAddress } from "../net/proxy-config";
import { readBody } from "../net/response";
import { RenderError } from "./protocol";

/** The connections that all pages of a BrowserHost share: the platform counts a Durable Object's together. */
export class ProxyLines {
  readonly all = new Semaphore(PROXY_CONNECTIONS);
  /** One fewer: pages whose parts hang leave a line to the documents of others. */
  readonly parts = new Semaphore(PROXY_CONNECTIONS - 1);
}

export interface ExitOptions {
  lines: ProxyLines;
  /** The largest document, decoded. */
  maxDocumentBytes: number;
  /** The render's: ends with it whatever is under way. */
  signal: AbortSignal;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
// Open by nature, or of no use to the page that is shown: they would hold a line.
const REFUSED: ReadonlySet<Protocol.Network.ResourceType> = new Set([
  "EventSource",
  "WebSocket",
  "Media",
  "Ping",
  "Prefetch",
  "CSPViolationReport",
]);

/**
 * A page's way to the world through a proxy. The browser itself asks nobody: each of its requests is answered from here,
 * with what the same request brought through the proxy. Redirects go back to the browser, which follows them by asking
 * again; cookies are its context's, which are in its requests and taken from the answers.
 */
export class ProxiedExit {
  readonly #proxy: ProxyAddress;
  readonly #lines: ProxyLines;
  readonly #maxDocumentBytes: number;
  readonly #signal: AbortSignal;
  readonly #own = new Semaphore(PROXIED_PAGE_CONNECTIONS);
  /** By the browser's own ids of them. */
  readonly #underWay = new Map<string, AbortController>();
  /** A page has one main document at a time. */
  #document: AbortController | null = null;
  #requests = 0;
  #bytes = 0;

  constructor(proxy: ProxyAddress, { lines, maxDocumentBytes, signal }: ExitOptions) {
    this.#proxy = proxy;
    this.#lines = lines;
    this.#maxDocumentBytes = maxDocumentBytes;
    this.#signal = signal;
  }

  /** The render's main document. Throws RenderError with its cause. */
  async document(event: Protocol.Fetch.RequestPausedEvent): Promise<Protocol.Fetch.FulfillRequestRequest> {
    const late = AbortSignal.timeout(FETCH_TIMEOUT_MS);
    const { host } = new URL(event.request.url);
    this.#document?.abort(new Error("The page went on to another document."));
    this.#document = new AbortController();
    const signal = AbortSignal.any([this.#signal, late, this.#document.signal]);
    try {
      return await this.#exchange(event, this.#maxDocumentBytes, signal);
    } catch (error) {
      if (error instanceof AppError) throw new RenderError(error.code, error.message, error.retryable);
      if (!late.aborted) throw error;
      const seconds = FETCH_TIMEOUT_MS / SECOND_MS;
      throw new RenderError("target_timeout", `${host} did not answer in full within ${seconds} seconds.`);
    }
  }

  /** Anything else that the page asks for. Throws when it doesn't come, or is too much: the page goes on without it. */
  async part(event: Protocol.Fetch.RequestPausedEvent): Promise<Protocol.Fetch.FulfillRequestRequest> {
    if (REFUSED.has(event.resourceType)) throw new Error("A request of this kind isn't made.");
    if (++this.#requests > MAX_PROXIED_PAGE_REQUESTS) throw new Error("The page asks for too much.");
    const leaves: (() => void)[] = [];
    const cancelled = new AbortController();
    const id = event.networkId ?? event.requestId;
    this.#underWay.set(id, cancelled);
    const wanted = AbortSignal.any([this.#signal, cancelled.signal]);
    try {
      leaves.push(await this.#own.acquire(wanted));
      leaves.push(await this.#lines.parts.acquire(wanted));
      const left = Math.min(MAX_PROXIED_BODY_BYTES, MAX_PROXIED_PAGE_BYTES - this.#bytes);
      const signal = AbortSignal.any([wanted, AbortSignal.timeout(PROXIED_SUBRESOURCE_MS)]);
      return await this.#exchange(event, left, signal);
    } finally {
      this.#underWay.delete(id);
      for (const leave of leaves) leave();
    }
  }

  /** The page doesn't want it any more: its line is free for another. */
  cancel(networkId: string): void {
    this.#underWay.get(networkId)?.abort(new Error("The page gave the request up."));
  }

  async #exchange(
    event: Protocol.Fetch.RequestPausedEvent,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<Protocol.Fetch.FulfillRequestRequest> {
    const response = await proxiedFetch(this.#proxy, toRequest(event), { signal, connections: this.#lines.all });
    const body = await readAnswer(response, event.request.url, maxBytes);
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

async function readAnswer(response: Response, url: string, maxBytes: number): Promise<Uint8Array> {
  const location = response.headers.get("location");
  if (REDIRECTS.has(response.status) && location && URL.canParse(location, url)) {
    await response.body?.cancel();
    return new Uint8Array();
  }
  return await readBody(response, maxBytes);
}

/** The request as the browser would send it. Throws when it has a body that the protocol doesn't tell. */
function toRequest({ request }: Protocol.Fetch.RequestPausedEvent): ProxiedRequest {
  const headers = new Headers(Object.entries(request.headers));
  const url = new URL(request.url);
  if (!request.hasPostData) return { url, method: request.method, headers };
  const parts = request.postDataEntries?.map(({ bytes }) => bytes) ?? [];
  if (parts.length === 0 || parts.includes(undefined)) throw new Error("The body of this request can't be read.");
  const body = Buffer.concat(parts.map((bytes = "") => Uint8Array.fromBase64(bytes)));
  return { url, method: request.method, headers, body };
}
