import { detectBlockPage } from "../html/block-pages/detect";
import { Budget } from "../lib/budget";
import { sleep } from "../lib/clock";
import type { Paper } from "../model/page-files";
import {
  MAX_PDF_BYTES,
  MAX_PRINTED_PAGES,
  MAX_SCREENSHOT_BYTES,
  PRINT_MS,
  WAIT_FOR_RESERVE_MS,
  WAIT_FOR_TIMEOUT_MS,
} from "../model/page-limits";
import { isMarkupType, retryDelay } from "../net/response";
import { performActions } from "./actions";
import { evaluate, readResponseBody, TimedSender, toExpression } from "./evaluate";
import { LARGE_OUTPUTS } from "./isolate-limits";
import { waitForLoad } from "./load";
import { checkReached, checkResponse, toNavigationError } from "./navigation-errors";
import { type PdfOptions, RenderError, type RenderedPage, type RenderRequest, type Visit } from "./protocol";
import type { RenderDeadline } from "./render-deadline";
import { takeScreenshot } from "./screenshot";
import { settle, takeSnapshot, takeUnquiet } from "./settle";
import type { Tab } from "./tab";
import { waitForElement, waitForSelector } from "./wait-for";

/** The number of bytes that one call reads from the PDF. */
const CHUNK_BYTES = 1024 * 1024;

/** The paper sizes in inches. */
const PAPER_SIZES: { [P in Paper]: { paperWidth: number; paperHeight: number } } = {
  a4: { paperWidth: 210 / 25.4, paperHeight: 297 / 25.4 },
  letter: { paperWidth: 8.5, paperHeight: 11 },
};

/** The limits for reading the computed styles. Without the styles, the page's own style sheets count. */
const VISIBILITY_MAX_ELEMENTS = 40_000;
const VISIBILITY_MAX_MS = 500;
const VISIBILITY_TIMEOUT_MS = 3_000;

interface RenderContext {
  deadline: RenderDeadline;
  /** Called when the browser shows the page and begins to load its resources. */
  onShown: () => void;
}

/**
 * Renders one page in a tab. Navigates; waits for `load`, for the selector, and until the page is quiet; then reads the
 * markup and takes the screenshot. Throws RenderError for errors that the caller gets. Any other error means that
 * the browser or the connection failed.
 */
export async function render(tab: Tab, request: RenderRequest, context: RenderContext): Promise<RenderedPage> {
  if (await open(tab, request, context.onShown)) {
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
  // The reply has at most 32 MiB. Each character of its texts takes two bytes.
  const bytes = new Budget(MAX_SCREENSHOT_BYTES);
  const { html, actions } = request.visit
    ? { html: await visit(tab, request.visit, request.maxHtmlBytes) }
    : await read(tab, request, { ...context, bytes });
  // Everything else is read before the screenshot, because the screenshot changes the page and the size of its
  // viewport.
  const visibility = request.visibility ? await readVisibility(tab) : null;
  const text = await readTextBody(tab);
  const { body: hasBody, pdf: pdfOptions, screenshot: options } = request.outputs ?? {};
  const body = hasBody ? (text ?? (await readBody(tab))) : null;
  bytes.spend(2 * (body?.length ?? 0));
  const pdf = pdfOptions ? await printPdf(tab, pdfOptions, bytes) : null;
  const screenshot = request.screenshot ? await takeScreenshot(tab, { bytes, ...(options && { options }) }) : null;
  return {
    kind: "page",
    url: tab.main.response?.url ?? request.url,
    status: tab.main.response?.status ?? 200,
    contentType: tab.main.response?.contentType ?? null,
    headers: tab.main.response?.headers ?? {},
    html: text ?? html,
    visibility,
    screenshot,
    ...(request.outputs && { body, pdf }),
    partialLoad: isPartial(tab),
    ...(actions && { actions }),
  };
}

/** Returns true if the page was read without a resource that didn't respond in time. */
function isPartial({ main, blocked, proxy }: Tab): boolean {
  return blocked.dead.length > 0 || proxy?.hasTimedOut === true || (main.isGivenUp && !main.isLoaded);
}

/** Returns the markup of a page to scrape, after its actions. Throws RenderError for a block page or an error status. */
async function read(
  tab: Tab,
  request: RenderRequest,
  context: RenderContext & { bytes: Budget },
): Promise<Pick<RenderedPage, "html" | "actions">> {
  const { waitFor, load } = request;
  await checkBlockPage(tab, request.maxHtmlBytes);
  checkResponse(tab);
  if (waitFor !== null) {
    const forMs = load?.limit ? Math.max(0, context.deadline.remainingMs - WAIT_FOR_RESERVE_MS) : WAIT_FOR_TIMEOUT_MS;
    await waitForSelector(tab, waitFor, forMs);
  }
  const html = await settle(tab, request);
  const { waitMs = 0 } = load ?? {};
  if (waitMs > 0) await tab.race(sleep(waitMs, tab.signal));
  if (request.actions === undefined)
    return { html: waitMs > 0 ? (await takeUnquiet(tab, request)).snapshot.html : html };
  // The caller has selected the pages that the actions open.
  tab.checkRedirect = null;
  const actions = await performActions(tab, request.actions, { ...context, maxHtmlBytes: request.maxHtmlBytes });
  // The actions may have opened another page, to which `waitFor` doesn't apply.
  return { html: await settle(tab, { ...request, waitFor: null }), actions };
}

/** Returns the markup of a visit with any status. Waits for `until.selector`, for at most `until.forMs`. */
async function visit(tab: Tab, { until }: Visit, maxChars: number): Promise<string> {
  checkReached(tab);
  // Doesn't wait on an error page, because such a page doesn't change. Challenges that resolve automatically have a
  // success status.
  const mayChange = (tab.main.response?.status ?? 200) < 400;
  if (mayChange) await waitForElement(tab, until.selector, until.forMs);
  await tab.until(() => tab.main.isReady);
  checkReached(tab);
  return (await takeSnapshot(tab, maxChars)).html;
}

/** Opens the page. Except for visits, retries once if the target is busy. Returns true for a 204 or 205. */
async function open(tab: Tab, { url, visit }: RenderRequest, onShown: () => void): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    if (await navigate(tab, url)) return true;
    onShown();
    // A visit only needs the markup, so it doesn't wait for the `load` event.
    if (visit === null) await waitForLoad(tab);
    else await tab.until(() => tab.main.isReady);
    const { status = 200, headers = {} } = tab.main.response ?? {};
    const delayMs = tries === 1 && visit === null ? retryDelay(status, headers["retry-after"]) : null;
    if (delayMs === null) return false;
    await sleep(delayMs, tab.signal);
    // Navigating to the same URL with a fragment doesn't send a request, so about:blank is opened first.
    if (new URL(url).hash !== "") await navigate(tab, "about:blank");
  }
}

/** Returns the body of XML, JSON and text, which the browser shows in a viewer. Null for HTML or a discarded body. */
async function readTextBody(tab: Tab): Promise<string | null> {
  const { contentType = null } = tab.main.response ?? {};
  return contentType === null || isMarkupType(contentType.toLowerCase()) ? null : await readBody(tab);
}

/** Returns the body of the page's response as text, or null if the browser has discarded it. */
async function readBody(tab: Tab): Promise<string | null> {
  const response = await readResponseBody(tab);
  if (response === null) return null;
  const { body, base64Encoded } = response;
  return base64Encoded ? new TextDecoder().decode(Uint8Array.fromBase64(body)) : body;
}

/** Navigates to a URL. Returns true if the response has no document (204 or 205). */
async function navigate(tab: Tab, url: string): Promise<boolean> {
  const { errorText, loaderId } = await tab.sendToPage("Page.navigate", { url });
  if (errorText === undefined) {
    await tab.until(() => loaderId === undefined || tab.main.hasShown(loaderId));
    return false;
  }
  if (tab.main.lastResponse?.status === 204 || tab.main.lastResponse?.status === 205) return true;
  throw toNavigationError(errorText, tab, url);
}

/** Throws RenderError `blocked_by_target` for a block page with an error status other than 402. */
async function checkBlockPage(tab: Tab, maxBytes: number): Promise<void> {
  const response = tab.main.response;
  if (response === null || response.status < 400 || response.status === 402 || tab.main.unreachable !== null) return;
  const { html } = await takeSnapshot(tab, maxBytes);
  const vendor = detectBlockPage({ status: response.status, headers: new Map(Object.entries(response.headers)), html });
  if (vendor === null) return;
  const host = URL.parse(response.url)?.host ?? response.url;
  throw new RenderError("blocked_by_target", `${host} returned a block page (${vendor}) instead of its content.`, {
    retryable: true,
  });
}

/** Reads the visibility of elements from computed styles. Null if that takes too long; style sheets then count. */
async function readVisibility(tab: Tab): Promise<string | null> {
  const contentType = tab.main.response?.contentType?.toLowerCase() ?? "text/html";
  if (!isMarkupType(contentType)) return null;
  const timeout = AbortSignal.timeout(VISIBILITY_TIMEOUT_MS);
  const expression = toExpression("readVisibility", VISIBILITY_MAX_ELEMENTS, VISIBILITY_MAX_MS);
  try {
    const report = await evaluate(tab, expression, AbortSignal.any([tab.signal, timeout]));
    return typeof report === "string" ? report : null;
  } catch (error) {
    if (tab.signal.aborted || !timeout.aborted) throw error;
    return null;
  }
}

/**
 * Prints the page as a PDF with up to MAX_PRINTED_PAGES pages. Returns its parts in order. The PDF is read in chunks,
 * because a CDP message over 32 MiB would end the connection. Throws RenderError `target_too_large`, and `render_failed`
 * for a page that takes too long to print. `bytes` is the shared limit for all screenshots and the PDF of the render.
 */
async function printPdf(tab: Tab, { paper, landscape, background }: PdfOptions, bytes: Budget): Promise<Uint8Array[]> {
  const sender = new TimedSender(tab, PRINT_MS, "printed as a PDF");
  const { stream: handle } = await sender.send("Page.printToPDF", {
    ...PAPER_SIZES[paper],
    landscape,
    printBackground: background,
    pageRanges: `1-${MAX_PRINTED_PAGES}`,
    transferMode: "ReturnAsStream",
  });
  if (handle === undefined) throw new Error("The browser returned no PDF.");
  const release = await LARGE_OUTPUTS.acquire(tab.signal);
  try {
    const parts: Uint8Array[] = [];
    for (let size = 0; ; ) {
      const { data, base64Encoded, eof } = await sender.send("IO.read", { handle, size: CHUNK_BYTES });
      const part = base64Encoded ? Uint8Array.fromBase64(data) : new TextEncoder().encode(data);
      size += part.byteLength;
      if (size > MAX_PDF_BYTES || !bytes.spend(part.byteLength))
        throw new RenderError("target_too_large", `The PDF of the page is larger than ${MAX_PDF_BYTES} bytes.`);
      parts.push(part);
      if (eof) break;
    }
    await sender.send("IO.close", { handle });
    return parts;
  } finally {
    release();
  }
}
