import { type Options, selectAll } from "css-select";
import { type ChildNode, type Document, type Element, hasChildren, isTag } from "domhandler";
import * as DomUtils from "domutils";
import { AppError } from "../model/errors";
import { isWithin } from "./parse/dom";
import { OmittedElement, type OriginalTree, originalTree } from "./parse/original-tree";

/**
 * The maximum number of steps for all selectors of a request together. Each move through the tree is a step. So many
 * steps take one or two seconds.
 */
const MAX_STEPS = 50_000_000;

/** Each run of this many characters of an attribute value costs one step, because matching may read the whole value. */
const CHARS_PER_STEP = 16;

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
  const options = boundedOptions(originalTree(document));
  const found = new Set<ChildNode>(selectAll<ChildNode, Element>(selectors.join(","), document, options));
  return [...found].filter(
    (element): element is Element =>
      !(element instanceof OmittedElement) && !isWithin(element.parent, found) && !isWithin(element, excluded),
  );
}

/** Returns an adapter for css-select that counts each step through the tree. */
function boundedOptions(original: OriginalTree): Options<ChildNode, Element> {
  let steps = 0;
  const count = <T>(value: T, cost: number): T => {
    steps += cost;
    if (steps <= MAX_STEPS) return value;
    throw new AppError(
      "target_too_large",
      "Matching the selectors takes too long on a page of this size. Use simpler selectors.",
    );
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
      getChildren: (node) => count(hasChildren(node) ? original.childrenOf(node) : [], 1) as ChildNode[],
      getSiblings: (node) => count(node.parent ? original.childrenOf(node.parent) : [node], 1) as ChildNode[],
      prevElementSibling: (node) => count(original.elementBefore(node), 1),
      getText: (node) => {
        const text = DomUtils.getText(node);
        return count(text, 1 + text.length);
      },
      removeSubsets: DomUtils.removeSubsets,
    },
  };
}
