import { detectBlockPage } from "../html/block-pages/detect";
import { parseRefresh } from "../html/meta-refresh";
import type { Semaphore } from "../lib/async";
import { now, sleep } from "../lib/clock";
import { META_REFRESH_MAX_S, QUIET_MAX_MS, SECOND_MS, WAIT_FOR_TIMEOUT_MS } from "../model/limits";
import { isMarkupType, retryDelay } from "../net/response";
import {
  abortable,
  evaluate,
  PAGE_COMMAND,
  readResponseBody,
  type Snapshot,
  toExpression,
  toSnapshot,
} from "./evaluate";
import { waitForLoad } from "./load";
import { checkReached, checkResponse, toNavigationError } from "./navigation-errors";
import { RenderError, type RenderedPage, type RenderRequest, type Visit } from "./protocol";
import { capture } from "./screenshot";
import type { Tab } from "./tab";

/** The extra time to wait for a meta refresh after it is due, in seconds. */
const REFRESH_GRACE_S = 5;

/** The limits for reading the computed styles. Without the styles, the page's own style sheets count. */
export const VISIBILITY_MAX_ELEMENTS = 40_000;
export const VISIBILITY_MAX_MS = 500;
const VISIBILITY_TIMEOUT_MS = 3_000;

interface RenderContext {
  /** The global name of the page function that waits until the page is quiet. */
  quietName: string;
  /** Acquired for each strip of a tall screenshot, to limit the memory. */
  tallScreenshots: Semaphore;
  signal: AbortSignal;
  /** Called when the browser shows the page and begins to load its resources. */
  onShown: () => void;
}

/**
 * Renders one page in a tab. Navigates; waits for `load`, for the selector, and until the page is quiet; then reads the
 * markup and captures the screenshot. Throws RenderError for errors that the caller gets. Any other error means that
 * the browser or the connection failed.
 */
export async function render(tab: Tab, request: RenderRequest, context: RenderContext): Promise<RenderedPage> {
  const { quietName, tallScreenshots, signal } = context;
  if (await open(tab, request, context)) {
    const status = tab.main.lastResponse?.status ?? 204;
    return {
      kind: "page",
      url: request.url,
      status,
      contentType: null,
      headers: {},
      html: "",
      visibility: null,
      screenshot: null,
      partialLoad: false,
    };
  }
  const html = request.visit
    ? await visit(tab, request.visit, request.maxHtmlBytes, signal)
    : await read(tab, request, quietName, signal);
  // The screenshot changes the size of the viewport, so the visibility is read first.
  const visibility = request.visibility ? await readVisibility(tab, signal) : null;
  const screenshot = request.screenshot ? await capture(tab, tallScreenshots, signal) : null;
  return {
    kind: "page",
    url: tab.main.response?.url ?? request.url,
    status: tab.main.response?.status ?? 200,
    contentType: tab.main.response?.contentType ?? null,
    headers: tab.main.response?.headers ?? {},
    html: (await readTextBody(tab, signal)) ?? html,
    visibility,
    screenshot,
    partialLoad: isPartial(tab),
  };
}

/** Returns true if the page was read without a resource that didn't respond in time. */
function isPartial({ main, blockedUrls, proxy }: Tab): boolean {
  return blockedUrls.length > 0 || proxy?.hasTimedOut === true || (main.isGivenUp && !main.isLoaded);
}

/** Returns the markup of a page to scrape. Throws RenderError for a block page or an error status. */
async function read(tab: Tab, request: RenderRequest, quietName: string, signal: AbortSignal): Promise<string> {
  await checkBlockPage(tab, request.maxHtmlBytes, signal);
  checkResponse(tab);
  if (request.waitFor !== null) await waitForSelector(tab, request.waitFor, signal);
  return await settle(tab, request, quietName, signal);
}

/**
 * Returns the markup of a visit with any status. Waits until an element matches `until.selector`, for at most
 * `until.forMs`.
 */
async function visit(tab: Tab, { until }: Visit, maxChars: number, signal: AbortSignal): Promise<string> {
  checkReached(tab);
  // Doesn't wait on an error page, because such a page doesn't change. Challenges that resolve automatically have a
  // success status.
  const mayChange = (tab.main.response?.status ?? 200) < 400;
  if (mayChange) await waitForElement(tab, until.selector, until.forMs, signal);
  await tab.until(() => tab.main.isReady, signal);
  checkReached(tab);
  return (await takeSnapshot(tab, maxChars, signal)).html;
}

/**
 * Opens the page. Retries once if the target is busy, except for visits. Returns true if the response has no document
 * (204 or 205).
 */
async function open(tab: Tab, { url, visit }: RenderRequest, context: RenderContext): Promise<boolean> {
  const { signal, onShown } = context;
  for (let tries = 1; ; tries++) {
    if (await navigate(tab, url, signal)) return true;
    onShown();
    // A visit only needs the markup, so it doesn't wait for the `load` event.
    if (visit === null) await waitForLoad(tab, signal);
    else await tab.until(() => tab.main.isReady, signal);
    const { status = 200, headers = {} } = tab.main.response ?? {};
    const delayMs = tries === 1 && visit === null ? retryDelay(status, headers["retry-after"]) : null;
    if (delayMs === null) return false;
    await sleep(delayMs, signal);
    // Navigating to the same URL with a fragment doesn't send a request, so about:blank is opened first.
    if (new URL(url).hash !== "") await navigate(tab, "about:blank", signal);
  }
}

/**
 * Returns the response body for XML, JSON and plain text, because the browser shows these types in a viewer. Returns
 * null for HTML, or if the browser has discarded the body.
 */
async function readTextBody(tab: Tab, signal: AbortSignal): Promise<string | null> {
  const { contentType = null } = tab.main.response ?? {};
  if (contentType === null || isMarkupType(contentType.toLowerCase())) return null;
  const response = await readResponseBody(tab, signal);
  if (response === null) return null;
  const { body, base64Encoded } = response;
  return base64Encoded ? new TextDecoder().decode(Uint8Array.fromBase64(body)) : body;
}

/** Returns the markup once the page is quiet. Follows meta refreshes with a delay of up to META_REFRESH_MAX_S. */
async function settle(tab: Tab, request: RenderRequest, quietName: string, signal: AbortSignal): Promise<string> {
  for (;;) {
    const { snapshot, seen } =
      (await waitForQuiet(tab, quietName, request.maxHtmlBytes, signal)) ?? (await takeUnquiet(tab, request, signal));
    checkResponse(tab);
    // With `waitFor`, the selector has matched on this page, so a refresh to another page isn't followed.
    if (request.waitFor !== null || !(await followRefresh(tab, snapshot, seen, signal))) return snapshot.html;
    await waitForLoad(tab, signal);
    checkResponse(tab);
  }
}

/** Takes a snapshot of a page that didn't become quiet in time. */
async function takeUnquiet(tab: Tab, request: RenderRequest, signal: AbortSignal) {
  if (!tab.main.isReady) await waitForLoad(tab, signal);
  checkResponse(tab);
  const seen = tab.main.count;
  return { snapshot: await takeSnapshot(tab, request.maxHtmlBytes, signal), seen };
}

/**
 * Waits for the page's meta refresh if its delay is short. Returns true if the browser navigates, and false if it
 * doesn't, for example because the target is a download. `seen`: the number of documents when the snapshot was taken.
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

/** Navigates to a URL. Returns true if the response has no document (204 or 205). */
async function navigate(tab: Tab, url: string, signal: AbortSignal): Promise<boolean> {
  const { errorText, loaderId } = await abortable(tab.send("Page.navigate", { url }, PAGE_COMMAND), tab, signal);
  if (errorText === undefined) {
    await tab.until(() => loaderId === undefined || tab.main.hasShown(loaderId), signal);
    return false;
  }
  if (tab.main.lastResponse?.status === 204 || tab.main.lastResponse?.status === 205) return true;
  throw toNavigationError(errorText, tab, url);
}

/** Throws RenderError `blocked_by_target` if the response has an error status and is a block page. */
async function checkBlockPage(tab: Tab, maxBytes: number, signal: AbortSignal): Promise<void> {
  const response = tab.main.response;
  if (response === null || response.status < 400 || tab.main.unreachable !== null) return;
  const { html } = await takeSnapshot(tab, maxBytes, signal);
  const vendor = detectBlockPage({ status: response.status, headers: new Map(Object.entries(response.headers)), html });
  if (vendor === null) return;
  const host = URL.parse(response.url)?.host ?? response.url;
  throw new RenderError("blocked_by_target", `${host} returned a block page (${vendor}) instead of its content.`, true);
}

async function waitForSelector(tab: Tab, selector: string, signal: AbortSignal): Promise<void> {
  if (await waitForElement(tab, selector, WAIT_FOR_TIMEOUT_MS, signal)) return;
  throw new RenderError(
    "selector_not_found",
    `No element matched the selector '${selector}' within ${WAIT_FOR_TIMEOUT_MS / SECOND_MS} seconds.`,
  );
}

/** Returns true as soon as an element matches, or false after `forMs`. The page may navigate in the meantime. */
async function waitForElement(tab: Tab, selector: string, forMs: number, signal: AbortSignal): Promise<boolean> {
  const timeout = AbortSignal.timeout(forMs);
  const either = AbortSignal.any([signal, timeout]);
  try {
    for (;;) {
      await tab.until(() => tab.main.isReady || tab.main.unreachable !== null, either);
      // Throws if the browser shows its own error page, which never gets a matching element.
      checkReached(tab);
      const found = await Promise.race([
        evaluate(tab, toExpression("waitForSelector", selector), either, { isolated: true }),
        tab.until(() => tab.main.unreachable !== null, either),
      ]);
      if (found === true) return true;
      if (typeof found === "string")
        throw new RenderError("selector_not_found", `'wait_for' is not a valid CSS selector: ${found}`);
    }
  } catch (error) {
    if (timeout.aborted && !signal.aborted) return false;
    throw error;
  }
}

/**
 * Returns a snapshot as soon as the page has no pending requests and callbacks. Returns null if that takes longer than
 * QUIET_MAX_MS after the last `load`, or if the page is too large for a snapshot.
 */
async function waitForQuiet(tab: Tab, quietName: string, maxChars: number, signal: AbortSignal) {
  let end = now() + QUIET_MAX_MS;
  for (;;) {
    if (!tab.main.isReady) {
      await waitForLoad(tab, signal);
      checkResponse(tab);
      end = now() + QUIET_MAX_MS;
    }
    const capped = AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, end - now()))]);
    try {
      await tab.until(() => tab.pending.size === 0 || !tab.main.isReady, capped);
      // Waits until a new document is ready. A document that has just started to load has no pending requests.
      if (!tab.main.isReady) continue;
      const { activity } = tab;
      const seen = tab.main.count;
      const expression = `globalThis.${quietName}?.(${Math.max(0, end - now())}, ${maxChars})`;
      const result = await evaluate(tab, expression, capped);
      if (result !== undefined && tab.pending.size === 0 && tab.activity === activity) {
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

/**
 * Reads the visibility of the page's elements from the computed styles. Returns null if they can't be read in time. The
 * page's own style sheets count then.
 */
async function readVisibility(tab: Tab, signal: AbortSignal): Promise<string | null> {
  const contentType = tab.main.response?.contentType?.toLowerCase() ?? "text/html";
  if (!isMarkupType(contentType)) return null;
  const timeout = AbortSignal.timeout(VISIBILITY_TIMEOUT_MS);
  const expression = toExpression("readVisibility", VISIBILITY_MAX_ELEMENTS, VISIBILITY_MAX_MS);
  try {
    const report = await evaluate(tab, expression, AbortSignal.any([signal, timeout]), { isolated: true });
    return typeof report === "string" ? report : null;
  } catch (error) {
    if (signal.aborted || !timeout.aborted) throw error;
    return null;
  }
}

/** Takes a snapshot in an isolated world, where the page's scripts can't affect it. */
async function takeSnapshot(tab: Tab, maxChars: number, signal: AbortSignal): Promise<Snapshot> {
  for (;;) {
    const result = await evaluate(tab, toExpression("takeSnapshot", maxChars), signal, { isolated: true });
    const snapshot = toSnapshot(result);
    if (snapshot !== null) return snapshot;
    if (result !== undefined)
      throw new RenderError("target_too_large", `The rendered page is larger than ${maxChars} bytes.`);
    await waitForLoad(tab, signal);
  }
}
