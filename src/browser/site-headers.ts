import type { Protocol } from "devtools-protocol";
import { isOwnSite, registrableDomain } from "../net/own-site";
import type { Session } from "../net/session";

type Header = Protocol.Fetch.HeaderEntry;

/**
 * The headers that a tab adds to the requests to its own site. Each request and each redirect is checked when it is
 * intercepted. Chromium (tested with 153) drops added headers when it follows a redirect, so a redirect to a site that
 * isn't intercepted can't receive them. The only exception is `Referer`, which can't be removed. Therefore only the
 * main document gets it, and `wouldCarryReferrer` finds the redirects that must fail.
 */
export class SiteHeaders {
  readonly #target: URL;
  readonly #headers: readonly Header[];

  constructor(target: URL, headers: Session["headers"]) {
    this.#target = target;
    this.#headers = Object.entries(headers).map(([name, value]) => ({ name, value }));
  }

  /**
   * Returns all headers for an intercepted request, or null if they don't change. No header is added if the request
   * goes to another site, or if a script of another site sends the request and could read the response.
   */
  addTo(
    { request }: Protocol.Fetch.RequestPausedEvent,
    { isMainDocument }: { isMainDocument: boolean },
  ): Header[] | null {
    if (!this.#isOwn(request.url)) return null;
    const sent = Object.entries(request.headers).map(([name, value]) => ({ name, value }));
    const origin = sent.find(({ name }) => name.toLowerCase() === "origin")?.value;
    // A form of another site may lead the page itself back to its site, for example after a sign-in elsewhere.
    if (!isMainDocument && origin !== undefined && !this.#isOwn(origin)) return null;
    const added = this.#headers.filter((header) => isMainDocument || !isReferrer(header));
    const names = new Set(added.map(({ name }) => name.toLowerCase()));
    return [...sent.filter(({ name }) => !names.has(name.toLowerCase())), ...added];
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
