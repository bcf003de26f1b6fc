import type { ActionOutcome, OutputOptions } from "../../browser/protocol";
import type { Action } from "../../contract/actions";
import type { ScrapeData, ScrapeRequest } from "../../contract/scrape";
import { toPositiveNumber } from "../../lib/env";
import { joinPngStrips } from "../../lib/png";
import { isSigned, sign } from "../../lib/signing";
import { AppError } from "../../model/errors";
import { DAY_MS, RETENTION_DAYS_DEFAULT, SECOND_MS } from "../../model/limits";
import { FILE_TYPES, SCREENSHOT_TOO_LARGE } from "../../model/page-files";
import { MAX_SCREENSHOT_BYTES, SCREENSHOT_QUALITY_DEFAULT } from "../../model/page-limits";
import type { RunContext } from "../../model/run-context";
import { putActionScreenshot, putPdf, putScreenshot } from "../../store/objects";
import type { OpenedPage } from "../shared/open-target";

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
    quality: screenshot.quality ?? SCREENSHOT_QUALITY_DEFAULT,
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
  await acquireLargeLock(sizeOf(strips));
  // Only a PNG has several strips.
  const image = type === "png" ? await joinPngStrips(strips, MAX_SCREENSHOT_BYTES) : (strips[0] ?? null);
  if (image === null) throw new AppError("target_too_large", SCREENSHOT_TOO_LARGE);
  await putScreenshot(env.STORE, job.id, job.run, image, FILE_TYPES[type].contentType);
  return await toFileUrl(env, "screenshot", job);
}

async function storePdf({ env, job, acquireLargeLock }: RunContext, content: OpenedPage["content"]): Promise<string> {
  const parts = "pdf" in content ? (content.pdf ?? null) : null;
  if (parts === null) throw new AppError("unsupported_content", "The page has no content to print as a PDF.");
  await acquireLargeLock(sizeOf(parts));
  await putPdf(env.STORE, job.id, job.run, new Blob(parts as Uint8Array<ArrayBuffer>[]));
  return await toFileUrl(env, "pdf", job);
}

function sizeOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((bytes, { byteLength }) => bytes + byteLength, 0);
}

type ActionResults = NonNullable<ScrapeData["actions"]>;

/** Stores the screenshots of a page's actions. Returns the results of the actions. */
export async function storeActionResults(
  { env, job, acquireLargeLock }: Pick<RunContext, "env" | "job" | "acquireLargeLock">,
  outcomes: readonly ActionOutcome[],
): Promise<ActionResults> {
  const bytes = outcomes.flatMap(({ screenshot = [] }) => screenshot).reduce((sum, each) => sum + each.byteLength, 0);
  await acquireLargeLock(bytes);
  const results: ActionResults = [];
  let number = 0;
  for (const { index, type, durationMs, url, html, screenshot, endReached } of outcomes) {
    const result: ActionResults[number] = {
      index,
      type,
      duration_ms: durationMs,
      url,
      ...(html !== undefined && { html }),
      ...(endReached !== undefined && { end_reached: endReached }),
    };
    if (screenshot !== undefined) {
      const png = await joinPngStrips(screenshot, MAX_SCREENSHOT_BYTES);
      if (png === null) throw new AppError("target_too_large", SCREENSHOT_TOO_LARGE);
      await putActionScreenshot(env.STORE, { jobId: job.id, run: job.run, number }, png);
      result.screenshot_url = await toFileUrl(env, "screenshot", job, number);
      number++;
    }
    results.push(result);
  }
  return results;
}

/** Returns the mock outcomes of actions, for test keys. */
export function mockActionOutcomes(
  actions: readonly Action[],
  { url, html, screenshot }: { url: string; html: string; screenshot: () => Uint8Array },
): ActionOutcome[] {
  return actions.map((action, index) => ({
    index,
    type: action.type,
    durationMs: 0,
    url,
    ...(action.type === "html" && { html }),
    ...(action.type === "screenshot" && { screenshot: [screenshot()] }),
    ...(action.type === "scroll" && action.to === "end" && { endReached: true }),
  }));
}

/** The kinds of files with signed links. The path of a link starts with the kind. */
export type LinkedFile = "screenshot" | "pdf";

/** The parts of a link that its signature protects. `number` selects the screenshot of an action. */
interface SignedParts {
  id: string;
  number?: number | undefined;
  /** Unix time in seconds. */
  expires: number;
}

interface LinkJob {
  id: string;
  origin: string;
  createdAt: number;
}

/**
 * Returns the signed link to a job's screenshot or PDF. It needs no API key and expires with the result. `number`
 * selects the screenshot of an action.
 */
export async function toFileUrl(
  env: Env,
  kind: LinkedFile,
  { id, origin, createdAt }: LinkJob,
  number?: number,
): Promise<string> {
  const days = toPositiveNumber(env.RETENTION_DAYS, RETENTION_DAYS_DEFAULT);
  const expires = Math.floor((createdAt + days * DAY_MS) / SECOND_MS);
  const signature = await sign(env, toSignedText(kind, { id, number, expires }));
  const action = number === undefined ? "" : `action=${number}&`;
  return `${origin}/${kind}s/${id}?${action}expires=${expires}&signature=${signature}`;
}

/** Returns true if the signature is valid for this kind of file, and the link hasn't expired. */
export async function isScreenshotLinkValid(
  env: Env,
  link: SignedParts & { kind?: LinkedFile; signature: string; now: number },
): Promise<boolean> {
  const { kind = "screenshot", expires, signature, now } = link;
  return (await isSigned(env, toSignedText(kind, link), signature)) && expires * SECOND_MS > now;
}

function toSignedText(kind: LinkedFile, { id, number, expires }: SignedParts): string {
  const name = number === undefined ? id : `${id}:${number}`;
  return `${kind}:${name}:${expires}`;
}
