import type { Element, ParentNode } from "domhandler";
import { attribute, elementsUnder, isElement } from "../../html/parse/dom";
import { MAX_SERP_PAGE_RESULTS } from "../../model/search-limits";
import { isHiddenByAttribute, isLink, type Matcher } from "./matchers";

/** Returns the elements that no attribute hides, in document order. */
export function shownElements(root: ParentNode): Element[] {
  const shown: Element[] = [];
  const visit = (parent: ParentNode) => {
    for (const child of parent.children)
      if (isElement(child) && !isHiddenByAttribute(child)) {
        shown.push(child);
        visit(child);
      }
  };
  visit(root);
  return shown;
}

/** Returns the element itself or its nearest ancestor that matches, or null. */
export function closest(element: Element, matches: Matcher): Element | null {
  for (let at: ParentNode | null = element; isElement(at); at = at.parent) if (matches(at)) return at;
  return null;
}

/** Returns the matching descendants in document order, at most `max`. */
export function findAll(root: ParentNode, matches: Matcher, max = Number.POSITIVE_INFINITY): Element[] {
  const found: Element[] = [];
  for (const element of elementsUnder(root)) {
    if (!matches(element)) continue;
    found.push(element);
    if (found.length >= max) break;
  }
  return found;
}

/** Returns the first matching descendant. */
export function findFirst(root: ParentNode, matches: Matcher): Element | undefined {
  return findAll(root, matches, 1)[0];
}

const HEADING = /^h[1-4]$/;

export function headingIn(element: Element): Element | undefined {
  return findFirst(element, (at) => HEADING.test(at.name) || attribute(at, "role") === "heading");
}

export function linksIn(block: Element): Element[] {
  return findAll(block, isLink, MAX_SERP_PAGE_RESULTS);
}

/** Returns the elements that are not inside another one of them. They are in document order. */
export function outermost(elements: readonly Element[]): Element[] {
  const taken = new Set<Element>();
  for (const element of elements)
    if (!isElement(element.parent) || !closest(element.parent, (at) => taken.has(at))) taken.add(element);
  return [...taken];
}

/** Returns true if the first element begins before the second one. Returns false if one contains the other. */
export function isBefore(first: Element, second: Element): boolean {
  const ancestors = new Map<ParentNode, Element>();
  for (let at = first; at.parent; at = at.parent as Element) ancestors.set(at.parent, at);
  let at = second;
  while (at.parent && !ancestors.has(at.parent)) at = at.parent as Element;
  const other = at.parent && ancestors.get(at.parent);
  return at.parent && other ? at.parent.children.indexOf(other) < at.parent.children.indexOf(at) : false;
}

/** Returns the first link inside the title, or on mobile pages the link around it, or null. */
export function linkIn(title: Element): Element | null {
  return findFirst(title, isLink) ?? closest(title, isLink);
}
