import { type ChildNode, Element } from "domhandler";
import type { Heading } from "../page/headline";
import type { PageParts } from "../page/parts";
import { bodyOf } from "../parse/document";
import { elementsUnder, separatedText } from "../parse/dom";
import { collapseLines } from "../parse/white-space";
import type { VisiblePage } from "../visible-page";
import type { DataNode } from "./data-node";
import type { DataWriter } from "./data-writer";

/** The name of the value that is the text of the page's main part, without former prices. */
export const PAGE_TEXT = "#text";
/** The name of the value that is the text of all parts of the page, without former prices. */
export const WHOLE_TEXT = "#whole";
/** The line separator of Unicode. The line ends of the source are only white space. */
const LINE_END = "\u2028";
const MAX_TEXT_CHARS = 1_000_000;
/** Elements whose text is separate, such as superscript cents. */
const SEPARATED = new Set(["sup", "sub"]);

/**
 * Reads what the page shows, to which the declared values are compared: the headings of the first level, the text of its
 * main part, and the text of all parts. Marks headings other than the headline.
 */
export function readShownData(
  { document, hidden }: VisiblePage,
  { parts, headline, writer }: { parts: PageParts; headline: Heading | null; writer: DataWriter },
): DataNode[] {
  const { asides, repeated, site, formerPrices } = parts;
  const current = hidden.union(formerPrices);
  const aroundSubject = current.union(asides).union(repeated).union(site);
  const body = bodyOf(document);
  return [
    ...readHeadings(document, aroundSubject, { headline, writer }),
    toTextNode(PAGE_TEXT, readShownText(body, aroundSubject)),
    toTextNode(WHOLE_TEXT, readShownText(body, current)),
  ];
}

function readHeadings(
  document: VisiblePage["document"],
  excluded: ReadonlySet<ChildNode>,
  { headline, writer }: { headline: Heading | null; writer: DataWriter },
): DataNode[] {
  const nodes: DataNode[] = [];
  for (const element of elementsUnder(bodyOf(document), (inner) => !excluded.has(inner))) {
    if (element.name !== "h1" || excluded.has(element)) continue;
    const text = readShownText(element, excluded).replaceAll("\n", " ");
    const node = writer.toValue({ name: "h1", source: "shown", position: `h1[${nodes.length}]` }, text);
    if (node !== null) nodes.push(headline === null || headline.text === text ? node : { ...node, part: "section" });
  }
  return nodes;
}

/** Returns a text of the page as one value. */
function toTextNode(name: string, value: string): DataNode {
  return { kind: "value", name, source: "shown", value, quote: "", position: "body" };
}

/** Returns the text below `root` without the `excluded` nodes. Blocks and the cells of tables are separate lines. */
function readShownText(root: Element, excluded: ReadonlySet<ChildNode>): string {
  const isSkipped = (node: ChildNode) => excluded.has(node) || (node instanceof Element && node.name === "noscript");
  const text = separatedText(root, { separator: LINE_END, maxChars: MAX_TEXT_CHARS, isSkipped, apart: SEPARATED });
  return collapseLines(text.slice(0, MAX_TEXT_CHARS), LINE_END);
}
