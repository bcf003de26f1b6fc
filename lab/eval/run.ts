import type { Conversion } from "./conversions.ts";
import type { Page } from "./fixtures.ts";
import { isEmptyByMistake } from "./lost-pages.ts";
import type { EvaluatedSet, Output } from "./sets.ts";

/** The ids of the pages with problems. */
export interface Problems {
  /** The output is empty, or the conversion threw an error. */
  failed: string[];
  /** The output is empty, but parse5 sees text. */
  emptyByMistake: string[];
  /** The page was taken for a bot challenge. */
  blocked: string[];
}

/** Converts pages with the service's code. Adds the ids of pages with problems to `problems`. */
export function convertPages(
  { decodeHtml, convertHtml, detectBlockPage }: Conversion,
  { pages, format }: Pick<EvaluatedSet, "pages" | "format">,
  { onlyMainContent, problems }: { onlyMainContent: boolean; problems: Problems },
): Map<string, Output> {
  const formats = { markdown: format === "markdown", text: format === "text" };
  const toOutput = ({ id, bytes, contentType, url }: Page) => {
    let html = "";
    let output = "";
    try {
      html = decodeHtml(bytes, contentType);
      if (detectBlockPage({ status: 200, headers: new Map(), html }) !== null) problems.blocked.push(id);
      output = convertHtml(html, { url, ...formats, onlyMainContent })[format] ?? "";
    } catch (error) {
      console.error(id, error);
    }
    if (output.trim() === "") problems.failed.push(id);
    if (isEmptyByMistake(html, output)) problems.emptyByMistake.push(id);
    return output;
  };
  return new Map(pages.map((page) => [page.id, { [format]: toOutput(page) }]));
}
