import { z } from "@hono/zod-openapi";
import { MAX_SELECTOR_CHARS, MAX_SELECTORS } from "../model/limits";
import { PAPERS, SCREENSHOT_TYPES } from "../model/page-files";
import { integer, nonEmptyText } from "./fields";

export const Selector = nonEmptyText(MAX_SELECTOR_CHARS, "must be a CSS selector");

/** Returns the error message for options that aren't an object, such as `true`. */
const optionsOf = (format: string) => ({
  error: ({ code }: { code?: string | undefined }) =>
    code === "invalid_type"
      ? `must be an object with the options of the format '${format}'; to use the default options, only add '${format}' to 'formats'`
      : undefined,
});

const ScreenshotOptions = z
  .strictObject(
    {
      full_page: z.boolean().optional().openapi({
        description: "If false, the screenshot shows only the visible part of the page. The default is true.",
      }),
      selector: Selector.optional().openapi({
        description:
          "A CSS selector. The screenshot shows only the first matching element, after scrolling to it. Can't be combined with `full_page`.",
        example: "#product",
      }),
      format: z.enum(SCREENSHOT_TYPES).default("png").openapi({
        description:
          "The file format. A `jpeg` or `webp` has at most 8 megapixels, and the end of a larger page is omitted.",
      }),
      quality: integer(1, 100)
        .optional()
        .openapi({ description: "The quality of a `jpeg` or `webp`. The default is 80." }),
      device_scale_factor: z
        .number()
        .min(1, "must be a number from 1 to 2")
        .max(2, "must be a number from 1 to 2")
        .default(1)
        .openapi({ description: "The number of image pixels per CSS pixel, in each direction." }),
      hide_selectors: z
        .array(Selector)
        .max(MAX_SELECTORS, `must have at most ${MAX_SELECTORS} entries`)
        .optional()
        .openapi({
          description: "CSS selectors. Matching elements are invisible in the screenshot, but keep their space.",
          example: [".chat-button"],
        }),
      block_banners: z.boolean().default(false).openapi({
        description: "If true, consent banners, dialogs and other overlays are removed before the screenshot.",
      }),
    },
    optionsOf("screenshot"),
  )
  .openapi("ScreenshotOptions");

const PdfOptions = z
  .strictObject(
    {
      paper: z.enum(PAPERS).default("a4").openapi({ description: "The paper size." }),
      landscape: z.boolean().default(false).openapi({ description: "If true, the pages are in landscape format." }),
      background: z.boolean().default(true).openapi({
        description: "If false, background colors and background images aren't printed.",
      }),
    },
    optionsOf("pdf"),
  )
  .openapi("PdfOptions");

/** The parameters of a scrape that control its screenshot and its PDF. */
export const PAGE_FILE_OPTIONS = {
  screenshot: ScreenshotOptions.optional().openapi({
    description: "Options of the format `screenshot`. They don't affect the other formats.",
  }),
  pdf: PdfOptions.optional().openapi({ description: "Options of the format `pdf`." }),
};

interface PageFileOptions {
  formats: readonly string[];
  render?: string | undefined;
  js_render?: boolean | undefined;
  screenshot?: z.output<typeof ScreenshotOptions> | undefined;
  pdf?: z.output<typeof PdfOptions> | undefined;
}

/** Refuses options without their format, and options that contradict each other. */
export function checkPageFileOptions(
  { formats, render, js_render, screenshot, pdf }: PageFileOptions,
  context: { addIssue(issue: { code: "custom"; path: (string | number)[]; message: string }): void },
): void {
  const refuse = (path: (string | number)[], message: string) => context.addIssue({ code: "custom", path, message });
  for (const [name, options] of Object.entries({ screenshot, pdf }))
    if (options !== undefined && !formats.includes(name))
      refuse([name], `requires the format '${name}'; add '${name}' to 'formats', or remove this parameter`);
  const refusal = render === "never" ? "'render: never'" : js_render === false ? "'js_render: false'" : null;
  if (refusal !== null && formats.includes("pdf"))
    refuse(
      ["formats", formats.indexOf("pdf")],
      `can't be 'pdf' together with ${refusal}, because a PDF requires a browser; remove one of the two`,
    );
  if (screenshot?.quality !== undefined && screenshot.format === "png")
    refuse(["screenshot", "quality"], "can't be used for a png, because it is lossless; set 'format' to jpeg or webp");
  if (screenshot?.selector !== undefined && screenshot.full_page !== undefined)
    refuse(
      ["screenshot", "full_page"],
      "can't be combined with 'selector', which selects a single element; remove one of the two",
    );
}
