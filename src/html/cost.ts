import type { DomElement, DomNode } from "./dom";
import { childrenOf, elementsUnder, isElement } from "./dom";

/** Elements times their depth: Readability visits all that is inside of each element. About five seconds. */
const MAX_VISITS = 3_000_000;
/** Items times items: linkedom builds the list of an element's children anew for each look at one. About one second. */
const MAX_SQUARED_ITEMS = 10_000_000;

/** Whether Readability would take many seconds over a page: one huge list, or a pathological nesting. */
export function isTooCostly(root: DomElement): boolean {
  let visits = 0;
  let depth = 1;
  let node: DomNode | null = root.firstChild;
  while (node) {
    if (isElement(node)) visits += depth;
    if (visits > MAX_VISITS) return true;
    if (isElement(node) && node.firstChild) {
      node = node.firstChild;
      depth++;
      continue;
    }
    while (node && node !== root && !node.nextSibling) {
      node = node.parentNode;
      depth--;
    }
    node = node && node !== root ? node.nextSibling : null;
  }
  return squaredItems(root) > MAX_SQUARED_ITEMS;
}

function squaredItems(root: DomElement): number {
  let squares = 0;
  for (const list of elementsUnder(root)) {
    if (/^[uo]l$/.test(list.localName)) squares += childrenOf(list).filter(isElement).length ** 2;
  }
  return squares;
}
