import { invalidParameter } from "../../contract/invalid-request";
import { schemaProblem } from "../../json-schema/schema-problem";
import type { PriceLine } from "../../model/receipt";
import { availableModels, chooseModel } from "../../models/models";
import type { RequestContext } from "../shared/definition";
import { toCaptureLine } from "../shared/page-captures";

/** The price (credits) of data or a summary that a language model extracts from a page. */
export const MODEL_PRICE = 5;
/** The price (credits) of a parse whose page comes from a capture. */
const CAPTURE_PRICE = 4;

/** Returns the lines of the price of a parse. `isReplayed` is true if the page comes from a capture. */
export function toParseLines({ isReplayed }: { isReplayed: boolean }): PriceLine[] {
  return [isReplayed ? toCaptureLine("parse", CAPTURE_PRICE) : { item: "parse", credits: MODEL_PRICE }];
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
