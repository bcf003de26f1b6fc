import { LATE_IMAGES_MS } from "../model/page-limits";
import { evaluate, toExpression } from "./evaluate";
import { RenderError, type ScreenshotOptions, toSelectorError } from "./protocol";
import type { Tab } from "./tab";

/** The position and the size of a part of the page, in CSS pixels. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Returns true if the page must be changed or scrolled before the screenshot. */
export function hasPreparation({ selector, scale, hideSelectors, blockBanners }: ScreenshotOptions): boolean {
  return selector !== null || scale !== 1 || hideSelectors.length > 0 || blockBanners;
}

/**
 * Changes the page for the screenshot: hides elements and overlays, sets the scale, scrolls to the element, and waits
 * for the images that are loaded because of these changes. Returns the box of the element, or null without a selector.
 * Throws RenderError `selector_not_found`.
 */
export async function prepareScreenshot(
  tab: Tab,
  { selector, scale, hideSelectors, blockBanners }: ScreenshotOptions,
  signal: AbortSignal,
): Promise<Box | null> {
  if (hideSelectors.length > 0 || blockBanners) {
    const invalid = await run(tab, toExpression("hideElements", [...hideSelectors], blockBanners), signal);
    if (typeof invalid === "string") throw toSelectorError(invalid, "screenshot.hide_selectors");
  }
  // Many pages have other images for another scale.
  if (scale !== 1) await tab.layout.setScale(scale);
  if (selector === null) {
    if (scale !== 1) await run(tab, toExpression("showElement", null, LATE_IMAGES_MS), signal);
    return null;
  }
  await run(tab, toExpression("showElement", selector, LATE_IMAGES_MS), signal);
  await waitForRequests(tab, signal);
  // Measures the element again, because it may have moved while content was loaded.
  const box = await run(tab, toExpression("showElement", selector, LATE_IMAGES_MS), signal);
  if (typeof box === "string") throw toSelectorError(selector, "screenshot.selector");
  if (isBox(box)) return box;
  throw new RenderError(
    "selector_not_found",
    box === false
      ? `The element with the selector '${selector}' isn't displayed, so the screenshot can't show it.`
      : `No element matched the screenshot's selector '${selector}'.`,
  );
}

async function run(tab: Tab, expression: string, signal: AbortSignal): Promise<unknown> {
  return await evaluate(tab, expression, signal, { isolated: true });
}

/** Waits at most LATE_IMAGES_MS for the requests that scrolling has started. */
async function waitForRequests(tab: Tab, signal: AbortSignal): Promise<void> {
  const timeout = AbortSignal.timeout(LATE_IMAGES_MS);
  try {
    await tab.until(() => tab.pending.size === 0, AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (signal.aborted || !timeout.aborted) throw error;
  }
}

function isBox(value: unknown): value is Box {
  return typeof value === "object" && value !== null && "width" in value;
}
