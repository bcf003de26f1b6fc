import { hasContent } from "../html/has-content";
import { isLivePage, parseRefresh, type Refresh } from "../html/meta-refresh";
import { openPage } from "../html/visible-page";
import { now } from "../lib/clock";
import { SECOND_MS } from "../model/limits";
import { ACTION_SETTLE_MS, LOAD_TICK_MS, META_REFRESH_MAX_S, QUIET_MAX_MS } from "../model/page-limits";
import { withClosedFrames } from "./closed-frames";
import { evaluate, evaluateInPage, type Snapshot, toExpression, toSnapshot } from "./evaluate";
import { hasAllContent, waitForLoad } from "./load";
import { checkResponse } from "./navigation-errors";
import type { NavigationCount } from "./page-activity";
import { ACTIVE_MS } from "./pending-requests";
import { RenderError, type RenderRequest } from "./protocol";
import type { Tab } from "./tab";

/** The maximum length of a URL in the message about a loop. */
const MAX_SHOWN_URL_CHARS = 120;
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
export async function settle(tab: Tab, request: RenderRequest): Promise<string> {
  const followed: string[] = [];
  for (;;) {
    const quiet = tab.waitUntil === "quiet" ? await waitForQuiet(tab, request.maxHtmlBytes) : null;
    const { snapshot, seen } = quiet ?? (await takeUnquiet(tab, request));
    checkResponse(tab);
    // With `waitFor`, the selector has matched on this page, so the browser doesn't follow a refresh to another page.
    const next = request.waitFor === null ? toNext(snapshot) : null;
    // Pages with live content lead to each other forever.
    const isLive = next !== null && followed.length > 0 && isLivePage(snapshot.html, next);
    if (next === null || isLive || !(await followRefresh(tab, { next, followed, seen })))
      return await withClosedFrames(tab, snapshot, request.maxHtmlBytes);
    await waitForLoad(tab);
    checkResponse(tab);
  }
}

/** Takes a snapshot of a page that may not be quiet. */
export async function takeUnquiet(tab: Tab, request: RenderRequest) {
  if (!tab.main.isReady) await waitForLoad(tab);
  checkResponse(tab);
  const seen = tab.main.count;
  return { snapshot: await takeSnapshot(tab, request.maxHtmlBytes), seen };
}

/** Returns the page's meta refresh to another URL, if its delay is short. */
function toNext({ refresh }: Snapshot): Refresh | null {
  const next = refresh === null ? null : parseRefresh(refresh.content, refresh.base);
  return next === null || next.delaySeconds > META_REFRESH_MAX_S || next.url === refresh?.url ? null : next;
}

/**
 * Waits for a meta refresh. Returns true if the browser navigates, and false if it doesn't, for example because the
 * target is a download. `followed` are the targets of earlier refreshes, and `seen` is the number of documents at the
 * time of the snapshot. Throws RenderError if the page leads to the same target for the third time.
 */
async function followRefresh(
  tab: Tab,
  { next, followed, seen }: { next: Refresh; followed: string[]; seen: number },
): Promise<boolean> {
  if (followed.filter((url) => url === next.url).length > 1) {
    const chain = followed.map((url) => url.slice(0, MAX_SHOWN_URL_CHARS)).join(" → ");
    throw new RenderError("too_many_redirects", `The refreshes of the page form a loop: ${chain}.`);
  }
  followed.push(next.url);
  const ms = (next.delaySeconds + REFRESH_GRACE_S) * SECOND_MS;
  return await tab.untilWithin(() => tab.main.count > seen || tab.refused !== null, ms);
}

/**
 * Returns a snapshot as soon as the page has no pending requests and callbacks. A page without content also waits for
 * its late callbacks. Returns null if that takes longer than `maxMs` after the last `load`, or if the page is too large
 * for a snapshot.
 */
async function waitForQuiet(tab: Tab, maxChars: number, maxMs: number = QUIET_MAX_MS) {
  let end = now() + maxMs;
  let isPatient = false;
  for (;;) {
    if (!tab.main.isReady) {
      await waitForLoad(tab);
      checkResponse(tab);
      end = now() + maxMs;
    }
    const capped = AbortSignal.any([tab.signal, AbortSignal.timeout(Math.max(0, end - now()))]);
    try {
      const isOver = () => tab.pending.size === 0 || !tab.main.isReady;
      for (let ms = LOAD_TICK_MS; !(await tab.untilWithin(isOver, LOAD_TICK_MS)); ms += LOAD_TICK_MS) {
        if (now() >= end) return null;
        tab.pending.addSilence(LOAD_TICK_MS);
        if (ms >= ACTIVE_MS && (await hasAllContent(tab))) tab.pending.giveUp();
      }
      // Waits until a new document is ready. A document that has just started to load has no pending requests.
      if (!tab.main.isReady) continue;
      const { count } = tab.activity;
      const seen = tab.main.count;
      const expression = `globalThis.${tab.traits.quietName}?.(${Math.max(0, end - now())}, ${maxChars}, ${isPatient})`;
      const result = await evaluateInPage(tab, expression, capped);
      if (result !== undefined && tab.pending.size === 0 && tab.activity.count === count) {
        const snapshot = toSnapshot(result);
        if (snapshot === null || snapshot.html.length > maxChars) return null;
        if (!snapshot.hasLate || now() >= end || hasContent(openPage(snapshot.html))) return { snapshot, seen };
        isPatient = true;
      }
    } catch (error) {
      if (!tab.signal.aborted && capped.aborted) return null;
      throw error;
    }
    if (now() >= end) return null;
  }
}

/** Takes a snapshot in an isolated world, where the page's scripts can't affect it. */
export async function takeSnapshot(tab: Tab, maxChars: number): Promise<Snapshot> {
  for (;;) {
    const result = await evaluate(tab, toExpression("takeSnapshot", maxChars));
    const snapshot = toSnapshot(result);
    if (snapshot !== null) return snapshot;
    if (result !== undefined)
      throw new RenderError("target_too_large", `The rendered page is larger than ${maxChars} bytes.`);
    await waitForLoad(tab);
  }
}

/** Waits until the page is quiet, for at most QUIET_MAX_MS. */
export async function waitUntilQuiet(tab: Tab): Promise<void> {
  await waitForQuiet(tab, 1);
}

/**
 * Waits after an action until the page has reacted to it. If the page navigates, waits for the new document. `before`
 * is the value of the tab's `navigated` before the action.
 */
export async function settleBriefly(tab: Tab, before: NavigationCount): Promise<void> {
  // A submitted form navigates in a later task.
  await evaluate(tab, NEXT_TASKS);
  if (tab.navigated.requested > before.requested) {
    // Waits only for a short time, because a navigation within the document sends no request.
    await tab.untilWithin(() => tab.navigated.begun > before.begun, NAVIGATION_BEGINS_MS);
  }
  const isLoading = () =>
    tab.pending.list().some(({ type, frameId }) => type === "Document" && frameId === tab.frameId);
  await tab.until(() => !tab.main.isReady || !isLoading());
  if (!tab.main.isReady && tab.main.unreachable === null) await waitForLoad(tab);
  checkResponse(tab);
  await waitForQuiet(tab, 1, ACTION_SETTLE_MS);
}
