import { z } from "@hono/zod-openapi";
import { MAX_OCR_PAGES, MAX_PDF_PAGES } from "../model/page-limits";
import { parsePageRanges } from "../model/page-ranges";
import { int, isTrue, text } from "./fields";

const MAX_LIST_CHARS = 200;
const LIST_RULE = `must list pages and ranges in ascending order, such as '1-5,9' or '10-', with at most ${MAX_LIST_CHARS} characters`;

/** The fields that select how a document, such as a PDF, is read. They have no effect on other pages. */
export const DOCUMENT_OPTIONS = {
  pages: z
    .string(LIST_RULE)
    .refine((list) => list.length <= MAX_LIST_CHARS && parsePageRanges(list) !== null, LIST_RULE)
    .optional()
    .openapi({
      description: `The pages of a PDF or the slides of a presentation that are read, in ascending order. \`10-\` means all pages from 10 on. At most ${MAX_PDF_PAGES} of them are read, by default the first ones. Pages after the end are ignored. If there is none of the pages, the job fails with \`section_not_found\`.`,
      example: "1-5,9",
    }),
  page_markers: z.boolean().optional().openapi({
    description:
      "If true, a comment such as `<!-- page 3 -->` marks the start of each page of a PDF or slide of a presentation in `markdown` and `clean_html`. A paragraph that continues on the next page comes before the marker.",
  }),
  ocr: z
    .boolean()
    .optional()
    .openapi({
      description: `If true, a language model reads up to ${MAX_OCR_PAGES} pages of a PDF that have images but no text, such as scans. Each page that it reads has a price. Pages that it couldn't read are free.`,
    }),
};

export type DocumentFields = z.infer<z.ZodObject<typeof DOCUMENT_OPTIONS>>;

/** The fields of `meta` that describe a document. */
export const DOCUMENT_META = {
  pages: z
    .object({
      total: int.openapi({ description: "The number of pages of the document." }),
      read: text.openapi({
        description: "The pages that were read completely, in the form of the parameter `pages`. May be empty.",
        example: "1-5,9",
      }),
    })
    .optional()
    .openapi({ description: "Only for PDFs and presentations: the pages of the document." }),
  needs_ocr: isTrue.optional().openapi({
    description: "True if a PDF has images and no text, because its pages are probably scanned. `ocr` reads them.",
  }),
  ocr: z
    .object({
      model: text.openapi({ description: "The language model that read the scanned pages." }),
      usage: z
        .object({ input_tokens: int, output_tokens: int })
        .optional()
        .openapi({ description: "The tokens of this model, including those for pages that it couldn't read." }),
      pages_read: text.openapi({ description: "The scanned pages that were read. May be empty.", example: "1-3" }),
      pages_unread: z
        .array(
          z.object({
            pages: text.openapi({ description: "The numbers of the pages, in the form of the parameter `pages`." }),
            reason: text.openapi({ description: "The reason why they weren't read." }),
          }),
        )
        .optional()
        .openapi({
          description:
            "The scanned pages that weren't read. The reason is `image_format` for JPEG 2000, JBIG2, fax, CMYK and palette images, `image_size` for large images, `too_many_images` for pages of more than 4 images, `page_limit`, `time_limit`, or `model` if the model failed or found no text. Later versions may add reasons.",
          example: [{ pages: "4,7", reason: "image_format" }],
        }),
    })
    .optional()
    .openapi({ description: "With `ocr: true`: the pages of a PDF that have images and no text." }),
};
