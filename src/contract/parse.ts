import { z } from "@hono/zod-openapi";
import { MAX_PROMPT_CHARS } from "../model/limits";
import { JobMeta, TargetUrl, WebhookUrl } from "./common";

export const ParseRequest = z
  .strictObject({
    url: TargetUrl.optional(),
    html: z
      .string()
      .min(1, "must not be empty")
      .optional()
      .openapi({ description: "In place of `url`: the page itself." }),
    prompt: z
      .string()
      .trim()
      .min(1, "must say what to extract")
      .max(MAX_PROMPT_CHARS, `must have at most ${MAX_PROMPT_CHARS} characters`)
      .openapi({ description: "What to extract, in your words." }),
    schema: z.record(z.string(), z.unknown()).optional().openapi({
      description: "JSON Schema of the output (draft 2020-12, 2019-09 or 7); its root is an object.",
      type: "object",
    }),
    model: z
      .string()
      .optional()
      .openapi({ description: "One of the two models; the first that has a key is the default." }),
    evidence: z.boolean().optional().openapi({
      description: "Tells in `meta` where each value stands in the page, and which values stand nowhere.",
    }),
    webhook_url: WebhookUrl.optional(),
  })
  .superRefine((request, context) => {
    if ((request.url === undefined) === (request.html === undefined)) {
      context.addIssue({ code: "custom", path: ["url"], message: "must be given, or 'html', and not both" });
    }
  })
  .openapi("ParseRequest", {
    description: "Exactly one of `url` and `html`.",
    oneOf: [{ required: ["url"] }, { required: ["html"] }],
  });
export type ParseRequest = z.infer<typeof ParseRequest>;

export const ParseData = z
  .record(z.string(), z.unknown())
  .openapi("ParseData", { description: "Valid against the schema of the request." });
export type ParseData = z.infer<typeof ParseData>;

export const ParseMeta = JobMeta.extend({
  model_used: z.string(),
  rendered: z.boolean().optional().openapi({ description: "Whether the page had to be rendered." }),
  parts: z.number().int().optional().openapi({ description: "In how many parts the page was read." }),
  truncated: z.literal(true).optional().openapi({ description: "The page goes on after what was read." }),
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
        "With `evidence: true`, by JSON pointer into `data`: what the model quoted, and whether code found that in the page. Not in lists.",
    }),
  unverified: z.array(z.string()).optional().openapi({
    description: "With `evidence: true`: pointers to the values that occur nowhere in the page. Not in lists.",
  }),
  evidence_truncated: z.literal(true).optional().openapi({
    description: "There was more evidence than is told: 200,000 characters at most.",
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
