import { z } from "@hono/zod-openapi";
import { MAX_SELECTOR_CHARS, MAX_SELECTORS } from "../model/limits";
import { JobMeta, TargetUrl, WebhookUrl } from "./common";

export const ScrapeFormat = z
  .enum(["html", "markdown", "text", "screenshot", "metadata", "links"])
  .openapi("ScrapeFormat");
export type ScrapeFormat = z.infer<typeof ScrapeFormat>;

const Selectors = z
  .array(
    z
      .string()
      .trim()
      .min(1, "must be a CSS selector")
      .max(MAX_SELECTOR_CHARS, `must have at most ${MAX_SELECTOR_CHARS} characters`),
  )
  .max(MAX_SELECTORS, `must have at most ${MAX_SELECTORS} entries`);

export const ScrapeRequest = z
  .strictObject({
    url: TargetUrl,
    formats: z
      .array(ScrapeFormat)
      .min(1, "must name at least one format")
      .transform((formats) => [...new Set(formats)])
      .default(["markdown"])
      .openapi({ description: "What the page is turned into." }),
    js_render: z.boolean().default(false).openapi({
      description:
        "Runs the page in a browser, for one credit more. The format `screenshot` and `wait_for` switch it on.",
    }),
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
    include_selectors: Selectors.optional().openapi({
      description: "CSS selectors: markdown and text of what they match, in document order, and of nothing else.",
      example: ["#product", ".reviews"],
    }),
    exclude_selectors: Selectors.optional().openapi({
      description: "CSS selectors: what they match is left out of markdown and text.",
      example: [".advert"],
    }),
    proxy_country: z
      .string()
      .regex(/^[A-Za-z]{2}$/, "must be an ISO 3166-1 alpha-2 country code, such as TR, US or DE")
      .transform((code) => code.toUpperCase())
      .optional()
      .openapi({ description: "ISO 3166-1 alpha-2: the page as that country sees it.", example: "TR" }),
    webhook_url: WebhookUrl.optional(),
  })
  .openapi("ScrapeRequest");
export type ScrapeRequest = z.infer<typeof ScrapeRequest>;

const time = z.string().openapi({ description: "ISO 8601; without an offset when the page gives none." });

/** What the page says about itself, and where it was found. What it doesn't say is left out. */
export const PageMetadata = z
  .object({
    title: z.string(),
    description: z.string(),
    language: z.string().openapi({ description: "As written, such as en or de-AT." }),
    author: z.string(),
    published_time: time,
    modified_time: time,
    site_name: z.string(),
    canonical_url: z.string(),
    favicon: z.string(),
    open_graph: z
      .record(z.string(), z.string())
      .openapi({ description: "The properties of the Open Graph, without their og:." }),
  })
  .partial()
  .extend({
    url: z.string().openapi({ description: "The final address." }),
    status_code: z.number().int(),
    content_type: z.string().nullable(),
  })
  .openapi("PageMetadata");
export type PageMetadata = z.infer<typeof PageMetadata>;

const PageLink = z
  .object({
    url: z.string().openapi({ description: "Absolute, http or https." }),
    text: z.string(),
    rel: z.string().optional(),
  })
  .openapi("PageLink");

export const ScrapeData = z
  .object({
    html: z.string().optional().openapi({ description: "As received; rendered, the document as it stands then." }),
    markdown: z.string().optional(),
    text: z.string().optional(),
    screenshot_url: z.string().optional().openapi({
      description: "A signed link to a PNG; it needs no key, and runs out with the result.",
      format: "uri",
    }),
    metadata: PageMetadata.optional(),
    links: z.array(PageLink).optional().openapi({ description: "Of the whole page, each address once." }),
  })
  .openapi("ScrapeData");
export type ScrapeData = z.infer<typeof ScrapeData>;

export const ScrapeResponse = z
  .object({ success: z.literal(true), data: ScrapeData, meta: JobMeta, job_id: z.string() })
  .openapi("ScrapeResponse");
