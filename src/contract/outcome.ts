import { z } from "@hono/zod-openapi";
import { OUTCOMES } from "../model/job";
import { OUTCOME_HELP } from "../model/outcome-help";
import { DOCUMENT_META } from "./document-options";
import { component, int, isTrue, text } from "./fields";
import { PAGE_CAPTURE_META } from "./page-capture-options";

export const HiddenText = z.enum(["drop", "keep"]).optional().openapi({
  default: "drop",
  description:
    "What happens to text that a reader can't see. `drop` leaves it out. `keep` treats it like visible text. Both report it in `meta.content_warnings`.",
});

export const ContentWarning = component("ContentWarning", {
  code: z.enum(["hidden_text", "instructions_in_hidden_text"]).openapi({
    description:
      "`hidden_text`: the page hides sentences in its content. `instructions_in_hidden_text`: hidden text tells an AI what to do. Later versions may add codes.",
  }),
  message: text.openapi({ description: "A message for people. It contains no text from the page." }),
  words: int.optional().openapi({ description: "The number of hidden words. Only with `hidden_text`." }),
});
export type ContentWarning = z.infer<typeof ContentWarning>;

const Permission = z.boolean().optional();

const ContentSignals = component("ContentSignals", {
  search: Permission.openapi({ description: "False if the page may not be used for a search index." }),
  ai_input: Permission.openapi({ description: "False if the page may not be the input of an AI." }),
  ai_train: Permission.openapi({ description: "False if an AI may not be trained with the page." }),
  noai: isTrue.optional().openapi({ description: "True if the robots directives include `noai`." }),
  noimageai: isTrue.optional().openapi({ description: "True if the robots directives include `noimageai`." }),
  tdm_reservation: isTrue.optional().openapi({
    description: "True if the site reserves text and data mining with `tdm-reservation: 1` (TDMRep).",
  }),
});

export const Outcome = z.enum(OUTCOMES).openapi("Outcome", { description: toDescription() });

/** The fields of `meta` that describe the page of a scrape or parse. */
export const PAGE_META = {
  outcome: Outcome,
  outcome_reason: text
    .optional()
    .openapi({ description: "The evidence for an `outcome` other than `ok`, in one sentence." }),
  hint: text.optional().openapi({ description: "What to do about an `outcome` other than `ok`." }),
  partial_load: isTrue.optional().openapi({
    description:
      "True if a rendered page was read before all of its resources had loaded, because of a time limit. Content that depends on a missing resource may be missing too.",
  }),
  depth: int.optional().openapi({
    description: "Only for pages of crawls: the number of links from the first page of the crawl to this page.",
  }),
  duplicate_of: text.optional().openapi({
    description:
      "Only for pages of crawls: the URL of an earlier page of the crawl, of which this page is a duplicate. Either both have the same content, or this page redirects to the earlier page or declares it as its canonical URL. A page that redirects to an earlier page has no data. The links of a page with the same content aren't followed.",
  }),
  skipped: z.literal("content_signals").optional().openapi({
    description:
      "Only for pages of crawls with `content_signals: respect`: the page refuses the use, so it has no data and is free.",
  }),
  content_signals: ContentSignals.optional().openapi({
    description:
      "What the site says about uses of the page. The sources are the page's headers and its `<head>` and, in a crawl, robots.txt. For a page from a capture, it is only the `<head>`. Omitted if the site says nothing.",
  }),
  content_warnings: z
    .array(ContentWarning)
    .optional()
    .openapi({ description: "The reasons to distrust the page's content. Omitted if there are none." }),
  ...DOCUMENT_META,
  ...PAGE_CAPTURE_META,
};

function toDescription(): string {
  const rows = OUTCOMES.map((outcome) => `| \`${outcome}\` | ${OUTCOME_HELP[outcome].meaning} |`);
  const head = ["The kind of page that was received. Later versions may add outcomes.", ""];
  return [...head, "| outcome | meaning |", "|---|---|", ...rows].join("\n");
}
