import { mainContent, wholePage } from "./main-content";
import { toMarkdown } from "./markdown";
import { isTooDeep } from "./parse";
import { plainText } from "./plain";
import { prepare } from "./prepare";
import { toText } from "./text";

export interface ConvertOptions {
  /** The final address of the page: relative ones start from it. */
  url: string;
  markdown: boolean;
  text: boolean;
  onlyMainContent: boolean;
}

export interface Converted {
  markdown?: string;
  text?: string;
}

/** The page as markdown (GFM) and as text, those that were asked for. Never throws, never empty when the page has text. */
export function convertHtml(html: string, options: ConvertOptions): Converted {
  const selections = isTooDeep(html) ? [] : options.onlyMainContent ? [mainContent, wholePage] : [wholePage];
  for (const select of selections) {
    const converted = convertSelection(html, select, options);
    if (converted?.markdown || converted?.text) return converted;
  }
  const text = plainText(html);
  return { ...(options.markdown && { markdown: text }), ...(options.text && { text }) };
}

function convertSelection(
  html: string,
  select: (html: string, pageUrl: string) => string,
  options: ConvertOptions,
): Converted | null {
  try {
    const root = prepare(select(html, options.url));
    return {
      ...(options.markdown && { markdown: toMarkdown(root) }),
      ...(options.text && { text: toText(root) }),
    };
  } catch {
    // The libraries stumble over some pages (a full stack, a node they don't expect): a plainer way gives at least the words.
    return null;
  }
}
