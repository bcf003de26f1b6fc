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

/** The message of a screenshot beyond its budget. */
export const SCREENSHOT_TOO_LARGE = `The screenshot is larger than ${MAX_SCREENSHOT_BYTES} bytes.`;

/**
 * Captures the page from top to bottom, as PNG strips. Throws RenderError: `target_too_large` beyond the budget of bytes,
 * `render_failed` for a page that takes too long to paint.
 */
export async function capture(tab: Tab, tallScreenshots: Semaphore, signal: AbortSignal): Promise<Uint8Array[]> {
  const painting = new Painting(tab, signal);
  const { cssContentSize } = await painting.ask((timeout) => tab.send("Page.getLayoutMetrics", undefined, { timeout }));
  const height = Math.min(Math.max(Math.ceil(cssContentSize.height), VIEWPORT.height), MAX_SCREENSHOT_HEIGHT_PX);
  if (height <= SCREENSHOT_STRIP_PX) return [await painting.strip({ y: 0, height })];
  await freeze(tab);
  const strips: Uint8Array[] = [];
  let bytes = 0;
  for (let y = 0; y < height; y += SCREENSHOT_STRIP_PX) {
    // Pages take turns strip by strip, because the strips of tall pages are large.
    const leave = await tallScreenshots.acquire(signal);
    try {
      strips.push(await painting.strip({ y, height: Math.min(SCREENSHOT_STRIP_PX, height - y) }));
    } finally {
      leave();
    }
    bytes += strips.at(-1)?.byteLength ?? 0;
    if (bytes > MAX_SCREENSHOT_BYTES) throw new RenderError("target_too_large", SCREENSHOT_TOO_LARGE);
  }
  return strips;
}

/**
 * Stops scripts and animations, so that the strips fit together. Each capture resizes the window for a moment, which pages would
 * react to.
 */
async function freeze(tab: Tab): Promise<void> {
  await tab.send("Emulation.setScriptExecutionDisabled", { value: true });
  await tab.send("Animation.enable");
  await tab.send("Animation.setPlaybackRate", { playbackRate: 0 });
}

/** The captures of one page, which share a budget of time. Time that the page waits for its turn doesn't count. */
class Painting {
  readonly #tab: Tab;
  readonly #signal: AbortSignal;
  #leftMs = SCREENSHOT_PAINT_MS;

  constructor(tab: Tab, signal: AbortSignal) {
    this.#tab = tab;
    this.#signal = signal;
  }

  async strip({ y, height }: { y: number; height: number }): Promise<Uint8Array> {
    const clip = { x: 0, y, width: VIEWPORT.width, height, scale: 1 };
    const { data } = await this.ask((timeout) =>
      this.#tab.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: true, clip }, { timeout }),
    );
    return Uint8Array.fromBase64(data);
  }

  /** Throws RenderError when the page keeps the browser from answering within the time that is left. */
  async ask<T>(send: (timeoutMs: number) => Promise<T>): Promise<T> {
    const startedAt = now();
    try {
      return await abortable(send(Math.max(1, this.#leftMs)), this.#tab, this.#signal);
    } catch (error) {
      if (!isCdpTimeout(error)) throw error;
      const seconds = SCREENSHOT_PAINT_MS / SECOND_MS;
      throw new RenderError("render_failed", `The page could not be painted within ${seconds} seconds.`);
    } finally {
      this.#leftMs -= now() - startedAt;
    }
  }
}
