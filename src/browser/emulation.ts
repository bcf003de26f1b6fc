import type { Protocol } from "devtools-protocol";
import type { CDPSession } from "./connection";

/**
 * The emulated device and location of a tab. They apply to the tab's page, and to the frames and workers of the page.
 */
export class Emulation {
  /** The user agent with its client hints and languages. Null: the browser's default. */
  identity: Protocol.Network.SetUserAgentOverrideRequest | null = null;
  hasTouch = false;
  /** The BCP 47 tag of the language, or null for the browser's default. */
  locale: string | null = null;
  /** The name of the IANA time zone, or null for the browser's default. */
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
