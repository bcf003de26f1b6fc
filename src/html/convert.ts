import { type ChildNode, type Document, Element, type ParentNode } from "domhandler";
import { inTurns } from "../lib/async";
import type { PageKind } from "../model/page-kinds";
import { buildBlocks } from "./ast/handlers";
import { writeCleanHtml } from "./clean-html";
import { extractContent, type PageContent } from "./content/page-content";
import { type PageImage, type PageLink, readImages, readLinks } from "./links";
import { hasText, hiddenPage, visiblePage } from "./main-content/main-content";
import { writeMarkdown } from "./markdown/markdown";
import { type Metadata, readMetadata } from "./metadata/metadata";
import { copyTo } from "./parse/copy";
import { bodyOf } from "./parse/document";
import { TABLE_CONTEXT } from "./parse/element-categories";
import { append } from "./parse/tree";
import { baseUrl } from "./parse/urls";
import { selectOutermost } from "./selectors";
import { writeText } from "./text/text";
import { excludeHidden } from "./visibility/markup-visibility";
import { openPage, type VisiblePage } from "./visible-page";

/** Selects whether text that a person can't see is left out or kept. */
export type HiddenText = "drop" | "keep";

export interface ConvertOptions {
  /** The page's final URL. Relative URLs are resolved against it. */
  url: string;
  markdown: boolean;
  text: boolean;
  /** If true, the result includes the content as HTML that is safe to insert into a page. */
  cleanHtml?: boolean;
  /** If true, the result includes the metadata. */
  metadata?: boolean;
  /** If true, the result includes the links of the whole page. */
  links?: boolean;
  /** If true, the result includes the images of the whole page. */
  images?: boolean;
  onlyMainContent: boolean;
  /** CSS selectors. If given, the result contains only the elements that match, in document order. */
  includeSelectors?: readonly string[];
  /** CSS selectors. The result leaves out the elements that match. */
  excludeSelectors?: readonly string[];
  /** "keep" includes the text that a person can't see. The default is "drop". */
  hiddenText?: HiddenText;
}

export interface Converted {
  markdown?: string;
  text?: string;
  cleanHtml?: string;
  metadata?: Metadata;
  links?: PageLink[];
  images?: PageImage[];
  /** The kind of page. Set if the main content was extracted. */
  kind?: PageKind;
  /** The headings of sections that aren't in the main content. Set if there are any. */
  omitted?: string[];
}

/** Parses a page and converts it to the requested formats. See `convertPage`. */
export function convertHtml(html: string, options: ConvertOptions): Converted {
  const phases = convertInPhases(openPage(html), options);
  for (;;) {
    const { value, done } = phases.next();
    if (done) return value;
  }
}

/**
 * Converts a page of `openPage` to the requested formats. Doesn't change the page. The markdown (GFM) and the text are
 * empty only if the page, or the part that the selectors include, has no text. Other work can run between the phases.
 */
export async function convertPage(page: VisiblePage, options: ConvertOptions): Promise<Converted> {
  return await inTurns(convertInPhases(page, options));
}

/** Does the same as `convertPage`, one phase at each step. */
export function* convertInPhases(page: VisiblePage, options: ConvertOptions): Generator<void, Converted> {
  // The outcome has been detected with these copies.
  page.freeCopies();
  const { document } = page;
  const base = { baseUrl: baseUrl(document, options.url) };
  const converted: Converted = {};
  const hidden = options.hiddenText === "keep" ? null : page.hidden;
  yield;
  if (options.markdown || options.text || options.cleanHtml) yield* convertContent(page, options, { base, converted });
  if (options.metadata) converted.metadata = readMetadata(document, base);
  const lists = { ...base, ...(hidden && { hidden }) };
  if (options.links) converted.links = readLinks(document, lists);
  if (options.images) converted.images = readImages(document, lists);
  return converted;
}

/** Converts the selected content to markdown, text and HTML. */
function* convertContent(
  page: VisiblePage,
  options: ConvertOptions,
  { base, converted }: { base: { baseUrl: string }; converted: Converted },
): Generator<void, void> {
  // A caption paragraph would interrupt the main content. A whole page keeps captions where they are.
  const captions = options.onlyMainContent ? "titles" : "paragraphs";
  const { root, kind, omitted = [] } = select(page, options);
  yield;
  // The selectors decide about footnotes, too.
  const isSelected = (options.includeSelectors ?? []).length + (options.excludeSelectors ?? []).length > 0;
  const blocks = buildBlocks(root, { ...base, captions, ...(!isSelected && { whole: page.whole }) });
  yield;
  if (options.markdown) converted.markdown = writeMarkdown(blocks);
  yield;
  // The text format leaves out images and their titles. If the result is empty, captions become paragraphs. They may be
  // the page's only text.
  if (options.text)
    converted.text = writeText(blocks) || writeText(buildBlocks(root, { ...base, captions: "paragraphs" }));
  if (options.cleanHtml) converted.cleanHtml = writeCleanHtml(blocks);
  if (kind) converted.kind = kind;
  if (omitted.length > 0) converted.omitted = omitted;
  yield;
}

type Selected = Pick<PageContent, "root"> & Partial<PageContent>;

function select(page: VisiblePage, options: ConvertOptions): Selected {
  const { document } = page;
  const { includeSelectors = [], excludeSelectors = [], onlyMainContent, hiddenText = "drop" } = options;
  const excluded = new Set<ChildNode>(selectOutermost(document, excludeSelectors));
  const body = bodyOf(document);
  if (excluded.has(body) || (body.parent && excluded.has(body.parent as ChildNode)))
    return { root: new Element("div", {}) };
  const invisible = hiddenText === "keep" ? excluded : excluded.union(page.hidden);
  if (includeSelectors.length > 0) {
    // The caller names the elements, so they are returned even if all of them are hidden.
    const content = includedElements(document, includeSelectors, invisible);
    return { root: hasText(content) ? content : includedElements(document, includeSelectors, excluded) };
  }
  const content: Selected = onlyMainContent
    ? extractContent(document, { url: options.url, excluded: invisible })
    : { root: visiblePage(document, invisible) };
  if (hasText(content.root)) return content;
  const whole = visiblePage(document, invisible);
  return { root: hasText(whole) ? whole : hiddenPage(document, excluded) };
}

function includedElements(document: Document, selectors: readonly string[], excluded: ReadonlySet<ChildNode>): Element {
  const body = bodyOf(document);
  const elements = selectOutermost(document, selectors, excluded);
  const invisible = new Set(excluded);
  for (const element of elements) excludeHidden(element, invisible, { byClass: false });
  return copySeparately(
    elements.map((element) => (element.name === "html" ? body : element)),
    invisible,
  );
}

/**
 * Returns a copy of the elements. Each element becomes a separate block. Table rows and cells are copied together with
 * the table around them, and adjacent rows or cells share one table.
 */
function copySeparately(elements: readonly Element[], excluded: ReadonlySet<ChildNode>): Element {
  const root = new Element("div", {});
  const isDropped = (node: ChildNode) => excluded.has(node);
  /**
   * Maps the table around the previous element to its copy. Also maps the sections and rows of that table to their
   * copies.
   */
  const copies = new Map<ParentNode, Element>();
  const copyAround = ({ parent }: Element): Element => {
    if (!(parent instanceof Element && TABLE_CONTEXT.has(parent.name))) return root;
    const known = copies.get(parent);
    if (known) return known;
    const copy = new Element(parent.name, parent.attribs);
    append(copyAround(parent), copy);
    copies.set(parent, copy);
    return copy;
  };
  for (const element of elements) {
    let place = copyAround(element);
    if (place === root) {
      copies.clear();
      place = new Element("div", {});
      append(root, place);
    }
    copyTo(place, element, { isDropped });
  }
  return root;
}
