import type { ChildNode, Document, Element } from "domhandler";
import { visiblePage } from "../../html/main-content/main-content";
import { type RegionTree, readRegions } from "../../html/main-content/regions";
import { parsePage } from "../../html/parse/document";
import { insertDisplayedValues } from "../../html/visibility/displayed-values";
import { findHiddenNodes } from "../../html/visibility/hidden-nodes";

/** A page as far as a person sees it: looked at once, for whether it is worth reading and for what is read of it. */
export interface SeenPage {
  html: string;
  document: Document;
  hidden: ReadonlySet<ChildNode>;
  /** A copy of all that can be seen. */
  whole: Element;
  /** Its lines. */
  page: RegionTree;
}

export function seePage(html: string): SeenPage {
  const page = parsePage(html);
  insertDisplayedValues(page.document);
  const hidden = findHiddenNodes(page);
  const whole = visiblePage(page.document, hidden);
  return { html, document: page.document, hidden, whole, page: readRegions(whole, new Set()) };
}
