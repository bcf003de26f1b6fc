import { SCREENSHOT_TOO_LARGE } from "../../browser/screenshot";
import {
  needsBrowser,
  type PageMetadata,
  type ScrapeData,
  type ScrapeFormat,
  ScrapeRequest,
} from "../../contract/scrape";
import { convertHtml } from "../../html/convert";
import { writeMarkdown } from "../../html/markdown/blocks";
import { writeText } from "../../html/text/blocks";
import { joinPngStrips } from "../../lib/png";
import { AppError } from "../../model/errors";
import { LARGE_PAGE_BYTES, MAX_SCREENSHOT_BYTES } from "../../model/limits";
import type { ClaimedJob, Execution, RunContext } from "../../model/run";
import { type ProxyAddress, parseProxies, proxyFor } from "../../net/proxy-config";
import type { Pdf } from "../../pdf/read";
import { putScreenshot } from "../../store/objects";
import { type Content, fetchContent, renderContent } from "./content";
import { toConversion } from "./options";
import { toScreenshotUrl } from "./screenshot-url";

/** Fetches or renders the page, then makes only the formats that were asked. */
export async function scrape(context: RunContext): Promise<Execution> {
  const { env, job } = context;
  const request = ScrapeRequest.parse(job.request);
  const { url, wait_for: waitFor = null } = request;
  const proxy = toProxy(env, request, job);
  if (!needsBrowser(request)) return { data: toData(request, await fetchContent(context, url, { proxy })) };

  const wantsHtml = request.formats.some((format) => format !== "screenshot");
  const page = await renderContent(context, url, {
    proxy,
    waitFor,
    screenshot: request.formats.includes("screenshot"),
  });
  const data: ScrapeData = wantsHtml ? toData(request, page) : {};
  if (request.formats.includes("screenshot")) {
    if (page.screenshot === null)
      throw new AppError("unsupported_content", "The page has nothing to take a picture of.");
    const strips = page.screenshot;
    if (strips.reduce((bytes, { byteLength }) => bytes + byteLength, 0) > LARGE_PAGE_BYTES) await context.takeTurn();
    const screenshot = await joinPngStrips(strips, MAX_SCREENSHOT_BYTES);
    if (screenshot === null) throw new AppError("target_too_large", SCREENSHOT_TOO_LARGE);
    await putScreenshot(env.STORE, job.id, job.run, screenshot);
    data.screenshot_url = await toScreenshotUrl(env, job);
  }
  return { data };
}

/** The proxy of the country that was asked for. Its session is the job's, so that all of its requests have one address. */
function toProxy(env: Env, { proxy_country }: ScrapeRequest, job: ClaimedJob): ProxyAddress | null {
  if (proxy_country === undefined) return null;
  const proxy = proxyFor(parseProxies(env.PROXIES), proxy_country, job.id.replaceAll("-", ""));
  if (proxy !== null) return proxy;
  // It was there when the job was admitted: never without it.
  throw new AppError("proxy_unavailable", `No proxy is configured for the country ${proxy_country} any more.`);
}

function toData(request: ScrapeRequest, content: Content): ScrapeData {
  const wants = new Set(request.formats);
  const { url, status, contentType } = content;
  const found = { url, status_code: status, content_type: contentType };
  if (content.kind === "pdf") return toPdfData(wants, content.pdf, found);
  const { source } = content;
  const data: ScrapeData = wants.has("html") ? { html: source } : {};
  if (content.kind === "text") {
    if (wants.has("markdown")) data.markdown = source;
    if (wants.has("text")) data.text = source;
    if (wants.has("metadata")) data.metadata = found;
    if (wants.has("links")) data.links = [];
    return data;
  }
  const { metadata, ...converted } = convertHtml(source, toConversion(request, url));
  return { ...data, ...converted, ...(metadata !== undefined && { metadata: { ...metadata, ...found } }) };
}

function toPdfData(
  wants: ReadonlySet<ScrapeFormat>,
  { blocks, metadata, links }: Pdf,
  found: Pick<PageMetadata, "url" | "status_code" | "content_type">,
): ScrapeData {
  if (wants.size === 1 && wants.has("html")) {
    throw new AppError("unsupported_content", "A PDF has no html: ask for its markdown or text.");
  }
  return {
    ...(wants.has("markdown") && { markdown: writeMarkdown(blocks) }),
    ...(wants.has("text") && { text: writeText(blocks) }),
    ...(wants.has("metadata") && { metadata: { ...metadata, ...found } }),
    ...(wants.has("links") && { links }),
  };
}
