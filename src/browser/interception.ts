import type { Protocol } from "devtools-protocol";
import { AppError } from "../model/errors";
import { Resolver } from "../net/resolver";
import type { CDPSession, Connection } from "./connection";
import type { PageProxy } from "./page-proxy";
import { RenderError } from "./protocol";
import type { Tab, Verdict } from "./tab";

// The smallest GIF: one transparent pixel.
const BLANK_GIF = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

/** Headers of a document that cause requests in the background. Interception doesn't see them. */
const BACKGROUND_HEADERS: ReadonlySet<string> = new Set([
  "speculation-rules",
  "nel",
  "reporting-endpoints",
  "report-to",
]);
/** The relations of `Link` that fetch or connect ahead of a navigation. */
const PREFETCH_RELATION = /\b(?:prefetch|prerender|preconnect|dns-prefetch)\b/i;

interface InterceptionOptions {
  /** A resolver that speaks DNS as JSON. Empty: names aren't resolved. */
  resolver: string;
  /** A filtering proxy checks the address of every connection. */
  isProxied: boolean;
}

/** Decides about each intercepted request. The tab is found by the request's frame. */
export class Interception {
  readonly #resolver: Resolver;
  readonly #isProxied: boolean;
  readonly #tabs = new Set<Tab>();
  readonly #tabByFrame = new Map<string, Tab>();

  constructor({ resolver, isProxied }: InterceptionOptions) {
    this.#resolver = new Resolver(resolver);
    this.#isProxied = isProxied;
  }

  /** Assigns the requests of the tab's main frame to the tab. */
  addTab(tab: Tab): void {
    this.#tabs.add(tab);
    this.addFrame(tab.frameId, tab);
  }

  /** Forgets a tab and its frames. */
  removeTab(tab: Tab): void {
    this.#tabs.delete(tab);
    for (const [frameId, owner] of this.#tabByFrame) if (owner === tab) this.#tabByFrame.delete(frameId);
  }

  /** Assigns the requests of a frame to the tab. */
  addFrame(frameId: string, tab: Tab): void {
    this.#tabByFrame.set(frameId, tab);
  }

  /** Forgets a frame. */
  removeFrame(frameId: string): void {
    this.#tabByFrame.delete(frameId);
  }

  /** Answers an intercepted request. `at`: the connection or session that intercepted it. */
  onRequest(event: Protocol.Fetch.RequestPausedEvent, at: Connection | CDPSession): void {
    this.#answer(event, at).catch(() => undefined); // The request ended meanwhile, with its page.
  }

  async #answer(event: Protocol.Fetch.RequestPausedEvent, at: Connection | CDPSession): Promise<void> {
    const { requestId } = event;
    const send = at.send.bind(at) as Connection["send"];
    if (event.responseStatusCode !== undefined || event.responseErrorReason !== undefined) {
      await send("Fetch.continueResponse", { requestId, ...withoutBackgroundRequests(event) });
      return;
    }
    const verdict = await this.#checkName(event, this.#judge(event));
    if (verdict.kind === "continue") await this.#continue(event, send);
    else if (verdict.kind === "fail") await send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
    else {
      await send("Fetch.fulfillRequest", {
        requestId,
        responseCode: 200,
        responseHeaders: [
          { name: "content-type", value: "image/gif" },
          { name: "access-control-allow-origin", value: "*" },
        ],
        body: BLANK_GIF,
      });
    }
  }

  async #continue(event: Protocol.Fetch.RequestPausedEvent, send: Connection["send"]): Promise<void> {
    const { requestId } = event;
    const tab = this.#tabByFrame.get(event.frameId);
    const proxies = new Set(tab === undefined ? this.#rendering().map(({ proxy }) => proxy) : [tab.proxy]);
    const [proxy = null] = proxies;
    // The frame is unknown, so the request must not leave through another tab's proxy.
    if (proxies.size > 1) await send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
    else if (proxy === null) {
      // The headers of a document's response are changed. Intercepting every response would cost too much.
      await send("Fetch.continueRequest", { requestId, interceptResponse: event.resourceType === "Document" });
    } else await this.#fulfill(event, proxy, tab, send);
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
      response = await (tab?.isMainDocument(event) ? proxy.fetchDocument(event) : proxy.fetchSubresource(event));
    } catch (error) {
      if (error instanceof RenderError) tab?.fail(event, error);
      await send("Fetch.failRequest", { requestId: event.requestId, errorReason: "Failed" });
      return;
    }
    await send("Fetch.fulfillRequest", response);
  }

  /** Returns the tabs that are rendering. */
  #rendering(): Tab[] {
    return [...this.#tabs].filter(({ policy }) => policy !== null);
  }

  /**
   * Checks the addresses of the request's name, because a public name may resolve to a private address. Where a filtering proxy checks
   * them too, only the names of documents are resolved here, to tell the caller the reason.
   */
  async #checkName(event: Protocol.Fetch.RequestPausedEvent, verdict: Verdict): Promise<Verdict> {
    if (verdict.kind !== "continue" || (this.#isProxied && event.resourceType !== "Document")) return verdict;
    const tab = this.#tabByFrame.get(event.frameId);
    for (const { policy, proxy } of tab === undefined ? this.#rendering() : [tab]) {
      // A proxy resolves the names itself.
      if (policy === null || proxy !== null) continue;
      try {
        const reason = await this.#resolver.findRefusal(event.request.url, policy);
        if (reason === null) continue;
        tab?.refuse(event, reason);
      } catch (error) {
        // The browser's own resolver might find a private address for a name that ours doesn't know.
        if (error instanceof AppError) tab?.fail(event, new RenderError(error.code, error.message, error.retryable));
      }
      return { kind: "fail" };
    }
    return verdict;
  }

  /** Decides about a request. One of an unknown frame (a worker's, a window's) must be allowed by every running render. */
  #judge(event: Protocol.Fetch.RequestPausedEvent): Verdict {
    const tab = this.#tabByFrame.get(event.frameId);
    if (tab !== undefined) return tab.judge(event);
    const verdicts = this.#rendering().map((candidate) => candidate.judge(event));
    return verdicts.length > 0 && verdicts.every((verdict) => verdict.kind !== "fail")
      ? { kind: "continue" }
      : { kind: "fail" };
  }
}

/**
 * Returns the options for `Fetch.continueResponse` that remove these headers from a document. Empty if it has none: the response
 * stays unchanged.
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

function startsRequests({ name, value }: Protocol.Fetch.HeaderEntry): boolean {
  const key = name.toLowerCase();
  return BACKGROUND_HEADERS.has(key) || (key === "link" && PREFETCH_RELATION.test(value));
}
