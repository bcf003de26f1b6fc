import { detectBlockPage } from "../html/block-pages/detect";
import { parseRefresh } from "../html/meta-refresh";
import type { Semaphore } from "../lib/async";
import { now, sleep } from "../lib/clock";
import { LOAD_MAX_MS, META_REFRESH_MAX_S, QUIET_MAX_MS, SECOND_MS, WAIT_FOR_TIMEOUT_MS } from "../model/limits";
import { isMarkupType, retryDelay } from "../net/response";
import { abortable, evaluate, PAGE_PACE, type Snapshot, toExpression, toSnapshot } from "./evaluate";
import { checkReached, checkResponse, toNavigationError } from "./navigation-errors";
import { RenderError, type RenderedPage, type RenderRequest, type Visit } from "./protocol";
import { capture } from "./screenshot";
import type { Tab } from "./tab";

/** A refresh that is due and doesn't come for so long (s) isn't waited for. */
const REFRESH_GRACE_S = 5;

interface RenderContext {
  /** The name of the page's function that waits for quiet. */
  quietName: string;
  /** Taken while the strips of a tall screenshot are on their way. */
  tallScreenshots: Semaphore;
  signal: AbortSignal;
}

/**
 * Renders one page in a tab of its own: navigate, wait for `load`, for the selector, for quiet; then take what was
 * asked. Throws RenderError for an answer; anything else means that the browser or the connection failed.
 */
export async function render(
  tab: Tab,
  request: RenderRequest,
  { quietName, tallScreenshots, signal }: RenderContext,
): Promise<RenderedPage> {
  if (await open(tab, request, signal)) {
    const status = tab.main.lastResponse?.status ?? 204;
    return {
      kind: "page",
      url: request.url,
      status,
      contentType: null,
      headers: {},
      html: "",
      screenshot: null,
    };
  }
  const html = request.visit
    ? await visit(tab, request.visit, request.maxHtmlBytes, signal)
    : await read(tab, request, quietName, signal);
  const screenshot = request.screenshot ? await capture(tab, tallScreenshots, signal) : null;
  return {
    kind: "page",
    url: tab.main.response?.url ?? request.url,
    status: tab.main.response?.status ?? 200,
    contentType: tab.main.response?.contentType ?? null,
    headers: tab.main.response?.headers ?? {},
    html: (await bodyOf(tab, signal)) ?? html,
    screenshot,
  };
}

/** Returns the markup of a page to scrape. Throws for a block page or an error status. */
async function read(tab: Tab, request: RenderRequest, quietName: string, signal: AbortSignal): Promise<string> {
  await checkBlockPage(tab, request.maxHtmlBytes, signal);
  checkResponse(tab);
  if (request.waitFor !== null) await waitForSelector(tab, request.waitFor, signal);
  return await settle(tab, request, quietName, signal);
}

/** The markup of whatever was answered, once it shows what it was asked for. */
async function visit(tab: Tab, { until }: Visit, maxChars: number, signal: AbortSignal): Promise<string> {
  checkReached(tab);
  // An error says all that it has to say; what goes away by itself comes as a success.
  const mayChange = (tab.main.response?.status ?? 200) < 400;
  if (mayChange) await appears(tab, until.selector, until.forMs, signal);
  await tab.until(() => tab.main.isReady, signal);
  checkReached(tab);
  return (await take(tab, maxChars, signal)).html;
}

/** Once more when the target is busy for the moment, unless every answer is wanted. True when it answered without a document (204). */
async function open(tab: Tab, { url, visit }: RenderRequest, signal: AbortSignal): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    if (await navigate(tab, url, signal)) return true;
    // A visit wants the words alone: its last pictures and counters may come or not.
    if (visit === null) await waitForLoad(tab, signal);
    else await tab.until(() => tab.main.isReady, signal);
    const { status = 200, headers = {} } = tab.main.response ?? {};
    const pause = tries === 1 && visit === null ? retryDelay(status, headers["retry-after"]) : null;
    if (pause === null) return false;
    await sleep(pause, signal);
    // To the same address with a fragment the browser would go without asking again.
    if (new URL(url).hash !== "") await navigate(tab, "about:blank", signal);
  }
}

/** What the browser shows of XML, JSON and plain text is a viewer of its own. Null for markup, or a body that it has let go of. */
async function bodyOf(tab: Tab, signal: AbortSignal): Promise<string | null> {
  const { contentType = null, requestId = "" } = tab.main.response ?? {};
  if (contentType === null || isMarkupType(contentType.toLowerCase())) return null;
  try {
    const asked = tab.send("Network.getResponseBody", { requestId }, PAGE_PACE);
    const { body, base64Encoded } = await abortable(asked, tab, signal);
    return base64Encoded ? new TextDecoder().decode(Uint8Array.fromBase64(body)) : body;
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}

/** The markup of a page at rest, after the refreshes that it asks for within a few seconds. */
async function settle(tab: Tab, request: RenderRequest, quietName: string, signal: AbortSignal): Promise<string> {
  for (;;) {
    const { snapshot, seen } =
      (await waitForQuiet(tab, quietName, request.maxHtmlBytes, signal)) ?? (await look(tab, request, signal));
    checkResponse(tab);
    // What was waited for is on this page.
    if (request.waitFor !== null || !(await goesOn(tab, snapshot, seen, signal))) return snapshot.html;
    await waitForLoad(tab, signal);
    checkResponse(tab);
  }
}

/** A page that doesn't come to rest, as it is. */
async function look(tab: Tab, request: RenderRequest, signal: AbortSignal) {
  if (!tab.main.isReady) await waitForLoad(tab, signal);
  checkResponse(tab);
  const seen = tab.main.count;
  return { snapshot: await take(tab, request.maxHtmlBytes, signal), seen };
}

/**
 * Whether the page asks for another within a few seconds, and the browser goes there: it may be refused, or a download.
 * `seen`: how many documents had come when the snapshot was taken.
 */
async function goesOn(tab: Tab, { refresh }: Snapshot, seen: number, signal: AbortSignal): Promise<boolean> {
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

/** True when the target answered without a document (204). */
async function navigate(tab: Tab, url: string, signal: AbortSignal): Promise<boolean> {
  const { errorText, loaderId } = await abortable(tab.send("Page.navigate", { url }, PAGE_PACE), tab, signal);
  if (errorText === undefined) {
    await tab.until(() => loaderId === undefined || tab.main.hasShown(loaderId), signal);
    return false;
  }
  if (tab.main.lastResponse?.status === 204 || tab.main.lastResponse?.status === 205) return true;
  throw toNavigationError(errorText, tab, url);
}

/** Throws `blocked_by_target` if the response is an error status and a block page. */
async function checkBlockPage(tab: Tab, maxBytes: number, signal: AbortSignal): Promise<void> {
  const response = tab.main.response;
  if (response === null || response.status < 400 || tab.main.unreachable !== null) return;
  const { html } = await take(tab, maxBytes, signal);
  const vendor = detectBlockPage({ status: response.status, headers: new Map(Object.entries(response.headers)), html });
  if (vendor === null) return;
  const host = URL.parse(response.url)?.host ?? response.url;
  throw new RenderError(
    "blocked_by_target",
    `${host} answered with a block page instead of its content: ${vendor}.`,
    true,
  );
}

/** `load` waits for every last picture: a page that is readable and still loads after LOAD_MAX_MS is taken as it is. */
async function waitForLoad(tab: Tab, signal: AbortSignal): Promise<void> {
  const patience = AbortSignal.timeout(LOAD_MAX_MS);
  try {
    await tab.until(() => tab.main.isLoaded, AbortSignal.any([signal, patience]));
  } catch (error) {
    if (signal.aborted || !patience.aborted) throw error;
    await tab.until(() => tab.main.isReady, signal);
  }
}

async function waitForSelector(tab: Tab, selector: string, signal: AbortSignal): Promise<void> {
  if (await appears(tab, selector, WAIT_FOR_TIMEOUT_MS, signal)) return;
  throw new RenderError(
    "selector_not_found",
    `No element matched the selector '${selector}' within ${WAIT_FOR_TIMEOUT_MS / SECOND_MS} seconds.`,
  );
}

/** Whether an element matches within this time, on whatever page there is then. */
async function appears(tab: Tab, selector: string, forMs: number, signal: AbortSignal): Promise<boolean> {
  const timeout = AbortSignal.timeout(forMs);
  const either = AbortSignal.any([signal, timeout]);
  try {
    for (;;) {
      await tab.until(() => tab.main.isReady || tab.main.unreachable !== null, either);
      // Nothing will ever appear on the browser's own error page.
      checkReached(tab);
      const found = await Promise.race([
        evaluate(tab, toExpression("waitForSelector", selector), either, { isolated: true }),
        tab.until(() => tab.main.unreachable !== null, either),
      ]);
      if (found === true) return true;
      if (typeof found === "string")
        throw new RenderError("selector_not_found", `'wait_for' is not a selector that browsers know: ${found}`);
    }
  } catch (error) {
    if (timeout.aborted && !signal.aborted) return false;
    throw error;
  }
}

/**
 * A snapshot of the page once neither the network nor the page itself has anything in hand. Null when that didn't come within
 * QUIET_MAX_MS after the last `load`, or the page is too large to be handed over.
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
      await tab.until(() => tab.requestsInFlight === 0 || !tab.main.isReady, capped);
      // Another document came, and isn't parsed yet: it would be quiet, and empty.
      if (!tab.main.isReady) continue;
      const { activity } = tab;
      const seen = tab.main.count;
      const ask = `globalThis.${quietName}?.(${Math.max(0, end - now())}, ${maxChars})`;
      const answer = await evaluate(tab, ask, capped);
      if (answer !== undefined && tab.requestsInFlight === 0 && tab.activity === activity) {
        const snapshot = toSnapshot(answer);
        return snapshot === null || snapshot.html.length > maxChars ? null : { snapshot, seen };
      }
    } catch (error) {
      if (!signal.aborted && capped.aborted) return null;
      throw error;
    }
    if (now() >= end) return null;
  }
}

/** Read beside the page's own scripts, whatever they do. */
async function take(tab: Tab, maxChars: number, signal: AbortSignal): Promise<Snapshot> {
  for (;;) {
    const answer = await evaluate(tab, toExpression("takeSnapshot", maxChars), signal, { isolated: true });
    const snapshot = toSnapshot(answer);
    if (snapshot !== null) return snapshot;
    if (answer !== undefined)
      throw new RenderError("target_too_large", `The rendered page is larger than ${maxChars} bytes.`);
    await waitForLoad(tab, signal);
  }
}
