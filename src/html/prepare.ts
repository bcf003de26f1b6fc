import domino from "@mixmark-io/domino";
import { prepareBreaks } from "./breaks";
import { prepareCode } from "./code";
import type { DomElement } from "./dom";
import { elementsUnder, hasBlock, isBlock, isText, nodesUnder, rename, unwrap } from "./dom";
import { flattenHeading, prepareLink, pushDown, settleStress } from "./inline";
import { prepareList } from "./lists";
import { prepareTable } from "./tables";

/** Blocks that the markdown converter takes for inline ones. */
const RENAMED = new Map([
  ["summary", "p"],
  ["legend", "p"],
  ["details", "div"],
  ["dialog", "div"],
  ["search", "div"],
  ["menu", "ul"],
  ["dir", "ul"],
]);

/**
 * Parses content as the standard says, which mends bad nesting, and brings it into the shapes that markdown and text can
 * both be written from: flat code blocks, lists of items only, rectangular data tables (others become blocks), links and
 * emphasis inside of blocks, never around them.
 */
export function prepare(contentHtml: string): DomElement {
  // linkedom's tables lack `rows` and its tree may be misnested; a second, small parse is cheaper than both.
  const root = domino.createDocument(`<!doctype html><body>${contentHtml}`, true).body;
  for (const element of elementsUnder(root)) {
    const name = RENAMED.get(element.localName);
    if (name) rename(element, name);
  }
  prepareCode(root);
  // From the inside out: a layout table inside a cell becomes blocks before its outer table is judged.
  for (const table of elementsNamed(root, ["table"]).reverse()) prepareTable(table);
  for (const list of elementsNamed(root, ["ul", "ol"])) prepareList(list);
  for (const element of elementsUnder(root)) {
    if (element.localName === "q") quote(element);
    else if (element.localName !== "a" && !isBlock(element) && hasBlock(element)) pushDown(element);
  }
  for (const element of elementsUnder(root)) settleStress(element);
  for (const link of elementsNamed(root, ["a"])) prepareLink(link);
  prepareBreaks(root);
  for (const heading of elementsNamed(root, ["h1", "h2", "h3", "h4", "h5", "h6"])) flattenHeading(heading);
  for (const node of nodesUnder(root)) if (isText(node) && !isInPre(node)) node.data = readable(node.data);
  return root;
}

function elementsNamed(root: DomElement, names: string[]): DomElement[] {
  return elementsUnder(root).filter((element) => names.includes(element.localName));
}

function quote(element: DomElement): void {
  const document = element.ownerDocument;
  element.insertBefore(document.createTextNode("“"), element.firstChild);
  element.appendChild(document.createTextNode("”"));
  unwrap(element);
}

function isInPre(node: { parentNode: DomElement | null }): boolean {
  return node.parentNode?.localName === "pre";
}

/** Without the characters that only steer the line breaking. */
function readable(text: string): string {
  return text.replace(/[\u00ad\u200b\u2060\ufeff]+/g, "").replace(/[\u00a0\f\v\u2028\u2029]/g, " ");
}
