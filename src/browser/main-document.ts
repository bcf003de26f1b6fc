import type { Protocol } from "devtools-protocol";
import { RenderError } from "./protocol";

/** What answered to a request for a main document. */
export interface MainResponse {
  /** For the protocol. */
  requestId: string;
  status: number;
  contentType: string | null;
  /** By their names in lower case. */
  headers: Record<string, string>;
  url: string;
}

/** The document that a page shows in its main frame, and what came before it, as the events of the protocol tell. */
export class MainDocument {
  /** That of the document that is shown. */
  response: MainResponse | null = null;
  /** The last one, whether it came to be shown or not, as a download doesn't. */
  lastResponse: MainResponse | null = null;
  /** Where the page went on to without getting there: it shows the browser's own error page. */
  unreachable: string | null = null;
  isReady = false;
  isLoaded = false;

  #loaderId = "";
  readonly #loaders = new Set<string>();
  readonly #responses = new Map<string, MainResponse>();
  #bytes = 0;
  #isCutOff = false;

  /** Documents that came so far. */
  get count(): number {
    return this.#loaders.size;
  }

  /** Whether the document came that the browser names so: another may have taken its place. */
  hasShown(loaderId: string): boolean {
    return this.#loaders.has(loaderId);
  }

  /** Null while nothing is wrong with what comes. `maxBytes`: of a document, decoded. */
  failure(maxBytes: number): RenderError | null {
    if (this.#isCutOff) return new RenderError("connection_failed", "The page broke off before its end.");
    if (this.#bytes > maxBytes)
      return new RenderError("target_too_large", `The page is larger than ${maxBytes} bytes.`);
    return null;
  }

  onResponse({ requestId, loaderId, response }: Protocol.Network.ResponseReceivedEvent): void {
    const { status, mimeType, url } = response;
    const headers = Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    this.lastResponse = { requestId, status, contentType: mimeType === "" ? null : mimeType, headers, url };
    this.#responses.set(loaderId, this.lastResponse);
    if (loaderId === this.#loaderId) this.response = this.lastResponse;
    this.#bytes = 0;
  }

  /** More of the last one came. */
  onData(bytes: number): void {
    this.#bytes += bytes;
  }

  onFailed({ requestId, canceled }: Protocol.Network.LoadingFailedEvent): void {
    if (requestId === this.lastResponse?.requestId && !canceled) this.#isCutOff = true;
  }

  onNavigated({ loaderId, unreachableUrl }: Protocol.Page.Frame): void {
    this.unreachable = unreachableUrl ?? null;
    this.#loaderId = loaderId;
    this.#loaders.add(loaderId);
    // A document from memory has none: it belongs to the page that made it.
    this.response = this.#responses.get(loaderId) ?? this.response;
    this.isReady = false;
    this.isLoaded = false;
  }

  onLifecycle({ name, loaderId }: Protocol.Page.LifecycleEventEvent): void {
    if (loaderId !== this.#loaderId) return;
    if (name === "DOMContentLoaded") this.isReady = true;
    if (name === "load") this.onStopped();
  }

  /** A document that was left half read, as by a link to another program, has no other event. */
  onStopped(): void {
    this.isLoaded = this.isReady = true;
  }
}
