import type { ScrapeRequest } from "../../contract/scrape";
import { toCount } from "../../lib/count";
import { FILE_TYPES } from "../../model/page-files";
import type { RunPlans } from "../../model/run-plan";
import { availableModels } from "../../models/models";
import { putPdf, putScreenshot } from "../../store/objects";
import { checkModel, checkSchema } from "../parse/check-request";
import { mockDataMeta } from "../parse/mock";
import { checkStrategy, toCheaperStrategy, toStrategyMeta } from "../parse/strategy";
import { checkSelector } from "../shared/batch-checks";
import {
  type EndpointDefinition,
  type MockContext,
  PAGE_ERROR_CODES,
  type RequestContext,
  SIMULATED_OUTCOME,
} from "../shared/definition";
import { checkPageFields } from "../shared/load-options";
import { mockCapture } from "../shared/mocks";
import { describeOcr, mockOcr } from "../shared/ocr";
import { toCaptureMeta } from "../shared/page-captures";
import { chooseRenderMode } from "./formats";
import { mockScrape } from "./mock";
import { storeActionResults, toFileUrl } from "./page-files";
import { listPlans, toModelLines, toPriceLines } from "./price";
import { runScrape } from "./run-scrape";

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
  run: runScrape,
  mock,
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

async function mock(request: ScrapeRequest, context: MockContext) {
  const { env, job, large, outcome } = context;
  const mode = chooseRenderMode(request);
  const { url, used, ...kept } = await mockCapture(context, request, mode);
  const { data, screenshot, pdf, actions } = mockScrape({ ...request, url }, { large, outcome });
  const rendered = mode === "always";
  const hasData = data.json !== undefined || data.summary !== undefined;
  const { plan } = job;
  const isJsonFromPage = plan.strategy !== undefined && plan.strategy !== "model";
  const model = isJsonFromPage && data.summary === undefined ? null : (availableModels(env).accepted[0] ?? null);
  const ocr = mockOcr(job.prices, request, env);
  const extras = {
    outcome,
    ...(outcome !== "ok" && { outcome_reason: SIMULATED_OUTCOME }),
    rendered,
    ...toCaptureMeta(used),
    ...toStrategyMeta(plan, request.json?.strategy),
    ...(hasData && mockDataMeta(data.json ?? {}, model)),
    ...ocr.meta,
  };
  const lines = [
    ...toPriceLines(job.prices, { rendered, isReplayed: used?.isReplayed === true }),
    ...toModelLines(job.prices, request, { skipped: hasData ? null : outcome, isJsonFromPage }),
    ...ocr.lines,
  ];
  if (actions !== null)
    data.actions = await storeActionResults({ env, job, acquireLargeLock: async () => {} }, actions);
  const { contentType } = FILE_TYPES[request.screenshot?.format ?? "png"];
  if (screenshot !== null) await putScreenshot(env.STORE, job.id, job.run, screenshot, contentType);
  if (pdf !== null) await putPdf(env.STORE, job.id, job.run, pdf);
  const links = {
    ...(screenshot && { screenshot_url: await toFileUrl(env, "screenshot", job) }),
    ...(pdf && { pdf_url: await toFileUrl(env, "pdf", job) }),
  };
  return { data: { ...data, ...links }, extras, outcome, lines, ...kept };
}
