import type { ParseRequest } from "../../contract/parse";
import { toCount } from "../../lib/count";
import type { LoadMethod, RunPlan, RunPlans } from "../../model/run-plan";
import { type EndpointDefinition, PAGE_ERROR_CODES, type RequestContext } from "../shared/definition";
import { checkPageFields } from "../shared/load-options";
import { describeOcr, toMaxOcrLines } from "../shared/ocr";
import { checkSchema, chooseParseMode, toParseLines } from "./check-request";
import { checkStrategy, toCheaperStrategy } from "./strategy";

export const parse: EndpointDefinition<"parse"> = {
  label: "Parse",
  errorCodes: { ...PAGE_ERROR_CODES, 422: ["unusable_page", ...PAGE_ERROR_CODES[422]] },
  describePrice: ({ parse: credits, parseWithoutModel, ocr }) =>
    `The price is ${toCount(credits, "credit")}${parseWithoutModel < credits ? `, or ${parseWithoutModel} if no language model was called` : ""}.${describeOcr(ocr)}`,
  validateRequest,
  needsBrowser: (request) => request.url !== undefined && chooseParseMode(request) === "always",
  plans: listPlans,
};

function validateRequest(request: ParseRequest, context: RequestContext): void {
  checkPageFields(request, context);
  if (request.schema !== undefined) checkSchema(context, request.schema, "schema");
  checkStrategy(request, context);
}

const METHODS = { auto: "plain_then_browser", always: "browser", never: "plain" } as const;

/** Returns the methods with their prices. Rendering doesn't change the price. With `auto`, the second method calls no model. */
function listPlans(request: ParseRequest, context: RequestContext): RunPlans {
  const { html, file, capture_id } = request;
  const { prices } = context;
  const { chosen, model } = checkStrategy(request, context);
  const isReplayed = context.usesPaidCapture === true;
  const given: LoadMethod | null =
    capture_id !== undefined ? "capture" : html !== undefined ? "given_html" : file !== undefined ? "given_file" : null;
  const method = given ?? METHODS[chooseParseMode(request)];
  const ocrLines = toMaxOcrLines(prices, request);
  const onPage = { method, lines: [...toParseLines(prices, { isReplayed, callsModel: false }), ...ocrLines] };
  if (model === null) return [{ ...onPage, ...chosen }];
  const withModel: RunPlan = {
    method,
    model,
    ...chosen,
    lines: [...toParseLines(prices, { isReplayed, callsModel: true }), ...ocrLines],
  };
  if (chosen.strategy !== "auto") return [withModel];
  return [withModel, { ...onPage, ...toCheaperStrategy([withModel], request.max_credits) }];
}
