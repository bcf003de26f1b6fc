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
  return (isTooDeep(html) ? null : convertTree(html, options)) ?? convertPlainly(html, options);
}

function convertTree(html: string, options: ConvertOptions): Converted | null {
  try {
    const select = options.onlyMainContent ? mainContent : wholePage;
    const root = prepare(select(html, options.url));
    const converted: Converted = {};
    if (options.markdown) converted.markdown = toMarkdown(root);
    if (options.text) converted.text = toText(root);
    return (converted.markdown ?? converted.text) === "" ? null : converted;
  } catch {
    // The libraries have pages they stumble over (a stack overflow, a node they don't expect): words are better than nothing.
    return null;
  }
}

function convertPlainly(html: string, options: ConvertOptions): Converted {
  const text = plainText(html);
  return { ...(options.markdown && { markdown: text }), ...(options.text && { text }) };
}
