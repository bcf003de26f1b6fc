import { BrowserMissingError } from "../../browser/render-client";
import type { RenderMode } from "../../contract/scrape";
import { detectOutcome, type PageOutcome } from "../../html/outcome/outcome";
import { openPage, type VisiblePage } from "../../html/visible-page";
import { log, toLogged } from "../../lib/log";
import { AppError } from "../../model/errors";
import { NoCapacityError, type RunContext } from "../../model/run-context";
import { type Content, fetchContent, type RenderedContent, type RenderOptions, renderContent } from "./load-page";

/** A page that was fetched or rendered. */
export interface OpenedPage {
  content: Content | RenderedContent;
  rendered: boolean;
  /** True if the page was rendered, but resources of it didn't respond in time. */
  partialLoad: boolean;
  /** The parsed page. Null if the content isn't HTML. */
  page: VisiblePage | null;
  outcome: PageOutcome;
}

export interface OpenOptions extends RenderOptions {
  mode: RenderMode;
  /** Parses the page. Default: `openPage`. */
  parse?: (html: string, computed: string | null) => VisiblePage;
  /** With `auto`, a plain page for which this returns false is rendered too. Default: returns true. */
  hasContent?: (page: VisiblePage) => boolean;
}

const OK: PageOutcome = { outcome: "ok", reason: null };

/**
 * Fetches or renders a page and detects its outcome. With `auto`, skips the plain request if the host's last plain
 * pages had no content. Throws NoCapacityError if a render is needed and no browser has a free slot, and AppError if
 * the page can't be loaded.
 */
export async function openTarget(context: RunContext, url: string, options: OpenOptions): Promise<OpenedPage> {
  const { mode, parse = openPage, hasContent = () => true } = options;
  const render = async () => assess(await renderContent(context, url, options), { rendered: true, parse });
  const fetchPlain = async () => assess(await fetchContent(context, url, options), { rendered: false, parse });
  if (mode === "always") return await render();
  if (mode === "never") return await fetchPlain();
  const { host } = new URL(url);
  const remembered = await renderKnownHost(context, host, render);
  if (remembered !== null) return remembered;
  const plain = await fetchPlain();
  if (plain.page === null) return plain;
  if (!isWithoutContent(plain) && hasContent(plain.page)) {
    await rendersHost(context, host, false);
    return plain;
  }
  try {
    const rendered = await render();
    // After a redirect, the page says nothing about other pages of the requested host.
    const isOwnPage = new URL(plain.content.url).host === host;
    if (isOwnPage && isWithoutContent(plain) && !isWithoutContent(rendered)) await rendersHost(context, host, true);
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
    return { content, rendered, partialLoad, page, outcome: detectOutcome(page, { ...content, rendered }) };
  }
  const isEmpty = content.kind === "pdf" ? content.pdf.blocks.length === 0 : content.source.trim() === "";
  const reason = content.kind === "pdf" ? "The PDF has no text." : "The response has no text.";
  return { content, rendered, partialLoad, page: null, outcome: isEmpty ? { outcome: "empty", reason } : OK };
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
