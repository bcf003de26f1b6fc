import type { ChildNode, Document, Element } from "domhandler";
import { visiblePage } from "../../html/main-content/main-content";
import { type RegionTree, readRegions } from "../../html/main-content/regions";
import { parsePage } from "../../html/parse/document";
import { insertDisplayedValues } from "../../html/visibility/displayed-values";
import { findHiddenNodes } from "../../html/visibility/hidden-nodes";

/** A parsed page, with the visibility of its nodes. */
export interface VisiblePage {
  html: string;
  document: Document;
  hidden: ReadonlySet<ChildNode>;
  /** A copy of all visible content. */
  whole: Element;
  /** The text lines of `whole`. */
  page: RegionTree;
}

/** Parses a page and finds its visible content. */
export function parseVisiblePage(html: string): VisiblePage {
  const page = parsePage(html);
  insertDisplayedValues(page.document);
  const hidden = findHiddenNodes(page);
  const whole = visiblePage(page.document, hidden);
  return { html, document: page.document, hidden, whole, page: readRegions(whole, new Set()) };
}
