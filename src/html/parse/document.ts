import { type Document, Element } from "domhandler";
import { Tokenizer } from "htmlparser2";
import { parseComputed } from "./computed-visibility";
import { TreeBuilder } from "./tree-builder";

const NOFRAMES = /<\/?noframes[^<>]*>/gi;

/**
 * Parses a page into <html> with one <head> and one <body>. The <body> contains all visible elements, even those
 * outside of the page's own <body>. Leaves out scripts (except JSON-LD and formulas), style sheets, drawings and
 * comments. Limits the depth of the tree.
 */
export function parseDocument(source: string): Document {
  return parse(source, { fields: false, computed: null }).document;
}

/** A parsed page with its style sheets. */
export interface StyledPage {
  document: Document;
  /** The contents of the page's <style> elements that apply to screens, in document order. */
  styles: readonly string[];
  /** The bits of `COMPUTED` by element, if the page was rendered and its visibility could be read. Otherwise null. */
  computed: ReadonlyMap<Element, number> | null;
}

/** Parses a page with its <style> elements. With `fields`, keeps <select> and <textarea>, unlike `parseDocument`. */
export function parsePage(source: string, { fields = true, computed = null }: PageOptions = {}): StyledPage {
  return parse(source, { fields, computed });
}

interface PageOptions {
  fields?: boolean;
  /** The visibility that the browser computed for the page. See `ComputedVisibility`. */
  computed?: string | null;
}

function parse(source: string, options: Required<PageOptions>): StyledPage {
  const page = build(source, options);
  const isFrames = bodyOf(page.document).children.some(
    (child) => child instanceof Element && child.name === "frameset",
  );
  // A page with <frameset> has content only in <noframes>, which the tokenizer doesn't parse as markup.
  return isFrames ? build(source.replace(NOFRAMES, ""), options) : page;
}

function build(source: string, { fields, computed }: Required<PageOptions>): StyledPage {
  const visibility = computed === null ? null : parseComputed(computed);
  const builder = new TreeBuilder(source, { fields, visibility });
  const tokenizer = new Tokenizer({}, builder);
  tokenizer.write(source);
  tokenizer.end();
  const { document, styles } = builder;
  return { document, styles, computed: visibility?.isAligned() ? visibility.elements : null };
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
