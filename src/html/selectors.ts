import { selectAll } from "css-select";
import { parse } from "css-what";
import type { ChildNode, Document, Element } from "domhandler";
import { boundedOptions, withSteps } from "./css/selector";
import { isWithin } from "./parse/dom";
import { OmittedElement, originalTree, spendSteps } from "./parse/original-tree";

/**
 * Returns the outermost elements that match any of the selectors, in document order. The selectors match as in a
 * browser, with the elements that the tree leaves out. Leaves out elements inside another match or inside an excluded
 * node. Each move through the tree is a step of the page's budget. Their number can grow with the square of the page's
 * size, or faster.
 */
export function selectOutermost(
  document: Document,
  selectors: readonly string[],
  excluded: ReadonlySet<ChildNode> = new Set(),
): Element[] {
  if (selectors.length === 0) return [];
  const options = boundedOptions(originalTree(document), (steps) => spendSteps(document, steps));
  const query = parse(selectors.join(",")).map(withSteps);
  const found = new Set<ChildNode>(selectAll<ChildNode, Element>(query, document, options));
  return [...found].filter(
    (element): element is Element =>
      !(element instanceof OmittedElement) && !isWithin(element.parent, found) && !isWithin(element, excluded),
  );
}
