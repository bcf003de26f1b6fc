import { BrowserMissingError } from "../../browser/render-client";
import type { RenderMode } from "../../contract/load-options";
import type { LoadedDocument } from "../../documents/package";
import { detectOutcome, type PageOutcome } from "../../html/outcome/outcome";
import { openPage, type VisiblePage } from "../../html/visible-page";
import { now } from "../../lib/clock";
import { log, toLogged } from "../../lib/log";
import { withUsed } from "../../lib/time-limit";
import { AppError } from "../../model/errors";
import { NoCapacityError, type RunContext } from "../../model/run-context";
import { fetchContent, type RenderedContent, type RenderOptions, renderContent } from "./load-page";
import type { PageCaptures, UsedCapture } from "./page-captures";
import type { Content } from "./read-content";

/** A page that was fetched or rendered. */
export interface OpenedPage {
  content: Content | RenderedContent;
  rendered: boolean;
  /** True if the page was rendered, but resources of it didn't respond in time. */
  partialLoad: boolean;
  /** The parsed page. Null if the content isn't HTML. */
  page: VisiblePage | null;
  outcome: PageOutcome;
  /** The capture that was used or kept. Null if there is none. */
  capture: UsedCapture | null;
}

export interface OpenOptions extends RenderOptions {
  mode: RenderMode;
  captures: PageCaptures;
  /** True if the account may store whether pages of this host need rendering. */
  remembersHost: boolean;
  /** Parses the page. Default: `openPage`. */
  parse?: (html: string, computed: string | null) => VisiblePage;
  /** With `auto`, a plain page for which this returns false is rendered too. Default: returns true. */
  hasContent?: (page: VisiblePage) => boolean;
}

const OK: PageOutcome = { outcome: "ok", reason: null };

/**
 * Reads a page from a capture, or loads it. Throws the same errors as `loadTarget`. If `url` is undefined, the request
 * must name a capture.
 */
export async function openTarget(
  context: RunContext,
  url: string | undefined,
  options: OpenOptions,
): Promise<OpenedPage> {
  const { captures, parse = openPage } = options;
  const capture = await captures.find();
  const replayed = capture && (await captures.replay(capture));
  if (replayed !== null) {
    const { content, rendered } = replayed;
    const opened = { ...assess(content, { rendered, parse }), capture: replayed.capture };
    if (url === undefined || isReusable(opened, options)) return opened;
  }
  if (url === undefined) throw new Error("The request has no URL.");
  const { keep, keepsPage } = captures;
  if (!keepsPage) return await loadTarget(context, url, options);
  // A capture includes all parts, because later requests may need them.
  const whole = { visibility: true, outputs: { ...options.outputs, body: true as const }, keep };
  const opened = await loadTarget(context, url, { ...options, ...whole });
  return { ...opened, capture: captures.kept };
}

/** Returns true if the page of a capture doesn't need to be rendered for this request. */
function isReusable({ page, rendered }: OpenedPage, { mode, hasContent = () => true }: OpenOptions): boolean {
  return mode !== "auto" || rendered || page === null || hasContent(page);
}

/**
 * Fetches or renders a page and detects its outcome. With `auto`, skips the plain request if the host's last plain
 * pages had no content. Throws NoCapacityError if a render is needed and no browser has a free slot, and AppError if
 * the page can't be loaded.
 */
async function loadTarget(context: RunContext, url: string, options: OpenOptions): Promise<OpenedPage> {
  const { mode, parse = openPage, hasContent = () => true, load } = options;
  const render = async (limited = load) =>
    assess(await renderContent(context, url, { ...options, load: limited }), { rendered: true, parse });
  const fetchPlain = async () => assess(await fetchContent(context, url, options), { rendered: false, parse });
  if (mode === "always") return await render();
  if (mode === "never") return await fetchPlain();
  const { host } = new URL(url);
  // The account doesn't remember anything from a page behind a session or for a phone, because other requests may get
  // different pages from the host.
  const teaches = options.remembersHost && options.session === undefined && options.device?.isMobile !== true;
  const remembered = await renderKnownHost(context, host, render);
  if (remembered !== null) return remembered;
  const startedAt = now();
  const plain = await fetchPlain();
  if (plain.page === null) return plain;
  if (!isWithoutContent(plain) && hasContent(plain.page)) {
    if (teaches) await rendersHost(context, host, false);
    return plain;
  }
  try {
    // The caller's limit covers both requests together.
    const rendered = await render(load && { ...load, limit: withUsed(load.limit, startedAt) });
    // After a redirect, the page says nothing about other pages of the requested host.
    const isOwnPage = new URL(plain.content.url).host === host;
    if (teaches && isOwnPage && isWithoutContent(plain) && !isWithoutContent(rendered))
      await rendersHost(context, host, true);
    return rendered;
  } catch (error) {
    if (!(error instanceof BrowserMissingError)) throw error;
    log("warn", "render_skipped", toLogged(error));
    return plain;
  }
}

/**
 * Renders a page of a host whose last plain pages had no content. Returns null for other hosts, and if a plain request
 * may still succeed: for a download, or if there is no free browser.
 */
async function renderKnownHost(
  context: RunContext,
  host: string,
  render: () => Promise<OpenedPage>,
): Promise<OpenedPage | null> {
  if (!(await rendersHost(context, host, null))) return null;
  try {
    const opened = await render();
    // Text such as JSON needed no browser, so it has the price of a plain request.
    return opened.page === null ? { ...opened, rendered: false } : opened;
  } catch (error) {
    const isDownload = error instanceof AppError && error.code === "unsupported_content";
    if (isDownload || error instanceof BrowserMissingError || error instanceof NoCapacityError) return null;
    throw error;
  }
}

function assess(
  content: Content | RenderedContent,
  { rendered, parse }: { rendered: boolean; parse: (html: string, computed: string | null) => VisiblePage },
): OpenedPage {
  const partialLoad = "partialLoad" in content && content.partialLoad;
  if (content.kind === "html") {
    const page = parse(content.source, "visibility" in content ? content.visibility : null);
    return {
      ...{ content, rendered, partialLoad, page, capture: null },
      outcome: detectOutcome(page, { ...content, rendered }),
    };
  }
  const isEmpty = content.kind === "document" ? content.document.blocks.length === 0 : content.source.trim() === "";
  const reason = content.kind === "document" ? toEmptyReason(content.document) : "The response has no text.";
  const facts = { content, rendered, partialLoad, page: null, capture: null };
  return { ...facts, outcome: isEmpty ? { outcome: "empty", reason } : OK };
}

function toEmptyReason({ type }: LoadedDocument): string {
  return `The ${type} has no text${type === "PDF" ? "; it is probably a scan" : ""}.`;
}

/** Returns true if the page has no content that a reader could see, although it may have some after its scripts ran. */
function isWithoutContent({ outcome: { outcome } }: OpenedPage): boolean {
  return outcome === "needs_rendering" || outcome === "empty";
}

/** Returns false if the account can't be reached, because the plain request then decides. */
async function rendersHost({ rendersHost: call }: RunContext, host: string, needed: boolean | null): Promise<boolean> {
  try {
    return await call(host, needed);
  } catch (error) {
    log("warn", "host_unknown", toLogged(error));
    return false;
  }
}
