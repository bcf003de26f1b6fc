import { z } from "@hono/zod-openapi";
import { MAX_PROMPT_CHARS } from "../model/limits";
import { JobMeta, TargetUrl, WebhookUrl } from "./common";
import { HiddenText } from "./hidden-text";
import { PAGE_META } from "./outcome";

export const ParseRequest = z
  .strictObject({
    url: TargetUrl.optional(),
    html: z
      .string()
      .min(1, "must not be empty")
      .optional()
      .openapi({ description: "The HTML of the page, instead of `url`." }),
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
    model: z
      .string()
      .optional()
      .openapi({ description: "The language model. By default, the first configured model is used." }),
    evidence: z.boolean().optional().openapi({
      description:
        "If true, `meta` has the quote from the page for each value, and lists the values that don't occur in the page.",
    }),
    hidden_text: HiddenText,
    webhook_url: WebhookUrl.optional(),
  })
  .superRefine((request, context) => {
    if (request.url === undefined && request.html === undefined) {
      context.addIssue({ code: "custom", path: ["url"], message: "is required, unless 'html' is given" });
    } else if (request.url !== undefined && request.html !== undefined) {
      context.addIssue({
        code: "custom",
        path: ["url"],
        message: "can't be combined with 'html'; send only one of them",
      });
    }
  })
  .openapi("ParseRequest", {
    description: "Send exactly one of `url` and `html`.",
    oneOf: [{ required: ["url"] }, { required: ["html"] }],
  });
export type ParseRequest = z.infer<typeof ParseRequest>;

export const ParseData = z
  .record(z.string(), z.unknown())
  .openapi("ParseData", { description: "The extracted data. It is valid against the schema of the request." });
export type ParseData = z.infer<typeof ParseData>;

export const ParseMeta = JobMeta.extend({
  ...PAGE_META,
  model_used: z.string(),
  rendered: z.boolean().optional().openapi({ description: "True if the page was rendered in a browser." }),
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
  evidence: z
    .record(z.string(), z.object({ quote: z.string(), verified: z.boolean() }))
    .optional()
    .openapi({
      description:
        "With `evidence: true`: the model's quote for each value, by JSON pointer into `data`. `verified` is true if the service found the quote in the page. Omitted in lists.",
    }),
  unverified: z.array(z.string()).optional().openapi({
    description: "With `evidence: true`: JSON pointers to the values that don't occur in the page. Omitted in lists.",
  }),
  evidence_truncated: z.literal(true).optional().openapi({
    description: "True if some evidence is omitted, because it is longer than 200,000 characters.",
  }),
}).openapi("ParseMeta");
export type ParseMeta = z.infer<typeof ParseMeta>;

export const ParseResponse = z
  .object({
    success: z.literal(true),
    data: ParseData,
    meta: ParseMeta,
    job_id: z.string(),
  })
  .openapi("ParseResponse");
