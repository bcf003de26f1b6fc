import type { Document } from "domhandler";
import type { Block } from "../../html/ast/blocks";
import { buildBlocks } from "../../html/ast/build";
import { type Metadata, readMetadata } from "../../html/metadata/metadata";
import { baseUrl } from "../../html/parse/urls";
import { chooseContent, type Extent } from "./choose";
import { factsOf, type Head, readPageHead } from "./head";
import { withoutInvisible } from "./invisible-characters";
import type { SeenPage } from "./seen-page";
import { tidyBlocks } from "./tidy";

/** What a model is to read of a page, in whole: `toParts` cuts it to what fits. */
export interface Reading {
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
export function readHtml(page: SeenPage, { url }: { url: string | null }): Reading {
  const { document, hidden } = page;
  const from = url ?? knownAddress(document);
  const base = baseUrl(document, from);
  const toUrl = (absolute: string) => absolute.replace(NO_HOST, "");
  const { root, extent } = chooseContent(page, from);
  const blocks = buildBlocks(root, { baseUrl: base, captions: "paragraphs" });
  return {
    head: readPageHead(document, { baseUrl: base, url, hidden, toUrl }),
    body: { blocks: tidyBlocks(blocks, toUrl) },
    extent,
  };
}

function knownAddress(document: Document): string {
  const canonical = readMetadata(document, { baseUrl: NO_HOST }).canonical_url;
  return canonical !== undefined && !canonical.startsWith(NO_HOST) ? canonical : NO_HOST;
}

/** JSON, plain text and the like: as it is. */
export function readPlain(text: string, { url }: { url: string | null }): Reading {
  return {
    head: { facts: factsOf({}, { url }), data: [] },
    body: { text: withoutInvisible(text.replace(/\r\n?/g, "\n")) },
    extent: "whole",
  };
}

/** A document that is blocks already, such as a PDF. */
export function readDocument(blocks: Block[], { url, metadata }: { url: string | null; metadata: Metadata }): Reading {
  return {
    head: { facts: factsOf(metadata, { url }).map(withoutInvisible), data: [] },
    body: { blocks: tidyBlocks(blocks) },
    extent: "whole",
  };
}
