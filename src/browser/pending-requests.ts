import type { Protocol } from "devtools-protocol";

// Requests of these kinds stay open or don't change the page, so they don't count as pending.
const IGNORED: ReadonlySet<Protocol.Network.ResourceType> = new Set([
  "EventSource",
  "Ping",
  "Prefetch",
  "Media",
  "WebSocket",
  "Manifest",
  "CSPViolationReport",
]);

/** After a response, the page's script may change the page or send another request. */
const REACTION_MS = 100;
const WORKER_START_MS = 250;
/** A fetch whose body the page doesn't read never ends. It counts as ended after this time without data. */
const UNREAD_BODY_MS = 500;

/** The requests of a page that haven't ended, or whose responses the page is still processing. */
export class PendingRequests {
  /** The types of the requests, by id. */
  readonly #requests = new Map<string, Protocol.Network.ResourceType | undefined>();
  /** The timers of requests that end later, by id. */
  readonly #endings = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #frames = new Set<string>();
  readonly #onEnd: () => void;

  /** `onEnd` is called whenever a request or a frame ends. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  /** The number of pending requests and loading frames. Some frames load without any request. */
  get size(): number {
    return this.#requests.size + this.#frames.size;
  }

  /** Adds a request. */
  begin({ requestId, type }: Protocol.Network.RequestWillBeSentEvent): void {
    if (type === undefined || !IGNORED.has(type)) this.#requests.set(requestId, type);
  }

  /** The headers of the response have arrived. */
  onHeaders({ requestId, type }: Protocol.Network.ResponseReceivedEvent): void {
    if (type === "Fetch") this.#endLater(requestId, UNREAD_BODY_MS);
  }

  /** Data of the response has arrived. */
  onData(requestId: string): void {
    if (this.#endings.has(requestId)) this.#endLater(requestId, UNREAD_BODY_MS);
  }

  /** The request has ended. `isLoaded`: the page had loaded before. */
  end(requestId: string, { isLoaded }: { isLoaded: boolean }): void {
    const type = this.#requests.get(requestId);
    if (type === "Fetch" || type === "XHR" || (type === "Script" && isLoaded)) this.#endLater(requestId, REACTION_MS);
    else this.#end(requestId);
  }

  /** Ends the request of a worker's script, which has the worker's id, a moment after the worker has started. */
  startWorker(targetId: string): void {
    this.#endLater(targetId, WORKER_START_MS);
  }

  /** A frame has started to load. */
  beginFrame(frameId: string): void {
    this.#frames.add(frameId);
  }

  /** A frame has stopped loading. */
  endFrame(frameId: string): void {
    this.#frames.delete(frameId);
    this.#onEnd();
  }

  /** Removes all frames, because their document is gone. */
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
