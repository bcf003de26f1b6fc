import type { OutputOptions } from "../../browser/protocol";
import { SCREENSHOT_TOO_LARGE, WHOLE_PAGE } from "../../browser/screenshot";
import type { ScrapeData, ScrapeRequest } from "../../contract/scrape";
import { joinPngStrips } from "../../lib/png";
import { AppError } from "../../model/errors";
import { FILE_TYPES } from "../../model/page-files";
import { LARGE_PAGE_BYTES, MAX_SCREENSHOT_BYTES } from "../../model/page-limits";
import type { RunContext } from "../../model/run-context";
import { putPdf, putScreenshot } from "../../store/objects";
import type { OpenedPage } from "../shared/open-target";
import { toPdfUrl, toScreenshotUrl } from "./screenshot-url";

/** Returns the outputs of the browser besides the markup of the page, or nothing if there are none. */
export function toOutputs(request: ScrapeRequest): { outputs?: OutputOptions } {
  const { formats, pdf } = request;
  const screenshot = toScreenshotOptions(request);
  const outputs: OutputOptions = {
    ...(formats.includes("raw_html") && { body: true }),
    ...(screenshot && { screenshot }),
    ...(formats.includes("pdf") && { pdf: pdf ?? { paper: "a4", landscape: false, background: true } }),
  };
  return Object.keys(outputs).length === 0 ? {} : { outputs };
}

/** Returns the options of the screenshot, or null for a screenshot without options. */
function toScreenshotOptions({ formats, screenshot }: ScrapeRequest): Required<OutputOptions>["screenshot"] | null {
  if (screenshot === undefined || !formats.includes("screenshot")) return null;
  return {
    fullPage: screenshot.full_page ?? true,
    selector: screenshot.selector ?? null,
    type: screenshot.format,
    quality: screenshot.quality ?? WHOLE_PAGE.quality,
    scale: screenshot.device_scale_factor,
    hideSelectors: screenshot.hide_selectors ?? [],
    blockBanners: screenshot.block_banners,
  };
}

/** Stores the screenshot and the PDF of a rendered page. Returns the signed links to them. */
export async function storePageFiles(
  request: ScrapeRequest,
  context: RunContext,
  content: OpenedPage["content"],
): Promise<Pick<ScrapeData, "screenshot_url" | "pdf_url">> {
  const { formats } = request;
  return {
    ...(formats.includes("screenshot") && { screenshot_url: await storeScreenshot(request, context, content) }),
    ...(formats.includes("pdf") && { pdf_url: await storePdf(context, content) }),
  };
}

async function storeScreenshot(
  { screenshot }: ScrapeRequest,
  { env, job, acquireLargeLock }: RunContext,
  content: OpenedPage["content"],
): Promise<string> {
  const strips = "screenshot" in content ? content.screenshot : null;
  if (strips === null) throw new AppError("unsupported_content", "The page has no content for a screenshot.");
  const type = screenshot?.format ?? "png";
  if (sizeOf(strips) > LARGE_PAGE_BYTES) await acquireLargeLock();
  // Only a PNG has several strips.
  const image = type === "png" ? await joinPngStrips(strips, MAX_SCREENSHOT_BYTES) : (strips[0] ?? null);
  if (image === null) throw new AppError("target_too_large", SCREENSHOT_TOO_LARGE);
  await putScreenshot(env.STORE, job.id, job.run, image, FILE_TYPES[type].contentType);
  return await toScreenshotUrl(env, job);
}

async function storePdf({ env, job, acquireLargeLock }: RunContext, content: OpenedPage["content"]): Promise<string> {
  const parts = "pdf" in content ? (content.pdf ?? null) : null;
  if (parts === null) throw new AppError("unsupported_content", "The page has no content to print as a PDF.");
  if (sizeOf(parts) > LARGE_PAGE_BYTES) await acquireLargeLock();
  await putPdf(env.STORE, job.id, job.run, new Blob(parts as Uint8Array<ArrayBuffer>[]));
  return await toPdfUrl(env, job);
}

function sizeOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((bytes, { byteLength }) => bytes + byteLength, 0);
}
