import { z } from "@hono/zod-openapi";
import { MAX_PDF_PAGES } from "../model/page-limits";
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
};

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
    description: "True if a PDF has no text, because its pages are probably scanned images.",
  }),
};
