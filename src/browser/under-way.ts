import type { Protocol } from "devtools-protocol";

// Requests of these kinds are open by nature or come after the page: they don't keep it from being quiet.
const NOT_AWAITED: ReadonlySet<Protocol.Network.ResourceType> = new Set([
  "EventSource",
  "Ping",
  "Prefetch",
  "Media",
  "WebSocket",
  "Manifest",
  "CSPViolationReport",
]);

/** The page's script does something with what it fetched, which may be another request. */
const REACTION_MS = 100;
const WORKER_START_MS = 250;
/** A fetch whose body the page doesn't read has no end: it has one when the body paused for this long. */
const UNREAD_BODY_MS = 500;

/** What a page has asked for and hasn't got, or hasn't had the time to use. */
export class UnderWay {
  /** The kinds of the requests, by their ids. */
  readonly #requests = new Map<string, Protocol.Network.ResourceType | undefined>();
  /** By request: it counts as over when this runs out. */
  readonly #endings = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #frames = new Set<string>();
  readonly #onEnd: () => void;

  /** `onEnd` is called whenever something is over. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  /** Frames that load count too: some without any request. */
  get size(): number {
    return this.#requests.size + this.#frames.size;
  }

  begin({ requestId, type }: Protocol.Network.RequestWillBeSentEvent): void {
    if (type === undefined || !NOT_AWAITED.has(type)) this.#requests.set(requestId, type);
  }

  /** Its headers are there. */
  answer({ requestId, type }: Protocol.Network.ResponseReceivedEvent): void {
    if (type === "Fetch") this.#endLater(requestId, UNREAD_BODY_MS);
  }

  /** More of its body is there. */
  hear(requestId: string): void {
    if (this.#endings.has(requestId)) this.#endLater(requestId, UNREAD_BODY_MS);
  }

  end(requestId: string, { loaded }: { loaded: boolean }): void {
    const type = this.#requests.get(requestId);
    if (type === "Fetch" || type === "XHR" || (type === "Script" && loaded)) this.#endLater(requestId, REACTION_MS);
    else this.#end(requestId);
  }

  /** A worker's script has the worker's id, and no other end. */
  startWorker(targetId: string): void {
    this.#endLater(targetId, WORKER_START_MS);
  }

  beginFrame(frameId: string): void {
    this.#frames.add(frameId);
  }

  endFrame(frameId: string): void {
    this.#frames.delete(frameId);
    this.#onEnd();
  }

  /** With their document, its frames are gone. */
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
