import { z } from "@hono/zod-openapi";
import { MAX_SELECTOR_CHARS, MAX_SELECTORS } from "../model/limits";
import { PAGE_KINDS } from "../model/page-kinds";
import { JobMeta, TargetUrl, WebhookUrl } from "./common";
import { HiddenText } from "./hidden-text";
import { PAGE_META } from "./outcome";

export const ScrapeFormat = z
  .enum(["html", "markdown", "text", "screenshot", "metadata", "links"])
  .openapi("ScrapeFormat");
export type ScrapeFormat = z.infer<typeof ScrapeFormat>;

export const RenderMode = z.enum(["auto", "always", "never"]).openapi("RenderMode");
/**
 * Selects how a page is loaded. `never`: with a plain request. `always`: in a browser. `auto`: with a plain request,
 * and in a browser if the plain page has no content.
 */
export type RenderMode = z.infer<typeof RenderMode>;

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
      .openapi({ description: "The formats to return." }),
    render: RenderMode.optional().openapi({
      description:
        "Selects when the page is rendered in a browser, for one additional credit. `auto` renders the page only if it has no content without its scripts. The default is `never`. `wait_for` and the format `screenshot` always render the page.",
    }),
    js_render: z.boolean().optional().openapi({
      description:
        "True has the meaning of `render: always`, and false that of `render: never`. Can't be combined with `render`.",
    }),
    wait_for: z
      .string("must be a CSS selector, such as '#price'; the service can't wait for a number of milliseconds")
      .trim()
      .min(1, "must be a CSS selector")
      .max(MAX_SELECTOR_CHARS, `must have at most ${MAX_SELECTOR_CHARS} characters`)
      .optional()
      .openapi({ description: "A CSS selector. The page is captured when an element matches it.", example: "#price" }),
    only_main_content: z.boolean().default(true).openapi({
      description: "If false, `markdown` and `text` contain the whole page, including navigation and footers.",
    }),
    include_selectors: Selectors.optional().openapi({
      description: "CSS selectors. `markdown` and `text` contain only the matching elements, in document order.",
      example: ["#product", ".reviews"],
    }),
    exclude_selectors: Selectors.optional().openapi({
      description: "CSS selectors. Matching elements are omitted from markdown and text.",
      example: [".advert"],
    }),
    hidden_text: HiddenText,
    proxy_country: z
      .string()
      .regex(/^[A-Za-z]{2}$/, "must be an ISO 3166-1 alpha-2 country code, such as TR, US or DE")
      .transform((code) => code.toUpperCase())
      .optional()
      .openapi({
        description: "The country from which the page is requested, as an ISO 3166-1 alpha-2 code.",
        example: "TR",
      }),
    webhook_url: WebhookUrl.optional(),
  })
  .superRefine(({ render, js_render }, context) => {
    if (render === undefined || js_render === undefined) return;
    const message = "can't be combined with 'js_render'; send only one of them";
    context.addIssue({ code: "custom", path: ["render"], message });
  })
  .openapi("ScrapeRequest");
export type ScrapeRequest = z.infer<typeof ScrapeRequest>;

const time = z.string().openapi({ description: "An ISO 8601 time. It has a UTC offset only if the page has one." });

/** The metadata of a page. Fields that the page doesn't provide are omitted. */
export const PageMetadata = z
  .object({
    title: z.string(),
    description: z.string(),
    language: z.string().openapi({ description: "The language as the page declares it, such as `en` or `de-AT`." }),
    author: z.string(),
    published_time: time,
    modified_time: time,
    site_name: z.string(),
    canonical_url: z.string(),
    favicon: z.string(),
    open_graph: z
      .record(z.string(), z.string())
      .openapi({ description: "The page's Open Graph properties, without the prefix `og:`." }),
  })
  .partial()
  .extend({
    url: z.string().openapi({ description: "The URL of the page after redirects." }),
    status_code: z.number().int(),
    content_type: z.string().nullable(),
  })
  .openapi("PageMetadata");
export type PageMetadata = z.infer<typeof PageMetadata>;

const PageLink = z
  .object({
    url: z.string().openapi({ description: "An absolute http or https URL." }),
    text: z.string(),
    rel: z.string().optional(),
  })
  .openapi("PageLink");

export const ScrapeData = z
  .object({
    html: z
      .string()
      .optional()
      .openapi({ description: "The HTML as received. If the page was rendered, the HTML of the rendered document." }),
    markdown: z.string().optional(),
    text: z.string().optional(),
    screenshot_url: z.string().optional().openapi({
      description: "A signed link to the PNG. It needs no API key and expires with the result.",
      format: "uri",
    }),
    metadata: PageMetadata.optional(),
    links: z.array(PageLink).optional().openapi({ description: "The links of the whole page, without duplicates." }),
  })
  .openapi("ScrapeData");
export type ScrapeData = z.infer<typeof ScrapeData>;

export const ScrapeMeta = JobMeta.extend({
  ...PAGE_META,
  page_kind: z.enum(PAGE_KINDS).optional().openapi({
    description:
      "The kind of the page, by which its main content was chosen. A `forum` is any page of posts, a `collection` a list of products, and a `listing` any other list. Omitted if the main content wasn't extracted, or if `outcome` isn't `ok`.",
  }),
  rendered: z.boolean().openapi({ description: "True if the page was rendered in a browser." }),
}).openapi("ScrapeMeta");
export type ScrapeMeta = z.infer<typeof ScrapeMeta>;

export const ScrapeResponse = z
  .object({ success: z.literal(true), data: ScrapeData, meta: ScrapeMeta, job_id: z.string() })
  .openapi("ScrapeResponse");
