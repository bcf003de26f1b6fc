import { compile, type Options, selectAll } from "css-select";
import { type ChildNode, type Document, type Element, isTag } from "domhandler";
import * as DomUtils from "domutils";
import { AppError } from "../model/errors";

/** The limit of steps through the tree for all selectors of a request together: one or two seconds. */
const MAX_STEPS = 50_000_000;

/** The characters of an attribute's value that count as one step. A match may read all of them. */
const CHARS_PER_STEP = 16;

/** Returns the reason why a text isn't a CSS selector that can be matched, or null if it is one. */
export function selectorProblem(selector: string): string | null {
  try {
    compile(selector);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : "it can't be parsed";
  }
}

/**
 * Returns the elements that match any of the selectors, in document order, without those inside of another one or of an
 * excluded one. Throws AppError `target_too_large` if matching takes too many steps, which may grow with the square of
 * the page's size or worse.
 */
export function selectOutermost(
  document: Document,
  selectors: readonly string[],
  excluded: ReadonlySet<ChildNode> = new Set(),
): Element[] {
  if (selectors.length === 0) return [];
  const found = new Set<ChildNode>(selectAll<ChildNode, Element>(selectors.join(","), document, boundedOptions()));
  return [...found].filter(
    (element): element is Element =>
      !excluded.has(element) && !hasAncestorIn(element, found) && !hasAncestorIn(element, excluded),
  );
}

function hasAncestorIn(element: ChildNode, found: ReadonlySet<ChildNode>): boolean {
  for (let at = element.parent; at; at = at.parent) if (found.has(at as ChildNode)) return true;
  return false;
}

/** Returns an adapter for css-select that counts each step through the tree. */
function boundedOptions(): Options<ChildNode, Element> {
  let steps = 0;
  const count = <T>(value: T, cost: number): T => {
    steps += cost;
    if (steps <= MAX_STEPS) return value;
    throw new AppError("target_too_large", "The page is too large for these selectors: matching them takes too long.");
  };
  return {
    adapter: {
      isTag: (node): node is Element => count(isTag(node), 1),
      getName: (element) => element.name,
      getAttributeValue: (element, name) => {
        const value = element.attribs[name];
        return count(value, 1 + (value?.length ?? 0) / CHARS_PER_STEP);
      },
      hasAttrib: (element, name) => count(name in element.attribs, 1),
      getParent: (element) => count(element.parent as ChildNode | null, 1),
      getChildren: (node) => count(DomUtils.getChildren(node), 1),
      getSiblings: (node) => count(siblingsOf(node), 1),
      prevElementSibling: (node) => count(DomUtils.prevElementSibling(node), 1),
      getText: (node) => {
        const text = DomUtils.getText(node);
        return count(text, 1 + text.length);
      },
      removeSubsets: DomUtils.removeSubsets,
    },
  };
}

function siblingsOf(node: ChildNode): ChildNode[] {
  return node.parent === null ? [node] : (node.parent.children as ChildNode[]);
}
