import type { Protocol } from "devtools-protocol";
import { withTimeout } from "../lib/async";
import { SECOND_MS } from "../model/limits";
import { isOwnSite, registrableDomain, type Session } from "../net/session";
import type { CDPSession } from "./connection";
import { toHostPatterns } from "./network";

type Header = Protocol.Fetch.HeaderEntry;

/** The tab to which the headers belong. */
interface SiteTab {
  session: CDPSession;
  frameId: string;
}

/** The maximum time from the interception of a request until the browser reports which document sends it. */
const REPORT_MS = SECOND_MS;

/**
 * The headers that a tab adds to the requests that the frames of its site send to this site. A frame is the site's own
 * if it and all frames around it have requested only documents of the site. Other frames stay foreign, even if they
 * show the site later. The main frame counts as the site's own again when it shows the site, for example after a
 * sign-in elsewhere. Frames are followed by their requests, because a request of a new document may be intercepted
 * before the browser reports the navigation.
 *
 * After the main frame has requested another site, its frame id isn't enough. The other site's page still runs while
 * it requests the site, and even stays if the response is empty or a download. Each request must then come from a
 * document that the main frame has requested from the site. The browser reports this document separately, often a
 * moment after the request is intercepted. It reports no document for workers, so their requests don't get the
 * headers.
 *
 * Each request and each redirect is checked when it is intercepted. Chromium (tested with 153) drops added headers
 * when it follows a redirect, so a redirect to a site that isn't intercepted can't receive them. The only exception is
 * `Referer`, which can't be removed. Therefore only the main document gets it, and `wouldCarryReferrer` finds the
 * redirects that must fail.
 */
export class SiteHeaders {
  readonly #target: URL;
  readonly #headers: readonly Header[];
  readonly #mainFrame: string;
  /** The parents of the frames that run in the process of the main frame. */
  readonly #parents = new Map<string, string>();
  /** The frames that have requested a document of another site. The main frame is removed when it shows the site. */
  readonly #foreign = new Set<string>();
  /** The loader ids of the documents that the main frame has requested from the site. */
  readonly #ownDocuments = new Set<string>();
  /** Maps the network id of a request to the loader id of the document that sends it. */
  readonly #senders = new Map<string, PromiseWithResolvers<string>>();
  /** True if the main frame has requested a document of another site. */
  #hasLeft = false;
  /** The ids of the intercepted requests that got the headers. */
  readonly #sent = new Set<string>();

  constructor({ session, frameId }: SiteTab, target: URL, headers: Session["headers"]) {
    this.#target = target;
    this.#headers = Object.entries(headers).map(([name, value]) => ({ name, value }));
    this.#mainFrame = frameId;
    session.on("Page.frameAttached", (event) => this.#parents.set(event.frameId, event.parentFrameId));
    session.on("Page.frameDetached", (event) => this.#parents.delete(event.frameId));
    session.on("Page.frameNavigated", (event) => this.#onNavigated(event.frame));
    session.on("Network.requestWillBeSent", (event) => this.#onRequest(event));
  }

  /**
   * Returns all headers for an intercepted request, or null if they don't change. No header is added if the request
   * goes to another site, if another site redirected it, or if a frame or a script of another site sends it. Only the
   * request for the main document gets the headers in any case.
   */
  async addTo(event: Protocol.Fetch.RequestPausedEvent): Promise<Header[] | null> {
    const { requestId, redirectedRequestId, request, resourceType, frameId } = event;
    if (!this.#isOwn(request.url)) return null;
    const sent = Object.entries(request.headers).map(([name, value]) => ({ name, value }));
    const origin = sent.find(({ name }) => name.toLowerCase() === "origin")?.value;
    // Another site may lead the page itself back to its site, for example after a sign-in elsewhere.
    const isMainDocument = resourceType === "Document" && frameId === this.#mainFrame;
    const isRedirectedHere = redirectedRequestId !== undefined && !this.#sent.has(redirectedRequestId);
    const isOwn = !isRedirectedHere && (origin === undefined || this.#isOwn(origin));
    if (!isMainDocument && !(isOwn && (await this.#isOwnSender(event)))) return null;
    this.#sent.add(requestId);
    const added = this.#headers.filter((header) => isMainDocument || !isReferrer(header));
    const names = new Set(added.map(({ name }) => name.toLowerCase()));
    return [...sent.filter(({ name }) => !names.has(name.toLowerCase())), ...added];
  }

  #onRequest({ requestId, loaderId, type, frameId, request }: Protocol.Network.RequestWillBeSentEvent): void {
    this.#senderOf(requestId).resolve(loaderId);
    // Other documents, such as `about:srcdoc`, contain what the frame around them has written.
    if (type !== "Document" || frameId === undefined || !/^https?:/i.test(request.url)) return;
    const isOwn = this.#isOwn(request.url);
    if (!isOwn) this.#foreign.add(frameId);
    if (frameId !== this.#mainFrame) return;
    // Each redirect of a document is reported with the same loader.
    if (isOwn) this.#ownDocuments.add(loaderId);
    else this.#ownDocuments.delete(loaderId);
    this.#hasLeft ||= !isOwn;
  }

  #onNavigated({ id, url }: Protocol.Page.Frame): void {
    if (id !== this.#mainFrame) return;
    // The browser doesn't report the end of all frames of the previous document.
    this.#parents.clear();
    // A document from the browser's history is shown without a request.
    if (this.#isOwn(url)) this.#foreign.delete(id);
    else if (this.#hasLeft) this.#foreign.add(id);
  }

  #senderOf(networkId: string): PromiseWithResolvers<string> {
    const sender = this.#senders.get(networkId) ?? Promise.withResolvers<string>();
    this.#senders.set(networkId, sender);
    return sender;
  }

  /** Returns true if a document of the site sends the request, and the frames around it belong to the site. */
  async #isOwnSender({ frameId, networkId }: Protocol.Fetch.RequestPausedEvent): Promise<boolean> {
    if (frameId !== this.#mainFrame || !this.#hasLeft) return this.#isOwnFrame(frameId);
    if (networkId === undefined) return false;
    const loaderId = await withTimeout(REPORT_MS, this.#senderOf(networkId).promise).catch(() => null);
    return loaderId !== null && this.#ownDocuments.has(loaderId);
  }

  /** Returns true if the frame and all frames around it belong to the site. */
  #isOwnFrame(frameId: string): boolean {
    for (let id: string | undefined = frameId; id !== undefined; id = this.#parents.get(id)) {
      if (this.#foreign.has(id)) return false;
      if (id === this.#mainFrame) return true;
    }
    return false;
  }

  /** Returns true for a redirect of the main document to another site, which would receive the `Referer`. */
  wouldCarryReferrer({ request, redirectedRequestId }: Protocol.Fetch.RequestPausedEvent): boolean {
    return redirectedRequestId !== undefined && this.#headers.some(isReferrer) && !this.#isOwn(request.url);
  }

  #isOwn(text: string): boolean {
    const url = URL.parse(text);
    return url !== null && isOwnSite(url, this.#target);
  }

  /** The patterns of the requests that must be intercepted. They also match some URLs of other sites. */
  get patterns(): Protocol.Fetch.RequestPattern[] {
    const { hostname } = this.#target;
    const domain = registrableDomain(hostname);
    return toHostPatterns(domain === null ? [hostname] : [domain, `*.${domain}`]);
  }
}

function isReferrer({ name }: Header): boolean {
  return name.toLowerCase() === "referer";
}
