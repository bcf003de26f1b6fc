import { z } from "@hono/zod-openapi";
import { MAX_PROMPT_CHARS } from "../model/limits";

/** The fields that describe the data to extract. A parse has them, and so has the format `json` of a scrape. */
export const EXTRACTION = {
  prompt: z
    .string()
    .trim()
    .min(1, "must not be empty; describe the data to extract")
    .max(MAX_PROMPT_CHARS, `must have at most ${MAX_PROMPT_CHARS} characters`)
    .openapi({ description: "The data to extract, in your own words." }),
  schema: z.record(z.string(), z.unknown()).optional().openapi({
    description: "A JSON Schema for the result (draft 2020-12, 2019-09 or 7). Its root must be of type `object`.",
    type: "object",
  }),
};

/** The options of the format `json`. */
export const JsonOptions = z.strictObject(EXTRACTION).openapi("JsonOptions");
export type JsonOptions = z.infer<typeof JsonOptions>;

/** The fields of `meta` that describe the calls of a language model. */
export const MODEL_META = {
  parts: z
    .number()
    .int()
    .optional()
    .openapi({ description: "The number of parts in which the page was sent to the model." }),
  truncated: z
    .literal(true)
    .optional()
    .openapi({ description: "True if the end of the page was not read, because the page is too long." }),
  usage: z
    .object({
      input_tokens: z.number().int(),
      output_tokens: z.number().int(),
      model_calls: z.number().int(),
      model_time_ms: z.number().int(),
    })
    .optional(),
};
