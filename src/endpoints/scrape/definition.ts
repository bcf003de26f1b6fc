import type { ScrapeRequest } from "../../contract/scrape";
import { toCount } from "../../lib/count";
import type { RunPlans } from "../../model/run-plan";
import { checkModel, checkSchema } from "../parse/check-request";
import { checkStrategy, toCheaperStrategy } from "../parse/strategy";
import { checkSelector } from "../shared/batch-checks";
import { type EndpointDefinition, PAGE_ERROR_CODES, type RequestContext } from "../shared/definition";
import { checkPageFields } from "../shared/load-options";
import { describeOcr } from "../shared/ocr";
import { chooseRenderMode, listPlans } from "./price";

export const scrape: EndpointDefinition<"scrape"> = {
  label: "Scrape",
  errorCodes: PAGE_ERROR_CODES,
  describePrice: ({ scrape: credits, rendering, parse: data, parseWithoutModel, ocr }) =>
    [
      `The price is ${toCount(credits, "credit")}`,
      rendering > 0 ? `, or ${toCount(credits + rendering, "credit")} if the page is rendered` : "",
      `. The formats \`json\` and \`summary\` cost ${toCount(data, "more credit", "more credits")} each`,
      parseWithoutModel < data ? `, or ${parseWithoutModel} if no language model was called for \`json\`.` : ".",
      describeOcr(ocr),
    ].join(""),
  validateRequest,
  needsBrowser: (request) => chooseRenderMode(request) === "always",
  plans: listPlansWithModel,
};

function validateRequest(request: ScrapeRequest, context: RequestContext): void {
  const { include_selectors: included = [], exclude_selectors: excluded = [] } = request;
  const { selector, hide_selectors: hidden = [] } = request.screenshot ?? {};
  const inBrowser = (path: string, each: string) => checkSelector(context, { path, selector: each, user: "browser" });
  const onPage = (path: string, each: string) => checkSelector(context, { path, selector: each, user: "conversion" });
  checkPageFields(request, context);
  for (const [i, each] of included.entries()) onPage(`include_selectors.${i}`, each);
  for (const [i, each] of excluded.entries()) onPage(`exclude_selectors.${i}`, each);
  if (selector !== undefined) inBrowser("screenshot.selector", selector);
  for (const [i, each] of hidden.entries()) inBrowser(`screenshot.hide_selectors.${i}`, each);
  if (request.json?.schema !== undefined) checkSchema(context, request.json.schema, "json.schema");
}

/** Returns the plans with the model and strategy of `json` and `summary`. With `auto`, the last need no model. */
function listPlansWithModel(request: ScrapeRequest, context: RequestContext): RunPlans {
  const { json, formats } = request;
  const data = json === undefined ? null : checkStrategy(json, context);
  const isOnPage = data?.chosen.strategy === "page";
  const { prices, usesPaidCapture } = context;
  const plans = listPlans(prices, request, { isJsonFromPage: isOnPage, usesPaidCapture });
  const summaryModel = formats.includes("summary") ? checkModel(context) : undefined;
  const model = summaryModel ?? data?.model ?? null;
  const [first, ...others] = plans.map((plan) => ({ ...plan, ...(model !== null && { model }), ...data?.chosen }));
  if (first === undefined) throw new Error("The request has no plan.");
  if (data?.chosen.strategy !== "auto") return [first, ...others];
  const cheaper = listPlans(prices, request, { isJsonFromPage: true, usesPaidCapture }).map((plan) => ({
    ...plan,
    ...(summaryModel !== undefined && { model: summaryModel }),
    ...toCheaperStrategy(plans, request.max_credits),
  }));
  return [first, ...others, ...cheaper];
}
