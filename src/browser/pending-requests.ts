import type { Protocol } from "devtools-protocol";
import { isOwnSite } from "../net/session";

// The types of requests that don't count as pending, because they stay open or don't change the page.
const IGNORED: ReadonlySet<Protocol.Network.ResourceType> = new Set([
  "EventSource",
  "Ping",
  "Prefetch",
  "Media",
  "WebSocket",
  "Manifest",
  "CSPViolationReport",
]);

/** The page's script may change the page or send another request within this time after a response. */
const REACTION_MS = 100;
const WORKER_START_MS = 250;
/** A `fetch` never ends if the page doesn't read its body. It counts as ended after this time without data. */
const UNREAD_BODY_MS = 500;
/**
 * A request counts as active if it has sent or received something within this time. `giveUp` keeps active calls
 * (`fetch`, XHR), and a page with its content doesn't wait for inactive requests to other sites.
 */
export const ACTIVE_MS = 2_000;

/** The event of a request. The types of the DevTools protocol lack `renderBlockingBehavior`, because it is newer. */
type RequestEvent = Protocol.Network.RequestWillBeSentEvent & { renderBlockingBehavior?: string };

/** The kinds of scripts and style sheets for which neither the parser nor the first paint waits. */
const NEVER_BLOCKING: ReadonlySet<string | undefined> = new Set(["PotentiallyBlocking", "NonBlockingDynamic"]);
/** The kinds for which the first paint doesn't wait. They include deferred scripts. */
const NEVER_BLOCKING_PAINT: ReadonlySet<string | undefined> = new Set([...NEVER_BLOCKING, "NonBlocking"]);

export interface PendingRequest {
  url: string;
  type: Protocol.Network.ResourceType | undefined;
  frameId: string | undefined;
  loaderId: string;
  /** True if the URL belongs to the site of the main document. Such URLs have the same registrable domain. */
  isOwn: boolean;
  /** True if the parser or `DOMContentLoaded` may wait for the response. */
  blocksParser: boolean;
  /** True if the first paint waits for the response. */
  blocksPaint: boolean;
  /** The time without an event of this request, in milliseconds. `addSilence` increases it. */
  silentMs: number;
}

/** The pending requests of a page. A request is pending until the page has had time to process its response. */
export class PendingRequests {
  readonly #requests = new Map<string, PendingRequest>();
  /** The timers of requests that will count as ended after a delay, by request id. */
  readonly #endings = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #frames = new Set<string>();
  /** The hosts that have responded to a request. */
  readonly #responsive = new Set<string>();
  readonly #onEnd: () => void;
  /** Counts the events of the page's own requests that delay `load`. An unchanged count means no progress. */
  ownProgress = 0;

  /** `onEnd` is called whenever a request or a frame ends. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  /** The number of pending requests and loading frames. Frames are counted too, because some load without a request. */
  get size(): number {
    return this.#requests.size + this.#frames.size;
  }

  /** True if `load` waits for a request to the page's own site. */
  get delaysOwnLoad(): boolean {
    return this.list().some(delaysOwnLoad);
  }

  /** True if the page waits only for requests to other sites, and none of them is active. */
  get areInactive(): boolean {
    return this.list().every(({ isOwn, silentMs }) => !isOwn && silentMs >= ACTIVE_MS);
  }

  /** Returns the pending requests, without loading frames. */
  list(): PendingRequest[] {
    return [...this.#requests.values()];
  }

  find(requestId: string | undefined): PendingRequest | null {
    return this.#requests.get(requestId ?? "") ?? null;
  }

  hasResponded(host: string): boolean {
    return this.#responsive.has(host);
  }

  /** Adds a request, unless its type is ignored. `pageUrl`: the URL of the main document, if known. */
  begin(event: RequestEvent, pageUrl?: string): void {
    const { requestId, type, frameId, loaderId, renderBlockingBehavior: behavior } = event;
    if (type !== undefined && IGNORED.has(type)) return;
    const canBlock = type === "Script" || type === "Stylesheet";
    const request = {
      url: event.request.url,
      type,
      frameId,
      loaderId,
      // The browser ignores the port, which is all that distinguishes the sites of an IP address.
      isOwn:
        event.request.isSameSite === true &&
        isOwnSite(new URL(event.request.url), new URL(pageUrl ?? event.request.url)),
      blocksParser: canBlock && !NEVER_BLOCKING.has(behavior),
      // An older browser doesn't say which requests block the first paint. Usually, style sheets block it.
      blocksPaint: behavior === undefined ? type === "Stylesheet" : canBlock && !NEVER_BLOCKING_PAINT.has(behavior),
      silentMs: 0,
    };
    this.#requests.set(requestId, request);
    this.#onProgress(request);
  }

  onHeaders({ requestId, type, response }: Protocol.Network.ResponseReceivedEvent): void {
    this.#responsive.add(URL.parse(response.url)?.host ?? "");
    this.#onProgress(this.#requests.get(requestId));
    if (type === "Fetch") this.#endLater(requestId, UNREAD_BODY_MS);
  }

  /** Records that data of a response has arrived. */
  onData(requestId: string): void {
    this.#onProgress(this.#requests.get(requestId));
    if (this.#endings.has(requestId)) this.#endLater(requestId, UNREAD_BODY_MS);
  }

  /** Records that a request has ended. `isLoaded`: true if the page had already loaded. */
  end(requestId: string, { isLoaded }: { isLoaded: boolean }): void {
    const request = this.#requests.get(requestId);
    this.#onProgress(request);
    const type = request?.type;
    if (type === "Fetch" || type === "XHR" || (type === "Script" && isLoaded)) this.#endLater(requestId, REACTION_MS);
    else this.#end(requestId);
  }

  /** Ends the request for a worker's script WORKER_START_MS after its start. The request has the worker's id. */
  startWorker(targetId: string): void {
    this.#endLater(targetId, WORKER_START_MS);
  }

  /** Records that a frame has started to load. */
  beginFrame(frameId: string): void {
    this.#frames.add(frameId);
  }

  /** Records that a frame has stopped loading. */
  endFrame(frameId: string): void {
    this.#frames.delete(frameId);
    this.#onEnd();
  }

  /** Removes the previous document's frames and requests, because the browser doesn't report the end of each. */
  onNavigated(loaderId: string): void {
    this.#frames.clear();
    for (const [id, request] of this.#requests) if (request.loaderId !== loaderId) this.#remove(id);
  }

  addSilence(ms: number): void {
    for (const request of this.#requests.values()) request.silentMs += ms;
  }

  /** Removes all frames and requests for which the page shouldn't wait any longer. Keeps calls that are active. */
  giveUp(): void {
    this.#frames.clear();
    for (const [id, { type, silentMs }] of this.#requests) {
      const isActiveCall = (type === "Fetch" || type === "XHR") && silentMs < ACTIVE_MS;
      if (!isActiveCall) this.#remove(id);
    }
    this.#onEnd();
  }

  #onProgress(request: PendingRequest | undefined): void {
    if (request === undefined) return;
    request.silentMs = 0;
    if (delaysOwnLoad(request)) this.ownProgress++;
  }

  #endLater(requestId: string, afterMs: number): void {
    clearTimeout(this.#endings.get(requestId));
    if (!this.#requests.has(requestId)) return;
    const timer = setTimeout(() => this.#end(requestId), afterMs);
    this.#endings.set(requestId, timer);
  }

  #end(requestId: string): void {
    this.#remove(requestId);
    this.#onEnd();
  }

  #remove(requestId: string): void {
    clearTimeout(this.#endings.get(requestId));
    this.#endings.delete(requestId);
    this.#requests.delete(requestId);
  }
}

/** Returns true if `load` waits for the request and it goes to the page's own site. `load` doesn't wait for calls. */
function delaysOwnLoad({ isOwn, type }: PendingRequest): boolean {
  return isOwn && type !== "Fetch" && type !== "XHR";
}
