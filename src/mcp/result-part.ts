import type { OutlineEntry, TextPassage, ViewOptions } from "../contract/view-options";
import type { Endpoint } from "../model/endpoint";
import { AppError } from "../model/errors";
import type { JobMeta } from "../model/job";
import { TOOL_PART_TOKENS } from "../model/limits";
import { viewResult, withView } from "../text-view/view";
import { fitItems } from "./result";

/** The parameters that select a part of a result. `cursor` is the number of the last heading that the caller has seen. */
export type PartOptions = ViewOptions & { cursor?: number | undefined; defaultTokens?: number };

/** The whole result of a job. */
type Whole = { endpoint: Endpoint; data: Record<string, unknown>; meta: JobMeta };

interface ResultPart {
  /** Untrusted text. */
  text: string;
  facts: { total_chars: number; next_offset?: number | null; truncated?: boolean; [member: string]: unknown };
  /** Sentences of this service for the model. */
  notes: string[];
  /** True if the part begins with the first character of the result. */
  isStart: boolean;
  /** True if the part ends with the last character of the result. */
  isEnd: boolean;
}

/** Members of a result up to this length are shown before its text. Longer ones follow the text. */
const MAX_SHORT_CHARS = 4_000;
/** The share of a part that the outline may have in addition. */
const OUTLINE_SHARE = 0.25;

/** Selects a part of a result. If it has no such section, selects the outline. Its headings are untrusted, too. */
export function selectOrOutline(whole: Whole, options: PartOptions) {
  try {
    return { ...selectPart(whole, options), error: undefined };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "section_not_found") throw error;
    const { code, message } = error;
    const { max_tokens, defaultTokens = TOOL_PART_TOKENS } = options;
    const part = selectPart(whole, { outline: true, defaultTokens: max_tokens ?? defaultTokens });
    return { ...part, facts: { error: { code, message }, ...part.facts }, error };
  }
}

/**
 * Returns the part of a result that a call selects: passages, the outline, or a part of the text. The first part of a
 * long text has the outline, too. Throws AppError if the result has no such part.
 */
function selectPart(result: Whole, options: PartOptions): ResultPart {
  const { format, text, before, after } = toTexts(result);
  const { outline, cursor = 0, defaultTokens = TOOL_PART_TOKENS, ...range } = options;
  const { max_chars, offset = 0, section } = range;
  const whole = { [format]: text };
  const total_chars = text.length;
  const readHeadings = () => viewResult(whole, { outline: true }).result.outline as OutlineEntry[];
  const maxTokens = range.max_tokens ?? (max_chars === undefined ? defaultTokens : max_chars / 4);
  if (outline === true && Object.values(range).every((value) => value === undefined)) {
    const headings = readHeadings();
    const { facts, ...listed } = listHeadings(headings, cursor, maxTokens);
    return { ...listed, facts: { total_chars, headings: headings.length, ...facts }, isStart: false, isEnd: false };
  }
  const size = max_chars === undefined ? { max_tokens: maxTokens } : {};
  if (range.query !== undefined) {
    const passages = viewResult(whole, { ...range, ...size }).result.passages as TextPassage[];
    const text = passages.map((each) => `Offset ${each.offset}, ${each.heading ?? "no heading"}:\n\n${each.text}`);
    return {
      text: text.join("\n\n"),
      facts: { total_chars, passages: passages.length },
      notes: passages.length > 0 ? [] : ["No passage has the words of the query. Use words of the page's language."],
      isStart: false,
      isEnd: false,
    };
  }
  const all = section === undefined ? { [format]: text + after } : whole;
  const view = viewResult(all, { ...range, ...size });
  const { next_offset } = view.meta;
  const part = {
    facts: withView({ truncated: result.meta.truncated }, view),
    isStart: offset === 0 && section === undefined,
    isEnd: view.isEnd && (section === undefined || after === ""),
  };
  const hasOutline = outline ?? (part.isStart && next_offset !== null && format === "markdown");
  const listed = hasOutline ? listHeadings(readHeadings(), cursor, maxTokens * OUTLINE_SHARE) : null;
  const notes =
    after !== "" && next_offset !== null ? [`Other members of the result follow at offset ${total_chars}.`] : [];
  const texts = [
    part.isStart ? before : "",
    listed === null || listed.text === "" ? "" : `Outline:\n${listed.text}\n\nText:`,
    String(view.result[format]),
  ];
  return {
    ...part,
    text: texts.filter((each) => each !== "").join("\n\n"),
    notes: [...notes, ...(listed?.notes ?? [])],
  };
}

/** Returns the members of `meta` that don't quote the page or the search engine. The receipt repeats the price. */
export function toFacts(meta: JobMeta): Record<string, unknown> {
  const others = ["receipt", "evidence", "unverified", "source_by_field", ...Object.keys(QUOTES)];
  return Object.fromEntries(Object.entries(meta).filter(([name]) => !others.includes(name)));
}

/** Members of `meta` that quote the page or the search engine, with their titles in the text of a result. */
const QUOTES = {
  outcome_reason: "Outcome",
  omitted: "Omitted sections",
  duplicate_of: "Same page as",
  query_searched: "Searched instead",
};

/**
 * Returns the text of a result: the Markdown or the text of a scrape, else the whole result as JSON. Its other members
 * are in `before` or `after`.
 */
function toTexts({ endpoint, data, meta }: Whole) {
  const { evidence, unverified, source_by_field, ...about } = meta as Record<string, unknown>;
  const quotes = Object.entries(QUOTES).flatMap(([name, title]) =>
    about[name] === undefined ? [] : [`${title}: ${[about[name]].flat().join("; ")}`],
  );
  const origins = { evidence, unverified, source_by_field };
  const hasOrigins = evidence !== undefined || source_by_field !== undefined;
  const formats = endpoint === "scrape" ? (["markdown", "text"] as const) : [];
  // A page that redirects to an earlier page of its crawl has no data.
  const isEmpty = endpoint === "scrape" && Object.keys(data).length === 0;
  const format = formats.find((each) => isEmpty || typeof data[each] === "string");
  if (format === undefined) {
    const text = toJson(hasOrigins ? { data, ...origins } : data);
    return { format: "text" as const, text, before: quotes.join("\n\n"), after: "" };
  }
  const { [format]: text = "", ...more } = data;
  const json = toJson({ ...more, ...origins });
  const isShort = json.length <= MAX_SHORT_CHARS;
  const before = [...quotes, ...(isShort && json !== "{}" ? [json] : [])].join("\n\n");
  return { format, text: String(text), before, after: isShort ? "" : `\n\n${json}` };
}

function toJson(value: object): string {
  return JSON.stringify(value, null, 1);
}

/** Lists the headings after the number `cursor`, as many as have at most `maxTokens` tokens together. */
function listHeadings(headings: readonly OutlineEntry[], cursor: number, maxTokens: number) {
  const lines = headings.slice(cursor).map(({ number, level, heading, offset, chars }) => {
    return `${number}. ${"#".repeat(level)} ${heading} (offset ${offset}, ${chars} characters)`;
  });
  const { shown, more } = fitItems(lines, maxTokens);
  const [next, isAll] = [cursor + shown.length, more === 0];
  return {
    text: shown.join("\n"),
    facts: isAll ? {} : { next_cursor: next },
    notes: isAll ? [] : [`To get more headings, call read with outline: true and cursor: ${next}.`],
  };
}
