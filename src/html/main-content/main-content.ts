import { type ChildNode, type Document, Element } from "domhandler";
import { bodyOf } from "../parse/document";
import { append } from "../parse/tree";
import { excludeHidden } from "../visibility/markup-visibility";
import { chooseContent } from "./choose";
import { siteChrome } from "./chrome";
import { copyTo } from "./copy";
import { type Block, outline } from "./outline";
import type { Content } from "./prune";

/**
 * A copy of the page's main content, its headline first as <h1>: the article, or on pages without one, what is left
 * without navigation, banners, consent boxes and footers. Empty only when the page shows no text. What is `excluded`
 * counts as not there.
 */
export function mainContent(document: Document, options: { url: string; excluded: ReadonlySet<ChildNode> }): Element {
  const content = chooseContent(document, options);
  const root = new Element("div", {});
  const { headline, draft } = content;
  if (headline) append(root, headingOf(headline.block, content.invisible));
  const emptied = emptiedBlocks(content);
  const isDropped = (node: ChildNode) =>
    draft.dropped.has(node) || emptied.has(node) || node === headline?.block.element;
  for (const { element } of content.blocks) copyTo(root, element, isDropped);
  return root;
}

/** Returns a copy of the page without its `hidden` nodes. */
export function visiblePage(document: Document, hidden: ReadonlySet<ChildNode>): Element {
  const invisible = new Set(hidden);
  excludeHidden(bodyOf(document), invisible, { byClass: false, byStyle: false });
  return copyOf([bodyOf(document)], invisible);
}

/** Returns a copy of the page without its `hidden` nodes and without the site's navigation, header, footer and dialogs. */
export function visibleContent(document: Document, hidden: ReadonlySet<ChildNode>): Element {
  const invisible = new Set(hidden);
  excludeHidden(bodyOf(document), invisible, { byClass: false, byStyle: false });
  return copyOf([bodyOf(document)], invisible.union(siteChrome(bodyOf(document), invisible)));
}

/** A copy of all that a reader sees. */
export function wholePage(document: Document, excluded: ReadonlySet<ChildNode>): Element {
  const invisible = new Set(excluded);
  excludeHidden(bodyOf(document), invisible, { byClass: false });
  return copyOf([bodyOf(document)], invisible);
}

/** A copy of the page with what it hides: until a script shows it, or from readers with scripts. */
export function hiddenPage(document: Document, excluded: ReadonlySet<ChildNode>): Element {
  const root = copyOf([bodyOf(document)], excluded);
  showHidden(root);
  return root;
}

function showHidden(element: Element): void {
  if (element.name === "noscript") element.name = "div";
  for (const child of element.children) if (child instanceof Element) showHidden(child);
}

function copyOf(elements: readonly Element[], excluded: ReadonlySet<ChildNode>): Element {
  const root = new Element("div", {});
  for (const element of elements) copyTo(root, element, (node) => excluded.has(node));
  return root;
}

export function hasText(root: Element): boolean {
  return outline(root, new Set()).units.length > 0;
}

function headingOf({ element }: Block, invisible: ReadonlySet<ChildNode>): Element {
  const heading = new Element("h1", {});
  for (const child of element.children) copyTo(heading, child, (node) => invisible.has(node));
  return heading;
}

/** Blocks whose text was dropped, all of it: what pictures are left there belong to what is gone. */
function emptiedBlocks({ draft, blocks }: Content): Set<ChildNode> {
  const emptied = new Set<ChildNode>();
  function visit(block: Block): void {
    if (!draft.isEmptied(block)) for (const child of block.children) visit(child);
    // The cells after it keep their columns.
    else if (/^t[dh]$/.test(block.element.name)) for (const child of block.element.children) emptied.add(child);
    else emptied.add(block.element);
  }
  for (const block of blocks) visit(block);
  return emptied;
}
