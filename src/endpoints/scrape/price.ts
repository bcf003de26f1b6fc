import type { RenderMode } from "../../contract/load-options";
import type { ScrapeFormat, ScrapeRequest } from "../../contract/scrape";
import type { Outcome } from "../../model/job";
import type { PriceLine } from "../../model/receipt";
import { MODEL_PRICE, toLineWithoutModel } from "../parse/check-request";
import { toCaptureLine } from "../shared/page-captures";
import { choosePlan, type Plan, type Plans } from "../shared/price";
import { toRenderMode } from "./formats";

export const PRICE = { base: 1, rendering: 1 };

const BASE: PriceLine = { item: "scrape", credits: PRICE.base };
const RENDERING: PriceLine = { item: "rendering", credits: PRICE.rendering };

/** The formats that a language model creates. Each of them has its own price. */
export const MODEL_FORMATS = ["json", "summary"] as const satisfies ScrapeFormat[];
export type ModelFormat = (typeof MODEL_FORMATS)[number];

/** Returns the requested formats that a language model creates. */
export function modelFormatsOf({ formats }: Pick<ScrapeRequest, "formats">): ModelFormat[] {
  return MODEL_FORMATS.filter((format) => formats.includes(format));
}

/**
 * Returns the lines for the price of a page, without the formats that a language model creates. A page from a capture
 * is free.
 */
export function toPriceLines({
  rendered,
  isReplayed = false,
}: {
  rendered: boolean;
  isReplayed?: boolean;
}): PriceLine[] {
  if (isReplayed) return [toCaptureLine("scrape", 0)];
  return rendered ? [BASE, RENDERING] : [BASE];
}

/** The facts that decide the price of the formats `json` and `summary`. */
interface ModelFormatUse {
  /** The outcome of the page if it has no content for these formats, which then cost nothing. */
  skipped?: Outcome | null;
  /** The price (credits) of the format `json` if no model is called for it. Null if a model is called. */
  withoutModel?: number | null;
}

/** Returns the lines of the formats `json` and `summary`. */
export function toModelLines(
  request: Pick<ScrapeRequest, "formats">,
  { skipped = null, withoutModel = null }: ModelFormatUse = {},
): PriceLine[] {
  return modelFormatsOf(request).map((item) => {
    if (skipped !== null) return { item, credits: 0, reason: skipped };
    if (item === "json" && withoutModel !== null) return toLineWithoutModel(item, withoutModel);
    return { item, credits: MODEL_PRICE };
  });
}

/** Returns the methods to load the request's page, with their highest prices. */
export function toPlans(request: ScrapeRequest, use: ModelFormatUse): Plans {
  if (request.capture_id !== undefined) {
    const lines = [...toPriceLines({ rendered: false, isReplayed: true }), ...toModelLines(request, use)];
    return [{ method: "capture", lines }];
  }
  const toLines = (rendered: boolean) => [...toPriceLines({ rendered }), ...toModelLines(request, use)];
  const plain: Plan = { method: "plain", lines: toLines(false) };
  const lines = toLines(true);
  switch (toRenderMode(request)) {
    case "never":
      return [plain];
    case "always":
      return [{ method: "browser", lines }];
    case "auto":
      return [{ method: "plain_then_browser", lines }, plain];
  }
}

/**
 * Returns how the page is loaded within the request's `max_credits`. `limited` is true if the limit prevents the
 * rendering that `render: auto` allows.
 */
export function toAffordableMode(request: ScrapeRequest, use: ModelFormatUse): { mode: RenderMode; limited: boolean } {
  const mode = toRenderMode(request);
  const limited = mode === "auto" && choosePlan(toPlans(request, use), request.max_credits).method === "plain";
  return { mode: limited ? "never" : mode, limited };
}
