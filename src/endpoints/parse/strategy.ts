import type { Strategy } from "../../contract/strategy";
import { toCount } from "../../lib/count";
import { AppError } from "../../model/errors";
import type { JobExtras } from "../../model/job";
import type { Prices } from "../../model/prices";
import { totalOf } from "../../model/receipt";
import { availableModels } from "../../models/models";
import type { RequestContext } from "../shared/definition";
import { checkModel, toParseLines } from "./check-request";

/** The strategy of a run, and the reason why it isn't the requested one. */
export interface ChosenStrategy {
  strategy: Strategy;
  reason: string | null;
  /** True if the request has a strategy. */
  isRequested: boolean;
}

interface StrategyInput {
  /** The strategy of the request. */
  requested: Strategy | undefined;
  hasSchema: boolean;
  /** True if a model can be called. */
  hasModel: boolean;
}

const NO_MODEL = "No language model is configured.";
const NO_SCHEMA = "The request has no schema whose properties could be found in the page's own data.";

/** Returns the strategy of a request. The default is `model`. If no model is configured, `auto` and the default are `page`. */
function chooseStrategy({ requested, hasSchema, hasModel }: StrategyInput): ChosenStrategy {
  const isRequested = requested !== undefined;
  if (requested === "page" || requested === "model") return { strategy: requested, reason: null, isRequested };
  if (!hasModel && hasSchema) return { strategy: "page", reason: NO_MODEL, isRequested };
  if (!isRequested) return { strategy: "model", reason: null, isRequested };
  if (hasSchema) return { strategy: "auto", reason: null, isRequested };
  return { strategy: "model", reason: NO_SCHEMA, isRequested };
}

/** The fields of a request that decide its strategy. */
export interface StrategyFields {
  strategy?: Strategy | undefined;
  schema?: object | undefined;
  /** The model that the request names. */
  model?: string | undefined;
}

/** Returns the strategy of a live run. */
export function strategyOfRun({ strategy, schema, model }: StrategyFields, env: Env): ChosenStrategy {
  return chooseStrategy({
    requested: strategy,
    hasSchema: schema !== undefined,
    hasModel: availableModels(env).configured.length > 0 || isModelNeeded({ strategy, model }),
  });
}

/**
 * Returns the strategy of a run within the request's `max_credits`. With `auto`, a limit below the price of a model means
 * that no model is called.
 */
export function chooseAffordable(
  prices: Prices,
  { max_credits: limit, isReplayed }: { max_credits?: number | undefined; isReplayed: boolean },
  chosen: ChosenStrategy,
): ChosenStrategy {
  const price = totalOf(toParseLines(prices, { isReplayed, callsModel: true }));
  return limitStrategy(chosen, { price, limit });
}

/** Returns the strategy within a limit of the price. `price` is the lowest price of the request if it calls a model. */
export function limitStrategy(
  chosen: ChosenStrategy,
  { price, limit }: { price: number; limit: number | undefined },
): ChosenStrategy {
  if (chosen.strategy !== "auto" || limit === undefined || limit >= price) return chosen;
  const reason = `With a model, the request costs ${toCount(price, "credit")}, and max_credits is ${limit}.`;
  return { ...chosen, strategy: "page", reason };
}

/**
 * Returns the strategy of a request, and the id of the model that the request may call. A test key can use any accepted
 * model. Throws AppError if the request needs a model that isn't available.
 */
export function checkStrategy(
  fields: StrategyFields,
  context: RequestContext,
): { chosen: ChosenStrategy; model: string | null } {
  const { strategy, schema, model } = fields;
  const models = availableModels(context.env);
  const isConfigured = context.mode === "test" || models.configured.length > 0;
  const hasSchema = schema !== undefined;
  const hasModel = isConfigured || isModelNeeded(fields);
  const chosen = chooseStrategy({ requested: strategy, hasSchema, hasModel });
  if (chosen.strategy === "page") {
    if (model !== undefined && !models.accepted.includes(model)) checkModel(context, model);
    return { chosen, model: null };
  }
  if (!isConfigured && !hasSchema && model === undefined) throw needsSchema();
  return { chosen, model: checkModel(context, model) ?? null };
}

/** Returns true if a request without a strategy names its model. Such a request fails without this model. */
function isModelNeeded({ strategy, model }: StrategyFields): boolean {
  return strategy === undefined && model !== undefined;
}

function needsSchema(): AppError {
  return new AppError(
    "not_configured",
    "No model is configured. Without a model, the request needs a schema, whose properties are found in the page's own data.",
    {
      hint: "Send a schema, or ask the operator of this service to set OPENAI_API_KEY or ANTHROPIC_API_KEY.",
      headers: { "Retry-After": "3600" },
    },
  );
}

/** Returns the strategy of a mock result. A test key works as if a model were configured. */
export function chooseMockStrategy({ strategy, schema }: StrategyFields): ChosenStrategy {
  return chooseStrategy({ requested: strategy, hasSchema: schema !== undefined, hasModel: true });
}

/** Returns the members of `meta` that name the strategy. */
export function toStrategyMeta({ strategy, reason, isRequested }: ChosenStrategy): JobExtras {
  if (strategy === "model" && !isRequested) return {};
  return { strategy, ...(reason !== null && { strategy_reason: reason }) };
}
