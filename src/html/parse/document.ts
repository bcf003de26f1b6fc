import { type Document, Element } from "domhandler";
import { Tokenizer } from "htmlparser2";
import { TreeBuilder } from "./tree-builder";

const NOFRAMES = /<\/?noframes[^<>]*>/gi;

/**
 * Parses a page into <html> with one <head> and one <body>. The <body> contains all visible elements, even those
 * outside of the page's own <body>. Leaves out scripts (except JSON-LD and formulas), style sheets, drawings and
 * comments. Limits the depth of the tree.
 */
export function parseDocument(source: string): Document {
  return parse(source, { fields: false }).document;
}

/** A parsed page with its style sheets. */
export interface StyledPage {
  document: Document;
  /** The contents of the page's <style> elements that apply to screens, in document order. */
  styles: readonly string[];
}

/** Parses a page with its <style> elements. With `fields`, keeps <select> and <textarea>, unlike `parseDocument`. */
export function parsePage(source: string, { fields = true } = {}): StyledPage {
  return parse(source, { fields });
}

function parse(source: string, options: { fields: boolean }): StyledPage {
  const page = build(source, options);
  const isFrames = bodyOf(page.document).children.some(
    (child) => child instanceof Element && child.name === "frameset",
  );
  // A page with <frameset> has content only in <noframes>, which the tokenizer doesn't parse as markup.
  return isFrames ? build(source.replace(NOFRAMES, ""), options) : page;
}

function build(source: string, options: { fields: boolean }): StyledPage {
  const builder = new TreeBuilder(source, options);
  const tokenizer = new Tokenizer({}, builder);
  tokenizer.write(source);
  tokenizer.end();
  return builder;
}

/** Returns the <body> of a document, or an empty one. */
export function bodyOf(document: Document): Element {
  return partOf(document, "body");
}

/** Returns the <head> of a document, or an empty one. */
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
