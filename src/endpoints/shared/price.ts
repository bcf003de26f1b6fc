import { toCount } from "../../lib/count";
import { AppError } from "../../model/errors";
import { type PriceLine, totalOf } from "../../model/receipt";
import { allLines, type RunPlan, type RunPlans } from "../../model/run-plan";

/** Returns the first plan that costs at most `maxCredits`. Throws AppError `price_limit` if there is none. */
export function choosePlan(plans: RunPlans, maxCredits: number | undefined): RunPlan {
  const plan = plans.find((each) => maxCredits === undefined || totalOf(allLines(each)) <= maxCredits);
  if (plan !== undefined) return plan;
  const cheapest = plans.reduce((best, next) => (totalOf(allLines(next)) < totalOf(allLines(best)) ? next : best));
  throw priceLimit(cheapest, { maxCredits: maxCredits ?? 0, atLeast: plans.length > 1 });
}

function priceLimit(plan: RunPlan, { maxCredits, atLeast }: { maxCredits: number; atLeast: boolean }): AppError {
  const lines = allLines(plan);
  const price = totalOf(lines);
  const costs = `costs ${atLeast ? "at least " : ""}${toCount(price, "credit")}`;
  const parts = lines.map(({ item, credits }) => `${item} ${credits}`).join(", ");
  const message = `This request ${costs} (${parts}), which is more than 'max_credits' (${maxCredits}).`;
  return new AppError("price_limit", message, {
    details: [{ path: "max_credits", message: `must be at least ${price} for this request` }],
    hint: toHint(lines, price, maxCredits),
  });
}

/** Returns a hint: the necessary limit, or the options that the caller can omit to stay within the limit. */
function toHint(lines: readonly PriceLine[], price: number, maxCredits: number): string {
  const raise = `Set max_credits to ${price} or more`;
  const options = lines.slice(1).map(({ item }) => OPTIONS[item] ?? item);
  if (options.length === 0 || (lines[0]?.credits ?? 0) > maxCredits) return `${raise}.`;
  return `${raise}, or omit ${options.join(" and ")}.`;
}

/** The options of a request that add each item to a price. */
const OPTIONS: { readonly [item: string]: string } = {
  rendering: "the options that need a browser, such as wait_for and screenshot",
  json: "the format json",
  scrape: "scrape",
  summary: "the format summary",
};
