import type { RenderMode } from "../../contract/load-options";
import type { PageFields, ScrapeFormat, ScrapeRequest } from "../../contract/scrape";
import type { Outcome } from "../../model/job";
import type { Prices } from "../../model/prices";
import type { PriceLine } from "../../model/receipt";
import type { RunPlan, RunPlans } from "../../model/run-plan";
import { toLineWithoutModel } from "../parse/check-request";
import { findBrowserParameter } from "../shared/load-options";
import { toMaxOcrLines } from "../shared/ocr";
import { toCaptureLine } from "../shared/page-captures";

/** The formats that a language model creates. Each of them has its own price. */
const MODEL_FORMATS = ["json", "summary"] as const satisfies ScrapeFormat[];
export type ModelFormat = (typeof MODEL_FORMATS)[number];

/** The formats that require a rendered page. */
const BROWSER_FORMATS: ReadonlySet<ScrapeFormat> = new Set(["screenshot", "pdf"]);
/** The formats with which a request is never free, because the page itself was delivered. */
const CHARGED_FORMATS: ReadonlySet<ScrapeFormat> = new Set(["html", "raw_html", ...BROWSER_FORMATS]);

/** Returns how the page is loaded. `wait_for`, `screenshot` and `pdf` need a browser despite `js_render: false`. */
export function chooseRenderMode(request: PageFields & Pick<ScrapeRequest, "formats">): RenderMode {
  if (request.wait_for !== undefined || findBrowserParameter(request) !== null) return "always";
  if (request.formats.some((format) => BROWSER_FORMATS.has(format))) return "always";
  return request.render ?? (request.js_render === true ? "always" : "never");
}

/** Returns true if a page with an outcome other than ok is free. */
export function isFreeWithoutContent(request: Pick<ScrapeRequest, "formats">): boolean {
  return !request.formats.some((format) => CHARGED_FORMATS.has(format));
}

export function modelFormatsOf({ formats }: Pick<ScrapeRequest, "formats">): ModelFormat[] {
  return MODEL_FORMATS.filter((format) => formats.includes(format));
}

/** Returns the price's lines without formats of a model. `isReplayed`: the page comes from a paid capture. */
export function toPriceLines(
  { scrape, rendering }: Prices,
  { rendered, isReplayed = false }: { rendered: boolean; isReplayed?: boolean },
): PriceLine[] {
  if (isReplayed) return [toCaptureLine("scrape", 0)];
  const page: PriceLine = { item: "scrape", credits: scrape };
  return rendered ? [page, { item: "rendering", credits: rendering }] : [page];
}

/** The facts that decide the price of the formats `json` and `summary`. */
interface ModelFormatUse {
  /** The outcome of the page if it has no content for these formats, which then cost nothing. */
  skipped?: Outcome | null;
  /** True if no model is called for the format `json`. */
  isJsonFromPage?: boolean;
}

/** The facts that decide the price of a request before its page is loaded. */
interface PlannedUse extends ModelFormatUse {
  /** True if the request names a capture whose page was charged. */
  usesPaidCapture?: boolean | undefined;
}

/** Returns the lines of the formats `json` and `summary`. */
export function toModelLines(
  { parse, parseWithoutModel }: Prices,
  request: Pick<ScrapeRequest, "formats">,
  { skipped = null, isJsonFromPage = false }: ModelFormatUse = {},
): PriceLine[] {
  return modelFormatsOf(request).map((item) => {
    if (skipped !== null) return { item, credits: 0, reason: skipped };
    if (item === "json" && isJsonFromPage) return toLineWithoutModel(item, parseWithoutModel);
    return { item, credits: parse };
  });
}

/** Returns the methods to load the request's page, with their highest prices. */
export function listPlans(prices: Prices, request: ScrapeRequest, use: PlannedUse): RunPlans {
  const modelLines = [...toModelLines(prices, request, use), ...toMaxOcrLines(prices, request)];
  if (request.capture_id !== undefined) {
    // Only the stored page shows if it was rendered, so the highest price of a page that isn't free includes rendering.
    const isReplayed =
      use.usesPaidCapture === true || (isFreeWithoutContent(request) && modelFormatsOf(request).length === 0);
    return [{ method: "capture", lines: [...toPriceLines(prices, { rendered: true, isReplayed }), ...modelLines] }];
  }
  const toLines = (rendered: boolean) => [...toPriceLines(prices, { rendered }), ...modelLines];
  if (request.file !== undefined) return [{ method: "given_file", lines: toLines(false) }];
  const plain: RunPlan = { method: "plain", lines: toLines(false) };
  const lines = toLines(true);
  switch (chooseRenderMode(request)) {
    case "never":
      return [plain];
    case "always":
      return [{ method: "browser", lines }];
    case "auto":
      return [{ method: "plain_then_browser", lines }, plain];
  }
}
