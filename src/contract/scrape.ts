import { z } from "@hono/zod-openapi";
import { MAX_SELECTORS } from "../model/limits";
import { PAGE_KINDS } from "../model/page-kinds";
import { ActionResults, Actions } from "./actions";
import { JobMeta, TargetUrl, WebhookUrl } from "./common";
import { DEVICE_OPTIONS } from "./device-options";
import { DOCUMENT_OPTIONS } from "./document-options";
import { component, int, resultResponse, text } from "./fields";
import { checkContained, checkSource, FILE_OPTION } from "./file-option";
import { LABELS } from "./labels";
import { LOAD_OPTIONS, RenderMode, WaitFor } from "./load-options";
import { JsonOptions, MODEL_META } from "./model-options";
import { HiddenText, PAGE_META } from "./outcome";
import { checkPageCapture, PAGE_CAPTURE_OPTIONS, STORE_OPTION } from "./page-capture-options";
import { checkPageFileOptions, PAGE_FILE_OPTIONS, Selector } from "./page-file-options";
import { PRICE_OPTIONS } from "./price-options";
import { SESSION_OPTIONS } from "./session-options";
import { checkView, VIEW_DATA, VIEW_META, VIEW_OPTIONS } from "./view-options";

export const ScrapeFormat = z
  .enum([
    "html",
    "markdown",
    "text",
    "screenshot",
    "metadata",
    "links",
    "images",
    "raw_html",
    "clean_html",
    "pdf",
    "summary",
    "json",
  ])
  .openapi("ScrapeFormat");
export type ScrapeFormat = z.infer<typeof ScrapeFormat>;

const Selectors = z.array(Selector).max(MAX_SELECTORS, `must have at most ${MAX_SELECTORS} entries`);

const LOAD_FIELDS = [
  ...["render", "js_render", "wait_for", "actions", "prefer_markdown"],
  ...Object.keys({ ...LOAD_OPTIONS, ...DEVICE_OPTIONS, ...SESSION_OPTIONS }),
];

export const ScrapeRequest = z
  .strictObject({
    url: TargetUrl.optional(),
    formats: z
      .array(ScrapeFormat)
      .min(1, "must name at least one format, such as markdown")
      .transform((formats) => [...new Set(formats)])
      .default(["markdown"])
      .openapi({ description: "The formats to return." }),
    render: RenderMode.optional().openapi({
      description:
        "Selects when the page is rendered in a browser, for one additional credit. `auto` renders the page only if it has no content without its scripts. The default is `never`. `wait_for`, `wait_ms`, `viewport`, `timezone`, `geolocation`, `actions` and the formats `screenshot` and `pdf` always render the page.",
    }),
    js_render: z.boolean().optional().openapi({
      description: "True means `render: always`, and false means `render: never`. Can't be combined with `render`.",
    }),
    wait_for: WaitFor,
    ...LOAD_OPTIONS,
    actions: Actions,
    prefer_markdown: z.boolean().optional().openapi({
      description:
        "If true, the site is asked for its own Markdown. If it has none, or if the Markdown is empty or an error, its HTML is used. Only for a plain request for the main content as `markdown`, `text` and `metadata`, without selectors.",
    }),
    only_main_content: z.boolean().default(true).openapi({
      description:
        "If false, `markdown`, `text` and `clean_html` contain the whole page, including navigation and footers.",
    }),
    include_selectors: Selectors.optional().openapi({
      description:
        "CSS selectors. `markdown`, `text` and `clean_html` contain only the matching elements, in document order.",
      example: ["#product", ".reviews"],
    }),
    exclude_selectors: Selectors.optional().openapi({
      description: "CSS selectors. Matching elements are omitted from `markdown`, `text` and `clean_html`.",
      example: [".advert"],
    }),
    hidden_text: HiddenText,
    ...DOCUMENT_OPTIONS,
    ...DEVICE_OPTIONS,
    json: JsonOptions.optional().openapi({
      description: "The data to extract from the page. Required for the format `json`, and not allowed without it.",
      example: { prompt: "the product's name and price" },
    }),
    ...PAGE_FILE_OPTIONS,
    ...SESSION_OPTIONS,
    ...PAGE_CAPTURE_OPTIONS,
    ...FILE_OPTION,
    ...STORE_OPTION,
    ...VIEW_OPTIONS,
    webhook_url: WebhookUrl.optional(),
    ...PRICE_OPTIONS,
    ...LABELS,
  })
  .superRefine(checkSource(["url", "capture_id", "file"]))
  .superRefine(checkContained("file", LOAD_FIELDS))
  .superRefine(checkPageCapture(LOAD_FIELDS))
  .superRefine(checkPageFileOptions)
  .superRefine(checkView)
  .superRefine(({ render, js_render }, context) => {
    if (render === undefined || js_render === undefined) return;
    const message = "can't be combined with 'js_render'; send only one of them";
    context.addIssue({ code: "custom", path: ["render"], message });
  })
  .superRefine(({ formats, json }, context) => {
    if (formats.includes("json") === (json !== undefined)) return;
    const message =
      json === undefined
        ? "is required by the format 'json'; describe the data in 'json.prompt'"
        : "requires the format 'json'; add it to 'formats'";
    context.addIssue({ code: "custom", path: ["json"], message });
  })
  .openapi("ScrapeRequest", {
    description: "Send exactly one of `url`, `capture_id` and `file`.",
    oneOf: [{ required: ["url"] }, { required: ["capture_id"] }, { required: ["file"] }],
  });
export type ScrapeRequest = z.infer<typeof ScrapeRequest>;

/** The fields of a request that loads a page. Each endpoint has some of them. */
export type PageFields = Partial<ScrapeRequest>;

const time = text.openapi({ description: "An ISO 8601 time. It has a UTC offset only if the page gives one." });

/** The metadata of a page. Fields that the page doesn't provide are omitted. */
export const PageMetadata = z
  .object({
    title: text,
    description: text,
    language: text.openapi({ description: "The language as the page declares it, such as `en` or `de-AT`." }),
    author: text,
    published_time: time,
    modified_time: time,
    site_name: text,
    canonical_url: text,
    favicon: text,
    open_graph: z
      .record(text, text)
      .openapi({ description: "The page's Open Graph properties, without the prefix `og:`." }),
  })
  .partial()
  .extend({
    url: text.openapi({
      description:
        "The URL of the page after redirects. For a file of the request, its name, such as `file:///report.pdf`.",
    }),
    status_code: int,
    content_type: text.nullable(),
  })
  .openapi("PageMetadata");
export type PageMetadata = z.infer<typeof PageMetadata>;

const PageLink = component("PageLink", {
  url: text.openapi({ description: "An absolute http or https URL." }),
  text: text,
  rel: text.optional(),
});

const PageImage = component("PageImage", {
  url: text.openapi({
    description: "An absolute http or https URL. If the page offers several sizes, it is the URL of the largest one.",
  }),
  alt: text.openapi({ description: "The alternative text. Empty if the image has none." }),
  width: int.optional().openapi({
    description:
      "The width in pixels, as the page declares it in attributes or `srcset`. Omitted if the page doesn't declare it.",
  }),
  height: int.optional().openapi({
    description: "The height in pixels, as the page declares it. Omitted if the page doesn't declare it.",
  }),
});

export const ScrapeData = component("ScrapeData", {
  html: text.optional().openapi({
    description:
      "The HTML as received. If the page was rendered, it is the HTML of the rendered document. Open shadow roots are then in `<template>`, frames of the same site in `<div data-frame-src>`, and form values that scripts have set in the attribute `data-form-value`.",
  }),
  raw_html: text.optional().openapi({
    description:
      "The response body of the page as text, even if the page was rendered. Omitted for a document such as a PDF, and if the browser has discarded the body.",
  }),
  clean_html: text.optional().openapi({
    description:
      "The content of `markdown` as HTML that is safe to insert into a page. It has no scripts, styles or event handlers. The only class is the language of code, such as `language-python`. All URLs are absolute.",
  }),
  markdown: text.optional(),
  text: text.optional(),
  ...VIEW_DATA,
  screenshot_url: text.optional().openapi({
    description: "A signed link to the screenshot. It needs no API key and expires with the result.",
    format: "uri",
  }),
  pdf_url: text.optional().openapi({
    description: "A signed link to the PDF. It needs no API key and expires with the result.",
    format: "uri",
  }),
  metadata: PageMetadata.optional(),
  links: z.array(PageLink).optional().openapi({ description: "The links of the whole page, without duplicates." }),
  images: z.array(PageImage).optional().openapi({
    description:
      "The images of the whole page in document order, without duplicates, up to 2,000. Tracking pixels, background images and `data:` URLs aren't included.",
  }),
  summary: text.optional().openapi({
    description: "A summary that a language model wrote, in the language of the page. Omitted if no model was called.",
  }),
  json: z.record(text, z.unknown()).optional().openapi({
    description:
      "The data that `json` describes. It is valid against `json.schema`. Omitted if the page has no content for it.",
  }),
  actions: ActionResults.optional().openapi({ description: "The results of `actions`, one for each action." }),
});
export type ScrapeData = z.infer<typeof ScrapeData>;

export const ScrapeMeta = JobMeta.extend({
  ...PAGE_META,
  page_kind: z.enum(PAGE_KINDS).optional().openapi({
    description:
      "The kind of the page, by which its main content was chosen. A `forum` is any page of posts, a `collection` a list of products, and a `listing` any other list. Omitted if the main content wasn't extracted, or if `outcome` isn't `ok`.",
  }),
  omitted: z.array(text).optional().openapi({
    description:
      "The headings of the sections that aren't in the main content, at most 20, in the order of the page. A heading is cut after 200 characters. `only_main_content: false` returns these sections. Omitted if there are none.",
  }),
  source: z.literal("site_markdown").optional().openapi({
    description: "`site_markdown` if the content is the site's own Markdown.",
  }),
  rendered: z.boolean().openapi({ description: "True if the page was rendered in a browser." }),
  model_used: text.optional().openapi({
    description:
      "The language model. `none` if the data of the format `json` was found without a model. Omitted if the request needs no model.",
  }),
  ...MODEL_META,
  ...VIEW_META,
  truncated: z.boolean().optional().openapi({
    description:
      "True if more text follows the part that the request selected, or if the end of the page is missing from the result. The end is missing if a workbook or a CSV file has more than 100,000 cells, or if the page is too long for the language model. The `text` of a CSV file is always complete.",
  }),
}).openapi("ScrapeMeta");
export type ScrapeMeta = z.infer<typeof ScrapeMeta>;

export const ScrapeResponse = resultResponse("ScrapeResponse", ScrapeData, ScrapeMeta);
