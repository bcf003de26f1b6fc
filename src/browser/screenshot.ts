import type { Semaphore } from "../lib/async";
import { now } from "../lib/clock";
import {
  MAX_SCREENSHOT_BYTES,
  MAX_SCREENSHOT_HEIGHT_PX,
  SCREENSHOT_PAINT_MS,
  SCREENSHOT_STRIP_PX,
  SECOND_MS,
  VIEWPORT,
} from "../model/limits";
import { abortable, isCdpTimeout } from "./evaluate";
import { RenderError } from "./protocol";
import type { Tab } from "./tab";

/** The error message for a screenshot with too many bytes. */
export const SCREENSHOT_TOO_LARGE = `The screenshot is larger than ${MAX_SCREENSHOT_BYTES} bytes.`;

/**
 * Captures the page as PNG strips from top to bottom. Throws RenderError `target_too_large` for too many bytes, and
 * `render_failed` for a page that takes too long to paint.
 */
export async function capture(tab: Tab, tallScreenshots: Semaphore, signal: AbortSignal): Promise<Uint8Array[]> {
  const captures = new Capture(tab, signal);
  const { cssContentSize } = await captures.send((timeout) =>
    tab.send("Page.getLayoutMetrics", undefined, { timeout }),
  );
  const height = Math.min(Math.max(Math.ceil(cssContentSize.height), VIEWPORT.height), MAX_SCREENSHOT_HEIGHT_PX);
  if (height <= SCREENSHOT_STRIP_PX) return [await captures.strip({ y: 0, height })];
  await freeze(tab);
  const strips: Uint8Array[] = [];
  let bytes = 0;
  for (let y = 0; y < height; y += SCREENSHOT_STRIP_PX) {
    // The strips of tall pages are large, so only one tall page captures a strip at a time.
    const release = await tallScreenshots.acquire(signal);
    try {
      strips.push(await captures.strip({ y, height: Math.min(SCREENSHOT_STRIP_PX, height - y) }));
    } finally {
      release();
    }
    bytes += strips.at(-1)?.byteLength ?? 0;
    if (bytes > MAX_SCREENSHOT_BYTES) throw new RenderError("target_too_large", SCREENSHOT_TOO_LARGE);
  }
  return strips;
}

/**
 * Stops scripts and animations, so that the strips fit together. Each capture briefly resizes the window, and scripts
 * could react to the new size.
 */
async function freeze(tab: Tab): Promise<void> {
  await tab.send("Emulation.setScriptExecutionDisabled", { value: true });
  await tab.send("Animation.enable");
  await tab.send("Animation.setPlaybackRate", { playbackRate: 0 });
}

/** Captures parts of one page within SCREENSHOT_PAINT_MS. The time spent waiting for the semaphore doesn't count. */
class Capture {
  readonly #tab: Tab;
  readonly #signal: AbortSignal;
  #remainingMs = SCREENSHOT_PAINT_MS;

  constructor(tab: Tab, signal: AbortSignal) {
    this.#tab = tab;
    this.#signal = signal;
  }

  /** Captures one strip of the page as PNG. `y` and `height` are in CSS pixels. */
  async strip({ y, height }: { y: number; height: number }): Promise<Uint8Array> {
    const clip = { x: 0, y, width: VIEWPORT.width, height, scale: 1 };
    const { data } = await this.send((timeout) =>
      this.#tab.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: true, clip }, { timeout }),
    );
    return Uint8Array.fromBase64(data);
  }

  /** Sends a command. Throws RenderError if the page blocks the browser until the remaining time is over. */
  async send<T>(command: (timeoutMs: number) => Promise<T>): Promise<T> {
    const startedAt = now();
    try {
      return await abortable(command(Math.max(1, this.#remainingMs)), this.#tab, this.#signal);
    } catch (error) {
      if (!isCdpTimeout(error)) throw error;
      const seconds = SCREENSHOT_PAINT_MS / SECOND_MS;
      throw new RenderError("render_failed", `The page could not be painted within ${seconds} seconds.`);
    } finally {
      this.#remainingMs -= now() - startedAt;
    }
  }
}
