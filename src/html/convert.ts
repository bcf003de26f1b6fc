import { type ChildNode, type Document, Element } from "domhandler";
import { readBlocks } from "./ast/read";
import { copyApart } from "./included";
import { type PageLink, readLinks } from "./links";
import { extractMainContent, hasText, hiddenPage, wholePage } from "./main-content/main-content";
import { writeMarkdown } from "./markdown/blocks";
import { type Metadata, readMetadata } from "./metadata/metadata";
import { bodyOf, parseDocument } from "./parse/document";
import { baseUrl } from "./parse/urls";
import { selectOutermost } from "./selectors";
import { writeText } from "./text/blocks";
import { excludeHidden } from "./visibility/markup-visibility";

export interface ConvertOptions {
  /** The final address of the page: relative ones start from it. */
  url: string;
  markdown: boolean;
  text: boolean;
  /** What the page says about itself. */
  metadata?: boolean;
  /** The links of the whole page. */
  links?: boolean;
  onlyMainContent: boolean;
  /** CSS selectors: the result is what they match, in document order, and nothing else; without a match, nothing. */
  includeSelectors?: readonly string[];
  /** CSS selectors: what they match counts as not there. */
  excludeSelectors?: readonly string[];
}

export interface Converted {
  markdown?: string;
  text?: string;
  metadata?: Metadata;
  links?: PageLink[];
}

/**
 * What was asked for of the page, from one parse: markdown (GFM) and text, which are empty only when the page, or what was
 * included, has no text; metadata; links.
 */
export function convertHtml(html: string, options: ConvertOptions): Converted {
  const document = parseDocument(html);
  const base = { baseUrl: baseUrl(document, options.url) };
  return {
    ...((options.markdown || options.text) && toWords(document, options, base)),
    ...(options.metadata && { metadata: readMetadata(document, base) }),
    ...(options.links && { links: readLinks(document, base) }),
  };
}

function toWords(document: Document, options: ConvertOptions, base: { baseUrl: string }): Converted {
  // An article is what was written; of a whole page nothing that stands there is left out.
  const captions = options.onlyMainContent ? "titles" : "paragraphs";
  const root = select(document, options);
  const blocks = readBlocks(root, { ...base, captions });
  // Text has no pictures: where all words stand under some, it has those.
  const toPlain = () => writeText(blocks) || writeText(readBlocks(root, { ...base, captions: "paragraphs" }));
  return {
    ...(options.markdown && { markdown: writeMarkdown(blocks) }),
    ...(options.text && { text: toPlain() }),
  };
}

function select(document: Document, options: ConvertOptions): Element {
  const { includeSelectors = [], excludeSelectors = [], onlyMainContent } = options;
  const excluded = new Set<ChildNode>(selectOutermost(document, excludeSelectors));
  const body = bodyOf(document);
  if (excluded.has(body) || (body.parent && excluded.has(body.parent as ChildNode))) return new Element("div", {});
  if (includeSelectors.length > 0) return included(document, includeSelectors, excluded);
  const content = onlyMainContent
    ? extractMainContent(document, { url: options.url, excluded })
    : wholePage(document, excluded);
  if (hasText(content)) return content;
  const whole = wholePage(document, excluded);
  return hasText(whole) ? whole : hiddenPage(document, excluded);
}

function included(document: Document, selectors: readonly string[], excluded: Set<ChildNode>): Element {
  const body = bodyOf(document);
  const elements = selectOutermost(document, selectors, excluded);
  for (const element of elements) excludeHidden(element, excluded, { byClass: false });
  return copyApart(
    elements.map((element) => (element.name === "html" ? body : element)),
    excluded,
  );
}
