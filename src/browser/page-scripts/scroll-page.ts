import type { PageScripts } from "./shared/script-types";

/**
 * Scrolls the page, or its largest scrollable element if the page itself can't be scrolled. `by` is a number of pixels.
 * Returns the height of the scrolled content after two frames.
 */
export const scrollPage: PageScripts["scrollPage"] = async (by) => {
  const isScrollable = (element: Element) => element.scrollHeight > element.clientHeight + 1;
  const root = document.scrollingElement ?? document.documentElement;
  const scroller = isScrollable(root) ? root : (findScroller() ?? root);
  if (by === "end") {
    // Some pages load more content only when the user scrolls, so a page that is already at its end is first moved up.
    scroller.scrollBy({ top: -1, behavior: "instant" });
    scroller.scrollTo({ top: scroller.scrollHeight, behavior: "instant" });
  } else if (by === "top") scroller.scrollTo({ top: 0, behavior: "instant" });
  else scroller.scrollBy({ top: by, behavior: "instant" });
  await new Promise<void>((resolve) => {
    setTimeout(resolve, 200);
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
  return scroller.scrollHeight;

  function findScroller(): Element | null {
    let best: Element | null = null;
    let area = 0;
    for (const element of Document.prototype.querySelectorAll.call(document, "body *")) {
      if (!isScrollable(element) || !/auto|scroll/.test(getComputedStyle(element).overflowY)) continue;
      const size = element.clientWidth * element.clientHeight;
      if (size > area) [best, area] = [element, size];
    }
    return best;
  }
};
