import type { Protocol } from "devtools-protocol";
import { isOwnSite, registrableDomain } from "../net/own-site";
import type { Session } from "../net/session";
import type { CDPSession } from "./connection";

type Header = Protocol.Fetch.HeaderEntry;

/** The tab to which the headers belong. */
interface SiteTab {
  session: CDPSession;
  frameId: string;
}

/**
 * The headers that a tab adds to the requests that the frames of its site send to this site. A frame is the site's own if it and
 * all frames around it have requested only documents of the site. Other frames stay foreign, even if they show the site
 * later. The main frame counts as the site's own again when it returns to the site, for example after a sign-in
 * elsewhere. Frames are followed by their requests, because a request of a new document may be intercepted before the
 * browser reports the navigation.
 *
 * Each request and each redirect is checked when it is intercepted. Chromium (tested with 153) drops added headers when it follows a redirect, so a redirect to a site that
 * isn't intercepted can't receive them. The only exception is `Referer`, which can't be removed. Therefore only the
 * main document gets it, and `wouldCarryReferrer` finds the redirects that must fail.
 */
export class SiteHeaders {
  readonly #target: URL;
  readonly #headers: readonly Header[];
  readonly #mainFrame: string;
  /** The parents of the frames that run in the process of the main frame. */
  readonly #parents = new Map<string, string>();
  /** The frames that have requested a document of another site. */
  readonly #foreign = new Set<string>();
  /** The ids of the intercepted requests that got the headers. */
  readonly #sent = new Set<string>();

  constructor({ session, frameId }: SiteTab, target: URL, headers: Session["headers"]) {
    this.#target = target;
    this.#headers = Object.entries(headers).map(([name, value]) => ({ name, value }));
    this.#mainFrame = frameId;
    session.on("Page.frameAttached", (event) => this.#parents.set(event.frameId, event.parentFrameId));
    session.on("Page.frameDetached", (event) => this.#parents.delete(event.frameId));
    session.on("Network.requestWillBeSent", (event) => this.#onRequest(event));
  }

  /**
   * Returns all headers for an intercepted request, or null if they don't change. No header is added if the request
   * goes to another site, if another site redirected it, or if a frame or a script of another site sends it. Only the
   * request for the main document gets the headers in any case.
   */
  addTo(event: Protocol.Fetch.RequestPausedEvent): Header[] | null {
    const { requestId, redirectedRequestId, request, resourceType, frameId } = event;
    if (!this.#isOwn(request.url)) return null;
    const sent = Object.entries(request.headers).map(([name, value]) => ({ name, value }));
    const origin = sent.find(({ name }) => name.toLowerCase() === "origin")?.value;
    // Another site may lead the page itself back to its site, for example after a sign-in elsewhere.
    const isMainDocument = resourceType === "Document" && frameId === this.#mainFrame;
    const isRedirectedHere = redirectedRequestId !== undefined && !this.#sent.has(redirectedRequestId);
    const isOwn = !isRedirectedHere && this.#isOwnFrame(frameId) && (origin === undefined || this.#isOwn(origin));
    if (!isMainDocument && !isOwn) return null;
    this.#sent.add(requestId);
    const added = this.#headers.filter((header) => isMainDocument || !isReferrer(header));
    const names = new Set(added.map(({ name }) => name.toLowerCase()));
    return [...sent.filter(({ name }) => !names.has(name.toLowerCase())), ...added];
  }

  #onRequest({ type, frameId, request }: Protocol.Network.RequestWillBeSentEvent): void {
    // Other documents, such as `about:srcdoc`, contain what the frame around them has written.
    if (type !== "Document" || frameId === undefined || !/^https?:/i.test(request.url)) return;
    if (!this.#isOwn(request.url)) this.#foreign.add(frameId);
    else if (frameId === this.#mainFrame) this.#foreign.delete(frameId);
  }

  /** Returns true if the frame and all frames around it belong to the site. */
  #isOwnFrame(frameId: string): boolean {
    for (let id: string | undefined = frameId; id !== undefined; id = this.#parents.get(id)) {
      if (this.#foreign.has(id)) return false;
      if (id === this.#mainFrame) return true;
    }
    return false;
  }

  /**
   * Returns true if the request is a redirect of the main document to another site, which would receive the `Referer`.
   */
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
    const hosts = domain === null ? [hostname] : [domain, `*.${domain}`];
    return hosts.flatMap((host) => ["/", ":", "./", ".:"].map((end) => ({ urlPattern: `*://${host}${end}*` })));
  }
}

function isReferrer({ name }: Header): boolean {
  return name.toLowerCase() === "referer";
}
