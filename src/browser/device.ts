import type { Protocol } from "devtools-protocol";
import { MOBILE_VIEWPORT, VIEWPORT } from "../model/page-limits";
import type { Browser } from "./browser";
import { identify } from "./impersonate";
import type { DeviceOptions } from "./protocol";
import type { Tab } from "./tab";
import { toMobileUserAgent } from "./user-agent";

/**
 * Sets the device's user agent, viewport, languages, time zone and location in the tab before the page is opened. They
 * also apply to frames and workers of the page.
 */
export async function emulate(browser: Browser, tab: Tab, device: DeviceOptions, url: string): Promise<void> {
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
