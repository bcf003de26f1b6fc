import type { ParseRequest } from "../../contract/parse";
import { toCount } from "../../lib/count";
import { AppError } from "../../model/errors";
import type { JobExtras } from "../../model/job";
import { totalOf } from "../../model/receipt";
import type { RunPlan, Strategy } from "../../model/run-plan";
import { availableModels } from "../../models/models";
import type { RequestContext } from "../shared/definition";
import { checkModel } from "./check-request";

/** The strategy of a request, and the reason why it isn't the requested one. */
type Chosen = Pick<RunPlan, "strategyReason"> & { strategy: Strategy };

interface StrategyInput {
  requested: Strategy | undefined;
  hasSchema: boolean;
  hasModel: boolean;
}

const NO_MODEL = "No language model is configured.";
const NO_SCHEMA = "The request has no schema whose properties could be found in the page's own data.";

/** Returns the strategy of a request. The default is `model`. If no model is configured, `auto` and the default are `page`. */
function chooseStrategy({ requested, hasSchema, hasModel }: StrategyInput): Chosen {
  if (requested === "page" || requested === "model") return { strategy: requested };
  if (!hasModel && hasSchema) return { strategy: "page", strategyReason: NO_MODEL };
  if (requested === undefined) return { strategy: "model" };
  return hasSchema ? { strategy: "auto" } : { strategy: "model", strategyReason: NO_SCHEMA };
}

/** The fields of a request that decide its strategy. */
export type StrategyFields = Partial<Pick<ParseRequest, "strategy" | "schema" | "model">>;

/** Returns the members of a plan without a model, for `auto`. It is chosen if `max_credits` excludes the others. */
export function toCheaperStrategy(plans: readonly RunPlan[], maxCredits: number | undefined): Chosen {
  const price = Math.min(...plans.map(({ lines }) => totalOf(lines)));
  const reason = `With a model, the request costs ${toCount(price, "credit")}, and max_credits is ${maxCredits}.`;
  return { strategy: "page", strategyReason: reason };
}

/**
 * Returns the strategy of a request, and the id of the model that the request may call. A test key can use any accepted
 * model. Throws AppError if the request needs a model that isn't available.
 */
export function checkStrategy(
  fields: StrategyFields,
  context: RequestContext,
): { chosen: Chosen; model: string | null } {
  const { strategy, schema, model } = fields;
  const models = availableModels(context.env);
  const isConfigured = context.mode === "test" || models.configured.length > 0;
  const hasSchema = schema !== undefined;
  // A request without a strategy that names its model fails without this model.
  const hasModel = isConfigured || (strategy === undefined && model !== undefined);
  const chosen = chooseStrategy({ requested: strategy, hasSchema, hasModel });
  if (chosen.strategy === "page") {
    if (model !== undefined && !models.accepted.includes(model)) checkModel(context, model);
    return { chosen, model: null };
  }
  if (!isConfigured && !hasSchema && model === undefined) throw needsSchema();
  return { chosen, model: checkModel(context, model) ?? null };
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

/** Returns the members of `meta` that name the strategy. `requested` is the strategy of the request. */
export function toStrategyMeta(
  { strategy, strategyReason }: Pick<RunPlan, "strategy" | "strategyReason">,
  requested: Strategy | undefined,
): JobExtras {
  if (strategy === undefined || (strategy === "model" && requested === undefined)) return {};
  return { strategy, ...(strategyReason !== undefined && { strategy_reason: strategyReason }) };
}
