import { toGetter } from "./shared/natives";
import type { PageScripts } from "./shared/script-types";

/** The maximum number of steps for scrolling through a tall element. */
const MAX_STEPS = 30;
/** The time that scripts get to react to scrolling. */
const STEP_MS = 50;

/**
 * Scrolls through the first matching element, so that its images load, and then back to its start. Waits at most
 * `maxMs` for the images. Without a selector, only waits for the images of the page. Resolves with the element's
 * position and size on the page. If the element has no size, resolves with false. If no element matches, resolves with
 * null. If the selector is invalid, resolves with the message of the SyntaxError.
 */
export const showElement: PageScripts["showElement"] = async (selector, maxMs) => {
  const { querySelector, querySelectorAll } = Document.prototype;
  const { getBoundingClientRect, scrollIntoView, querySelectorAll: select } = Element.prototype;
  const toComplete = toGetter<boolean>(HTMLImageElement.prototype, "complete");
  const deadline = performance.now() + maxMs;
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

  const loaded = (image: Element): Promise<void> =>
    toComplete.call(image)
      ? Promise.resolve()
      : new Promise((resolve) => {
          image.addEventListener("load", () => resolve());
          image.addEventListener("error", () => resolve());
        });
  /** Images with `loading=lazy` outside of the visible part aren't requested, so they are skipped. */
  const isRequested = (image: Element): boolean => {
    if (image.getAttribute("loading")?.toLowerCase() !== "lazy") return true;
    const { top, bottom } = getBoundingClientRect.call(image);
    return bottom >= 0 && top <= innerHeight;
  };
  const waitForImages = async (images: ArrayLike<Element>) => {
    const waiting = Array.from(images).filter(isRequested).map(loaded);
    await Promise.race([Promise.all(waiting), pause(Math.max(0, deadline - performance.now()))]);
  };

  if (selector === null) {
    await pause(STEP_MS);
    await waitForImages(querySelectorAll.call(document, "img"));
    return null;
  }
  let element: Element | null;
  try {
    element = querySelector.call(document, selector);
  } catch (error) {
    return String((error as Error).message);
  }
  if (element === null) return null;
  scrollIntoView.call(element, { block: "start", inline: "nearest", behavior: "instant" });
  for (let step = 0; step < MAX_STEPS && performance.now() < deadline; step++) {
    await pause(STEP_MS);
    await waitForImages([...select.call(element, "img"), ...(element instanceof HTMLImageElement ? [element] : [])]);
    if (getBoundingClientRect.call(element).bottom <= innerHeight) break;
    scrollBy({ top: innerHeight, behavior: "instant" });
  }
  scrollIntoView.call(element, { block: "start", inline: "nearest", behavior: "instant" });
  const { x, y, width, height } = getBoundingClientRect.call(element);
  return width >= 1 && height >= 1 ? { x: x + scrollX, y: y + scrollY, width, height } : false;
};
