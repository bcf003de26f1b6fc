import type { Document } from "domhandler";
import type { Block } from "../../html/ast/blocks";
import { buildBlocks } from "../../html/ast/handlers";
import { writeMarkdown } from "../../html/markdown/markdown";
import { type Metadata, readMetadata } from "../../html/metadata/metadata";
import type { DataNode } from "../../html/page-data/data-node";
import { readPageData } from "../../html/page-data/read-page-data";
import { baseUrl } from "../../html/parse/urls";
import { writeText } from "../../html/text/text";
import type { VisiblePage } from "../../html/visible-page";
import { lazy } from "../../lib/lazy";
import { chooseContent } from "./choose-content";
import { removeInvisible } from "./normalize-text";
import { type PageFacts, readPageFacts, toFactLines } from "./page-facts";

/** The content that the model reads, before `toParts` splits it. */
export interface PageContent {
  facts: PageFacts;
  /** The Markdown, or null if the page is neither HTML nor a document, and the plain text. */
  body: { markdown: string | null; text: string };
  /** True if the end of a document was omitted, because the document is too long. */
  truncated?: true;
}

/** The placeholder for the page's URL if it isn't known. */
export const NO_HOST = "https://address.invalid";

/**
 * Reads the content of an HTML page (see `chooseContent`). Skips hidden elements and invisible characters. Resolves links
 * against `url`, or against the page's canonical URL if `url` is null. If there is no canonical URL, links keep only
 * their paths.
 */
export function readHtml(page: VisiblePage, { url }: { url: string | null }): PageContent {
  const read = lazy(() => {
    // The outcome has been detected with these copies.
    page.freeCopies();
    const { document, hidden } = page;
    const { from, base } = toBase(page, url);
    const blocks = buildBlocks(chooseContent(page, from), { baseUrl: base, captions: "paragraphs" });
    return { facts: readPageFacts(document, { baseUrl: base, url, hidden, toUrl }), body: writeBlocks(blocks) };
  });
  return {
    get facts() {
      return read().facts;
    },
    get body() {
      return read().body;
    },
  };
}

/** Returns the URL of the page, and the URL against which its links are resolved. */
function toBase({ document }: VisiblePage, url: string | null): { from: string; base: string } {
  const from = url ?? canonicalUrl(document);
  return { from, base: baseUrl(document, from) };
}

/** Removes the placeholder for an unknown URL, so that a link keeps only its path. */
function toUrl(absolute: string): string {
  return absolute.replace(NO_HOST, "");
}

/** Reads the data that an HTML page declares in its markup, and the text that it shows. Links are the same as in `readHtml`. */
export function readData(page: VisiblePage, { url }: { url: string | null }): readonly DataNode[] {
  const { base } = toBase(page, url);
  const nodes = readPageData(page, { baseUrl: base, url });
  return base.startsWith(NO_HOST) ? nodes.map(withoutHost) : nodes;
}

function withoutHost(node: DataNode): DataNode {
  switch (node.kind) {
    case "value":
      return typeof node.value === "string" ? { ...node, value: toUrl(node.value) } : node;
    case "object":
      return { ...node, members: node.members.map(withoutHost) };
    case "list":
      return { ...node, items: node.items.map(withoutHost) };
  }
}

function canonicalUrl(document: Document): string {
  const canonical = readMetadata(document, { baseUrl: NO_HOST, shown: false }).canonical_url;
  return canonical !== undefined && !canonical.startsWith(NO_HOST) ? canonical : NO_HOST;
}

/** Reads a page that isn't HTML, such as JSON or plain text. */
export function readPlain(text: string, { url }: { url: string | null }): PageContent {
  return {
    facts: { lines: toFactLines({}, { url }), objects: [] },
    body: { markdown: null, text: removeInvisible(text.replace(/\r\n?/g, "\n")) },
  };
}

/** Reads a document that already consists of blocks, such as a PDF. */
export function readDocument(
  blocks: Block[],
  { url, metadata }: { url: string | null; metadata: Metadata },
): PageContent {
  return {
    facts: { lines: toFactLines(metadata, { url }).map(removeInvisible), objects: [] },
    body: writeBlocks(blocks),
  };
}

/** Writes blocks as texts, which need much less memory. Omits invisible characters. */
function writeBlocks(blocks: Block[]): PageContent["body"] {
  // Links without a known host keep only their paths.
  const clean = (text: string) => removeInvisible(text.replaceAll(NO_HOST, ""));
  return { markdown: clean(writeMarkdown(blocks)).trim(), text: clean(writeText(blocks)) };
}
