// The fields that select a part of a result's text. They are fields of a scrape, and query parameters of stored results.
import { z } from "@hono/zod-openapi";
import {
  MAX_PASSAGE_QUERY_CHARS,
  MAX_SECTION_CHARS,
  MAX_VIEW_SIZE,
  PASSAGES_DEFAULT,
  PASSAGES_MAX,
} from "../model/limits";
import { wholeNumber } from "./common";
import { component, int, integer, nonEmptyText, text } from "./fields";

export type TextFormat = "markdown" | "text";

const DESCRIPTIONS = {
  max_chars: {
    description:
      "The maximum length of the returned text, in UTF-16 code units. The text is cut between blocks. A table or code that is cut repeats its head in the next part.",
  },
  max_tokens: {
    description: "The maximum length of the returned text, in estimated tokens. Can't be combined with `max_chars`.",
  },
  offset: {
    description: "The position in the whole text at which the returned text starts: 0, or an earlier `next_offset`.",
  },
  outline: {
    description:
      "If true, `outline` contains the headings of the Markdown. It replaces the text, unless `max_chars`, `max_tokens`, `offset` or `section` is set.",
  },
  section: {
    description: "Returns only the section with this heading, or with this number of the outline.",
  },
  query: {
    description:
      "Returns the `passages` of the page that match this question best, instead of the text. The service finds them by their words, without a language model, so write the question in the language of the page. `max_chars` or `max_tokens` limits all passages together, and `section` limits the searched text.",
  },
  max_passages: {
    description: `The maximum number of passages. Needs \`query\`. Default: ${PASSAGES_DEFAULT}.`,
  },
};

/** The fields that select passages. A search with contents has them, too. */
export const PASSAGE_OPTIONS = {
  query: nonEmptyText(MAX_PASSAGE_QUERY_CHARS).optional().openapi(DESCRIPTIONS.query),
  max_passages: integer(1, PASSAGES_MAX).optional().openapi(DESCRIPTIONS.max_passages),
};

/** The fields of a request. */
export const VIEW_OPTIONS = {
  max_chars: integer(1, MAX_VIEW_SIZE).optional().openapi(DESCRIPTIONS.max_chars),
  max_tokens: integer(1, MAX_VIEW_SIZE).optional().openapi(DESCRIPTIONS.max_tokens),
  offset: integer(0, MAX_VIEW_SIZE).optional().openapi(DESCRIPTIONS.offset),
  outline: z.boolean().optional().openapi(DESCRIPTIONS.outline),
  section: z
    .union([z.int().min(1), nonEmptyText(MAX_SECTION_CHARS)], {
      error: "must be a heading, or the number of a heading in the outline",
    })
    .optional()
    .openapi(DESCRIPTIONS.section),
  ...PASSAGE_OPTIONS,
};

/** The same fields as query parameters. */
export const VIEW_QUERY = {
  max_chars: wholeNumber(1, MAX_VIEW_SIZE).optional().openapi(DESCRIPTIONS.max_chars),
  max_tokens: wholeNumber(1, MAX_VIEW_SIZE).optional().openapi(DESCRIPTIONS.max_tokens),
  offset: wholeNumber(0, MAX_VIEW_SIZE).optional().openapi(DESCRIPTIONS.offset),
  outline: z
    .enum(["true", "false"], { error: "must be 'true' or 'false'" })
    .transform((value) => value === "true")
    .optional()
    .openapi(DESCRIPTIONS.outline),
  section: nonEmptyText(MAX_SECTION_CHARS).optional().openapi(DESCRIPTIONS.section),
  query: PASSAGE_OPTIONS.query,
  max_passages: wholeNumber(1, PASSAGES_MAX).optional().openapi(DESCRIPTIONS.max_passages),
};

export type ViewOptions = z.output<z.ZodObject<typeof VIEW_OPTIONS>>;

/** The fields that the result of a view has instead of its text, or in addition to it. */
export const VIEW_DATA = {
  outline: z
    .array(
      component("OutlineEntry", {
        number: int.openapi({ description: "The position in the outline, counted from 1." }),
        level: int.openapi({ description: "The level of the heading, from 1 to 6." }),
        heading: text.openapi({ description: "The heading as plain text." }),
        offset: int.openapi({ description: "The position of the heading in the whole text." }),
        chars: int.openapi({ description: "The length of the section, with its subsections." }),
      }),
    )
    .optional()
    .openapi({ description: "The headings of the page. Present if the request has `outline: true`." }),
  passages: z
    .array(
      component("Passage", {
        text: text.openapi({ description: "The passage. A part of a table has the head of the table." }),
        heading: text.nullable().openapi({ description: "The headings above the passage. Null if there are none." }),
        offset: int.openapi({ description: "The position of the passage in the whole text." }),
      }),
    )
    .optional()
    .openapi({ description: "The passages that match `query`, in the order of the page." }),
};
export type TextPassage = NonNullable<z.infer<z.ZodObject<typeof VIEW_DATA>>["passages"]>[number];
export type OutlineEntry = NonNullable<z.infer<z.ZodObject<typeof VIEW_DATA>>["outline"]>[number];

/** The fields that describe a view. They are omitted if no view was requested. */
export const VIEW_META = {
  total_chars: int.optional().openapi({ description: "The length of the whole text, in UTF-16 code units." }),
  next_offset: int.nullable().optional().openapi({
    description: "The `offset` with which the next request continues. Null if the end was reached.",
  }),
};
export const VIEW_TRUNCATED = z.boolean().optional().openapi({
  description: "True if text follows after the returned part, or if the end of the page is missing from the result.",
});

/** Returns the fields of a view, or null if the request has none. */
export function viewOf(fields: Readonly<Record<string, unknown>>): ViewOptions | null {
  const given = Object.keys(VIEW_OPTIONS).filter((name) => (fields[name] ?? false) !== false);
  return given.length === 0 ? null : Object.fromEntries(given.map((name) => [name, fields[name]]));
}

type Refine = { addIssue(issue: { code: "custom"; path: string[]; message: string }): void };

/** Refuses two limits. If `formats` are given, also refuses formats that have no view. */
export function checkView(request: ViewOptions & { formats?: readonly string[] }, context: Refine): void {
  const view = viewOf(request);
  if (view === null) return;
  const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
  if (view.max_chars !== undefined && view.max_tokens !== undefined)
    refuse("max_tokens", "can't be combined with 'max_chars'; send only one of them");
  if (view.max_passages !== undefined && view.query === undefined) refuse("max_passages", "needs 'query'");
  const problem = request.formats === undefined ? null : viewProblem(view, request.formats);
  if (problem !== null) refuse(problem.path, problem.message);
}

const HTML_FORMATS = ["html", "raw_html", "clean_html"];

/** Returns the parameter that can't be applied to a result with these formats, and the reason. Otherwise null. */
export function viewProblem(view: ViewOptions, formats: readonly string[]): { path: string; message: string } | null {
  const [path = ""] = Object.keys(view);
  const html = formats.find((format) => HTML_FORMATS.includes(format));
  if (html !== undefined)
    return { path, message: `can't be combined with the format '${html}'; use only markdown or text` };
  const texts = formats.filter((format) => format === "markdown" || format === "text");
  if (texts.length > 1) return { path, message: "needs one text format; use markdown or text, not both" };
  if (texts.length === 0) return { path, message: "needs the format markdown or text" };
  const headings = view.outline === true ? "outline" : "section";
  if (texts[0] === "text" && view[headings] !== undefined)
    return { path: headings, message: "needs the format markdown" };
  return null;
}
