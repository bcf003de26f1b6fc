import { Endpoint } from "../contract/common";
import { toMonthlyCredits } from "../directory/credits";
import { toCount } from "../lib/count";
import { PLANS, type Plan, type PlanLimits, parsePlanPrices, toPlanLimits } from "../model/plan";
import type { Prices } from "../model/prices";
import { ENDPOINTS, toPrice } from "./endpoints";

export type PriceLine = readonly [what: string, credits: number, note: string];

/** Returns the prices of all operations in credits. The plan page and the home page show them. */
export function listPrices(prices: Prices): PriceLine[] {
  const { parse, parseWithoutModel, ocr } = prices;
  const scrape = toPrice(prices, "scrape", false);
  const ofEndpoints: { [E in Endpoint]: PriceLine[] } = {
    scrape: [
      [ENDPOINTS.scrape.label, scrape, ""],
      [
        `${ENDPOINTS.scrape.label} with rendering`,
        toPrice(prices, "scrape", true),
        "Requests with render, wait_for or screenshots use rendering.",
      ],
      [
        `${ENDPOINTS.scrape.label} with JSON or a summary`,
        scrape + parse,
        `Each of these formats costs ${toCount(parse, "credit")} in addition to the price of the page.`,
      ],
    ],
    parse: [
      [ENDPOINTS.parse.label, toPrice(prices, "parse", false), "Rendering is included."],
      ...(parseWithoutModel < parse
        ? [["Data without a language model", parseWithoutModel, "Also the format JSON of a scrape."] as const]
        : []),
      ["Page of a scanned PDF with ocr", ocr, "In addition to the price of the scrape or parse."],
    ],
    serp: [[ENDPOINTS.serp.label, toPrice(prices, "serp", false), "All result pages are included."]],
    map: [[ENDPOINTS.map.label, toPrice(prices, "map", false), "All sitemaps are included."]],
  };
  return [
    ...Endpoint.options.flatMap((endpoint) => ofEndpoints[endpoint]),
    ["Failed job", 0, "The reserved credits are released."],
    ["Request with a test key", 0, "Test keys return mock data."],
  ];
}

/** A plan with its limits. The limits of the plan enterprise are set for each account. */
export interface PlanLine extends PlanLimits {
  plan: Plan;
  monthlyCredits: number;
  /** The price in money, such as `$29 per month`. Null if the operator doesn't give one. */
  price: string | null;
}

/** Returns a limit of a plan. The limits of the plan enterprise are set for each account. */
export function toPlanFigure(plan: Plan, limit: number): number | "custom" {
  return plan === "enterprise" ? "custom" : limit;
}

export function listPlans(env: Env): PlanLine[] {
  const [limits, { prices }] = [toPlanLimits(env), parsePlanPrices(env.PLAN_PRICES)];
  return PLANS.map((plan) => ({
    plan,
    ...limits[plan],
    monthlyCredits: toMonthlyCredits(env, { plan, monthlyCredits: null }),
    price: prices[plan] ?? null,
  }));
}
