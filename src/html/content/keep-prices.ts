import type { PageKind } from "../../model/page-kinds";
import type { Headline } from "../main-content/read-page";
import type { RegionTree } from "../main-content/regions";
import { hasPrice } from "../page/prices";

/** A longer line with a price is a sentence about it. */
const MAX_PRICE_WORDS = 12;
/** The maximum number of lines in a box that shows an offer, such as a product of a list or a plan. */
const MAX_OFFER_LINES = 12;
/** The number of regions around a price that can be its box. */
const OFFER_LEVELS = 8;
/** The price of a product is in this number of lines below the headline. */
const MAX_LINES_TO_PRICE = 60;

/**
 * Keeps the price of each offer that is kept, and the price of the product that the page is about. The labels of the
 * training pages have few prices, so their likelihood is low, but a reader would miss them.
 */
export function keepPrices(
  { page, headline }: { page: RegionTree; headline: Headline | null },
  chosen: boolean[],
  kind: PageKind,
): void {
  const { lines } = page;
  const prices = lines.filter((line) => line.words <= MAX_PRICE_WORDS && hasPrice(line));
  const isName = lines.map(({ words }) => words > 1);
  for (const { index } of prices) isName[index] = false;
  const isKeptName = isName.map((one, at) => one && chosen[at] === true);
  for (const { index, region } of prices) {
    const around = region.withAncestors(OFFER_LEVELS).filter(({ start, end }) => end - start <= MAX_OFFER_LINES);
    const offer = around.find((at) => at !== page.root && isName.slice(at.start, at.end).includes(true));
    if (offer && isKeptName.slice(offer.start, offer.end).includes(true)) chosen[index] = true;
  }
  if (kind !== "product" || !headline) return;
  const { end } = headline.region;
  const near = prices.filter(({ index }) => index >= end && index < end + MAX_LINES_TO_PRICE);
  if (near[0] && !near.some(({ index }) => chosen[index])) chosen[near[0].index] = true;
}
