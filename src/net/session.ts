import { CookieJar, type SessionCookie } from "./cookie-jar";
import { isOwnSite } from "./own-site";

/** The secrets that a request sends to the site of its target, and its user agent. */
export interface Session {
  /** The headers for the target's site. They include the `Authorization` of `basic_auth`. */
  headers: Readonly<Record<string, string>>;
  cookies: readonly SessionCookie[];
  /** The user agent of all requests. Null if the service's own user agent is sent. */
  userAgent: string | null;
}

/**
 * The session of the plain requests of one job. If the request has cookies, also stores the cookies that the site sets
 * in redirects.
 */
export class PlainSession {
  readonly #target: URL;
  readonly #session: Session;
  readonly #jar: CookieJar | null;

  constructor(target: string, session: Session) {
    this.#target = new URL(target);
    this.#session = session;
    this.#jar = session.cookies.length === 0 ? null : new CookieJar(this.#target, session.cookies);
  }

  /** Returns the headers for one request. Other sites get only the user agent. */
  headersFor(url: URL): Record<string, string> {
    const { headers, userAgent } = this.#session;
    const cookie = this.cookiesFor(url);
    return {
      ...(userAgent !== null && { "user-agent": userAgent }),
      ...(isOwnSite(url, this.#target) && headers),
      ...(cookie !== null && { cookie }),
    };
  }

  /** Returns the header `Cookie` for a URL, or null. */
  cookiesFor(url: URL): string | null {
    return this.#jar?.headerFor(url) ?? null;
  }

  /** Stores the cookies of a response. */
  onResponse(url: URL, headers: Headers): void {
    this.#jar?.store(url, headers.getSetCookie());
  }
}
