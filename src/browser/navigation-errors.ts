import { isUnknownName } from "../net/resolver";
import { describeMediaType, toStatusError } from "../net/response";
import { RenderError } from "./protocol";
import type { Tab } from "./tab";

/** Matches the media types that Chrome renders as text. It shows images and PDFs in viewers without text. */
const RENDERABLE = /^(text\/|image\/svg\+xml$|application\/(xhtml\+xml|xml|json|javascript|[\w.+-]+\+(xml|json))$)/i;

/** Also reported for names that don't exist: row 5006 of browser-run/reference/errors.mdx in cloudflare-docs. */
const UNCLEAR_CODES: ReadonlySet<string> = new Set(["ERR_TUNNEL_CONNECTION_FAILED", "ERR_CONNECTION_CLOSED"]);

/** A failed navigation whose cause may be a name that doesn't exist. */
class UnclearNavigationError extends RenderError {
  readonly url: string;

  constructor(message: string, url: string) {
    super("connection_failed", message);
    this.url = url;
  }
}

/**
 * Returns the error of a render. If the browser didn't report whether the page's name exists, one DNS query decides.
 * `resolver` is the URL of a DNS resolver with a JSON API, or empty.
 */
export async function explainRenderError(error: RenderError, resolver: string): Promise<RenderError> {
  if (!(error instanceof UnclearNavigationError)) return error;
  const { hostname, host } = new URL(error.url);
  return (await isUnknownName(hostname, resolver)) ? toDnsError(host) : error;
}

function toDnsError(host: string): RenderError {
  return new RenderError("dns_failure", `The name ${host} could not be resolved.`);
}

/** Returns the error of a failed navigation. `errorText` is the browser's error, such as net::ERR_TIMED_OUT. */
export function toNavigationError(errorText: string, tab: Tab, url: string): RenderError {
  const host = URL.parse(url)?.host ?? url;
  if (tab.refused !== null) return new RenderError("invalid_target", tab.refused);
  if (tab.failure !== null) return tab.failure;
  const code = errorText.replace(/^net::/, "");
  if (/^ERR_(NAME|DNS|ICANN)/.test(code)) return toDnsError(host);
  if (/^ERR_(CERT|SSL|BAD_SSL|TLS|ECH)/.test(code)) {
    return new RenderError("tls_failure", `A trusted TLS connection to ${host} could not be established (${code}).`);
  }
  if (code === "ERR_UNSAFE_REDIRECT")
    return new RenderError("invalid_target", `${host} redirects to a URL that is not a web page.`);
  if (code === "ERR_UNSAFE_PORT") return new RenderError("invalid_target", `The port of ${host} is not allowed.`);
  if (code === "ERR_TOO_MANY_REDIRECTS") return new RenderError("too_many_redirects", `${host} redirects endlessly.`);
  if (code === "ERR_TIMED_OUT" || code === "ERR_CONNECTION_TIMED_OUT") {
    return new RenderError("target_timeout", `${host} did not respond in time.`);
  }
  if (code === "ERR_ABORTED")
    return new RenderError("unsupported_content", `${host} returned a download instead of a page.`);
  // Chrome shows an error page if the response has an error status and no body.
  if (code === "ERR_HTTP_RESPONSE_CODE_FAILURE" && tab.main.lastResponse !== null)
    return toResponseError(tab.main.lastResponse, host);
  // The filtering proxy refused the connection. SOCKS doesn't transmit the reason.
  if (code === "ERR_SOCKS_CONNECTION_HOST_UNREACHABLE" || code === "ERR_SOCKS_CONNECTION_FAILED")
    return new RenderError("connection_failed", `The connection to ${host} failed.`);
  const message = `The connection to ${host} failed (${code}).`;
  // A page's own proxy resolves the names, so the service's resolver proves nothing.
  if (UNCLEAR_CODES.has(code) && tab.proxy === null)
    return new UnclearNavigationError(message, tab.main.unreachable ?? url);
  return new RenderError("connection_failed", message);
}

function toResponseError({ status, headers }: StatusResponse, host: string): RenderError {
  return new RenderError(...toStatusError(host, status, (name) => headers[name]));
}

interface StatusResponse {
  status: number;
  /** The response headers with names in lower case. */
  headers: Record<string, string>;
}

/** Throws RenderError if the current document failed. The page may have navigated since the request. */
export function checkReached(tab: Tab): void {
  if (tab.failure !== null) throw tab.failure;
  if (tab.main.unreachable !== null) {
    if (tab.refused !== null) throw new RenderError("invalid_target", tab.refused);
    const host = URL.parse(tab.main.unreachable)?.host ?? tab.main.unreachable;
    throw new RenderError("connection_failed", `The page navigated to ${host}, which could not be reached.`);
  }
}

/** Throws RenderError for an error status or a media type without text. */
export function checkResponse(tab: Tab): void {
  checkReached(tab);
  const { response } = tab.main;
  if (response === null) return;
  if (response.status >= 400) throw toResponseError(response, URL.parse(response.url)?.host ?? response.url);
  if (response.contentType !== null && !RENDERABLE.test(response.contentType)) {
    throw new RenderError("unsupported_content", describeMediaType(response.contentType));
  }
}
