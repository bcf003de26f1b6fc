import type { Protocol } from "devtools-protocol";
import { type EgressPolicy, findResolvedRefusal, isExempt } from "../net/egress";
import { RenderError } from "./protocol";

interface MainResponse {
  requestId: string;
  status: number;
  contentType: string | null;
  /** The response headers with names in lower case. */
  headers: Record<string, string>;
  url: string;
}

/** The state of the document in a page's main frame. Events of the DevTools protocol update it. */
export class MainDocument {
  /** The response of the current document, or null. */
  response: MainResponse | null = null;
  /** The last response. Includes responses that the page doesn't show, such as a download. */
  lastResponse: MainResponse | null = null;
  /** The URL of a failed navigation if the browser shows an error page for it. Otherwise null. */
  unreachable: string | null = null;
  isReady = false;
  isLoaded = false;
  /** True if a time limit ended the wait for `load`. */
  isGivenUp = false;

  #loaderId = "";
  readonly #loaders = new Set<string>();
  readonly #responses = new Map<string, MainResponse>();
  #bytes = 0;
  #isCutOff = false;

  /** The number of documents that the frame has shown. */
  get count(): number {
    return this.#loaders.size;
  }

  /** Returns true if the document was shown. Another document may have replaced it since then. */
  hasShown(loaderId: string): boolean {
    return this.#loaders.has(loaderId);
  }

  /** Returns the error of the document, or null. `maxBytes`: the maximum size of the decoded document. */
  findFailure(maxBytes: number): RenderError | null {
    if (this.#isCutOff)
      return new RenderError("connection_failed", "The connection failed before the whole page was received.");
    if (this.#bytes > maxBytes)
      return new RenderError("target_too_large", `The page is larger than ${maxBytes} bytes.`);
    return null;
  }

  onResponse({ requestId, loaderId, response }: Protocol.Network.ResponseReceivedEvent): void {
    const { status, mimeType, url } = response;
    // Chrome joins headers of the same name with line breaks, and `fetch` with commas.
    const headers = Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value.replaceAll("\n", ", ")]),
    );
    this.lastResponse = { requestId, status, contentType: mimeType === "" ? null : mimeType, headers, url };
    this.#responses.set(loaderId, this.lastResponse);
    if (loaderId === this.#loaderId) this.response = this.lastResponse;
    this.#bytes = 0;
  }

  /** Adds to the size of the last response. */
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
    // A document without a request, such as about:blank, keeps the previous document's response.
    this.response = this.#responses.get(loaderId) ?? this.response;
    this.isReady = false;
    this.isLoaded = false;
    this.isGivenUp = false;
  }

  onLifecycle({ name, loaderId }: Protocol.Page.LifecycleEventEvent): void {
    if (loaderId !== this.#loaderId) return;
    if (name === "DOMContentLoaded") this.isReady = true;
    if (name === "load") this.onStopped();
  }

  /** Marks the document as loaded. If its load was canceled, no `load` event follows. */
  onStopped(): void {
    this.isLoaded = this.isReady = true;
  }
}

interface DocumentChecks {
  /** True if the egress policy has checked the request. */
  isChecked: boolean;
  /** The policy for the IP address of the document's server. Null if the address isn't checked. */
  addressPolicy: EgressPolicy | null;
}

/** Returns the reason if a document bypassed the policy, as a prefetched one can. Otherwise returns null. */
export function findBypass(
  { response }: Protocol.Network.ResponseReceivedEvent,
  { isChecked, addressPolicy }: DocumentChecks,
): string | null {
  if (!/^https?:/.test(response.url)) return null;
  const host = URL.parse(response.url)?.host ?? response.url;
  if (response.fromPrefetchCache || !isChecked)
    return `The page at ${host} was prefetched, so its IP address could not be checked.`;
  const { remoteIPAddress: address } = response;
  if (!address || addressPolicy === null || isExempt(new URL(response.url), addressPolicy)) return null;
  return findResolvedRefusal(address.replace(/^\[|\]$/g, ""), host, addressPolicy);
}
