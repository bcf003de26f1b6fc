import type { Protocol } from "devtools-protocol";
import type { CDPSession } from "./connection";

/** The device and the place that a tab emulates in its page, and in the frames and workers of the page. */
export class Emulation {
  /** The user agent with its client hints and languages. Null for the browser's own. */
  identity: Protocol.Network.SetUserAgentOverrideRequest | null = null;
  hasTouch = false;
  /** The BCP 47 tag of the language, or null for the browser's own. */
  locale: string | null = null;
  /** The name of the IANA time zone, or null for the browser's own. */
  timezone: string | null = null;

  /** Applies everything except the identity to a page or a frame. Returns the promises of the commands. */
  applyTo(session: CDPSession): Promise<unknown>[] {
    const { hasTouch, locale, timezone } = this;
    return [
      ...(hasTouch ? [session.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 5 })] : []),
      ...(locale === null ? [] : [session.send("Emulation.setLocaleOverride", { locale })]),
      ...(timezone === null ? [] : [session.send("Emulation.setTimezoneOverride", { timezoneId: timezone })]),
    ];
  }
}
