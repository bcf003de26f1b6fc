import type { Protocol } from "devtools-protocol";
import { log, toLogged } from "../lib/log";
import { MOBILE_VIEWPORT, VIEWPORT } from "../model/page-limits";
import type { Session, SessionCookie } from "../net/session";
import type { Browser } from "./browser";
import { toExpression } from "./evaluate";
import { type DeviceOptions, RenderError, type RenderRequest, type Visit } from "./protocol";
import { toDeniedPatterns } from "./render-policy";
import type { RunningBrowser } from "./running-browser";
import { SiteHeaders } from "./site-headers";
import type { Tab } from "./tab";
import { toMobileUserAgent } from "./user-agent";

/** The file extensions of images, media and fonts. SVG isn't listed, because scripts also load it as markup. */
const SKIPPED_EXTENSIONS = [
  ..."avif bmp gif ico jpeg jpg png webp".split(" "),
  ..."aac flac m4a m4v mov mp3 mp4 mpeg oga ogg ogv opus wav weba webm".split(" "),
  ..."eot otf ttf woff woff2".split(" "),
];

/** The patterns for `Network.setBlockedURLs`. */
const SKIPPED_URLS: readonly string[] = SKIPPED_EXTENSIONS.flatMap((extension) => [
  `*.${extension}`,
  `*.${extension}?*`,
]);

const HIDE_SKIPPED_IMAGES = toExpression("hideSkippedImages");

/** Applies the options of a request to its tab, before the page is opened. `isPainted` is true if images are needed. */
export async function prepareTab(
  running: RunningBrowser,
  tab: Tab,
  request: RenderRequest,
  { isPainted }: { isPainted: boolean },
): Promise<void> {
  const { url, visit, device, session, load, actions, denied } = request;
  if (denied) await running.browser.interceptAlso(tab, toDeniedPatterns(denied.targets));
  if (load?.blockAds) tab.blocked.blockAds(url);
  if (tab.traits.skipsByUrl && !isPainted) skipResources(tab);
  if (visit !== null) await impersonate(tab, visit, url);
  else if (device) await emulate(running.browser, tab, device, url);
  else if (isPainted) await tab.layOut(VIEWPORT);
  if (session) await startSession(running, tab, session, url);
  if (actions) await tab.send("Emulation.setFocusEmulationEnabled", { enabled: true });
}

/**
 * Makes the browser skip images, media and fonts by their file extension, without a round trip. Must be called before
 * the tab navigates. Doesn't wait for the browser, which runs these commands in order.
 */
export function skipResources(tab: Tab): void {
  tab.blocked.skipped = SKIPPED_URLS;
  // The errors are ignored, because they also end the navigation.
  tab.send("Page.addScriptToEvaluateOnNewDocument", { source: HIDE_SKIPPED_IMAGES }).catch(() => undefined);
  tab.blocked.apply().catch(() => undefined);
}

/**
 * Sets the device's user agent, viewport, languages, time zone and location in the tab before the page is opened. They
 * also apply to frames and workers of the page.
 */
async function emulate(browser: Browser, tab: Tab, device: DeviceOptions, url: string): Promise<void> {
  const { isMobile, viewport, languages, timezone, geolocation } = device;
  Object.assign(tab.emulation, { hasTouch: isMobile, locale: languages[0] ?? null, timezone });
  const isIdentified = isMobile || languages.length > 0;
  await Promise.all([
    ...(isIdentified ? [identify(tab, toIdentity(browser, device))] : []),
    tab.layOut(viewport ?? (isMobile ? MOBILE_VIEWPORT : VIEWPORT), { isMobile }),
    ...tab.emulation.applyTo(tab.session),
    ...(geolocation === null
      ? []
      : [
          tab.send("Emulation.setGeolocationOverride", geolocation),
          browser.allowGeolocation(tab, new URL(url).origin),
        ]),
  ]);
}

function toIdentity(
  { userAgent, facts }: Browser,
  { isMobile, languages }: DeviceOptions,
): Protocol.Network.SetUserAgentOverrideRequest {
  const language = languages.length > 0 ? { acceptLanguage: languages.join() } : {};
  if (!isMobile) return { userAgent, ...language };
  const version = facts.product.split("/")[1] ?? "";
  const brand = (version: string) => [
    { brand: "Chromium", version },
    { brand: "Not_A Brand", version: "8" },
  ];
  return {
    userAgent: toMobileUserAgent(userAgent),
    ...language,
    platform: "Linux armv81",
    userAgentMetadata: {
      brands: brand(version.split(".")[0] ?? ""),
      fullVersionList: brand(version),
      platform: "Android",
      platformVersion: "10.0.0",
      architecture: "",
      model: "K",
      mobile: true,
    },
  };
}

/**
 * Sets the session's user agent, cookies and headers in the tab before the page is opened. If the browser refuses one
 * of them, throws RenderError, so that the page isn't requested without it.
 */
async function startSession(
  { browser, lost }: Pick<RunningBrowser, "browser" | "lost">,
  tab: Tab,
  { headers, cookies, userAgent }: Session,
  url: string,
): Promise<void> {
  const target = new URL(url);
  if (Object.keys(headers).length > 0) tab.siteHeaders = new SiteHeaders(tab, target, headers);
  try {
    await Promise.all([
      ...(userAgent === null ? [] : [identify(tab, withUserAgent(tab.emulation.identity, userAgent))]),
      ...(cookies.length === 0
        ? []
        : [tab.send("Network.setCookies", { cookies: cookies.map((cookie) => toParameter(cookie, target)) })]),
      // Throws if the requests to the site can't be intercepted.
      ...(tab.siteHeaders === null ? [] : [browser.interceptAlso(tab, tab.siteHeaders.patterns)]),
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
    name,
    value,
    path,
    secure,
    // Browsers accept cookies with these prefixes only if scripts can't read them.
    httpOnly: /^__(?:host-)?http-/i.test(name),
    // A cookie with a URL and without a domain is sent only to the URL's host.
    ...(domain === null ? { url: target.href } : { domain: `.${domain}` }),
  };
}

/** Sets the user agent of a tab, and of the frames and workers that it will have. */
async function identify(tab: Tab, identity: Protocol.Network.SetUserAgentOverrideRequest): Promise<void> {
  tab.emulation.identity = identity;
  await tab.send("Network.setUserAgentOverride", identity);
}

/** Sets the user agent, language, viewport and cookies of a visit. They apply to all later requests of the tab. */
export async function impersonate(
  tab: Tab,
  { userAgent, acceptLanguage, viewport, isMobile, cookies }: Visit,
  url: string,
): Promise<void> {
  await Promise.all([
    identify(tab, { userAgent, acceptLanguage }),
    tab.layOut(viewport, { isMobile }),
    ...(cookies.length > 0
      ? [tab.send("Network.setCookies", { cookies: cookies.map((cookie) => ({ ...cookie, url })) })]
      : []),
  ]);
}
