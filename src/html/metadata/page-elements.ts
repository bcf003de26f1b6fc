import { type ChildNode, type Document, Element } from "domhandler";
import { type HeadElements, HeadReader } from "./head";

/** The elements of a page that metadata is read from, in document order. */
export interface PageElements {
  head: HeadElements;
  /** The headings <h1> to <h3>. */
  headings: Element[];
  /** The elements with microdata properties. */
  properties: Element[];
  /** The <time> elements. */
  times: Element[];
}

const MAX_HEADINGS = 60;
const MAX_PROPERTIES = 200;
const MAX_TIMES = 50;

/**
 * Collects the elements of a page that metadata is read from. Walks through the page only once, without a generator,
 * because this walk takes most of the time.
 */
export function readPageElements(document: Document): PageElements {
  const reader = new HeadReader();
  const headings: Element[] = [];
  const properties: Element[] = [];
  const times: Element[] = [];
  const stack: ChildNode[] = document.children.toReversed();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!(node instanceof Element)) continue;
    const { name, attribs, children } = node;
    if (name === "h1" || name === "h2" || name === "h3") {
      if (headings.length < MAX_HEADINGS) headings.push(node);
    } else if (name === "time") {
      if (times.length < MAX_TIMES) times.push(node);
    } else reader.add(node);
    if (attribs.itemprop !== undefined && properties.length < MAX_PROPERTIES) properties.push(node);
    if (name === "svg" || name === "template") continue;
    for (let at = children.length - 1; at >= 0; at--) {
      const child = children[at];
      if (child instanceof Element) stack.push(child);
    }
  }
  return { head: reader.finish(), headings, properties, times };
}
