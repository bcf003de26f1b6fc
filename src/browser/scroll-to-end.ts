import { now } from "../lib/clock";
import { SCROLL_END_MAX_MS } from "../model/page-limits";
import { evaluate, toExpression } from "./evaluate";
import type { RenderDeadline } from "./render-deadline";
import { settleBriefly } from "./settle";
import type { Tab } from "./tab";

/**
 * The number of scrolls in a row without new content after which the page counts as ended. Many pages react only after
 * a delay.
 */
const STILL_SCROLLS = 3;

/**
 * Scrolls down until neither the page's height nor the number of its requests changes. Returns false if the page still
 * grows after SCROLL_END_MAX_MS, or after half of the remaining time. The other half is for the actions that follow.
 */
export async function scrollToEnd(
  tab: Tab,
  { quietName, deadline, signal }: { quietName: string; deadline: RenderDeadline; signal: AbortSignal },
): Promise<boolean> {
  const end = now() + Math.min(SCROLL_END_MAX_MS, deadline.remainingMs / 2);
  let last = { height: -1, requests: -1 };
  for (let still = 0; still < STILL_SCROLLS; ) {
    if (now() >= end) return false;
    const before = tab.navigated;
    await evaluate(tab, toExpression("scrollPage", "end"), signal, { isolated: true });
    await settleBriefly(tab, { quietName, before, signal });
    const height = Number(await evaluate(tab, toExpression("scrollPage", 0), signal, { isolated: true }));
    const { requests } = tab.activity;
    still = height === last.height && requests === last.requests ? still + 1 : 0;
    last = { height, requests };
  }
  return true;
}
