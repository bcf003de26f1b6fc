import { BrowserMissingError } from "../../browser/render-client";
import type { RenderMode } from "../../contract/scrape";
import { detectOutcome, type PageOutcome } from "../../html/outcome/outcome";
import { openPage, type VisiblePage } from "../../html/visible-page";
import { log, toLogged } from "../../lib/log";
import type { RunContext } from "../../model/run-context";
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
  if (mode === "always") return await render();
  const { host } = new URL(url);
  if (mode === "auto" && (await rendersHost(context, host, null))) return await render();
  const plain = assess(await fetchContent(context, url, options), { rendered: false, parse });
  if (mode === "never") return plain;
  if (plain.page === null || (!isWithoutContent(plain) && hasContent(plain.page))) {
    await rendersHost(context, host, false);
    return plain;
  }
  try {
    const rendered = await render();
    if (!isWithoutContent(rendered)) await rendersHost(context, host, true);
    return rendered;
  } catch (error) {
    if (!(error instanceof BrowserMissingError)) throw error;
    log("warn", "render_skipped", toLogged(error));
    return plain;
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
