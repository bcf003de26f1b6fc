import { z } from "@hono/zod-openapi";
import { MAX_PROMPT_CHARS } from "../model/limits";
import { STRATEGIES } from "../model/run-plan";
import { int, isTrue, nonEmptyText, text } from "./fields";

/** The way in which the data of a request with a schema is found. */
export const Strategy = z.enum(STRATEGIES).openapi("Strategy", {
  description:
    "`model` calls a language model. `auto` reads the data that the page declares (such as JSON-LD), and calls the model only for required properties that it doesn't find there. Without a schema, `auto` calls the model. `page` never calls a model: a property that isn't found is `null` or omitted, and the request fails with `schema_mismatch` if the schema requires it. `model` is the default. If no model is configured, `page` is the default, and `auto` means the same as `page`.",
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

/** The fields that describe the data to extract. A parse has them, and so has the format `json` of a scrape. */
export const EXTRACTION = {
  prompt: nonEmptyText(MAX_PROMPT_CHARS, "must not be empty; describe the data to extract").openapi({
    description: "The data to extract, in your own words.",
  }),
  schema: z.record(text, z.unknown()).optional().openapi({
    description: "A JSON Schema for the result (draft 2020-12, 2019-09 or 7). Its root must be of type `object`.",
    type: "object",
  }),
  strategy: Strategy.optional(),
};

export const JsonOptions = z
  .strictObject({
    ...EXTRACTION,
    prompt: EXTRACTION.prompt.optional().openapi({
      description: "The data to extract, in your own words. Optional if there is a `schema`.",
    }),
  })
  .superRefine(checkStrategyFields)
  .superRefine(({ prompt, schema }, context) => {
    if (prompt !== undefined || schema !== undefined) return;
    context.addIssue({ code: "custom", path: ["prompt"], message: "is required without a 'schema'" });
  })
  .openapi("JsonOptions");
export type JsonOptions = z.infer<typeof JsonOptions>;

/** The fields of `meta` that describe how the data was found. */
export const MODEL_META = {
  strategy: Strategy.optional().openapi({
    description: "The strategy that was used. Omitted if it is `model`, unless the request has a strategy.",
  }),
  strategy_reason: text.optional().openapi({
    description:
      "The reason why the service used another strategy than the requested one, or why `page` is the default.",
  }),
  source_by_field: z
    .record(text, text)
    .optional()
    .openapi({
      description:
        "The source of each value, by JSON pointer into `data`: `json_ld`, `microdata`, `rdfa`, `open_graph`, `meta`, `embedded_state`, `json` for a member of a JSON document, or `model` for a value from the language model. Later versions may add sources. Omitted with the strategy `model` and in lists. The list is limited to 2,000 values and to 200,000 characters of pointers.",
      example: { "/name": "json_ld", "/price": "model" },
    }),
  parts: int
    .optional()
    .openapi({ description: "The number of parts in which the page was sent to the model. 0 if no model was called." }),
  truncated: isTrue
    .optional()
    .openapi({ description: "True if the end of the page was not read, because the page is too long." }),
  usage: z
    .object({
      input_tokens: int,
      output_tokens: int,
      model_calls: int,
      model_time_ms: int,
    })
    .optional(),
};
