import { type ChildNode, type Document, Element, Text } from "domhandler";
import { copyTo } from "../parse/copy";
import { bodyOf } from "../parse/document";
import { isCellName } from "../parse/element-categories";
import { append } from "../parse/tree";
import { excludeHidden } from "../visibility/markup-visibility";
import type { MainContent } from "./prune";
import { type Region, readRegions } from "./regions";
import { findSiteBoilerplate } from "./site-boilerplate";

/** Returns a copy of the chosen lines, with their headline first as <h1>, and with a rule before `separated` elements. */
export function copyContent(content: MainContent, separated?: ReadonlySet<Element>): Element {
  const root = new Element("div", {});
  const { headline, invisible } = content;
  if (headline) append(root, headingOf(headline.region, invisible));
  const dropped = content.selection.dropped.union(emptiedRegions(content));
  const isDropped = (node: ChildNode) => invisible.has(node) || dropped.has(node) || node === headline?.region.element;
  for (const { element } of content.regions) copyTo(root, element, { isDropped, separated });
  if (content.noscript) showHidden(root);
  return root;
}

/** Returns a copy of the page without the `hidden` nodes. */
export function visiblePage(document: Document, hidden: ReadonlySet<ChildNode>): Element {
  return copyOf(bodyOf(document), withTextless(document, hidden));
}

/**
 * Returns a copy of the page without the `hidden` nodes and without the site's navigation, header, footer and dialogs.
 */
export function visibleContent(document: Document, hidden: ReadonlySet<ChildNode>): Element {
  const invisible = withTextless(document, hidden);
  const body = bodyOf(document);
  return copyOf(body, invisible.union(findSiteBoilerplate(readRegions(body, invisible))));
}

/** Returns the nodes with the elements that never show text. */
function withTextless(document: Document, hidden: ReadonlySet<ChildNode>): Set<ChildNode> {
  const invisible = new Set(hidden);
  excludeHidden(bodyOf(document), invisible, { byClass: false });
  return invisible;
}

/**
 * Returns a copy of the page including its hidden content: elements that a script shows later, and <noscript> elements.
 */
export function hiddenPage(document: Document, excluded: ReadonlySet<ChildNode>): Element {
  const root = copyOf(bodyOf(document), excluded);
  showHidden(root);
  return root;
}

function showHidden(element: Element): void {
  if (element.name === "noscript") element.name = "div";
  for (const child of element.children) if (child instanceof Element) showHidden(child);
}

function copyOf(element: Element, excluded: ReadonlySet<ChildNode>): Element {
  const root = new Element("div", {});
  copyTo(root, element, { isDropped: (node) => excluded.has(node) });
  return root;
}

const VISIBLE_CHARACTER = /[^\s\u200b\ufeff]/;

/** Returns true if there is visible text below `root`. */
export function hasText(root: Element): boolean {
  return root.children.some((child) => {
    if (child instanceof Text) return VISIBLE_CHARACTER.test(child.data);
    return child instanceof Element && child.name !== "noscript" && hasText(child);
  });
}

function headingOf({ element }: Region, invisible: ReadonlySet<ChildNode>): Element {
  const copy = (isDropped: (node: ChildNode) => boolean) => {
    const heading = new Element("h1", {});
    for (const child of element.children) copyTo(heading, child, { isDropped });
    return heading;
  };
  // A button next to the headline's text isn't part of it. A button around the text is.
  const text = copy((node) => invisible.has(node) || (node instanceof Element && node.name === "button"));
  return hasText(text) ? text : copy((node) => invisible.has(node));
}

/** Finds the regions whose text was dropped completely. The images in these regions are dropped, too. */
function emptiedRegions({ selection, regions }: MainContent): Set<ChildNode> {
  const emptied = new Set<ChildNode>();
  function visit(region: Region): void {
    if (!selection.isEmptied(region)) for (const child of region.children) visit(child);
    // A table cell is emptied but kept, because otherwise the next cells would be in the wrong columns.
    else if (isCellName(region.element.name)) for (const child of region.element.children) emptied.add(child);
    else emptied.add(region.element);
  }
  for (const region of regions) visit(region);
  return emptied;
}
