import { parseRefresh } from "../html/meta-refresh";
import { now } from "../lib/clock";
import { SECOND_MS } from "../model/limits";
import { ACTION_SETTLE_MS, META_REFRESH_MAX_S, QUIET_MAX_MS } from "../model/page-limits";
import { evaluate, type Snapshot, toExpression, toSnapshot } from "./evaluate";
import { waitForLoad } from "./load";
import { checkResponse } from "./navigation-errors";
import type { NavigationCount } from "./page-activity";
import { RenderError, type RenderRequest } from "./protocol";
import type { Tab } from "./tab";

/** The number of additional seconds to wait for a meta refresh after it is due. */
const REFRESH_GRACE_S = 5;
/** The maximum time between an action and the request of a navigation that the action causes. */
const NAVIGATION_BEGINS_MS = 1_000;
/** Resolves after two tasks of the page. The page has then handled the events of an action. */
const NEXT_TASKS = "new Promise((resolve) => setTimeout(() => setTimeout(resolve, 20), 20))";

/**
 * Returns the markup after the event that `load.waitUntil` selects: by default, once the page is quiet. Follows meta
 * refreshes with a delay of up to META_REFRESH_MAX_S.
 */
export async function settle(
  tab: Tab,
  request: RenderRequest,
  quietName: string,
  signal: AbortSignal,
): Promise<string> {
  for (;;) {
    const isQuiet = tab.waitUntil === "quiet";
    const quiet = isQuiet ? await waitForQuiet(tab, quietName, request.maxHtmlBytes, signal) : null;
    const { snapshot, seen } = quiet ?? (await takeUnquiet(tab, request, signal));
    checkResponse(tab);
    // With `waitFor`, the selector has matched on this page, so the browser doesn't follow a refresh to another page.
    if (request.waitFor !== null || !(await followRefresh(tab, snapshot, seen, signal))) return snapshot.html;
    await waitForLoad(tab, signal);
    checkResponse(tab);
  }
}

/** Takes a snapshot of a page that may not be quiet. */
export async function takeUnquiet(tab: Tab, request: RenderRequest, signal: AbortSignal) {
  if (!tab.main.isReady) await waitForLoad(tab, signal);
  checkResponse(tab);
  const seen = tab.main.count;
  return { snapshot: await takeSnapshot(tab, request.maxHtmlBytes, signal), seen };
}

/**
 * Waits for the page's meta refresh if its delay is short. Returns true if the browser navigates, and false if it
 * doesn't, for example because the target is a download. `seen` is the number of documents at the time of the snapshot.
 */
async function followRefresh(tab: Tab, { refresh }: Snapshot, seen: number, signal: AbortSignal): Promise<boolean> {
  const next = refresh === null ? null : parseRefresh(refresh.content, refresh.base);
  if (next === null || next.delaySeconds > META_REFRESH_MAX_S || next.url === refresh?.url) return false;
  const late = AbortSignal.timeout((next.delaySeconds + REFRESH_GRACE_S) * SECOND_MS);
  const either = AbortSignal.any([signal, late]);
  try {
    await tab.until(() => tab.main.count > seen || tab.refused !== null, either);
    return true;
  } catch (error) {
    if (late.aborted && !signal.aborted) return false;
    throw error;
  }
}

/**
 * Returns a snapshot as soon as the page has no pending requests and callbacks. Returns null if that takes longer than
 * `maxMs` after the last `load`, or if the page is too large for a snapshot.
 */
async function waitForQuiet(
  tab: Tab,
  quietName: string,
  maxChars: number,
  signal: AbortSignal,
  maxMs: number = QUIET_MAX_MS,
) {
  let end = now() + maxMs;
  for (;;) {
    if (!tab.main.isReady) {
      await waitForLoad(tab, signal);
      checkResponse(tab);
      end = now() + maxMs;
    }
    const capped = AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, end - now()))]);
    try {
      await tab.until(() => tab.pending.size === 0 || !tab.main.isReady, capped);
      // Waits until a new document is ready. A document that has just started to load has no pending requests.
      if (!tab.main.isReady) continue;
      const { count } = tab.activity;
      const seen = tab.main.count;
      const expression = `globalThis.${quietName}?.(${Math.max(0, end - now())}, ${maxChars})`;
      const result = await evaluate(tab, expression, capped);
      if (result !== undefined && tab.pending.size === 0 && tab.activity.count === count) {
        const snapshot = toSnapshot(result);
        return snapshot === null || snapshot.html.length > maxChars ? null : { snapshot, seen };
      }
    } catch (error) {
      if (!signal.aborted && capped.aborted) return null;
      throw error;
    }
    if (now() >= end) return null;
  }
}

/** Takes a snapshot in an isolated world, where the page's scripts can't affect it. */
export async function takeSnapshot(tab: Tab, maxChars: number, signal: AbortSignal): Promise<Snapshot> {
  for (;;) {
    const result = await evaluate(tab, toExpression("takeSnapshot", maxChars), signal, { isolated: true });
    const snapshot = toSnapshot(result);
    if (snapshot !== null) return snapshot;
    if (result !== undefined)
      throw new RenderError("target_too_large", `The rendered page is larger than ${maxChars} bytes.`);
    await waitForLoad(tab, signal);
  }
}

/** Waits until the page is quiet, for at most QUIET_MAX_MS. */
export async function waitUntilQuiet(tab: Tab, quietName: string, signal: AbortSignal): Promise<void> {
  await waitForQuiet(tab, quietName, 1, signal);
}

/**
 * Waits after an action until the page has reacted to it. If the page navigates, waits for the new document. `before`
 * is the value of the tab's `navigated` before the action.
 */
export async function settleBriefly(
  tab: Tab,
  { quietName, before, signal }: { quietName: string; before: NavigationCount; signal: AbortSignal },
): Promise<void> {
  // A submitted form navigates in a later task.
  await evaluate(tab, NEXT_TASKS, signal, { isolated: true });
  if (tab.navigated.requested > before.requested) {
    // Waits only for a short time, because a navigation within the document sends no request.
    const late = AbortSignal.timeout(NAVIGATION_BEGINS_MS);
    await untilOrLate(tab, () => tab.navigated.begun > before.begun, signal, late);
  }
  const isLoading = () =>
    tab.pending.list().some(({ type, frameId }) => type === "Document" && frameId === tab.frameId);
  await tab.until(() => !tab.main.isReady || !isLoading(), signal);
  if (!tab.main.isReady && tab.main.unreachable === null) await waitForLoad(tab, signal);
  checkResponse(tab);
  await waitForQuiet(tab, quietName, 1, signal, ACTION_SETTLE_MS);
}

/** Waits for a condition until it is true or `late` is aborted. */
async function untilOrLate(tab: Tab, condition: () => boolean, signal: AbortSignal, late: AbortSignal): Promise<void> {
  try {
    await tab.until(condition, AbortSignal.any([signal, late]));
  } catch (error) {
    if (signal.aborted || !late.aborted) throw error;
  }
}
