import type { Budget } from "../lib/budget";
import { SCREENSHOT_TOO_LARGE } from "../model/page-files";
import {
  LATE_IMAGES_MS,
  MAX_LOSSY_SCREENSHOT_PX,
  MAX_SCREENSHOT_HEIGHT_PX,
  SCREENSHOT_PAINT_MS,
  SCREENSHOT_QUALITY_DEFAULT,
  SCREENSHOT_STRIP_PX,
  VIEWPORT,
} from "../model/page-limits";
import { evaluate, TimedSender, toExpression } from "./evaluate";
import { LARGE_OUTPUTS } from "./isolate-limits";
import { RenderError, type ScreenshotOptions, toSelectorError } from "./protocol";
import type { Tab } from "./tab";

/** The maximum number of pixels of a PNG, and of one of its strips. It is the size of the largest page at scale 1. */
const MAX_PX = VIEWPORT.width * MAX_SCREENSHOT_HEIGHT_PX;
const STRIP_PX = VIEWPORT.width * SCREENSHOT_STRIP_PX;
/** If the scale has at most two decimal places, a strip of this height has a whole number of image pixels. */
const WHOLE_STRIP_PX = 100;
/** Chromium writes lossless WebP at a quality of 100. A page of noise would then have three times as many bytes. */
const MAX_WEBP_QUALITY = 99;

/** The default options of a screenshot. */
export const WHOLE_PAGE: ScreenshotOptions = {
  fullPage: true,
  selector: null,
  type: "png",
  quality: SCREENSHOT_QUALITY_DEFAULT,
  scale: 1,
  hideSelectors: [],
  blockBanners: false,
};

interface ScreenshotContext {
  /** The shared limit for the bytes of all screenshots and the PDF of the render. */
  bytes: Budget;
  options?: ScreenshotOptions;
}

/** The position and the size of a part of the page, in CSS pixels. */
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Takes a screenshot of the page, its visible part, or an element: as PNG strips from top to bottom, or as a single
 * JPEG or WebP. The changes of the options to the page stay in effect, so the page's markup must be read before the
 * screenshot. Throws RenderError `target_too_large` if the element is too large or the image has too many bytes,
 * `selector_not_found`, and `render_failed` for a page that takes too long to paint.
 */
export async function takeScreenshot(
  tab: Tab,
  { bytes, options = WHOLE_PAGE }: ScreenshotContext,
): Promise<Uint8Array[]> {
  const element = hasPreparation(options) ? await prepareScreenshot(tab, options) : null;
  const sender = new TimedSender(tab, SCREENSHOT_PAINT_MS, "painted");
  const box = element === null ? toPageBox(await measure(sender), tab, options) : checkSize(element, options);
  const stripHeight = options.type === "png" ? toStripHeight(box, options) : box.height;
  const spend = (part: Uint8Array) => {
    if (!bytes.spend(part.byteLength)) throw new RenderError("target_too_large", SCREENSHOT_TOO_LARGE);
    return part;
  };
  const isLarge = box.width * box.height * options.scale ** 2 > STRIP_PX;
  if (!isLarge) return [spend(await capture(sender, box, options))];
  await freeze(tab);
  const strips: Uint8Array[] = [];
  for (let y = 0; y < box.height; y += stripHeight) {
    // The strips of tall pages are large, so only one tall page sends a strip at a time.
    const release = await LARGE_OUTPUTS.acquire(tab.signal);
    try {
      const height = Math.min(stripHeight, box.height - y);
      strips.push(spend(await capture(sender, { ...box, y: box.y + y, height }, options)));
    } finally {
      release();
    }
  }
  return strips;
}

/**
 * Returns the height of a strip in CSS pixels. The browser rounds the height of each strip to whole image pixels. With
 * a fractional scale, some rows of pixels would therefore be missing between two strips.
 */
function toStripHeight({ width }: Box, { scale }: ScreenshotOptions): number {
  const highest = Math.floor(STRIP_PX / (width * scale ** 2));
  return Number.isInteger(scale) || highest < WHOLE_STRIP_PX ? highest : highest - (highest % WHOLE_STRIP_PX);
}

interface PageSize {
  height: number;
  /** The position of the visible part. */
  pageX: number;
  pageY: number;
}

/** Returns the part of the page that the screenshot shows. The end of a page that is too large is omitted. */
function toPageBox({ height, pageX, pageY }: PageSize, { layout: { viewport } }: Tab, options: ScreenshotOptions): Box {
  const { width } = viewport;
  const { scale, type } = options;
  const maxHeight = Math.min(
    Math.floor(MAX_SCREENSHOT_HEIGHT_PX / scale),
    Math.floor((type === "png" ? MAX_PX : MAX_LOSSY_SCREENSHOT_PX) / (width * scale ** 2)),
  );
  if (!options.fullPage) return { x: pageX, y: pageY, width, height: Math.min(viewport.height, maxHeight) };
  return { x: 0, y: 0, width, height: Math.min(Math.max(Math.ceil(height), viewport.height), maxHeight) };
}

/** Returns the box of the element. Throws RenderError `target_too_large`. */
function checkSize(box: Box, { scale, type, selector }: ScreenshotOptions): Box {
  const [width, height] = [Math.ceil(box.width * scale), Math.ceil(box.height * scale)];
  const maxPx = type === "png" ? MAX_PX : MAX_LOSSY_SCREENSHOT_PX;
  if (Math.max(width, height) <= MAX_SCREENSHOT_HEIGHT_PX && width * height <= maxPx) return box;
  throw new RenderError(
    "target_too_large",
    `The element with the selector '${selector}' is too large for a screenshot: ${width} × ${height} px. A ${type} can have at most ${MAX_SCREENSHOT_HEIGHT_PX} px in each direction and ${maxPx} px in total.`,
  );
}

/** Takes a screenshot of the page, or of its visible part, between actions. The page's scripts continue after it. */
export async function takeActionScreenshot(
  tab: Tab,
  { isFullPage, ...context }: Omit<ScreenshotContext, "options"> & { isFullPage: boolean },
): Promise<Uint8Array[]> {
  const strips = await takeScreenshot(tab, { ...context, options: { ...WHOLE_PAGE, fullPage: isFullPage } });
  if (!isFullPage) return strips;
  await tab.send("Emulation.setScriptExecutionDisabled", { value: false });
  await tab.send("Animation.setPlaybackRate", { playbackRate: 1 });
  return strips;
}

/**
 * Stops scripts and animations, so that the strips fit together. Each screenshot briefly resizes the window, and
 * scripts could react to the new size.
 */
async function freeze(tab: Tab): Promise<void> {
  await tab.send("Emulation.setScriptExecutionDisabled", { value: true });
  await tab.send("Animation.enable");
  await tab.send("Animation.setPlaybackRate", { playbackRate: 0 });
}

/** Returns the size of the page and the position of its visible part. */
async function measure(sender: TimedSender): Promise<PageSize> {
  const { cssContentSize, cssLayoutViewport } = await sender.send("Page.getLayoutMetrics");
  return { height: cssContentSize.height, pageX: cssLayoutViewport.pageX, pageY: cssLayoutViewport.pageY };
}

/** Returns the image of a part of the page. The box is in CSS pixels. */
async function capture(sender: TimedSender, box: Box, { type, quality }: ScreenshotOptions): Promise<Uint8Array> {
  const highest = type === "webp" ? MAX_WEBP_QUALITY : 100;
  const { data } = await sender.send("Page.captureScreenshot", {
    format: type,
    ...(type !== "png" && { quality: Math.min(quality, highest) }),
    captureBeyondViewport: true,
    clip: { ...box, scale: 1 },
  });
  return Uint8Array.fromBase64(data);
}

/** Returns true if the page must be changed or scrolled before the screenshot. */
function hasPreparation({ selector, scale, hideSelectors, blockBanners }: ScreenshotOptions): boolean {
  return selector !== null || scale !== 1 || hideSelectors.length > 0 || blockBanners;
}

/**
 * Changes the page for the screenshot: hides elements and overlays, sets the scale, scrolls to the element, and waits
 * for the images that are loaded because of these changes. Returns the box of the element, or null without a selector.
 * Throws RenderError `selector_not_found`.
 */
async function prepareScreenshot(
  tab: Tab,
  { selector, scale, hideSelectors, blockBanners }: ScreenshotOptions,
): Promise<Box | null> {
  if (hideSelectors.length > 0 || blockBanners) {
    const invalid = await evaluate(tab, toExpression("hideElements", [...hideSelectors], blockBanners));
    if (typeof invalid === "string") throw toSelectorError(invalid, "screenshot.hide_selectors");
  }
  // Many pages have other images for another scale.
  if (scale !== 1) await tab.layout.setScale(scale);
  if (selector === null) {
    if (scale !== 1) await evaluate(tab, toExpression("showElement", null, LATE_IMAGES_MS));
    return null;
  }
  await evaluate(tab, toExpression("showElement", selector, LATE_IMAGES_MS));
  // Waits for the requests that scrolling has started.
  await tab.untilWithin(() => tab.pending.size === 0, LATE_IMAGES_MS);
  // Measures the element again, because it may have moved while content was loaded.
  const box = await evaluate(tab, toExpression("showElement", selector, LATE_IMAGES_MS));
  if (typeof box === "string") throw toSelectorError(selector, "screenshot.selector");
  if (isBox(box)) return box;
  throw new RenderError(
    "selector_not_found",
    box === false
      ? `The element with the selector '${selector}' isn't displayed, so the screenshot can't show it.`
      : `No element matched the screenshot's selector '${selector}'.`,
  );
}

function isBox(value: unknown): value is Box {
  return typeof value === "object" && value !== null && "width" in value;
}
