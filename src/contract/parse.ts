import { z } from "@hono/zod-openapi";
import { MAX_PROMPT_CHARS } from "../limits";
import { JobMeta, TargetUrl, WebhookUrl } from "./common";

export const ParseRequest = z
  .strictObject({
    url: TargetUrl.optional(),
    html: z.string().min(1, "must not be empty").optional(),
    prompt: z
      .string()
      .trim()
      .min(1, "must say what to extract")
      .max(MAX_PROMPT_CHARS, `must have at most ${MAX_PROMPT_CHARS} characters`),
    schema: z
      .record(z.string(), z.unknown())
      .optional()
      .openapi({
        description: "JSON Schema of the output (draft 2020-12, 2019-09 or 7); its root is an object.",
        type: "object",
      }),
    model: z.string().optional(),
    webhook_url: WebhookUrl.optional(),
  })
  .superRefine((request, context) => {
    if ((request.url === undefined) === (request.html === undefined)) {
      context.addIssue({ code: "custom", path: ["url"], message: "must be given, or 'html', and not both" });
    }
  })
  .openapi("ParseRequest");
export type ParseRequest = z.infer<typeof ParseRequest>;

export const ParseData = z.record(z.string(), z.unknown()).openapi("ParseData");
export type ParseData = z.infer<typeof ParseData>;

export const ParseResponse = z
  .object({
    success: z.literal(true),
    data: ParseData,
    meta: JobMeta.extend({ model_used: z.string() }),
    job_id: z.string(),
  })
  .openapi("ParseResponse");
