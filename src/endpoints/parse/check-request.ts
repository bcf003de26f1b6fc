import { invalidParameter } from "../../contract/invalid-request";
import { schemaProblem } from "../../json-schema/schema-problem";
import { toWholeNumber } from "../../lib/env";
import type { PriceLine, RefundReason } from "../../model/receipt";
import { availableModels, chooseModel } from "../../models/models";
import type { RequestContext } from "../shared/definition";
import { toCaptureLine } from "../shared/page-captures";

/** The price (credits) for extracting data or a summary from a page with a language model. */
export const MODEL_PRICE = 5;
/** The price (credits) of a parse whose page comes from a capture. */
const CAPTURE_PRICE = 4;

/** The part of the price (credits) for loading the page, which isn't charged if the page comes from a capture. */
const LOADING_PRICE = MODEL_PRICE - CAPTURE_PRICE;

/** The facts of a parse that decide its price. */
interface ParseUse {
  /** True if the page comes from a capture. */
  isReplayed: boolean;
  /** The price (credits) without a model. Null if a model is called. */
  withoutModel: number | null;
}

/** Returns the lines of the price of a parse. */
export function toParseLines({ isReplayed, withoutModel }: ParseUse): PriceLine[] {
  if (withoutModel !== null) return [toLineWithoutModel("parse", withoutModel - (isReplayed ? LOADING_PRICE : 0))];
  return [isReplayed ? toCaptureLine("parse", CAPTURE_PRICE) : { item: "parse", credits: MODEL_PRICE }];
}

/** Returns the line of data for which no model was called. */
export function toLineWithoutModel(item: "parse" | "json", credits: number): PriceLine {
  return { item, credits: Math.max(0, credits), reason: "no_model" satisfies RefundReason };
}

/** Returns the price (credits) of data for which no model is called. The operator can set it, up to `MODEL_PRICE`. */
export function priceWithoutModel(env: Pick<Env, "CREDITS_PARSE_WITHOUT_MODEL">): number {
  return Math.min(MODEL_PRICE, toWholeNumber(env.CREDITS_PARSE_WITHOUT_MODEL, MODEL_PRICE));
}

/**
 * Throws AppError if the schema can't be used. `parameter` is the path of the schema in the request. The error has the
 * path of the invalid keyword.
 */
export function checkSchema(schema: Record<string, unknown>, parameter: string): void {
  const problem = schemaProblem(schema);
  if (problem === null) return;
  throw invalidParameter([parameter, ...problem.path].join("."), problem.message);
}

/**
 * Returns the id of the model that a request uses. A test key never calls a model, so it can use any accepted model.
 * Throws AppError if the model isn't available.
 */
export function checkModel({ env, mode }: RequestContext, requested?: string): string | undefined {
  const models = availableModels(env);
  const isKnown = requested === undefined || models.accepted.includes(requested);
  if (mode === "live" || !isKnown) return chooseModel(models, requested).id;
  return requested ?? models.accepted[0];
}
