import { z } from "@hono/zod-openapi";
import { STRATEGIES } from "../model/run-plan";

/** The way in which the data of a request with a schema is found. */
export const Strategy = z.enum(STRATEGIES).openapi("Strategy", {
  description:
    "`model` calls a language model. `auto` reads the data that the page declares (such as JSON-LD), and calls the model only for required properties that it doesn't find there. Without a schema, `auto` calls the model. `page` never calls a model: a property that isn't found is `null` or omitted, and the request fails with `schema_mismatch` if the schema requires it. `model` is the default. If no model is configured, `page` is the default, and `auto` works as `page`.",
});
export type Strategy = z.infer<typeof Strategy>;

/** The fields that conflict with a strategy or that it needs. */
interface StrategyFields {
  strategy?: Strategy | undefined;
  schema?: Record<string, unknown> | undefined;
  model?: string | undefined;
}

/** Adds an issue for each field that the strategy `page` needs or can't be combined with. */
export function checkStrategyFields({ strategy, schema, model }: StrategyFields, context: z.RefinementCtx): void {
  if (strategy !== "page") return;
  if (schema === undefined) {
    const message = "is required by the strategy 'page', which finds the properties of a schema";
    context.addIssue({ code: "custom", path: ["schema"], message });
  }
  if (model !== undefined) {
    const message = "can't be combined with the strategy 'page', which calls no model; remove one";
    context.addIssue({ code: "custom", path: ["model"], message });
  }
}
