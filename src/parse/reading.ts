import type { Document } from "domhandler";
import type { Block } from "../html/content/blocks";
import { readBlocks } from "../html/content/read";
import { parsePage } from "../html/document";
import { withoutInvisible } from "../html/invisible-characters";
import { mainContent, wholePage } from "../html/main-content";
import { type Metadata, readMetadata } from "../html/metadata";
import { unseenNodes } from "../html/unseen";
import { baseUrl } from "../html/urls";
import { isThin } from "./coverage";
import { factsOf, type Head, readPageHead } from "./head";
import { tidyBlocks } from "./tidy";

/** What a model is to read of a page, in whole: `toParts` cuts it to what fits. */
export interface Reading {
  head: Head;
  /** The page's words: as blocks, or as they are where the page isn't HTML. */
  body: { blocks: Block[] } | { text: string };
  /** Whether the main content was thin, so that all that can be seen of the page is given. */
  isWhole: boolean;
}

/** Stands for the page's address where nobody knows it. */
const NO_HOST = "https://address.invalid";

/**
 * What a person sees of the page, as a model is to read it: the main content, or all of the page where that is thin. What is
 * hidden isn't in it, whether element or character. Without an address (`url: null`), links start from the page's canonical
 * one; without that they keep their paths alone.
 */
export function readHtml(html: string, { url }: { url: string | null }): Reading {
  const page = parsePage(html);
  const { document } = page;
  const unseen = unseenNodes(page);
  const from = url ?? knownAddress(document);
  const base = baseUrl(document, from);
  const main = mainContent(document, { url: from, excluded: unseen });
  const whole = wholePage(document, unseen);
  const isWhole = isThin(main, whole);
  const toUrl = (absolute: string) => absolute.replace(NO_HOST, "");
  const blocks = readBlocks(isWhole ? whole : main, { baseUrl: base, captions: "paragraphs" });
  return {
    head: readPageHead(document, { baseUrl: base, url, unseen, toUrl }),
    body: { blocks: tidyBlocks(blocks, toUrl) },
    isWhole,
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
    isWhole: true,
  };
}

/** A document that is blocks already, such as a PDF. */
export function readDocument(blocks: Block[], { url, metadata }: { url: string | null; metadata: Metadata }): Reading {
  return {
    head: { facts: factsOf(metadata, { url }).map(withoutInvisible), data: [] },
    body: { blocks: tidyBlocks(blocks) },
    isWhole: true,
  };
}
