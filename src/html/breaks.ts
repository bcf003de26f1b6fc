import type { DomElement, DomNode } from "./dom";
import { elementsUnder, isBlock, isElement, isText } from "./dom";

/** Marks a <br> that ends a paragraph: several in a row are no line breaks, but what people typed for a blank line. */
export const PARAGRAPH_END = "data-paragraph-end";

/** Leaves a <br> only between two lines of the same block. */
export function prepareBreaks(root: DomElement): void {
  for (const element of elementsUnder(root)) {
    if (element.localName !== "br" || !element.parentNode) continue;
    hoist(element);
    mergeRun(element);
    const [before, after] = [neighbour(element, "previousSibling"), neighbour(element, "nextSibling")];
    if (!before || !after || isBlock(before) || isBlock(after)) element.remove();
  }
}

/** A break at the edge of an inline element stands as well outside of it, where markdown can write it. */
function hoist(element: DomElement): void {
  for (let parent: DomNode | null = element.parentNode; parent && !isBlock(parent); parent = element.parentNode) {
    if (!neighbour(element, "previousSibling")) parent.parentNode?.insertBefore(element, parent);
    else if (!neighbour(element, "nextSibling")) parent.parentNode?.insertBefore(element, parent.nextSibling);
    else return;
  }
}

function mergeRun(first: DomElement): void {
  for (let next = neighbour(first, "nextSibling"); isBreak(next); next = neighbour(first, "nextSibling")) {
    next.remove();
    if (first.closest("td, th") === null) first.setAttribute(PARAGRAPH_END, "");
  }
}

function neighbour(node: DomNode, side: "previousSibling" | "nextSibling"): DomNode | null {
  let found = node[side];
  while (found && !isElement(found) && (!isText(found) || found.data.trim() === "")) found = found[side];
  return found;
}

function isBreak(node: DomNode | null): node is DomElement {
  return isElement(node) && node.localName === "br";
}
