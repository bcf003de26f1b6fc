// Shows a part of a result's text. The stored result is always whole.
import { invalidParameter } from "../contract/invalid-request";
import { type OutlineEntry, type TextFormat, type ViewOptions, viewProblem } from "../contract/view-options";
import { AppError } from "../model/errors";
import { PASSAGES_DEFAULT } from "../model/limits";
import { cutPart } from "./cut";
import { findSection, readOutline } from "./outline";
import { findPassages } from "./passages";

export interface View {
  /** The result with the part of its text. */
  result: Record<string, unknown>;
  meta: {
    /** The length of the whole text. */
    total_chars: number;
    /** The offset with which the next view continues. Null if the end of the text or of the section was reached. */
    next_offset: number | null;
    truncated: boolean;
  };
  /** True if the view contains the end of the whole text. A view beyond the end doesn't. */
  isEnd: boolean;
}

/** The number of headings that an error about an unknown section lists. */
const MAX_LISTED_HEADINGS = 200;
const MAX_LISTED_CHARS = 200;

/**
 * Returns the view of a result. Throws AppError `invalid_request` if the result has html or several texts or no text,
 * and `section_not_found` with the outline in its details.
 */
export function viewResult(result: Record<string, unknown>, options: ViewOptions): View {
  // The result of a page that redirects to an earlier page of its crawl is empty.
  if (Object.keys(result).length === 0)
    return { result, meta: { total_chars: 0, next_offset: null, truncated: false }, isEnd: true };
  const problem = viewProblem(options, Object.keys(result));
  if (problem !== null) throw invalidParameter(problem.path, problem.message);
  const format: TextFormat = typeof result.markdown === "string" ? "markdown" : "text";
  const { [format]: whole, ...others } = result;
  const text = String(whole);
  const { max_chars: maxChars, max_tokens: maxTokens, offset, section, query } = options;
  const hasText = query === undefined && [maxChars, maxTokens, offset, section].some((option) => option !== undefined);
  const outline = options.outline === true || section !== undefined ? readOutline(text) : [];
  const { offset: start, chars } =
    section === undefined ? { offset: 0, chars: text.length } : getSection(outline, section);
  const range = { start: Math.max(start, offset ?? 0), end: start + chars, maxChars, maxTokens };
  const max = options.max_passages ?? PASSAGES_DEFAULT;
  const shown = {
    ...others,
    ...(options.outline === true && { outline }),
    ...(query !== undefined && { passages: findPassages(text, format, query, { ...range, max }) }),
  };
  const meta = { total_chars: text.length };
  if (!hasText) {
    const isEmpty = text === "";
    return { result: shown, meta: { ...meta, next_offset: isEmpty ? null : 0, truncated: !isEmpty }, isEnd: isEmpty };
  }
  const part = cutPart(text, format, range);
  const isCut = part.end < range.end;
  return {
    result: { [format]: part.text, ...shown },
    meta: { ...meta, next_offset: isCut ? part.end : null, truncated: isCut },
    isEnd: part.end === text.length,
  };
}

/** Returns `meta` with the fields of a view. */
export function withView<Meta extends Readonly<Record<string, unknown>>>(meta: Meta, view: View) {
  return { ...meta, ...view.meta, truncated: view.meta.truncated || meta.truncated === true };
}

/** Returns the view of a result, with the outline instead of the text if the result has no such section. */
export function viewOrOutline(result: Record<string, unknown>, options: ViewOptions): View {
  try {
    return viewResult(result, options);
  } catch (error) {
    if (error instanceof AppError && error.code === "section_not_found") return viewResult(result, { outline: true });
    throw error;
  }
}

function getSection(outline: readonly OutlineEntry[], section: string | number): OutlineEntry {
  const found = findSection(outline, section);
  if (found !== null) return found;
  const listed = outline.slice(0, MAX_LISTED_HEADINGS).map(({ number, heading }) => ({
    path: `outline.${number}`,
    message: heading.length > MAX_LISTED_CHARS ? `${heading.slice(0, MAX_LISTED_CHARS).toWellFormed()}…` : heading,
  }));
  const rest = outline.length - listed.length;
  const others = rest === 0 ? [] : [{ path: "outline", message: `has ${rest} more headings; send outline: true` }];
  throw new AppError("section_not_found", `The page has no section '${section}'.`, { details: [...listed, ...others] });
}
