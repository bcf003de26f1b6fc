import type { Protocol } from "devtools-protocol";
import { AppError } from "../model/errors";
import { deniesNetworks } from "../net/egress";
import { Resolver } from "../net/resolver";
import type { CDPSession, Connection } from "./connection";
import type { BrowserNetwork, RequestDecision } from "./network";
import type { PageProxy } from "./page-proxy";
import { RenderError } from "./protocol";
import type { Tab } from "./tab";

// A GIF with one transparent pixel, in base64.
const BLANK_GIF = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

/** Response headers that cause background requests. They are removed, because interception doesn't see the requests. */
const BACKGROUND_HEADERS: ReadonlySet<string> = new Set([
  "speculation-rules",
  "nel",
  "reporting-endpoints",
  "report-to",
]);
/** The reason why a redirect is refused: its target would get the `Referer` of the first request. */
const CARRIES_REFERRER =
  "The page redirects to another site, and the browser would send the request's header 'Referer' to it. Remove this header.";
/** Matches `Link` relations that make the browser fetch or connect before a navigation. */
const PREFETCH_RELATION = /\b(?:prefetch|prerender|preconnect|dns-prefetch)\b/i;

interface InterceptionOptions {
  /** The URL of a DNS resolver with a JSON API. If it is empty, host names aren't resolved. */
  resolver: string;
  network: BrowserNetwork;
}

/** Handles the intercepted requests of a browser. Finds a request's tab by its frame. */
export class Interception {
  readonly #resolver: Resolver;
  readonly #network: BrowserNetwork;
  readonly #tabs = new Set<Tab>();
  readonly #tabByFrame = new Map<string, Tab>();

  constructor({ resolver, network }: InterceptionOptions) {
    this.#resolver = new Resolver(resolver);
    this.#network = network;
  }

  /** Adds a tab. The requests of its main frame are assigned to the tab. */
  addTab(tab: Tab): void {
    this.#tabs.add(tab);
    this.addFrame(tab.frameId, tab);
  }

  /** Removes a tab and its frames. */
  removeTab(tab: Tab): void {
    this.#tabs.delete(tab);
    for (const [frameId, owner] of this.#tabByFrame) if (owner === tab) this.#tabByFrame.delete(frameId);
  }

  /** Assigns the requests of a frame to the tab. */
  addFrame(frameId: string, tab: Tab): void {
    this.#tabByFrame.set(frameId, tab);
  }

  removeFrame(frameId: string): void {
    this.#tabByFrame.delete(frameId);
  }

  /** Continues, fulfills or fails an intercepted request. `at`: the connection or session that intercepted it. */
  onRequest(event: Protocol.Fetch.RequestPausedEvent, at: Connection | CDPSession): void {
    this.#handle(event, at).catch(() => undefined); // Ignores errors, because a request ends with its page.
  }

  async #handle(event: Protocol.Fetch.RequestPausedEvent, at: Connection | CDPSession): Promise<void> {
    const { requestId } = event;
    const send = at.send.bind(at) as Connection["send"];
    if (event.responseStatusCode !== undefined || event.responseErrorReason !== undefined) {
      await send("Fetch.continueResponse", { requestId, ...withoutBackgroundRequests(event) });
      return;
    }
    const decision = await this.#checkRedirect(event, await this.#checkName(event, this.#decide(event)));
    if (decision.kind === "continue") await this.#continue(event, send);
    else if (decision.kind === "fail") await send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
    else {
      const isImage = decision.kind === "blank-image";
      await send("Fetch.fulfillRequest", {
        requestId,
        responseCode: 200,
        responseHeaders: [
          { name: "content-type", value: isImage ? "image/gif" : "text/html" },
          { name: "access-control-allow-origin", value: "*" },
        ],
        body: isImage ? BLANK_GIF : "",
      });
    }
  }

  async #continue(event: Protocol.Fetch.RequestPausedEvent, send: Connection["send"]): Promise<void> {
    const { requestId } = event;
    const tab = this.#tabByFrame.get(event.frameId);
    // The page may have navigated to another URL in the meantime.
    if (tab?.isMainDocument(event) && tab.replay?.url === event.request.url) {
      const { url: _url, responseHeaders = [], ...replay } = tab.replay;
      tab.replay = null;
      const kept = responseHeaders.filter((header) => !startsRequests(header));
      await send("Fetch.fulfillRequest", { requestId, ...replay, responseHeaders: kept });
      return;
    }
    const proxies = new Set(tab === undefined ? this.#rendering().map(({ proxy }) => proxy) : [tab.proxy]);
    const [proxy = null] = proxies;
    // Fails a request of an unknown frame if the tabs have different proxies. The request must not be sent through the
    // proxy of another tab.
    if (proxies.size > 1) await send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
    else if (proxy === null) {
      // Only responses of documents are intercepted, to remove headers. Intercepting every response would be too slow.
      // In a public network, background requests do no harm.
      const interceptResponse = event.resourceType === "Document" && this.#network !== "public";
      const headers = await tab?.siteHeaders?.addTo(event);
      if (tab?.isMainDocument(event) && tab.siteHeaders?.wouldCarryReferrer(event)) {
        tab.refuse(event, CARRIES_REFERRER);
        await send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
      } else await send("Fetch.continueRequest", { requestId, interceptResponse, ...(headers && { headers }) });
    } else await this.#fulfill(withHeaders(event, await tab?.siteHeaders?.addTo(event)), proxy, tab, send);
  }

  /** Fulfills the request with the response that the proxy returns. */
  async #fulfill(
    event: Protocol.Fetch.RequestPausedEvent,
    proxy: PageProxy,
    tab: Tab | undefined,
    send: Connection["send"],
  ): Promise<void> {
    let response: Protocol.Fetch.FulfillRequestRequest;
    try {
      const isOtherSite = () => tab?.pending.find(event.networkId)?.isOwn === false;
      response = await (tab?.isMainDocument(event)
        ? proxy.fetchDocument(event)
        : proxy.fetchSubresource(event, isOtherSite));
    } catch (error) {
      if (error instanceof RenderError) tab?.fail(event, error);
      await send("Fetch.failRequest", { requestId: event.requestId, errorReason: "Failed" });
      return;
    }
    await send("Fetch.fulfillRequest", response);
  }

  #rendering(): Tab[] {
    return [...this.#tabs].filter(({ policy }) => policy !== null);
  }

  /**
   * Resolves the request's host name and checks its addresses, because a public name may resolve to a private address.
   * If something else checks the addresses, resolves only the host names of documents, so that the caller gets the
   * reason for a refusal.
   */
  async #checkName(event: Protocol.Fetch.RequestPausedEvent, decision: RequestDecision): Promise<RequestDecision> {
    if (decision.kind !== "continue") return decision;
    const isResolved = this.#network === "checked" || event.resourceType === "Document";
    const tab = this.#tabByFrame.get(event.frameId);
    for (const { policy, proxy } of tab === undefined ? this.#rendering() : [tab]) {
      // The check is skipped for a tab with a proxy, because the proxy resolves host names.
      if (policy === null || proxy !== null || !(isResolved || deniesNetworks(policy))) continue;
      try {
        const reason = await this.#resolver.findRefusal(event.request.url, policy);
        if (reason === null) continue;
        tab?.refuse(event, reason);
      } catch (error) {
        // A request whose name can't be resolved is failed. The browser's own resolver might find a private address for
        // the name.
        if (error instanceof AppError) tab?.fail(event, new RenderError(error.code, error.message, error));
      }
      return { kind: "fail" };
    }
    return decision;
  }

  /** Fails the request if it is for the main document, and the caller of the render doesn't allow its URL. */
  async #checkRedirect(event: Protocol.Fetch.RequestPausedEvent, decision: RequestDecision): Promise<RequestDecision> {
    const tab = this.#tabByFrame.get(event.frameId);
    if (decision.kind !== "continue" || !tab?.isMainDocument(event)) return decision;
    const reason = (await tab.checkRedirect?.(event.request.url)) ?? null;
    if (reason === null) return decision;
    tab.refuse(event, reason);
    return { kind: "fail" };
  }

  /** Returns the decision for a request. If its frame is unknown, every running render must allow the request. */
  #decide(event: Protocol.Fetch.RequestPausedEvent): RequestDecision {
    const tab = this.#tabByFrame.get(event.frameId);
    if (tab !== undefined) return tab.decide(event);
    const decisions = this.#rendering().map((candidate) => candidate.decide(event));
    return decisions.length > 0 && decisions.every((decision) => decision.kind !== "fail")
      ? { kind: "continue" }
      : { kind: "fail" };
  }
}

/**
 * Returns options for `Fetch.continueResponse` that remove headers which start background requests. Returns no options
 * if there are no such headers; the response then stays unchanged.
 */
function withoutBackgroundRequests({
  responseStatusCode,
  responseStatusText,
  responseHeaders = [],
}: Protocol.Fetch.RequestPausedEvent): Omit<Protocol.Fetch.ContinueResponseRequest, "requestId"> {
  const kept = responseHeaders.filter((header) => !startsRequests(header));
  if (responseStatusCode === undefined || kept.length === responseHeaders.length) return {};
  return {
    responseCode: responseStatusCode,
    responseHeaders: kept,
    ...(responseStatusText !== undefined && responseStatusText !== "" && { responsePhrase: responseStatusText }),
  };
}

/** Returns the event with the headers, or the same event if there are none. */
function withHeaders(
  event: Protocol.Fetch.RequestPausedEvent,
  headers: Protocol.Fetch.HeaderEntry[] | null | undefined,
): Protocol.Fetch.RequestPausedEvent {
  if (!headers) return event;
  const sent = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
  return { ...event, request: { ...event.request, headers: sent } };
}

function startsRequests({ name, value }: Protocol.Fetch.HeaderEntry): boolean {
  const key = name.toLowerCase();
  return BACKGROUND_HEADERS.has(key) || (key === "link" && PREFETCH_RELATION.test(value));
}
