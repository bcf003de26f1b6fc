import { selectAll } from "css-select";
import type { ChildNode, Document, Element } from "domhandler";
import { AppError } from "../model/errors";
import { boundedOptions } from "./css/selector";
import { isWithin } from "./parse/dom";
import { OmittedElement, originalTree } from "./parse/original-tree";

/**
 * The maximum number of steps for all selectors of a request together. Each move through the tree is a step. So many
 * steps take one or two seconds.
 */
const MAX_STEPS = 50_000_000;

/**
 * Returns the outermost elements that match any of the selectors, in document order. The selectors match as in a
 * browser, with the elements that the tree leaves out. Leaves out elements inside another match or inside an excluded
 * node. Throws AppError `target_too_large` if matching takes too many steps. Their number
 * can grow with the square of the page's size, or faster.
 */
export function selectOutermost(
  document: Document,
  selectors: readonly string[],
  excluded: ReadonlySet<ChildNode> = new Set(),
): Element[] {
  if (selectors.length === 0) return [];
  let steps = 0;
  const options = boundedOptions(originalTree(document), (more) => {
    steps += more;
    if (steps <= MAX_STEPS) return;
    throw new AppError(
      "target_too_large",
      "Matching the selectors takes too long on a page of this size. Use simpler selectors.",
    );
  });
  const found = new Set<ChildNode>(selectAll<ChildNode, Element>(selectors.join(","), document, options));
  return [...found].filter(
    (element): element is Element =>
      !(element instanceof OmittedElement) && !isWithin(element.parent, found) && !isWithin(element, excluded),
  );
}
