import type { ChildNode, Document, Element } from "domhandler";
import { visiblePage } from "./main-content/main-content";
import { type RegionTree, readRegions } from "./main-content/regions";
import { parsePage } from "./parse/document";
import { insertDisplayedValues } from "./visibility/displayed-values";
import { findHiddenNodes } from "./visibility/hidden-nodes";

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
