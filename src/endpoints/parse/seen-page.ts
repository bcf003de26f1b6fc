import type { ChildNode, Document, Element } from "domhandler";
import { seenPage } from "../../html/main-content/main-content";
import { type Outline, outline } from "../../html/main-content/outline";
import { parsePage } from "../../html/parse/document";
import { showValues } from "../../html/visibility/shown-values";
import { unseenNodes } from "../../html/visibility/unseen";

/** A page as far as a person sees it: looked at once, for whether it is worth reading and for what is read of it. */
export interface SeenPage {
  html: string;
  document: Document;
  unseen: ReadonlySet<ChildNode>;
  /** A copy of all that can be seen. */
  whole: Element;
  /** Its lines. */
  page: Outline;
}

export function seePage(html: string): SeenPage {
  const page = parsePage(html);
  showValues(page.document);
  const unseen = unseenNodes(page);
  const whole = seenPage(page.document, unseen);
  return { html, document: page.document, unseen, whole, page: outline(whole, new Set()) };
}
