import { invalidParameter } from "../../contract/invalid-request";
import type { PageFields } from "../../contract/scrape";
import { REDACTED } from "../../contract/secret-fields";
import type { RequestCookie } from "../../contract/session-options";
import {
  MAX_COOKIE_BYTES,
  MAX_COOKIE_PATH_BYTES,
  MAX_COOKIES_BYTES,
  MAX_REQUEST_HEADER_BYTES,
  MAX_REQUEST_HEADERS,
} from "../../model/limits";
import { isWithin, registrableDomain, type Session, type SessionCookie, sharedDomain } from "../../net/session";

/** The headers that a request can't set, with the reason or the advice for the error message. */
const REFUSED: readonly (readonly [name: RegExp, reason: string])[] = [
  [
    /^(?:connection|keep-alive|transfer-encoding|te|trailer|upgrade|http2-settings|content-length|expect|proxy-.*)$/i,
    "the service manages the connection to the target",
  ],
  [/^host$/i, "it is always the host of 'url'"],
  [/^accept-encoding$/i, "the service decodes the response itself"],
  [/^(?:forwarded|x-real-ip|true-client-ip|via|x-forwarded-.*)$/i, "it would misstate the origin of the request"],
  [/^(?:cdn-loop|cf-.*)$/i, "only proxies and networks set it"],
  [/^(?:cookie2?|set-cookie)$/i, "use 'cookies'"],
  [/^user-agent$/i, "use 'user_agent'"],
  [/^sec-/i, "only browsers set it"],
  [/^(?:x-)?webhook-/i, "it is reserved for the service's own webhooks"],
];

/** The characters of a header's name (RFC 9110, section 5.6.2). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Visible ASCII characters, spaces and tabs. Plain requests and the browser encode other characters differently. */
const VISIBLE = /^[\t\x20-\x7e]*$/;
const ONLY_VISIBLE =
  "can only have visible ASCII characters, spaces and tabs. Encode other characters, for example as %C3%A9";
const COOKIE_NAME = /^[\x21-\x3a\x3c\x3e-\x7e]+$/;
const COOKIE_VALUE = /^[\x20-\x3a\x3c-\x7e]*$/;
/** The prefixes whose cookies browsers send only over https. */
const SECURE_PREFIX = /^__(?:secure|host|http)-/i;
const HOST_PREFIX = /^__host-/i;

/** Throws AppError, without their values, if these headers, cookies or credentials can't be sent to the target. */
export function checkSession(fields: PageFields, url: string): void {
  const target = new URL(url);
  checkHeaders(fields.headers ?? {}, fields.basic_auth !== undefined);
  checkCookies(fields.cookies ?? [], target);
  if (fields.user_agent !== undefined && !VISIBLE.test(fields.user_agent))
    throw invalidParameter("user_agent", ONLY_VISIBLE);
  if (fields.basic_auth !== undefined) checkBasicAuth(fields.basic_auth);
}

/** Returns the session that a validated request uses for its target. Returns undefined if the request has none. */
export function toSession({ headers, cookies, user_agent, basic_auth }: PageFields, url: string): Session | undefined {
  if (headers === undefined && cookies === undefined && user_agent === undefined && basic_auth === undefined)
    return undefined;
  const target = new URL(url);
  return {
    headers: { ...headers, ...(basic_auth && { authorization: toAuthorization(basic_auth) }) },
    cookies: (cookies ?? []).map((cookie) => toCookie(cookie, target)),
    userAgent: user_agent ?? null,
  };
}

function toCookie({ name, value, domain, path = "/", secure }: RequestCookie, { protocol }: URL): SessionCookie {
  return {
    name,
    value,
    domain: domain === undefined ? null : sharedDomain(toDomain(domain)),
    path,
    secure: secure ?? protocol === "https:",
  };
}

/** Returns the header `Authorization` with the user name and password in UTF-8 (RFC 7617). */
function toAuthorization({ username, password }: { username: string; password: string }): string {
  return `Basic ${new TextEncoder().encode(`${username}:${password}`).toBase64()}`;
}

function toDomain(domain: string): string {
  return domain.toLowerCase().replace(/^\./, "");
}

/** Throws AppError for a header that a caller can't send to another host. */
export function checkHeaders(headers: Record<string, string>, hasBasicAuth = false): void {
  const entries = Object.entries(headers);
  if (entries.length > MAX_REQUEST_HEADERS)
    throw invalidParameter("headers", `must have at most ${MAX_REQUEST_HEADERS} headers`);
  const seen = new Map<string, string>();
  for (const [name, value] of entries) {
    const path = `headers.${name}`;
    if (!TOKEN.test(name)) throw invalidParameter(path, "is not the name of a header, such as X-Api-Key");
    const [, reason] = REFUSED.find(([refused]) => refused.test(name)) ?? [];
    if (reason !== undefined) throw invalidParameter(path, `can't be set: ${reason}`);
    if (hasBasicAuth && name.toLowerCase() === "authorization")
      throw invalidParameter(path, "can't be combined with 'basic_auth', which sets the same header");
    checkNotRedacted(path, value);
    if (!VISIBLE.test(value)) throw invalidParameter(path, ONLY_VISIBLE);
    const same = seen.get(name.toLowerCase());
    if (same !== undefined) throw invalidParameter(path, `is the same header as '${same}'. Send only one of them`);
    seen.set(name.toLowerCase(), name);
  }
  const bytes = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (bytes > MAX_REQUEST_HEADER_BYTES)
    throw invalidParameter("headers", `must have at most ${MAX_REQUEST_HEADER_BYTES} bytes in total`);
}

function checkCookies(cookies: readonly RequestCookie[], target: URL): void {
  const seen = new Map<string, number>();
  cookies.forEach((cookie, index) => {
    const refuse = (field: keyof RequestCookie, rule: string) => {
      const name = COOKIE_NAME.test(cookie.name) ? `of the cookie '${cookie.name.slice(0, 60)}' ` : "";
      return invalidParameter(`cookies.${index}.${field}`, `${name}${rule}`);
    };
    if (!COOKIE_NAME.test(cookie.name))
      throw refuse("name", "can only have visible ASCII characters except ';' and '=', and must not be empty");
    checkNotRedacted(`cookies.${index}.value`, cookie.value);
    if (!COOKIE_VALUE.test(cookie.value) || cookie.value.trim() !== cookie.value)
      throw refuse(
        "value",
        "can only have visible ASCII characters except ';', and can't begin or end with a space. Encode other characters, for example as %3B",
      );
    if (cookie.name.length + cookie.value.length > MAX_COOKIE_BYTES)
      throw refuse("value", `must have at most ${MAX_COOKIE_BYTES} bytes together with the name, as in browsers`);
    checkPlace(cookie, target, refuse);
    const key = JSON.stringify([cookie.name, toDomain(cookie.domain ?? ""), cookie.path ?? "/"]);
    const same = seen.get(key);
    if (same !== undefined) throw refuse("name", `is also in cookies.${same}, with the same domain and path`);
    seen.set(key, index);
  });
  const bytes = cookies.reduce((sum, { name, value }) => sum + name.length + value.length + 3, 0);
  if (bytes > MAX_COOKIES_BYTES)
    throw invalidParameter("cookies", `must have at most ${MAX_COOKIES_BYTES} bytes in total`);
}

/** Throws AppError if a cookie with this domain, path and prefix can never be sent to the target's site. */
function checkPlace(
  { name, domain, path = "/", secure }: RequestCookie,
  { hostname, protocol }: URL,
  refuse: (field: keyof RequestCookie, rule: string) => Error,
): void {
  const isHttps = protocol === "https:";
  if (!/^\/[\x20-\x3a\x3c-\x7e]*$/.test(path)) throw refuse("path", "must begin with '/', such as /account");
  if (path.length > MAX_COOKIE_PATH_BYTES)
    throw refuse("path", `must have at most ${MAX_COOKIE_PATH_BYTES} bytes, as in browsers`);
  if (secure === true && !isHttps) throw refuse("secure", "can't be true, because 'url' is an http URL");
  if (domain !== undefined) checkDomain(toDomain(domain), hostname, refuse);
  if (!SECURE_PREFIX.test(name)) return;
  if (!isHttps || secure === false) throw refuse("name", "can only be used for a secure cookie and an https URL");
  if (!HOST_PREFIX.test(name)) return;
  if (domain !== undefined) throw refuse("domain", "can't be set, because the name starts with __Host-");
  if (path !== "/") throw refuse("path", "must be '/', because the name starts with __Host-");
}

function checkDomain(domain: string, host: string, refuse: (field: "domain", rule: string) => Error): void {
  if (domain === host) return;
  const site = registrableDomain(host);
  // A domain with an empty label, such as `.example.com`, can be parsed, but no browser accepts it.
  const isName = !/^\.|\.\./.test(domain) && URL.canParse(`https://${domain}/`);
  if (site !== null && isWithin(domain, site) && isName) return;
  const right = site === null ? host : `${site} or one of its subdomains`;
  throw refuse("domain", `must belong to the site of 'url': ${right}`);
}

function checkBasicAuth({ username, password }: { username: string; password: string }): void {
  checkNotRedacted("basic_auth.username", username);
  checkNotRedacted("basic_auth.password", password);
  if (username.includes(":")) throw invalidParameter("basic_auth.username", "can't have a colon");
  for (const [name, text] of Object.entries({ username, password })) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 7617 forbids them.
    if (/[\x00-\x1f\x7f]/.test(text)) throw invalidParameter(`basic_auth.${name}`, "can't have control characters");
    if (text.length > 1_000) throw invalidParameter(`basic_auth.${name}`, "must have at most 1000 characters");
  }
}

/** Refuses a value that was copied from a job record, because job records contain no secrets. */
export function checkNotRedacted(path: string, value: string): void {
  if (value === REDACTED)
    throw invalidParameter(
      path,
      `can't be '${REDACTED}', which replaces the value in job records. Send the value itself`,
    );
}
