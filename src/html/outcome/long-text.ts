import { type Element, isText } from "domhandler";
import { isOverlay } from "../main-content/region-kinds";
import { bodyOf } from "../parse/document";
import { isElement } from "../parse/dom";
import type { VisiblePage } from "../visible-page";

/** A page with more text than this is always ordinary. A teaser in front of a paywall can have this much. */
const MIN_LONG_CHARS = 4_000;
/** Shorter texts are labels, links and table cells. */
const MIN_TEXT_CHARS = 40;
const SKIPPED = new Set(
  "a nav header footer aside dialog noscript form select textarea button script style template".split(" "),
);

/**
 * Returns true if a page has long visible text outside of links, forms and the site's boilerplate. This check is much
 * faster than reading the page's lines, and most articles pass it.
 */
export function hasLongText({ document, hidden }: VisiblePage): boolean {
  let chars = 0;
  const stack: Element["children"] = [bodyOf(document)];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (isText(node)) {
      if (node.data.length < MIN_TEXT_CHARS || hidden.has(node)) continue;
      const { length } = node.data.trim();
      if (length >= MIN_TEXT_CHARS) chars += length;
      if (chars > MIN_LONG_CHARS) return true;
    } else if (isElement(node) && !SKIPPED.has(node.name) && !hidden.has(node) && !isOverlay(node))
      for (let at = node.children.length - 1; at >= 0; at--) stack.push(node.children[at] as typeof node);
  }
  return false;
}
