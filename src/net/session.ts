import { getDomain } from "tldts";
import { now } from "../lib/clock";
import { AppError } from "../model/errors";
import { MAX_COOKIE_BYTES, SECOND_MS } from "../model/limits";
import { MAX_REDIRECTS } from "../model/page-limits";

export interface SessionCookie {
  name: string;
  value: string;
  /** The domain whose subdomains also get the cookie. Null if only the host of the target gets it. */
  domain: string | null;
  path: string;
  /** True if the cookie is sent only over https. */
  secure: boolean;
}

interface StoredCookie extends SessionCookie {
  /** The host that set the cookie. Only this host gets it if `domain` is null. */
  host: string;
}

/** The maximum number of stored cookies, so that redirects can't fill the memory. The jar ignores more cookies. */
const MAX_STORED = 300;

/** The cookies of plain requests (RFC 6265, section 5): the request's, and those of sites. Each site gets only its own. */
export class CookieJar {
  #cookies: StoredCookie[];

  constructor(target: URL, cookies: readonly SessionCookie[]) {
    this.#cookies = cookies.map((cookie) => ({ ...cookie, host: target.hostname }));
  }

  /** Returns the header `Cookie` for a URL. Returns null if no cookie belongs to the URL. */
  headerFor(url: URL): string | null {
    const sent = this.#cookies.filter((cookie) => belongsTo(cookie, url));
    if (sent.length === 0) return null;
    // Cookies with longer paths are sent first (RFC 6265, section 5.4).
    const sorted = sent.toSorted((a, b) => b.path.length - a.path.length);
    return sorted.map(({ name, value }) => (name === "" ? value : `${name}=${value}`)).join("; ");
  }

  /** Stores the cookies of a response. Ignores cookies that the host may not set. */
  store(url: URL, lines: readonly string[]): void {
    for (const line of lines) {
      const set = parseSetCookie(line, url);
      if (set === null) continue;
      const { cookie, isExpired } = set;
      this.#cookies = this.#cookies.filter((other) => !isSame(other, cookie));
      if (!isExpired && this.#cookies.length < MAX_STORED) this.#cookies.push(cookie);
    }
  }
}

function belongsTo({ host, domain, path, secure }: StoredCookie, url: URL): boolean {
  if (secure && url.protocol !== "https:") return false;
  const isHost = domain === null ? url.hostname === host : isWithin(url.hostname, domain);
  return isHost && (url.pathname === path || url.pathname.startsWith(path.endsWith("/") ? path : `${path}/`));
}

/** Returns true if the host is the domain or one of its subdomains. */
export function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/**
 * Returns the domain if its subdomains may share cookies. Returns null for an IP address, and for a public suffix,
 * because its subdomains belong to different sites. In these cases, only the host itself gets the cookie (RFC 6265,
 * section 5.3).
 */
export function sharedDomain(domain: string): string | null {
  return registrableDomain(domain) === null ? null : domain;
}

function isSame(a: StoredCookie, b: StoredCookie): boolean {
  return a.name === b.name && a.path === b.path && (a.domain ?? a.host) === (b.domain ?? b.host);
}

/** Parses a `Set-Cookie` header. Returns null for a cookie that the host of `url` may not set. */
function parseSetCookie(line: string, url: URL): { cookie: StoredCookie; isExpired: boolean } | null {
  const [pair = "", ...parts] = line.split(";");
  const at = pair.indexOf("=");
  const name = pair.slice(0, Math.max(at, 0)).trim();
  const value = pair.slice(at + 1).trim();
  if ((name === "" && value === "") || name.length + value.length > MAX_COOKIE_BYTES) return null;
  const attributes = new Map(
    parts.map((part) => {
      const [key = "", ...rest] = part.split("=");
      return [key.trim().toLowerCase(), rest.join("=").trim()];
    }),
  );
  const path = attributes.get("path") ?? "";
  const domain = (attributes.get("domain") ?? "").replace(/^\./, "").toLowerCase() || null;
  const cookie: StoredCookie = {
    name,
    value,
    host: url.hostname,
    domain: domain === url.hostname ? sharedDomain(domain) : domain,
    path: path.startsWith("/") ? path : toDefaultPath(url),
    secure: attributes.has("secure"),
  };
  return mayBeSet(cookie, url) ? { cookie, isExpired: isExpired(attributes) } : null;
}

function mayBeSet({ name, domain, path, secure }: StoredCookie, url: URL): boolean {
  if (secure && url.protocol !== "https:") return false;
  if (/^__(?:secure|host)-/i.test(name) && !secure) return false;
  if (/^__host-/i.test(name) && (domain !== null || path !== "/")) return false;
  return (
    domain === null ||
    url.hostname === domain ||
    (isWithin(url.hostname, domain) && registrableDomain(domain) === registrableDomain(url.hostname))
  );
}

/** Returns the directory of the URL's path (RFC 6265, section 5.1.4). */
function toDefaultPath({ pathname }: URL): string {
  return pathname.slice(0, Math.max(pathname.lastIndexOf("/"), 1));
}

function isExpired(attributes: ReadonlyMap<string, string>): boolean {
  const maxAge = attributes.get("max-age");
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Number(maxAge) * SECOND_MS <= 0;
  // Browsers ignore a date without a time, such as `0`, which `Date.parse` would read as a year.
  const date = attributes.get("expires") ?? "";
  const expires = /\d:\d/.test(date) ? Date.parse(date) : Number.NaN;
  return !Number.isNaN(expires) && expires <= now();
}

/** The secrets that a request sends to the site of its target, and its user agent. */
export interface Session {
  /** The headers for the target's site. They include the `Authorization` of `basic_auth`. */
  headers: Readonly<Record<string, string>>;
  cookies: readonly SessionCookie[];
  /** The user agent of all requests. Null if the service's own user agent is sent. */
  userAgent: string | null;
}

const NO_SECRETS: Session = { headers: {}, cookies: [], userAgent: null };

/** The maximum length of a URL in the message about redirects. */
const MAX_SHOWN_URL_CHARS = 120;

/** The session of a job's plain requests. It stores the cookies that sites set, as a browser does. */
export class PlainSession {
  readonly #target: URL;
  readonly #session: Session;
  readonly #jar: CookieJar;
  /** The URLs of the visit: the target, and the targets of redirects and refreshes. */
  readonly #chain: string[] = [];
  /** The URLs of the visit with their cookies, because a page can set a cookie and redirect to itself. */
  readonly #visited = new Set<string>();

  constructor(target: string, session: Session = NO_SECRETS) {
    this.#target = new URL(target);
    this.#session = session;
    this.#jar = new CookieJar(this.#target, session.cookies);
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

  cookiesFor(url: URL): string | null {
    return this.#jar.headerFor(url);
  }

  /** Returns true if the URL was visited with the cookies that it gets now. */
  hasVisited(url: URL): boolean {
    return this.#visited.has(this.#toKey(url));
  }

  /** Adds the target, or the target of a redirect. Throws AppError `too_many_redirects` for a loop or a long chain. */
  visit(url: URL): void {
    this.#chain.push(url.href.length > MAX_SHOWN_URL_CHARS ? `${url.href.slice(0, MAX_SHOWN_URL_CHARS)}…` : url.href);
    const isLoop = this.hasVisited(url);
    if (isLoop || this.#visited.size > MAX_REDIRECTS) {
      const { host } = this.#target;
      const problem = isLoop
        ? `The redirects of ${host} form a loop`
        : `${host} redirects more than ${MAX_REDIRECTS} times`;
      throw new AppError("too_many_redirects", `${problem}: ${this.#chain.join(" → ")}.`);
    }
    this.#visited.add(this.#toKey(url));
  }

  #toKey(url: URL): string {
    return `${url.href} ${this.cookiesFor(url) ?? ""}`;
  }

  /** Stores the cookies of a response. */
  onResponse(url: URL, headers: Headers): void {
    this.#jar.store(url, headers.getSetCookie());
  }
}

/**
 * Returns the registrable domain of a host name, by the Public Suffix List. For example, it is `example.co.uk` for
 * `www.example.co.uk`. Returns null for an IP address, a public suffix, and a name without a dot.
 */
export function registrableDomain(hostname: string): string | null {
  // The private part of the Public Suffix List is used, because customers of a hosting service have separate sites,
  // such as `a.github.io` and `b.github.io`.
  return getDomain(hostname, { allowPrivateDomains: true, extractHostname: false });
}

/**
 * Returns true if secrets for `target` may be sent to `url`. Both must have the same registrable domain. If the host
 * has none, such as an IP address, the host and the port must be the same. A secret for an https URL is never sent
 * without encryption.
 */
export function isOwnSite(url: URL, target: URL): boolean {
  if (isEncrypted(target) && !isEncrypted(url)) return false;
  const domain = registrableDomain(target.hostname);
  return domain === null ? url.host === target.host : registrableDomain(url.hostname) === domain;
}

function isEncrypted({ protocol }: URL): boolean {
  return protocol === "https:" || protocol === "wss:";
}
