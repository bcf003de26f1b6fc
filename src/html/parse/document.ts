import { type Document, Element } from "domhandler";
import { Tokenizer } from "htmlparser2";
import { TreeBuilder } from "./tree-builder";

const NOFRAMES = /<\/?noframes[^<>]*>/gi;

/**
 * The page as one tree: <html> with one <head> and one <body> that holds everything visible, wherever it stood. Scripts
 * (but for JSON-LD), style sheets, drawings and comments are not in it; its depth is bounded.
 */
export function parseDocument(source: string): Document {
  return parse(source, { fields: false }).document;
}

export interface StyledPage {
  document: Document;
  /** The page's own style sheets for screens, in document order. */
  styles: readonly string[];
}

/** The tree, with <select> and <textarea> as well, and beside it what the page's own <style> elements say. */
export function parsePage(source: string): StyledPage {
  return parse(source, { fields: true });
}

function parse(source: string, options: { fields: boolean }): StyledPage {
  const page = build(source, options);
  const isFrames = bodyOf(page.document).children.some(
    (child) => child instanceof Element && child.name === "frameset",
  );
  // All that such a page says itself is for readers without frames; to the tokenizer that is no markup.
  return isFrames ? build(source.replace(NOFRAMES, ""), options) : page;
}

function build(source: string, options: { fields: boolean }): StyledPage {
  const builder = new TreeBuilder(source, options);
  const tokenizer = new Tokenizer({}, builder);
  tokenizer.write(source);
  tokenizer.end();
  return builder;
}

export function bodyOf(document: Document): Element {
  return partOf(document, "body");
}

export function headOf(document: Document): Element {
  return partOf(document, "head");
}

function partOf(document: Document, name: string): Element {
  for (const root of document.children) {
    if (!(root instanceof Element)) continue;
    for (const child of root.children) if (child instanceof Element && child.name === name) return child;
  }
  return new Element(name, {});
}
