import type { Protocol } from "devtools-protocol";
import type { Visit } from "./protocol";
import type { Tab } from "./tab";

/** Sets the user agent of a tab, and of the frames and workers that it will have. */
export async function identify(tab: Tab, identity: Protocol.Network.SetUserAgentOverrideRequest): Promise<void> {
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
