import { z } from "@hono/zod-openapi";
import { Actions } from "./actions";
import { JobMeta, TargetUrl, WebhookUrl } from "./common";
import { DEVICE_OPTIONS } from "./device-options";
import { DOCUMENT_OPTIONS } from "./document-options";
import { isTrue, resultResponse, text } from "./fields";
import { checkContained, checkSource, FILE_OPTION } from "./file-option";
import { LABELS } from "./labels";
import { LOAD_OPTIONS, RenderMode, WaitFor } from "./load-options";
import { checkStrategyFields, EXTRACTION, MODEL_META } from "./model-options";
import { HiddenText, PAGE_META } from "./outcome";
import { checkPageCapture, PAGE_CAPTURE_OPTIONS, STORE_OPTION } from "./page-capture-options";
import { PRICE_OPTIONS } from "./price-options";
import { SESSION_OPTIONS } from "./session-options";

/** The parameters that need a `url`. */
const PAGE_OPTIONS = {
  render: RenderMode.optional().openapi({
    description:
      "Selects when the page is rendered in a browser. `auto` (the default) renders the page only if it has no content without its scripts. `wait_for`, `wait_ms`, `viewport`, `timezone`, `geolocation` and `actions` always render the page.",
  }),
  wait_for: WaitFor,
  ...LOAD_OPTIONS,
  ...SESSION_OPTIONS,
  ...DEVICE_OPTIONS,
  actions: Actions,
};

export const ParseRequest = z
  .strictObject({
    url: TargetUrl.optional(),
    html: text
      .min(1, "must not be empty")
      .optional()
      .openapi({ description: "The HTML of the page, instead of `url`." }),
    ...EXTRACTION,
    model: text
      .optional()
      .openapi({ description: "The language model. By default, the first configured model is used." }),
    evidence: z.boolean().optional().openapi({
      description:
        "If true, `meta` has the quote from the page for each value, and lists the values that don't occur in the page.",
    }),
    hidden_text: HiddenText,
    ...DOCUMENT_OPTIONS,
    ...PAGE_OPTIONS,
    ...PAGE_CAPTURE_OPTIONS,
    ...FILE_OPTION,
    ...STORE_OPTION,
    webhook_url: WebhookUrl.optional(),
    ...PRICE_OPTIONS,
    ...LABELS,
  })
  .superRefine(checkSource(["url", "html", "capture_id", "file"]))
  .superRefine(checkContained("html", Object.keys(PAGE_OPTIONS)))
  .superRefine(checkContained("file", Object.keys(PAGE_OPTIONS)))
  .superRefine(checkPageCapture(Object.keys(PAGE_OPTIONS)))
  .superRefine(checkStrategyFields)
  .superRefine(({ actions = [] }, context) => {
    for (const [i, { type }] of actions.entries()) {
      if (type !== "screenshot" && type !== "html") continue;
      const message = `must not be '${type}', because a parse returns no screenshots and no HTML; use /v1/scrape instead`;
      context.addIssue({ code: "custom", path: ["actions", i, "type"], message });
    }
  })
  .openapi("ParseRequest", {
    description: "Send exactly one of `url`, `html`, `capture_id` and `file`.",
    oneOf: [{ required: ["url"] }, { required: ["html"] }, { required: ["capture_id"] }, { required: ["file"] }],
  });
export type ParseRequest = z.infer<typeof ParseRequest>;

export const ParseData = z
  .record(text, z.unknown())
  .openapi("ParseData", { description: "The extracted data. It is valid against the schema of the request." });
export type ParseData = z.infer<typeof ParseData>;

export const ParseMeta = JobMeta.extend({
  ...PAGE_META,
  model_used: text.openapi({ description: "The language model. `none` if no model was called." }),
  rendered: z.boolean().optional().openapi({ description: "True if the page was rendered in a browser." }),
  ...MODEL_META,
  evidence: z
    .record(text, z.object({ quote: text, verified: z.boolean() }))
    .optional()
    .openapi({
      description:
        "With `evidence: true`: the quote for each value, from the model or from the page's own data, by JSON pointer into `data`. `verified` is true if the service found the quote in the page. Omitted in lists.",
    }),
  unverified: z.array(text).optional().openapi({
    description: "With `evidence: true`: JSON pointers to the values that don't occur in the page. Omitted in lists.",
  }),
  evidence_truncated: isTrue.optional().openapi({
    description: "True if some evidence is omitted, because it is longer than 200,000 characters.",
  }),
}).openapi("ParseMeta");
export type ParseMeta = z.infer<typeof ParseMeta>;

export const ParseResponse = resultResponse("ParseResponse", ParseData, ParseMeta);
