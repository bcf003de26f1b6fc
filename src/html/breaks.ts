import type { DomElement, DomNode } from "./dom";
import { elementsUnder, isBlock, isElement, isText, plainTextOf } from "./dom";

/** Marks a <br> that ends a paragraph: several in a row are no line breaks, but what people typed for a blank line. */
export const PARAGRAPH_END = "data-paragraph-end";

/** Leaves a <br> only between two lines of the same block. */
export function prepareBreaks(root: DomElement): void {
  const breaks = elementsUnder(root).filter(isBreak);
  for (const element of breaks) hoist(element);
  for (const element of breaks) if (element.parentNode) mergeRun(element);
  for (const element of breaks) {
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
    if (!first.closest("td, th")) first.setAttribute(PARAGRAPH_END, "");
  }
}

function neighbour(node: DomNode, side: "previousSibling" | "nextSibling"): DomNode | null {
  let found = node[side];
  while (found && isNothing(found)) found = found[side];
  return found;
}

function isNothing(node: DomNode): boolean {
  if (!isElement(node)) return !isText(node) || node.data.trim() === "";
  return (
    !isBlock(node) && !/^(?:br|img)$/.test(node.localName) && !node.querySelector("br, img") && plainTextOf(node) === ""
  );
}

function isBreak(node: DomNode | null): node is DomElement {
  return isElement(node) && node.localName === "br";
}
