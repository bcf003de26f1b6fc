import type { Protocol } from "devtools-protocol";
import { VIEWPORT } from "../model/page-limits";
import type { CDPSession } from "./connection";
import type { Visit } from "./protocol";

/** The paint scale of renders without a screenshot. It reduces the time by a tenth, and pages can't detect it. */
const NO_SCREENSHOT_SCALE = 0.05;

interface LayoutOptions {
  isMobile: boolean;
  /** True if the page is painted at full scale. */
  isPainted: boolean;
  /** The number of image pixels per CSS pixel, in each direction. */
  deviceScaleFactor?: number;
}

/** Returns the orientation of a phone with this viewport. By default, Chromium reports that each phone is turned. */
function toOrientation({ width, height }: Visit["viewport"]): Protocol.Emulation.ScreenOrientation {
  return width > height ? { type: "landscapePrimary", angle: 90 } : { type: "portraitPrimary", angle: 0 };
}

/** The viewport of a tab. */
export class TabLayout {
  viewport: Visit["viewport"] = VIEWPORT;
  readonly #session: CDPSession;
  #options: LayoutOptions = { isMobile: false, isPainted: true };

  constructor(session: CDPSession) {
    this.#session = session;
  }

  async set(viewport: Visit["viewport"], options: LayoutOptions): Promise<void> {
    this.viewport = viewport;
    this.#options = options;
    const { isMobile, isPainted, deviceScaleFactor = 1 } = options;
    await this.#session.send("Emulation.setDeviceMetricsOverride", {
      ...viewport,
      // By default, scripts see the screen of the headless browser, which is narrower than the viewport.
      screenWidth: viewport.width,
      screenHeight: viewport.height,
      ...(isMobile && { screenOrientation: toOrientation(viewport) }),
      deviceScaleFactor,
      mobile: isMobile,
      scale: isPainted ? 1 : NO_SCREENSHOT_SCALE,
    });
  }

  /** Sets the number of image pixels per CSS pixel. */
  async setScale(deviceScaleFactor: number): Promise<void> {
    await this.set(this.viewport, { ...this.#options, deviceScaleFactor });
  }
}
