import { SCREENSHOT_TOO_LARGE } from "../../browser/screenshot";
import type { ScrapeData, ScrapeRequest } from "../../contract/scrape";
import { convertPage } from "../../html/convert";
import { openPage } from "../../html/visible-page";
import { joinPngStrips } from "../../lib/png";
import { AppError } from "../../model/errors";
import { LARGE_PAGE_BYTES, MAX_SCREENSHOT_BYTES } from "../../model/limits";
import type { PageKind } from "../../model/page-kinds";
import type { ClaimedJob, Execution, RunContext } from "../../model/run-context";
import { chooseProxy, type ProxyAddress, parseProxies } from "../../net/proxy-config";
import { putScreenshot } from "../../store/objects";
import { toContentWarnings } from "../shared/content-warnings";
import type { EndpointDefinition } from "../shared/definition";
import { type OpenedPage, openTarget } from "../shared/open-target";
import { isFreeWithoutContent, makeFormats, showsText, toConversion, toRenderMode } from "./formats";
import { toScreenshotUrl } from "./screenshot-url";

/**
 * Fetches or renders the page and returns the requested formats. The price depends on whether the page was rendered and
 * on its outcome. Throws AppError.
 */
export async function runScrape(
  request: ScrapeRequest,
  context: RunContext,
  price: EndpointDefinition<"scrape">["price"],
): Promise<Execution> {
  const { env, job } = context;
  const { url, wait_for: waitFor = null, formats } = request;
  const screenshot = formats.includes("screenshot");
  const opened = await openTarget(context, url, {
    mode: toRenderMode(request),
    proxy: toProxy(env, request, job),
    waitFor,
    screenshot,
    visibility: showsText(request),
  });
  const { rendered, partialLoad } = opened;
  const { data, kind } = formats.every((format) => format === "screenshot") ? { data: {} } : toData(request, opened);
  if (screenshot) data.screenshot_url = await storeScreenshot(context, opened.content);
  const { outcome, reason } = opened.outcome;
  return {
    data,
    extras: {
      outcome,
      ...(reason !== null && { outcome_reason: reason }),
      ...(partialLoad && { partial_load: true }),
      ...toContentWarnings(opened.page, request.hidden_text),
      ...(kind && outcome === "ok" && { page_kind: kind }),
      rendered,
    },
    outcome,
    charge: price.base + (rendered ? price.rendering : 0),
    isFree: outcome !== "ok" && isFreeWithoutContent(request),
  };
}

/** Stores the screenshot of a rendered page. Returns the signed link to it. */
async function storeScreenshot(
  { env, job, acquireLargeLock }: RunContext,
  content: OpenedPage["content"],
): Promise<string> {
  const strips = "screenshot" in content ? content.screenshot : null;
  if (strips === null) throw new AppError("unsupported_content", "The page has no content to capture as a screenshot.");
  if (strips.reduce((bytes, { byteLength }) => bytes + byteLength, 0) > LARGE_PAGE_BYTES) await acquireLargeLock();
  const png = await joinPngStrips(strips, MAX_SCREENSHOT_BYTES);
  if (png === null) throw new AppError("target_too_large", SCREENSHOT_TOO_LARGE);
  await putScreenshot(env.STORE, job.id, job.run, png);
  return await toScreenshotUrl(env, job);
}

/**
 * Returns the proxy for the requested country, or null. The proxy session is named after the job, so that all requests
 * of the job use the same IP address.
 */
function toProxy(env: Env, { proxy_country }: ScrapeRequest, job: ClaimedJob): ProxyAddress | null {
  if (proxy_country === undefined) return null;
  const proxy = chooseProxy(parseProxies(env.PROXIES), proxy_country, job.id.replaceAll("-", ""));
  if (proxy !== null) return proxy;
  // The proxy was removed after the job was created. The page is never fetched from another country instead.
  throw new AppError("proxy_unavailable", `The proxy for the country ${proxy_country} is no longer configured.`);
}

function toData(request: ScrapeRequest, { content, page }: OpenedPage): { data: ScrapeData; kind?: PageKind } {
  const { url, status, contentType } = content;
  const found = { url, status_code: status, content_type: contentType };
  if (content.kind === "text")
    return { data: makeFormats(request, (format) => format.fromText(content.source, found)) };
  if (content.kind === "pdf") {
    const data = makeFormats(request, (format) => format.fromPdf(content.pdf, found));
    if (Object.keys(data).length > 0) return { data };
    throw new AppError("unsupported_content", "A PDF can't be returned as html. Request markdown or text.");
  }
  const { source } = content;
  const converted = convertPage(page ?? openPage(source), toConversion(request, url));
  const data = makeFormats(request, (format) => format.fromHtml({ source, converted }, found));
  return { data, ...(converted.kind && { kind: converted.kind }) };
}
