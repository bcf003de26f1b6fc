import type { Protocol } from "devtools-protocol";
import { log, toLogged } from "../lib/log";
import type { SessionCookie } from "../net/cookie-jar";
import type { Session } from "../net/session";
import { identify } from "./impersonate";
import { RenderError } from "./protocol";
import type { RunningBrowser } from "./running-browser";
import { SiteHeaders } from "./site-headers";
import type { Tab } from "./tab";

/**
 * Sets the session's user agent, cookies and headers in the tab before the page is opened. If the browser refuses one
 * of them, throws RenderError, so that the page isn't requested without it.
 */
export async function startSession(
  { browser, lost }: Pick<RunningBrowser, "browser" | "lost">,
  tab: Tab,
  { headers, cookies, userAgent }: Session,
  url: string,
): Promise<void> {
  const target = new URL(url);
  try {
    await Promise.all([
      ...(userAgent === null ? [] : [identify(tab, withUserAgent(tab.emulation.identity, userAgent))]),
      ...(cookies.length === 0
        ? []
        : [tab.send("Network.setCookies", { cookies: cookies.map((cookie) => toParameter(cookie, target)) })]),
      ...(Object.keys(headers).length === 0 ? [] : [addHeaders(browser, tab, new SiteHeaders(tab, target, headers))]),
    ]);
  } catch (error) {
    // If the browser has ended, the render is retried.
    if (lost.signal.aborted) throw error;
    log("warn", "session_refused", toLogged(error));
    throw new RenderError(
      "render_failed",
      "The browser did not accept the headers, cookies or user agent of the request.",
    );
  }
}

/** Returns the identity with another user agent. The client hints of the old one don't describe the new one. */
function withUserAgent(
  identity: Protocol.Network.SetUserAgentOverrideRequest | null,
  userAgent: string,
): Protocol.Network.SetUserAgentOverrideRequest {
  const { userAgentMetadata: _hints, ...others } = identity ?? {};
  return { ...others, userAgent };
}

function toParameter({ name, value, path, secure, domain }: SessionCookie, target: URL): Protocol.Network.CookieParam {
  return {
    ...{ name, value, path, secure },
    // Browsers accept cookies with these prefixes only if scripts can't read them.
    httpOnly: /^__(?:host-)?http-/i.test(name),
    // A cookie with a URL and without a domain is sent only to the URL's host.
    ...(domain === null ? { url: target.href } : { domain: `.${domain}` }),
  };
}

/** Adds headers to the requests of the tab to its own site. Throws if these requests can't be intercepted. */
async function addHeaders(browser: RunningBrowser["browser"], tab: Tab, headers: SiteHeaders): Promise<void> {
  tab.siteHeaders = headers;
  await browser.interceptAlso(tab, headers.patterns);
}
