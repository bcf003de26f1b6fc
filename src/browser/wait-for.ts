import { formatSeconds } from "../lib/time-limit";
import { evaluate, toExpression } from "./evaluate";
import { checkReached } from "./navigation-errors";
import { RenderError, toSelectorError } from "./protocol";
import type { Tab } from "./tab";

/** Waits at most `forMs` until an element matches. Throws RenderError `selector_not_found`. */
export async function waitForSelector(tab: Tab, selector: string, forMs: number): Promise<void> {
  if (await waitForElement(tab, selector, forMs)) return;
  const message = `No element matched the selector '${selector}' within ${formatSeconds(forMs)}.`;
  throw new RenderError("selector_not_found", message);
}

/** Returns true as soon as an element matches, or false after `forMs`. The page may navigate in the meantime. */
export async function waitForElement(tab: Tab, selector: string, forMs: number): Promise<boolean> {
  const timeout = AbortSignal.timeout(forMs);
  const either = AbortSignal.any([tab.signal, timeout]);
  try {
    for (;;) {
      await tab.until(() => tab.main.isReady || tab.main.unreachable !== null, either);
      // Throws if the browser shows its own error page, in which no element ever matches.
      checkReached(tab);
      const found = await Promise.race([
        evaluate(tab, toExpression("waitForSelector", selector), either),
        tab.until(() => tab.main.unreachable !== null, either),
      ]);
      if (found === true) return true;
      if (typeof found === "string") throw toSelectorError(selector);
    }
  } catch (error) {
    if (timeout.aborted && !tab.signal.aborted) return false;
    throw error;
  }
}
