import { invalidParameter } from "../../contract/invalid-request";
import type { RenderMode } from "../../contract/load-options";
import type { ParseRequest } from "../../contract/parse";
import { schemaProblem, sizeProblem } from "../../json-schema/schema-problem";
import { MAX_SCHEMA_CHARS } from "../../model/limits";
import type { Prices } from "../../model/prices";
import type { PriceLine, RefundReason } from "../../model/receipt";
import { availableModels, chooseModel } from "../../models/models";
import { checkOnce } from "../shared/batch-checks";
import type { RequestContext } from "../shared/definition";
import { findBrowserParameter } from "../shared/load-options";
import { toCaptureLine } from "../shared/page-captures";

/** The facts of a parse that decide its price. */
interface ParseUse {
  /** True if the page comes from a capture and was charged when it was kept. */
  isReplayed: boolean;
  callsModel: boolean;
  /** True if the data has no value and the page isn't kept. Without a model, the parse is then free. */
  foundNothing?: boolean;
}

/** Returns the price of a parse as the lines of its receipt. Loading a page is charged only once, when it is kept. */
export function toParseLines(prices: Prices, { isReplayed, callsModel, foundNothing = false }: ParseUse): PriceLine[] {
  const loading = isReplayed ? prices.scrape : 0;
  if (!callsModel && foundNothing) return [toLineWithoutModel("parse", 0)];
  if (!callsModel) return [toLineWithoutModel("parse", prices.parseWithoutModel - loading)];
  const credits = Math.max(0, prices.parse - loading);
  return [isReplayed ? toCaptureLine("parse", credits) : { item: "parse", credits }];
}

/** Returns the line of data for which no model was called. */
export function toLineWithoutModel(item: "parse" | "json", credits: number): PriceLine {
  return { item, credits: Math.max(0, credits), reason: "no_model" satisfies RefundReason };
}

/** Throws AppError, with the keyword's path, if the schema can't be used. `parameter` is the schema's path. */
export function checkSchema(context: RequestContext, schema: Record<string, unknown>, parameter: string): void {
  const value = JSON.stringify(schema);
  const check = () => schemaProblem(schema, context.checks?.budget);
  const problem =
    (value.length > MAX_SCHEMA_CHARS ? sizeProblem(schema) : null) ??
    checkOnce(context, { path: parameter, kind: "schema", value }, check);
  if (problem === null) return;
  throw invalidParameter([parameter, ...problem.path].join("."), problem.message);
}

/** Returns the id of a request's model. A test key can use any accepted one. Throws AppError if it isn't available. */
export function checkModel({ env, mode }: RequestContext, requested?: string): string | undefined {
  const models = availableModels(env);
  const isKnown = requested === undefined || models.accepted.includes(requested);
  if (mode === "live" || !isKnown) return chooseModel(models, requested).id;
  return requested ?? models.accepted[0];
}

/** Returns how the page of a request is loaded. By default, it is rendered if the plain page has no content. */
export function chooseParseMode(request: ParseRequest): RenderMode {
  if (request.wait_for !== undefined || findBrowserParameter(request) !== null) return "always";
  return request.render ?? "auto";
}
