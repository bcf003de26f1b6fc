import type { Document } from "domhandler";
import type { Block, Inline, Mark } from "../../html/ast/blocks";
import { buildBlocks } from "../../html/ast/build";
import { type Metadata, readMetadata } from "../../html/metadata/metadata";
import { baseUrl } from "../../html/parse/urls";
import { chooseContent, type Extent } from "./choose-content";
import { removeInvisible } from "./invisible-characters";
import { type Head, readPageFacts, toFactLines } from "./page-facts";
import type { VisiblePage } from "./visible-page";

/** What a model is to read of a page, in whole: `toParts` cuts it to what fits. */
export interface PageContent {
  head: Head;
  /** The page's words: as blocks, or as they are where the page isn't HTML. */
  body: { blocks: Block[] } | { text: string };
  /** How much of the page that is. */
  extent: Extent;
}

/** Stands for the page's address where nobody knows it. */
const NO_HOST = "https://address.invalid";

/**
 * What a person sees of the page, as a model is to read it: all but what is of its site (see `Extent`). What is hidden isn't
 * in it, whether element or character. Without an address (`url: null`), links start from the page's canonical one; without
 * that they keep their paths alone.
 */
export function readHtml(page: VisiblePage, { url }: { url: string | null }): PageContent {
  const { document, hidden } = page;
  const from = url ?? knownAddress(document);
  const base = baseUrl(document, from);
  const toUrl = (absolute: string) => absolute.replace(NO_HOST, "");
  const { root, extent } = chooseContent(page, from);
  const blocks = buildBlocks(root, { baseUrl: base, captions: "paragraphs" });
  return {
    head: readPageFacts(document, { baseUrl: base, url, hidden, toUrl }),
    body: { blocks: cleanBlocks(blocks, toUrl) },
    extent,
  };
}

function knownAddress(document: Document): string {
  const canonical = readMetadata(document, { baseUrl: NO_HOST }).canonical_url;
  return canonical !== undefined && !canonical.startsWith(NO_HOST) ? canonical : NO_HOST;
}

/** JSON, plain text and the like: as it is. */
export function readPlain(text: string, { url }: { url: string | null }): PageContent {
  return {
    head: { facts: toFactLines({}, { url }), data: [] },
    body: { text: removeInvisible(text.replace(/\r\n?/g, "\n")) },
    extent: "whole",
  };
}

/** A document that is blocks already, such as a PDF. */
export function readDocument(
  blocks: Block[],
  { url, metadata }: { url: string | null; metadata: Metadata },
): PageContent {
  return {
    head: { facts: toFactLines(metadata, { url }).map(removeInvisible), data: [] },
    body: { blocks: cleanBlocks(blocks) },
    extent: "whole",
  };
}

/** The same blocks without invisible characters, and their addresses as `toUrl` gives them. */
export function cleanBlocks(blocks: readonly Block[], toUrl: (url: string) => string = (url) => url): Block[] {
  return new BlockCleaner(toUrl).blocks(blocks);
}

class BlockCleaner {
  readonly #toUrl: (url: string) => string;
  /** Each mark is one object, wherever it goes on. */
  readonly #marks = new Map<Mark, Mark>();

  constructor(toUrl: (url: string) => string) {
    this.#toUrl = toUrl;
  }

  blocks(blocks: readonly Block[]): Block[] {
    return blocks.map((block) => this.#block(block)).filter(isSomething);
  }

  #block(block: Block): Block {
    switch (block.type) {
      case "paragraph":
      case "heading":
      case "term":
        return { ...block, content: this.#line(block.content) };
      case "quote":
      case "description":
      case "footnote":
        return { ...block, children: this.blocks(block.children) };
      case "list":
        return { ...block, items: block.items.map((item) => ({ ...item, children: this.blocks(item.children) })) };
      case "table":
        return { ...block, rows: block.rows.map((row) => row.map((cell) => this.#line(cell))) };
      case "code":
      case "math":
        return { ...block, value: removeInvisible(block.value) };
      case "rule":
        return block;
    }
  }

  #line(content: readonly Inline[]): Inline[] {
    return content.flatMap((inline) => {
      const words = removeInvisible(inline.value);
      const value = inline.type === "text" && words !== inline.value ? words.replace(/ {2,}/g, " ").trim() : words;
      if (value === "" && inline.value !== "" && inline.type !== "image") return [];
      const marks = this.#mark(inline.marks);
      return [{ ...inline, value, marks, ...this.#addressed(inline) }];
    });
  }

  #mark(mark: Mark | null): Mark | null {
    if (mark === null) return null;
    const known = this.#marks.get(mark);
    if (known) return known;
    const tidy: Mark = { ...mark, outer: this.#mark(mark.outer), ...this.#addressed(mark) };
    this.#marks.set(mark, tidy);
    return tidy;
  }

  #addressed({ url, title }: { url?: string; title?: string }): { url?: string; title?: string } {
    return {
      ...(url !== undefined && { url: this.#toUrl(url) }),
      ...(title !== undefined && { title: removeInvisible(title) }),
    };
  }
}

function isSomething(block: Block): boolean {
  if ("content" in block) return block.content.length > 0;
  if ("children" in block) return block.children.length > 0;
  return !("value" in block) || block.value.trim() !== "";
}
