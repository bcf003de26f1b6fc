import type { DocumentFields } from "../../contract/document-options";
import { toCount } from "../../lib/count";
import { AppError } from "../../model/errors";
import type { JobExtras } from "../../model/job";
import { MAX_OCR_PAGES } from "../../model/page-limits";
import { formatPages, parsePageRanges } from "../../model/page-ranges";
import type { Prices } from "../../model/prices";
import type { PriceLine } from "../../model/receipt";
import { availableModels, findOcrModel } from "../../models/models";
import { type Scans, UNREAD_REASONS } from "../../pdf/scan";
import type { RequestContext } from "./definition";
import type { Content } from "./read-content";

/** Throws AppError `not_configured` if a live request needs a model for scans and none is configured. */
export function checkOcr({ ocr }: DocumentFields, { env, mode }: RequestContext): void {
  if (ocr !== true || mode === "test" || findOcrModel(env) !== null) return;
  throw new AppError("not_configured", "No model that reads images is configured, which 'ocr' needs.", {
    hint: "Omit 'ocr', or ask the operator of this service to set OPENAI_API_KEY or ANTHROPIC_API_KEY, and to check MODEL_OCR.",
    headers: { "Retry-After": "3600" },
  });
}

/** Returns the line of the highest price of reading scans. Only the selected pages can be read. */
export function toMaxOcrLines(prices: Prices, { ocr, pages = "" }: DocumentFields): PriceLine[] {
  if (ocr !== true) return [];
  const selected = parsePageRanges(pages)?.reduce((sum, { first, last }) => sum + last - first + 1, 0) ?? MAX_OCR_PAGES;
  return toLines(prices, Math.min(selected, MAX_OCR_PAGES));
}

/** Returns the sentence about the price in the API reference. */
export function describeOcr(credits: number): string {
  return ` With \`ocr\`, each scanned page that was read costs ${toCount(credits, "more credit", "more credits")}.`;
}

/** Returns the line of the pages that a model has read. */
export function toOcrLines(prices: Prices, content: Content): PriceLine[] {
  return toLines(prices, scansOf(content)?.read.size ?? 0);
}

function toLines({ ocr }: Prices, pages: number): PriceLine[] {
  return pages === 0 ? [] : [{ item: "ocr", credits: pages * ocr }];
}

function scansOf(content: Content): Scans | null {
  return content.kind === "document" ? (content.document.scans ?? null) : null;
}

/** Returns the member of `meta` that says which scanned pages were read. */
export function toOcrMeta(content: Content): JobExtras {
  const scans = scansOf(content);
  if (scans === null) return {};
  const unread = UNREAD_REASONS.flatMap((reason) => {
    const pages = scans.unread.filter((each) => each.reason === reason).map(({ page }) => page);
    return pages.length === 0 ? [] : [{ pages: formatPages(pages), reason }];
  });
  const pages_read = formatPages([...scans.read.keys()]);
  const { id, usage } = scans.model;
  return { ocr: { model: id, usage, pages_read, ...(unread.length > 0 && { pages_unread: unread }) } };
}

/** Returns the mock result of a test key: one scanned page. */
export function mockOcr(prices: Prices, { ocr }: DocumentFields, env: Env): { meta: JobExtras; lines: PriceLine[] } {
  if (ocr !== true) return { meta: {}, lines: [] };
  const model = findOcrModel(env)?.id ?? availableModels(env).accepted[0] ?? "mock";
  return { meta: { ocr: { model, pages_read: "1" } }, lines: toLines(prices, 1) };
}
