import { findElement } from "./shared/find-element";
import type { PageScripts } from "./shared/script-types";

const POLL_MS = 50;

/** Waits until an element is ready and still. Resolves with a point of it, or with the reason after `maxMs`. */
export const locateElement: PageScripts["locateElement"] = async (selector, needs, maxMs) => {
  const end = performance.now() + maxMs;
  let last: { x: number; y: number } | null = null;
  for (;;) {
    const found = findElement(selector, needs);
    if (typeof found !== "string") {
      const { x, y } = found;
      // A click would miss an element that moves.
      if (last !== null && Math.abs(last.x - x) < 1 && Math.abs(last.y - y) < 1) return { x, y };
      last = { x, y };
    } else last = null;
    if (performance.now() >= end) return { problem: typeof found === "string" ? found : "doesn't stop moving" };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
};
