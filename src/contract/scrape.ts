import { z } from "@hono/zod-openapi";
import { MAX_SELECTOR_CHARS } from "../limits";
import { JobMeta, TargetUrl, WebhookUrl } from "./common";

export const ScrapeFormat = z.enum(["html", "markdown", "text", "screenshot"]);
export type ScrapeFormat = z.infer<typeof ScrapeFormat>;

export const ScrapeRequest = z
  .strictObject({
    url: TargetUrl,
    formats: z
      .array(ScrapeFormat)
      .min(1, "must name at least one format")
      .transform((formats) => [...new Set(formats)])
      .default(["markdown"]),
    js_render: z.boolean().default(false),
    wait_for: z
      .string()
      .trim()
      .min(1, "must be a CSS selector")
      .max(MAX_SELECTOR_CHARS, `must have at most ${MAX_SELECTOR_CHARS} characters`)
      .optional()
      .openapi({ description: "CSS selector; the page is taken once an element matches.", example: "#price" }),
    only_main_content: z
      .boolean()
      .default(true)
      .openapi({ description: "false: markdown and text of the whole page, navigation and footers included." }),
    proxy_country: z
      .string()
      .regex(/^[a-z]{2}$/i, "must be an ISO 3166-1 alpha-2 country code, such as TR, US or DE")
      .transform((code) => code.toUpperCase())
      .optional(),
    webhook_url: WebhookUrl.optional(),
  })
  .openapi("ScrapeRequest");
export type ScrapeRequest = z.infer<typeof ScrapeRequest>;

export const ScrapeData = z
  .object({
    html: z.string().optional(),
    markdown: z.string().optional(),
    text: z.string().optional(),
    screenshot_url: z.string().optional(),
  })
  .openapi("ScrapeData");
export type ScrapeData = z.infer<typeof ScrapeData>;

export const ScrapeResponse = z
  .object({ success: z.literal(true), data: ScrapeData, meta: JobMeta, job_id: z.string() })
  .openapi("ScrapeResponse");

/** `screenshot` and `wait_for` need the browser: they switch rendering on, also against `js_render: false`. */
export function needsBrowser(request: ScrapeRequest): boolean {
  return request.js_render || request.wait_for !== undefined || request.formats.includes("screenshot");
}
