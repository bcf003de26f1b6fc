import type { RenderMode } from "../../contract/load-options";
import type { ScrapeFormat, ScrapeRequest } from "../../contract/scrape";
import type { Outcome } from "../../model/job";
import type { PriceLine } from "../../model/receipt";
import { MODEL_PRICE } from "../parse/check-request";
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

/**
 * Returns the lines for the formats that a language model creates. If no model was called, `skipped` is the outcome of
 * the page, and the formats cost nothing.
 */
export function toModelLines(request: Pick<ScrapeRequest, "formats">, skipped: Outcome | null = null): PriceLine[] {
  return modelFormatsOf(request).map((item) =>
    skipped === null ? { item, credits: MODEL_PRICE } : { item, credits: 0, reason: skipped },
  );
}

/** Returns the methods to load the request's page, with their highest prices. */
export function toPlans(request: ScrapeRequest): Plans {
  if (request.capture_id !== undefined) {
    const lines = [...toPriceLines({ rendered: false, isReplayed: true }), ...toModelLines(request)];
    return [{ method: "capture", lines }];
  }
  const toLines = (rendered: boolean) => [...toPriceLines({ rendered }), ...toModelLines(request)];
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
export function toAffordableMode(request: ScrapeRequest): { mode: RenderMode; limited: boolean } {
  const mode = toRenderMode(request);
  const limited = mode === "auto" && choosePlan(toPlans(request), request.max_credits).method === "plain";
  return { mode: limited ? "never" : mode, limited };
}
