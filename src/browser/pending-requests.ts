import type { Protocol } from "devtools-protocol";

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
 * The pending requests of a page. A request is pending until it has ended and the page has had time to process its
 * response.
 */
export class PendingRequests {
  /** The resource types of the pending requests by request id. */
  readonly #requests = new Map<string, Protocol.Network.ResourceType | undefined>();
  /** The timers of requests that will count as ended after a delay, by request id. */
  readonly #endings = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #frames = new Set<string>();
  readonly #onEnd: () => void;

  /** `onEnd` is called whenever a request or a frame ends. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  /** The number of pending requests and loading frames. Frames are counted too, because some load without a request. */
  get size(): number {
    return this.#requests.size + this.#frames.size;
  }

  /** Adds a request, unless its type is ignored. */
  begin({ requestId, type }: Protocol.Network.RequestWillBeSentEvent): void {
    if (type === undefined || !IGNORED.has(type)) this.#requests.set(requestId, type);
  }

  /** Records that the headers of a response have arrived. */
  onHeaders({ requestId, type }: Protocol.Network.ResponseReceivedEvent): void {
    if (type === "Fetch") this.#endLater(requestId, UNREAD_BODY_MS);
  }

  /** Records that data of a response has arrived. */
  onData(requestId: string): void {
    if (this.#endings.has(requestId)) this.#endLater(requestId, UNREAD_BODY_MS);
  }

  /** Records that a request has ended. `isLoaded`: true if the page had already loaded. */
  end(requestId: string, { isLoaded }: { isLoaded: boolean }): void {
    const type = this.#requests.get(requestId);
    if (type === "Fetch" || type === "XHR" || (type === "Script" && isLoaded)) this.#endLater(requestId, REACTION_MS);
    else this.#end(requestId);
  }

  /**
   * Ends the request for a worker's script WORKER_START_MS after the worker has started. The request has the worker's
   * id.
   */
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

  /** Removes all frames, because the page has navigated to another document. */
  clearFrames(): void {
    this.#frames.clear();
  }

  #endLater(requestId: string, afterMs: number): void {
    clearTimeout(this.#endings.get(requestId));
    if (!this.#requests.has(requestId)) return;
    const timer = setTimeout(() => this.#end(requestId), afterMs);
    this.#endings.set(requestId, timer);
  }

  #end(requestId: string): void {
    clearTimeout(this.#endings.get(requestId));
    this.#endings.delete(requestId);
    this.#requests.delete(requestId);
    this.#onEnd();
  }
}
